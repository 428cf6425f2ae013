#include <xeinsum/reference/bound.hpp>

#include "../support/shared_equations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace reference = xeinsum::reference;

TEST_CASE("gamma grows with the roundings and ends in infinity") {
    const long double u = std::numeric_limits<float>::epsilon() / 2;
    CHECK(reference::gamma(0, u) == 0);
    CHECK(reference::gamma(1, u) == doctest::Approx(static_cast<double>(u)));
    CHECK(reference::gamma(100, u) > 100 * u);
    CHECK(std::isinf(reference::gamma(1e9, u)));
}

TEST_CASE("every order of a float sum is within the bound, a wrong one is not") {
    std::mt19937 engine(3);
    std::uniform_real_distribution<float> uniform(-1, 1);
    xt::xtensor<float, 1> a = xt::xtensor<float, 1>::from_shape({500});
    xt::xtensor<float, 1> b = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
        a(i) = uniform(engine);
        b(i) = uniform(engine);
    }
    const auto expected = reference::einsum("i,i->", a, b);
    const auto bound = reference::bound("i,i->", a, b);
    std::vector<std::size_t> order(a.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    double worst = 0;
    for (int round = 0; round < 50; ++round) {
        std::shuffle(order.begin(), order.end(), engine);
        xt::xarray<float> sum = xt::xarray<float>::from_shape(std::vector<std::size_t>{});
        sum() = 0;
        for (const std::size_t i : order) {
            sum() += a(i) * b(i);
        }
        worst = std::max(worst, reference::worst_ratio(sum, expected, bound));
    }
    CHECK(worst <= 1);
    CHECK(worst > 0);
    xt::xarray<float> wrong = expected;
    wrong() += static_cast<float>(2 * bound());
    CHECK(reference::worst_ratio(wrong, expected, bound) > 1);
}

TEST_CASE("the bound of a product is one rounding of it and a little") {
    const xt::xtensor<float, 1> a = {3.0F};
    const double bound = reference::bound("i,i->i", a, a)(0);
    const double unit = std::numeric_limits<float>::epsilon() / 2;
    CHECK(bound >= 9 * unit);
    CHECK(bound <= 4 * 9 * unit);
}

TEST_CASE("products that underflow are covered") {
    const xt::xtensor<float, 1> tiny = {1.1e-23F, -1.1e-23F};
    const auto expected = reference::einsum("i,i->i", tiny, tiny);
    const auto bound = reference::bound("i,i->i", tiny, tiny);
    CHECK(bound(0) >= std::numeric_limits<float>::denorm_min());
    CHECK(reference::worst_ratio(xt::xarray<float>(tiny * tiny), expected, bound) <= 1);
}

TEST_CASE("integers have no error") {
    const xt::xtensor<std::int32_t, 1> a = {3, 4};
    CHECK(reference::bound("i,i->i", a, a) == xt::xarray<double>{0, 0});
    CHECK(reference::worst_ratio(xt::xarray<std::int32_t>{9, 16}, reference::einsum("i,i->i", a, a),
                                 reference::bound("i,i->i", a, a)) == 0);
    CHECK(reference::worst_ratio(xt::xarray<std::int32_t>{9, 17}, reference::einsum("i,i->i", a, a),
                                 reference::bound("i,i->i", a, a)) > 1);
}

TEST_CASE("complex bounds cover both parts") {
    using c = std::complex<float>;
    const xt::xtensor<c, 1> a = {c(1.1F, -2.3F), c(0.7F, 0.9F)};
    const auto expected = reference::einsum("i,i->i", a, a);
    const auto bound = reference::bound("i,i->i", a, a);
    xt::xarray<c> found = xt::xarray<c>::from_shape({2});
    for (std::size_t i = 0; i < 2; ++i) {
        found(i) = a(i) * a(i);
    }
    CHECK(reference::worst_ratio(found, expected, bound) <= 1);
}

TEST_CASE("comparison of special values and shapes") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const xt::xarray<float> expected{nan, infinity, 1};
    const xt::xarray<double> bound{0, 0, 0};
    CHECK(reference::worst_ratio(expected, expected, bound) == 0);
    CHECK(reference::worst_ratio(xt::xarray<float>{nan, infinity, nan}, expected, bound) > 1);
    CHECK(reference::worst_ratio(xt::xarray<float>{nan, -infinity, 1}, expected, bound) > 1);
    CHECK(reference::worst_ratio(xt::xarray<float>{1, infinity, 1}, expected, bound) > 1);
    CHECK(reference::worst_ratio(xt::xarray<float>{nan, infinity}, expected, bound) > 1);
}
