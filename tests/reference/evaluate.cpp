#include <xeinsum/reference/evaluate.hpp>

#include "../support/shared_equations.hpp"

#include <xeinsum/array/xtensor.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>

namespace reference = xeinsum::reference;

TEST_CASE("values and bounds of a product by hand") {
    const xt::xtensor<float, 2> a{{1, -2, 3}, {4, 5, -6}};
    const xt::xtensor<float, 1> b{7, 8, 9};
    const reference::call<float> c("ij,j->i", a, b);
    const auto value = reference::evaluate(c);
    CHECK(value.data()[0] == 18);
    CHECK(value.data()[1] == 14);
    // 3 roundings of the sums of magnitudes 50 and 122, and the reference's own.
    const double unit = std::numeric_limits<float>::epsilon() / 2;
    const auto bound = reference::bound_of(c);
    CHECK(bound.data()[0] == doctest::Approx(50 * (3 + 2) * unit).epsilon(1e-4));
    CHECK(bound.data()[1] == doctest::Approx(122 * (3 + 2) * unit).epsilon(1e-4));
}

TEST_CASE("random roundings allow less where sums are deep, integers nothing") {
    const auto ones = xt::xtensor<float, 1>(xt::ones<float>({5000}));
    const reference::call<float> c("i,i->", ones, ones);
    const double proved = *reference::bound_of(c).data();
    const double probable = *reference::bound_of(c, reference::roundings::random).data();
    CHECK(probable < proved / 5);
    CHECK(probable > 0);
    const xt::xtensor<int, 1> whole{1, 2, 3};
    CHECK(*reference::bound_of(reference::call<int>("i->", whole)).data() == 0);
}

TEST_CASE("the magnitude of a complex number bounds that of products") {
    const std::complex<float> x(3, -4);
    CHECK(reference::magnitude(x) == 7);
    CHECK(reference::magnitude(x * x) <= 49);
    CHECK(reference::magnitude(-2.5) == 2.5L);
}
