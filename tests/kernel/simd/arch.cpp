#include <xeinsum/kernel/simd/arch.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace kernel = xeinsum::kernel;

TEST_CASE("lanes are those of the registers that an architecture has") {
    CHECK(kernel::lanes_of<float, kernel::avx2_fma> == 8);
    CHECK(kernel::lanes_of<std::complex<float>, kernel::avx2_fma> == 8);
    CHECK(kernel::lanes_of<double, kernel::avx512bw> == 8);
    CHECK(kernel::lanes_of<std::uint32_t, kernel::sse2> == 4);
    CHECK(kernel::lanes_of<std::uint64_t, kernel::avx512bw> == 1);
    CHECK(kernel::lanes_of<float, kernel::scalar_arch> == 1);
    CHECK(kernel::lanes_of<float, support::native_arch> ==
          kernel::simd<float, support::native_arch>::type::size);
}

TEST_CASE("narrower registers keep the arithmetic of their machine") {
    using wide = kernel::tuned<kernel::avx512bw, xeinsum::tune::zen5>;
    using half = kernel::narrower_t<wide>;
    using quarter = kernel::narrower_t<half>;
    CHECK(kernel::lanes_of<float, half> == 8);
    CHECK(kernel::lanes_of<float, quarter> == 4);
    CHECK(std::is_same_v<kernel::narrower_t<quarter>, quarter>);
    CHECK(std::is_same_v<kernel::narrowest_t<wide>, quarter>);
    CHECK(kernel::has_fused_multiply_add<quarter>);
    CHECK_FALSE(kernel::has_fused_multiply_add<kernel::narrower_t<kernel::avx2>>);
    CHECK(kernel::cores<quarter>::measured().prefetches_streams);
    CHECK(std::is_same_v<kernel::widest<quarter>::type, wide>);
}
