#include <xeinsum/testing.hpp>

#include "support/error_of.hpp"
#include "support/shared_equations.hpp"

#include <xeinsum/array/view.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

using xeinsum::axis;
using xeinsum::testing::check;
using xeinsum::testing::tolerance;

namespace {

const xt::xtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
const xt::xtensor<float, 2> b{{1, 0}, {0, 1}, {2, 2}};
const xt::xtensor<float, 2> right{{7, 8}, {16, 17}};

}  // namespace

TEST_CASE("a right result, as an array, an expression or memory") {
    CHECK(check(right, "ij,jk->ik", a, b));
    CHECK(check(right, tolerance::probable, "ij,jk->ik", a, b));
    CHECK(check(xt::transpose(right), tolerance::exact, "ij,jk->ki", a, b));
    CHECK(check(right + 0.0F, "ij,jk->ik", a, b));
    CHECK(check(xeinsum::view{right.data(), {2, 2}}, "ij,jk->ik", a, b));
    CHECK(check(21.0F, "ij->", a));
}

TEST_CASE("a wrong one: how many elements, and the worst with its labels") {
    auto wrong = right;
    wrong(0, 1) = 8.25F;
    wrong(1, 0) = 15;
    const auto found = check(wrong, "ij,jk->ik", a, b);
    CHECK(!found);
    CHECK(found.message().find("2 of 4 elements are outside (proved bound on rounding); the worst "
                               "is i=1, k=0: mine 15, expected 16, apart 1, allowed ") == 0);
    const auto exact = check(wrong, tolerance::exact, "ij,jk->ik", a, b);
    CHECK(exact.message() ==
          "2 of 4 elements are outside (exact); the worst is i=1, k=0: mine 15, expected 16, "
          "apart 1, allowed 0");
}

TEST_CASE("a result of another shape, and operands that do not fit") {
    const auto found = check(a, "ij,jk->ik", a, b);
    CHECK(!found);
    CHECK(found.message() == "the result has shape (2, 3), expected is (2, 2)");
    CHECK(support::error_of([] { static_cast<void>(check(right, "ij,jk->ik", a, a)); }).code() ==
          xeinsum::error_code::extent_mismatch);
}

TEST_CASE("small whole numbers show what the proved bound lets through") {
    const std::size_t depth = 300;
    auto x = xt::xtensor<float, 1>::from_shape({depth});
    auto whole = x;
    for (std::size_t i = 0; i < depth; ++i) {
        x(i) = std::sin(static_cast<float>(1 + 7 * i));
        whole(i) = static_cast<float>(static_cast<int>(i * 5 % 9) - 4);
    }
    const auto sum = [](const auto& v) { return xeinsum::reference::einsum("i,i->", v, v)(); };
    CHECK(check(sum(x) + 1e-3F, "i,i->", x, x));
    CHECK(!check(sum(x) + 1e-3F, tolerance::probable, "i,i->", x, x));
    CHECK(check(sum(whole), tolerance::exact, "i,i->", whole, whole));
    CHECK(!check(sum(whole) + 1e-3F, tolerance::exact, "i,i->", whole, whole));
}

TEST_CASE(
    "the probable bound grows with the root of the depth, and is never above the proved one") {
    using xeinsum::reference::gamma;
    using xeinsum::reference::random_gamma;
    constexpr long double unit = std::numeric_limits<float>::epsilon() / 2;
    CHECK(static_cast<double>(random_gamma(40000, unit, 1) / random_gamma(10000, unit, 1)) ==
          doctest::Approx(2).epsilon(1e-3));
    CHECK(random_gamma(10000, unit, 1) < gamma(10000, unit) / 10);
    CHECK(check(right, tolerance::probable, "ij,jk->ik", a, b));
    // 3 terms: the worst case is less.
    auto wrong = right;
    wrong(1, 1) = 17 + 4e-5F;
    CHECK(!check(wrong, tolerance::probable, "ij,jk->ik", a, b));
}

TEST_CASE("integers are exact, and groups have lengths") {
    const xt::xtensor<std::int8_t, 1> few{100, 100};
    CHECK(check(static_cast<std::int8_t>(-56), "i->", few));
    CHECK(check(static_cast<std::int8_t>(-55), "i->", few).message().find("mine -55") !=
          std::string::npos);
    const xt::xtensor<float, 2> q{{1, 2, 3, 4}, {5, 6, 7, 8}};
    const xt::xtensor<float, 2> heads{{3, 7}, {11, 15}};
    CHECK(check(heads, "n (h d) -> n h", q, axis<"h">(2)));
    CHECK(!check(heads, "n (h d) -> h n", q, axis("h", 2)));
}

TEST_CASE("a result of a wider type is not narrowed, large integers differ by 1") {
    const xt::xtensor<std::int8_t, 1> few{100, 100};
    CHECK(check(std::int32_t{200}, "i->", few));
    CHECK(!check(std::int32_t{200 + 256}, "i->", few));
    CHECK(!check(1 + 1e-9, tolerance::exact, "i->", xt::xtensor<float, 1>{1}));
    const xt::xtensor<std::int64_t, 1> large{std::int64_t{1} << 60U};
    CHECK(check(large, "i->i", large));
    CHECK(!check(large + 1, "i->i", large));
}

TEST_CASE("NaN and infinity are where the reference has them") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const xt::xtensor<float, 2> x{{infinity, 1}, {infinity, -infinity}, {2, 3}};
    CHECK(check(xt::xtensor<float, 1>{infinity, nan, 5}, "ij->i", x));
    CHECK(!check(xt::xtensor<float, 1>{infinity, 1, 5}, "ij->i", x));
    CHECK(!check(xt::xtensor<float, 1>{infinity, nan, nan}, "ij->i", x));
    CHECK(!check(xt::xtensor<float, 1>{1, nan, 5}, "ij->i", x));
    using c = std::complex<double>;
    CHECK(check(xt::xtensor<c, 1>{c(-3, 4)}, "i,i->i", xt::xtensor<c, 1>{c(1, 2)},
                xt::xtensor<c, 1>{c(1, 2)}));
}

TEST_CASE("shown only when asked for" * doctest::skip()) {
    CHECK(check(a, "ij->ij", 2 * a));
}
