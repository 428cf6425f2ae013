#include <xeinsum/tune/core.hpp>

#include <xeinsum/kernel/simd/simd.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace tune = xeinsum::tune;
using xeinsum::kernel::core_of;
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
    CHECK(core_of<newer>.prefetches_streams);
    CHECK(core_of<narrowed<newer, 16>>.prefetches_streams);
    CHECK_FALSE(core_of<tuned<machine, tune::zen4>>.prefetches_streams);
    CHECK(core_of<tuned<machine, tune::skylake_avx512>>.writes_in_order);
    CHECK_FALSE(core_of<newer>.writes_in_order);
    CHECK_FALSE(core_of<machine>.multiplies_whole_registers);
    CHECK(std::is_same_v<
          xeinsum::kernel::register_arch<tuned<xeinsum::kernel::avx2, tune::zen5>>::type,
          xeinsum::kernel::register_arch<xeinsum::kernel::avx2>::type>);
}
