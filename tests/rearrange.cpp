#include <xeinsum/rearrange.hpp>

#include "support/error_of.hpp"
#include "support/shared_calls.hpp"
#include "support/shared_folds.hpp"
#include "support/views.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

using support::code_of;
using xeinsum::axis;
using xeinsum::error_code;
using xeinsum::rearrange;
using xeinsum::rearrange_to;
using xeinsum::reduce_to;
using xeinsum::reduction;
using xeinsum::repeat;
using xeinsum::repeat_to;

namespace {

/// 0 1 2 ... in a given shape.
template <std::size_t Rank>
xt::xtensor<float, Rank> counted(const std::array<std::size_t, Rank>& shape) {
    auto a = xt::xtensor<float, Rank>::from_shape(shape);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a.storage()[i] = static_cast<float>(i);
    }
    return a;
}

}  // namespace

TEST_CASE("axes move, split and merge") {
    const auto x = counted<3>({2, 3, 8});
    const auto y = rearrange<"b n (h d) -> b h n d">(x, axis<"h">(2));
    static_assert(std::is_same_v<decltype(y), const xt::xtensor<float, 4>>);
    REQUIRE(y.shape() == std::array<std::size_t, 4>{2, 2, 3, 4});
    CHECK(y(1, 0, 2, 3) == x(1, 2, 3));
    CHECK(y(1, 1, 2, 3) == x(1, 2, 7));
    CHECK(rearrange<"b h n d -> b n (h d)">(y) == x);
    CHECK(rearrange("b n (h d) -> b h n d", x, {{"d", 4}}) == y);
    CHECK(rearrange("b n (h d) -> b h n d", x, axis("h", 2)) == y);
    CHECK(rearrange("b n c -> c n b", x) == xt::transpose(x));
}

TEST_CASE("results are xt::xarray where the rank is open") {
    const xt::xarray<float> x = counted<3>({2, 3, 4});
    static_assert(std::is_same_v<decltype(rearrange<"a ... -> ... a">(x)), xt::xarray<float>>);
    static_assert(
        std::is_same_v<decltype(rearrange<"a ... -> (...) a">(x)), xt::xtensor<float, 2>>);
    CHECK(rearrange<"a ... -> (...) a">(x)(5, 1) == x(1, 1, 1));
}

TEST_CASE("axes are dropped and added") {
    const auto x = counted<4>({2, 3, 4, 6});
    const auto y = xeinsum::reduce<"b c (h h2) (w w2) -> b c h w", reduction::max>(x, axis<"h2">(2),
                                                                                   axis<"w2">(3));
    CHECK(y(1, 2, 1, 0) == x(1, 2, 3, 2));
    const auto mean = xeinsum::reduce("b c h w -> c b", "mean", x);
    CHECK(mean(2, 1) == (x(1, 2, 0, 0) + x(1, 2, 3, 5)) / 2);
    const auto z = repeat<"a b c d -> d (2 a) b c k">(x, axis<"k">(3));
    CHECK(z(5, 3, 2, 1, 2) == x(1, 2, 1, 5));
    CHECK(repeat("a b c d -> d (2 a) b c k", x, {{"k", 3}}) == z);
}

TEST_CASE("a mean divides: equal elements keep their value") {
    xt::xtensor<float, 1> x = xt::xtensor<float, 1>::from_shape({49});
    x.fill(0.1F);
    xt::xtensor<double, 1> sevens = xt::xtensor<double, 1>::from_shape({3});
    sevens(0) = 1;
    sevens(1) = 2;
    sevens(2) = 4;
    CHECK(xeinsum::reduce<"a -> ", reduction::mean>(sevens)() == 7.0 / 3.0);
    CHECK(xeinsum::reduce<"(a 7) -> a", reduction::mean>(x)(0) == doctest::Approx(0.1F));
    CHECK(xeinsum::reduce<"a -> ", reduction::mean>(xt::xtensor<float, 1>(x * 0 + 5))() == 5.0F);
}

TEST_CASE("operands and outputs may lie anyhow") {
    const auto memory = counted<3>({6, 8, 10});
    const auto from =
        xt::view(memory, xt::range(5, xt::placeholders::_, -2), xt::all(), xt::range(8, 2, -1));
    const xt::xarray<float> copy = from;
    auto all = counted<3>({20, 9, 30});
    auto to = xt::view(all, xt::range(17, 1, -2), xt::range(1, 4), xt::range(3, 27, 4));
    REQUIRE(to.shape()[2] == 6);
    rearrange_to<"a (h d) c -> (h d) a c">(to, from, axis<"h">(2));
    CHECK(to == xt::transpose(copy, {1, 0, 2}));
    auto least = xt::view(all, xt::range(4, 0, -1), xt::range(0, 9, 2), 7);
    const xt::xtensor<float, 2> part = xt::view(copy, xt::range(1, 3), xt::all(), 5);
    const auto expected = xeinsum::reduce<"a (h d) -> d a", reduction::min>(part, axis<"h">(2));
    auto target = xt::view(least, xt::all(), xt::range(0, 2));
    reduce_to<"a (h d) -> d a", reduction::min>(target, part, axis<"h">(2));
    CHECK(target == expected);
    CHECK(expected(3, 1) == std::min(part(1, 3), part(1, 7)));
}

