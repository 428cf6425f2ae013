#include <xeinsum/tune/core.hpp>

#include <xeinsum/kernel/simd/simd.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace tune = xeinsum::tune;
using xeinsum::kernel::cores;
using xeinsum::kernel::narrowed;
using xeinsum::kernel::tuned;

namespace {

/// An architecture of its own.
struct machine {};

}  // namespace

TEST_CASE(
    "the microarchitecture is part of the type of an architecture, and of its narrower ones") {
    using newer = tuned<machine, tune::zen5>;
    CHECK(!std::is_same_v<newer, tuned<machine, tune::sapphire_rapids>>);
    CHECK(cores<newer>::measured().prefetches_streams);
    CHECK(cores<narrowed<newer, 16>>::measured().prefetches_streams);
    CHECK_FALSE(cores<tuned<machine, tune::zen4>>::measured().prefetches_streams);
    CHECK(cores<tuned<machine, tune::skylake_avx512>>::measured().writes_in_order);
    CHECK_FALSE(cores<newer>::measured().writes_in_order);
    CHECK_FALSE(cores<machine>::measured().multiplies_whole_registers);
    CHECK(std::is_same_v<
          xeinsum::kernel::register_arch<tuned<xeinsum::kernel::avx2, tune::zen5>>::type,
          xeinsum::kernel::register_arch<xeinsum::kernel::avx2>::type>);
}
