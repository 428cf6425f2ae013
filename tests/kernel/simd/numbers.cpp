#include <xeinsum/kernel/simd/numbers.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <limits>
#include <vector>

using xeinsum::kernel::simd;

TEST_CASE_TEMPLATE("the end of a loop rounds as its middle does", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>, SUPPORT_NARROW_INSTANCES,
                   support::instance<float, support::scalar_arch>) {
    using T = typename I::type;
    using Arch = typename I::arch;
    using S = simd<T, Arch>;
    // a * a - rounded(a * a): 0 with two roundings, the rounding error with one.
    const T a = T(1) + std::numeric_limits<T>::epsilon() * T(3);
    volatile T rounded = a * a;
    std::vector<T> lanes(S::lanes);
    S::store(lanes.data(), S::mul_add(S::set(a), S::set(a), S::set(-rounded)));
    CHECK(lanes[0] == xeinsum::kernel::scalar_mul_add<Arch>(a, a, T(-rounded)));
    CHECK((lanes[0] != 0) == xeinsum::kernel::has_fused_multiply_add<Arch>);
}

TEST_CASE("products of complex numbers are the textbook's, without recovery of infinities") {
    using c = std::complex<double>;
    using xeinsum::kernel::scalar_mul;
    CHECK(scalar_mul(c(2, 3), c(5, 7)) == c(-11, 29));
    CHECK(xeinsum::kernel::scalar_mul_add<support::native_arch>(c(2, 3), c(5, 7), c(100, 200)) ==
          c(89, 229));
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(scalar_mul(c(inf, inf), c(1, 1)).real() != inf);  // inf - inf is NaN
}