TEST_CASE("an output that overlaps its operand gets what it would get elsewhere") {
    auto x = counted<2>({4, 6});
    const auto before = x;
    const auto expected = rearrange<"a (b c) -> a (c b)">(before, axis<"b">(2));
    rearrange_to<"a (b c) -> a (c b)">(x, x, axis<"b">(2));
    CHECK(x == expected);
    x = before;
    auto row = xt::view(x, 1);
    xeinsum::reduce_to<"a b -> b", reduction::max>(row, x);
    CHECK(row == xt::view(before, 3));
    x = before;
    auto column = xt::view(x, xt::all(), xt::range(2, 4));
    repeat_to<"a -> a 2">(column, xt::view(x, xt::all(), 2));
    CHECK(xt::view(x, xt::all(), 3) == xt::view(before, xt::all(), 2));
    CHECK(xt::view(x, xt::all(), 2) == xt::view(before, xt::all(), 2));
}

TEST_CASE("NaN is the minimum and the maximum of whatever it is among") {
    auto x = counted<2>({3, 40});
    x(1, 17) = std::numeric_limits<float>::quiet_NaN();
    for (const reduction op : {reduction::min, reduction::max}) {
        const auto rows = xeinsum::reduce("a b -> a", op, x);
        CHECK(!std::isnan(rows(0)));
        CHECK(std::isnan(rows(1)));
        const auto columns = xeinsum::reduce("a b -> b", op, x);
        CHECK(std::isnan(columns(17)));
        CHECK(!std::isnan(columns(16)));
    }
}

TEST_CASE("every element type has the reductions that mean something") {
    auto z = xt::xtensor<std::complex<float>, 1>::from_shape({2});
    z(0) = {1, 2};
    z(1) = {3, -1};
    CHECK(xeinsum::reduce("a -> ", "prod", z)() == std::complex<float>(5, 5));
    CHECK(xeinsum::reduce("a -> ", "mean", z)() == std::complex<float>(2, 0.5F));
    CHECK(code_of([&] { static_cast<void>(xeinsum::reduce("a -> ", "max", z)); }) ==
          error_code::reduction_not_applicable);
}

TEST_CASE("numbers and expressions are operands, outputs have any type that holds the result") {
    CHECK(repeat<"-> 3">(2.5)(2) == 2.5);
    const auto x = counted<2>({2, 3});
    const auto doubled = rearrange<"a b -> b a">(x + x);
    CHECK(doubled(2, 1) == 10);
    xt::xtensor<double, 2> wide = xt::xtensor<double, 2>::from_shape({3, 2});
    rearrange_to<"a b -> b a">(wide, x);
    CHECK(wide(2, 1) == 5);
}

TEST_CASE("what is refused leaves the output as it was") {
    const auto x = counted<2>({4, 6});
    auto out = counted<3>({4, 3, 2});
    const auto before = out;
    CHECK(code_of([&] { rearrange_to<"a (b c) -> a b c">(out, x, axis<"b">(4)); }) ==
          error_code::not_divisible);
    CHECK(code_of([&] { rearrange_to<"a (b c) -> a b c">(out, x, axis<"b">(2)); }) ==
          error_code::output_shape);
    CHECK(code_of([&] {
              rearrange_to("a (b c) -> a b c", out, x, {{"d", 2}});
          }) == error_code::unknown_axis);
    CHECK(out == before);
}

TEST_CASE("of 0 elements in groups of 0 the other length is unknown") {
    const xt::xarray<float> none = xt::zeros<float>({0});
    const auto error = support::error_of([&] {
        static_cast<void>(rearrange("(a b) -> a b", none, {{"a", 0}}));
    });
    CHECK(error.code() == error_code::missing_length);
    CHECK(error.column() == 4);
    CHECK(code_of([&] { static_cast<void>(rearrange<"(a b) -> a b">(none, axis<"a">(0))); }) ==
          error_code::missing_length);
    CHECK(code_of([&] {
              static_cast<void>(rearrange("(a b) -> a b", counted<1>({6}), {{"a", 0}}));
          }) == error_code::not_divisible);
    // Given, or known from another axis, it is right.
    const auto both = rearrange("(a b) -> b a", none, {{"a", 0}, {"b", 7}});
    CHECK(both.shape()[0] == 7);
    CHECK(both.shape()[1] == 0);
    CHECK(rearrange("(a b) -> a b", none, {{"a", 3}}).shape()[1] == 0);
    CHECK(xeinsum::reduce("(a b) c -> c", "sum", xt::xarray<float>(xt::zeros<float>({0, 2})),
                          {{"a", 0}, {"b", 5}}) == xt::zeros<float>({2}));
}

TEST_CASE("a message shows pattern, place and extents") {
    const auto x = counted<2>({4, 6});
    std::string text;
    try {
        static_cast<void>(rearrange("a (b c) -> a b c", x, {{"b", 4}}));
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.code() == error_code::not_divisible);
        CHECK(e.column() == 3);
        text = e.what();
    }
    CHECK(text ==
          "xeinsum: an extent is not the product of the axes in its group: '(b c)': operand 0 has "
          "extent 6 on axis 1, the known lengths make 4\n"
          "  a (b c) -> a b c\n"
          "    ^");
}
