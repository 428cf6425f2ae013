#include <xeinsum/call/precomputed_call.hpp>

#include "../support/instances.hpp"
#include "../support/plain.hpp"
#include "../support/shared_kernels.hpp"
#include "../support/shared_planner.hpp"
#include "../support/views.hpp"

#include <xeinsum/call/check.hpp>
#include <xeinsum/einsum.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using support::plain;

namespace {

constexpr auto letters = xeinsum::notation::letters;

template <class T, std::size_t Rank>
xt::xtensor<T, Rank> numbers(const std::array<std::size_t, Rank>& shape, std::size_t first) {
    auto a = xt::xtensor<T, Rank>::from_shape(shape);
    for (std::size_t n = 0; n < a.size(); ++n) {
        a.data()[n] = support::small_number<T>(first + n);
    }
    return a;
}

/// Numbers whose sums round.
template <std::size_t Rank>
xt::xtensor<float, Rank> thirds(const std::array<std::size_t, Rank>& shape, std::size_t first) {
    return numbers<float, Rank>(shape, first) / 3.0F;
}

/// Whether a call is planned beforehand and small enough. Checks its result if it is, or if it runs
/// from the rows of its precomputed plan.
template <xeinsum::fixed_string Equation, class Out, class... Operands>
bool runs_at_once(Out& out, const Operands&... operands) {
    using T = typename Out::value_type;
    using xeinsum::detail::static_network;
    const xt::xarray<T> before = plain(out);
    xeinsum::detail::precomputed_call<static_network<Equation, letters, Operands...>, T,
                                      support::native_arch>
        call;
    const bool at_once = call.read(xeinsum::array::in_place(operands)...) &&
                         call.write_to(xeinsum::array::in_place(out)) && call.fits();
    const bool runs =
        xeinsum::detail::run_precomputed_to<static_network<Equation, letters, Operands...>, T,
                                            support::native_arch>(
            out, xeinsum::scale{2, 3}, {}, xeinsum::array::in_place(operands)...);
    CHECK((runs || !at_once));
    if (!runs) {
        CHECK(plain(out) == before);
        return false;
    }
    // Small integers: sums are exact in any order.
    const xt::xarray<T> product = xeinsum::reference::einsum(Equation.view(), plain(operands)...);
    const xt::xarray<T> expected = T(2) * product + T(3) * before;
    CHECK(plain(out) == expected);
    return at_once;
}

/// Whether a call that is too large to run at once runs from the rows of its precomputed plan, and
/// gives what it gives the general way, bit by bit.
template <xeinsum::fixed_string Equation, std::size_t Rank, class... Operands>
bool runs_from_rows(const std::array<std::size_t, Rank>& shape, const Operands&... operands) {
    using xeinsum::detail::static_network;
    auto found = numbers<float, Rank>(shape, 3);
    auto expected = found;
    const auto call = [&](const xeinsum::options& wanted) {
        return xeinsum::detail::run_precomputed_to<static_network<Equation, letters, Operands...>,
                                                   float, support::native_arch>(
            found, xeinsum::scale{2, 3}, wanted, xeinsum::array::in_place(operands)...);
    };
    xeinsum::options threads;
    threads.threads = 2;
    CHECK_FALSE(call(threads));
    const xeinsum::machine machine;
    xeinsum::options elsewhere;
    elsewhere.machine = &machine;
    CHECK_FALSE(call(elsewhere));
    CHECK(found == expected);
    const bool runs = call({});
    if (runs) {
        xeinsum::einsum_to(Equation.view(), expected, xeinsum::scale{2, 3}, operands...);
    }
    CHECK(found == expected);
    return runs;
}

/// An array of which a call hears, whether there is so much memory or not.
template <std::size_t Rank>
struct said {
    static constexpr bool row_major = false;

    std::array<std::int64_t, Rank> its_extents;
    std::array<std::int64_t, Rank> its_strides;

    [[nodiscard]] const float* data() const { return &number; }
    [[nodiscard]] const auto& extents() const { return its_extents; }
    [[nodiscard]] const auto& strides() const { return its_strides; }

    static constexpr float number = 3;
};

}  // namespace

TEST_CASE("small row-major calls run at once") {
    const auto a = numbers<double, 2>({4, 5}, 1);
    const auto b = numbers<double, 2>({5, 6}, 40);
    auto ab = numbers<double, 2>({4, 6}, 80);
    CHECK(runs_at_once<"ij,jk->ik">(ab, a, b));
    const auto x = numbers<float, 4>({2, 3, 4, 5}, 1);
    const auto w = numbers<float, 2>({3, 6}, 9);
    auto xw = numbers<float, 4>({2, 6, 4, 5}, 3);
    CHECK(runs_at_once<"nctw,cd->ndtw">(xw, x, w));
    const auto g = numbers<double, 5>({2, 3, 4, 5, 6}, 1);
    const auto h = numbers<double, 3>({3, 6, 7}, 9);
    auto gh = numbers<double, 4>({2, 4, 5, 7}, 3);
    CHECK(runs_at_once<"nkctv,kvw->nctw">(gh, g, h));
    const auto c = numbers<double, 3>({4, 3, 5}, 1);
    const auto d = numbers<double, 2>({3, 5}, 1);
    auto cd = numbers<double, 1>({4}, 7);
    CHECK(runs_at_once<"bij,ij->b">(cd, c, d));
    const auto s = numbers<double, 2>({3, 3}, 1);
    auto diagonal = numbers<double, 1>({3}, 7);
    CHECK(runs_at_once<"ii->i">(diagonal, s));
    auto trace = numbers<double, 0>({}, 7);
    CHECK(runs_at_once<"ii->">(trace, s));
    auto transposed = numbers<double, 2>({5, 4}, 7);
    CHECK(runs_at_once<"ij->ji">(transposed, a));
    const auto i = numbers<double, 1>({4}, 2);
    const auto j = numbers<double, 1>({5}, 3);
    auto three = numbers<double, 2>({4, 5}, 5);
    CHECK(runs_at_once<"i,ij,j->ij">(three, i, a, j));
}

TEST_CASE("a dot product of lines side by side runs at once, whatever its length") {
    for (const std::size_t n : {32U, 33U, 64U, 100U, 4099U}) {
        CAPTURE(n);
        const auto x = numbers<float, 1>({n}, 1);
        const auto y = numbers<float, 1>({n}, 40);
        auto sum = numbers<float, 0>({}, 7);
        CHECK(runs_at_once<"i,i->">(sum, x, y));
        const auto z = numbers<float, 1>({2 * n}, 9);
        const auto gaps = xt::strided_view(z, {xt::range(0, 2 * n, 2)});
        CHECK(runs_at_once<"i,i->">(sum, x, gaps) == (n <= 32));
    }
    const auto c = numbers<double, 2>({7, 11}, 1);
    const auto d = numbers<double, 2>({7, 11}, 40);
    auto sum = numbers<double, 0>({}, 7);
    CHECK(runs_at_once<"ij,ij->">(sum, c, d));
}

TEST_CASE("operands lie as they like, and an output may have gaps") {
    const auto a = numbers<double, 2>({4, 5}, 1);
    const auto b = numbers<double, 2>({5, 6}, 40);
    const auto at = numbers<double, 2>({5, 4}, 7);
    const auto bt = numbers<double, 2>({6, 5}, 19);
    auto ab = numbers<double, 2>({4, 6}, 80);
    CHECK(runs_at_once<"ij,jk->ik">(ab, xt::transpose(at), b));
    CHECK(runs_at_once<"ij,jk->ik">(ab, a, xt::transpose(bt)));
    CHECK(runs_at_once<"ij,jk->ik">(ab, xt::transpose(at), xt::transpose(bt)));
    CHECK(runs_at_once<"ij,kj->ik">(ab, a, bt));
    const auto wide = numbers<double, 2>({11, 17}, 3);
    using xt::range;
    CHECK(runs_at_once<"ij,jk->ik">(ab, xt::view(wide, range(1, 9, 2), range(2, 17, 3)), b));
    CHECK(runs_at_once<"ij,jk->ik">(ab, a, xt::view(wide, range(1, 11, 2), range(3, 9))));
    CHECK(runs_at_once<"ij,jk->ik">(ab, a, xt::view(wide, range(1, 11, 2), range(3, 15, 2))));
    auto around = numbers<double, 2>({9, 20}, 5);
    const auto before = around;
    auto middle = xt::view(around, range(1, 9, 2), range(3, 9));
    xeinsum::einsum_to<"ij,jk->ik">(middle, a, b);
    CHECK(middle == xeinsum::reference::einsum("ij,jk->ik", a, b));
    middle = xt::view(before, range(1, 9, 2), range(3, 9));
    CHECK(around == before);
    const auto q = numbers<float, 4>({2, 4, 3, 5}, 1);
    const auto k = numbers<float, 4>({2, 6, 3, 5}, 9);
    auto scores = numbers<float, 4>({2, 3, 4, 6}, 3);
    CHECK(runs_at_once<"bqhd,bkhd->bhqk">(scores, q, k));
    // Axes that are one loop in row-major arrays must be one here.
    const auto x = numbers<float, 4>({2, 3, 4, 5}, 1);
    const auto cut = xt::view(x, xt::all(), xt::all(), xt::all(), range(1, 4));
    const auto w = numbers<float, 2>({3, 6}, 9);
    auto xw = numbers<float, 4>({2, 6, 4, 3}, 3);
    CHECK_FALSE(runs_at_once<"nctw,cd->ndtw">(xw, cut, w));
    CHECK(runs_at_once<"nctw,cd->ndtw">(
        xw, xt::view(numbers<float, 4>({4, 3, 4, 3}, 2), range(0, 4, 2)), w));
    auto sums = numbers<double, 1>({4}, 7);
    CHECK(runs_at_once<"ij,ij->i">(sums, a, xt::transpose(at)));
    auto diagonal = numbers<double, 1>({5}, 7);
    CHECK(runs_at_once<"ii->i">(diagonal, xt::view(wide, range(0, 10, 2), range(2, 7))));
}

TEST_CASE("axes of one element are no others") {
    const auto w = numbers<float, 2>({3, 6}, 9);
    const auto x = numbers<float, 4>({1, 3, 4, 5}, 1);
    auto xw = numbers<float, 4>({1, 6, 4, 5}, 3);
    CHECK(runs_at_once<"nctw,cd->ndtw">(xw, x, w));
    const auto line = numbers<float, 4>({2, 3, 1, 5}, 1);
    auto lines = numbers<float, 4>({2, 6, 1, 5}, 3);
    CHECK(runs_at_once<"nctw,cd->ndtw">(lines, line, w));
    const auto post = numbers<float, 4>({2, 3, 5, 1}, 1);
    auto posts = numbers<float, 4>({2, 6, 5, 1}, 3);
    CHECK(runs_at_once<"nctw,cd->ndtw">(posts, post, w));
    const auto a = numbers<double, 2>({4, 5}, 1);
    const auto b = numbers<double, 2>({5, 6}, 40);
    const auto row = numbers<double, 2>({1, 5}, 3);
    const auto column = numbers<double, 2>({5, 1}, 6);
    const auto thin = numbers<double, 2>({4, 1}, 2);
    const auto flat = numbers<double, 2>({1, 6}, 8);
    auto row_b = numbers<double, 2>({1, 6}, 80);
    auto a_column = numbers<double, 2>({4, 1}, 80);
    auto number = numbers<double, 2>({1, 1}, 80);
    auto outer = numbers<double, 2>({4, 6}, 80);
    CHECK(runs_at_once<"ij,jk->ik">(row_b, row, b));
    CHECK(runs_at_once<"ij,jk->ik">(a_column, a, column));
    CHECK(runs_at_once<"ij,jk->ik">(number, row, column));
    CHECK(runs_at_once<"ij,jk->ik">(outer, thin, flat));
    CHECK(runs_at_once<"ij,kj->ik">(row_b, row, xt::transpose(b)));
    const auto batch = numbers<double, 3>({1, 4, 5}, 1);
    auto sum = numbers<double, 1>({1}, 5);
    CHECK(runs_at_once<"bij,ij->b">(sum, batch, a));
    // Of a view only where the axis is a loop of its own.
    auto in_view = numbers<float, 4>({3, 3, 4, 5}, 4);
    CHECK(runs_at_once<"nctw,cd->ndtw">(xw, xt::view(in_view, xt::range(1, 2)), w));
    CHECK_FALSE(
        runs_at_once<"nctw,cd->ndtw">(posts,
                                      xt::view(numbers<float, 4>({2, 3, 5, 7}, 1), xt::all(),
                                               xt::all(), xt::all(), xt::range(2, 3)),
                                      w));
}

TEST_CASE("an output that meets itself is left to others") {
    const auto a = numbers<double, 2>({4, 5}, 1);
    const auto b = numbers<double, 2>({5, 6}, 40);
    const xt::xtensor<double, 1> zeros = xt::zeros<double>({64});
    xt::xtensor<double, 1> memory = zeros;
    using axes = std::array<std::size_t, 2>;
    xt::xstrided_view<xt::xtensor<double, 1>&, axes, xt::layout_type::dynamic> crossed(
        memory, axes{4, 6}, {5, 1}, 0, xt::layout_type::dynamic);
    CHECK_THROWS_AS((xeinsum::einsum_to<"ij,jk->ik">(crossed, a, b)), xeinsum::einsum_error);
    CHECK(memory == zeros);
}

TEST_CASE("element types without vectors run at once too") {
    xt::xtensor<int, 2> a{{1, 2, 3}, {4, 5, 6}};
    xt::xtensor<int, 2> b{{1, 2}, {3, 4}, {5, -6}};
    xt::xtensor<int, 2> out{{9, 9}, {9, 9}};
    xeinsum::einsum_to<"ij,jk->ik">(out, a, b);
    CHECK(out == xt::xtensor<int, 2>{{22, -8}, {49, -8}});
    using c = std::complex<double>;
    xt::xtensor<c, 1> x{c(1, 2), c(3, -1)};
    xt::xtensor<c, 0> dot;
    xeinsum::einsum_to<"i,i->">(dot, x, x);
    CHECK(dot() == c(1, 2) * c(1, 2) + c(3, -1) * c(3, -1));
}

TEST_CASE("what is large, lies otherwise, overlaps or is wrong is left to others") {
    const auto a = numbers<double, 2>({4, 5}, 1);
    const auto b = numbers<double, 2>({5, 6}, 40);
    auto out = numbers<double, 2>({4, 6}, 80);
    auto wrong = numbers<double, 2>({4, 7}, 80);
    CHECK_FALSE(runs_at_once<"ij,jk->ik">(wrong, a, b));
    CHECK_FALSE(runs_at_once<"ij,jk->ik">(out, b, b));
    const auto long_row = numbers<double, 2>({1, 33}, 2);
    const auto deep = numbers<double, 2>({33, 6}, 2);
    auto one_row = numbers<double, 2>({1, 6}, 80);
    CHECK_FALSE(runs_at_once<"ij,jk->ik">(one_row, long_row, deep));
    const auto none = xt::xtensor<double, 2>::from_shape({0, 6});
    const auto nothing = xt::xtensor<double, 2>::from_shape({4, 0});
    CHECK_FALSE(runs_at_once<"ij,jk->ik">(out, nothing, none));
    const auto large = numbers<double, 2>({200, 300}, 1);
    auto transposed = numbers<double, 2>({300, 200}, 1);
    CHECK_FALSE(runs_at_once<"ij->ji">(transposed, large));
    auto square = numbers<double, 2>({4, 4}, 1);
    CHECK_FALSE(runs_at_once<"ij,jk->ik">(square, square, square));
    const auto backwards = xt::view(a, xt::all(), xt::range(4, xt::placeholders::_, -1));
    CHECK_FALSE(runs_at_once<"ij,jk->ik">(out, backwards, b));
    xt::xtensor<double, 2, xt::layout_type::column_major> to(out);
    CHECK_FALSE(runs_at_once<"ij,jk->ik">(to, a, b));
}

TEST_CASE("what is large is planned from the rows of its precomputed plan") {
    const auto a = thirds<2>({70, 80}, 1);
    const auto b = thirds<2>({80, 90}, 40);
    CHECK(runs_from_rows<"ij,jk->ik", 2>({70, 90}, a, b));
    CHECK(runs_from_rows<"ij,jk->ik", 2>({90, 70}, xt::transpose(b), xt::transpose(a)));
    const auto x = thirds<1>({80}, 7);
    CHECK(runs_from_rows<"ij,j->i", 1>({70}, a, x));
    const auto c = thirds<4>({2, 30, 7, 5}, 1);
    const auto d = thirds<4>({2, 30, 7, 5}, 9);
    CHECK(runs_from_rows<"bchw,bchw->bc", 2>({2, 30}, c, d));
    // Operands are exchanged in the precomputed plan, not in the plan.
    const auto n = thirds<4>({2, 33, 20, 17}, 1);
    const auto w = thirds<2>({33, 100}, 5);
    CHECK(runs_from_rows<"nctw,cd->ndtw", 4>({2, 100, 20, 17}, n, w));
    CHECK(runs_from_rows<"ij->ji", 2>({80, 70}, a));
    // An axis of one element, and loops that are one here: the general way has other modes.
    const auto e = thirds<4>({1, 30, 7, 50}, 1);
    const auto f = thirds<4>({1, 30, 7, 50}, 9);
    CHECK_FALSE(runs_from_rows<"bchw,bchw->bc", 2>({1, 30}, e, f));
    const auto g = thirds<2>({300, 200}, 1);
    CHECK_FALSE(runs_from_rows<"ij->ji", 2>({300, 200}, xt::transpose(g)));
    // Labels of one operand alone are summed beforehand.
    CHECK_FALSE(runs_from_rows<"ij,jk->k", 1>({90}, a, b));
}

TEST_CASE("beta 0 does not read, NaN in operands arrives") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    xt::xtensor<double, 2> a{{1, 2}, {3, nan}};
    xt::xtensor<double, 1> x{5, 7};
    xt::xtensor<double, 1> out{nan, nan};
    xeinsum::einsum_to<"ij,j->i">(out, a, x);
    CHECK(out(0) == 19);
    CHECK(out(1) != out(1));
    xt::xtensor<double, 2> product{{nan, nan}, {nan, nan}};
    xeinsum::einsum_to<"ij,jk->ik">(product, a, a);
    CHECK(product(0, 0) == 7);
    CHECK(product(1, 1) != product(1, 1));
}

TEST_CASE("an equation known to the compiler gives what one known at run time gives, bit by bit") {
    const auto x = thirds<5>({2, 3, 4, 5, 3}, 1);
    const auto w = thirds<3>({3, 3, 7}, 9);
    auto compiled = xt::xtensor<float, 4>::from_shape({2, 4, 5, 7});
    auto parsed = compiled;
    xeinsum::einsum_to<"nkctv,kvw->nctw">(compiled, x, w);
    xeinsum::einsum_to("nkctv,kvw->nctw", parsed, x, w);
    CHECK(compiled == parsed);
    const auto c = thirds<3>({7, 3, 5}, 1);
    const auto d = thirds<2>({5, 3}, 1);
    auto left = xt::xtensor<float, 1>::from_shape({7});
    auto right = left;
    xeinsum::einsum_to<"bij,ji->b">(left, c, d);
    xeinsum::einsum_to("bij,ji->b", right, c, d);
    CHECK(left == right);
    // Views as well, whose terms may be added in another order than those of row-major arrays.
    const auto transposed = thirds<3>({7, 3, 3}, 9);
    const auto places = xt::transpose(transposed, {2, 1, 0});
    xeinsum::einsum_to<"nkctv,kvw->nctw">(compiled, x, places);
    xeinsum::einsum_to("nkctv,kvw->nctw", parsed, x, places);
    CHECK(compiled == parsed);
    const auto folded = thirds<5>({2, 3, 4, 5, 3}, 4);
    const auto exchanged = xt::transpose(folded, {0, 4, 2, 3, 1});
    xeinsum::einsum_to<"nkctv,kvw->nctw">(compiled, exchanged, w);
    xeinsum::einsum_to("nkctv,kvw->nctw", parsed, exchanged, w);
    CHECK(compiled == parsed);
    const auto e = thirds<3>({5, 3, 7}, 1);
    xeinsum::einsum_to<"bij,ji->b">(left, xt::transpose(e), d);
    xeinsum::einsum_to("bij,ji->b", right, xt::transpose(e), d);
    CHECK(left == right);
}

TEST_CASE("extents that belong to no memory are not multiplied") {
    // A number broadcast to more elements than there are: a sanitizer sees an overflow.
    using operand = xt::xtensor<float, 3>;
    using xeinsum::detail::static_network;
    xeinsum::detail::precomputed_call<static_network<"ijk->k", letters, operand>, float,
                                      support::native_arch>
        call;
    const std::int64_t many = std::int64_t{1} << 40U;
    const std::array<std::int64_t, 3> extents{many, many, many};
    CHECK_FALSE(call.read(said<3>{extents, {0, 0, 0}}));
}

TEST_CASE("results are made at once where a call is small, as they are where it is not") {
    const auto a = numbers<double, 2>({4, 5}, 1);
    const auto b = numbers<double, 2>({5, 6}, 40);
    CHECK(xeinsum::einsum<"ij,jk->ki">(a, b) == xeinsum::reference::einsum("ij,jk->ki", a, b));
    CHECK(xeinsum::einsum<"ij->ji">(a) == xeinsum::reference::einsum("ij->ji", a));
    CHECK(xeinsum::einsum<"ij,jk->">(a, b)() == xeinsum::reference::einsum("ij,jk->", a, b)());
    const auto large = numbers<double, 2>({130, 7}, 1);
    const auto wide = numbers<double, 2>({7, 140}, 1);
    CHECK(xeinsum::einsum<"ij,jk->ik">(large, wide) ==
          xeinsum::reference::einsum("ij,jk->ik", large, wide));
    const auto row = numbers<double, 2>({1, 5}, 3);
    CHECK(xeinsum::einsum<"ij,jk->ki">(row, b) == xeinsum::reference::einsum("ij,jk->ki", row, b));
}

TEST_CASE("a result that no memory holds is not expected") {
    using operand = xt::xtensor<float, 1>;
    using xeinsum::detail::static_network;
    xeinsum::detail::precomputed_call<
        static_network<"i,j,k->ijk", letters, operand, operand, operand>, float,
        support::native_arch>
        call;
    const said<1> many{{std::int64_t{1} << 30U}, {1}};
    CHECK(call.read(many, many, many));
    CHECK_FALSE(call.expect_output());
}

TEST_CASE("expressions are evaluated and then read like arrays") {
    const auto a = numbers<float, 2>({4, 5}, 1);
    const auto b = numbers<float, 2>({4, 5}, 60);
    const auto c = numbers<float, 2>({5, 6}, 30);
    const xt::xtensor<float, 2> sum = a + b;
    auto found = xt::xtensor<float, 2>::from_shape({4, 6});
    xeinsum::einsum_to<"ij,jk->ik">(found, a + b, c);
    CHECK(found == xeinsum::reference::einsum("ij,jk->ik", sum, c));
    CHECK(xeinsum::einsum<"ij,jk->ik">(a + b, c) == found);
    // Of another type than the result.
    const auto whole = numbers<int, 2>({5, 6}, 30);
    xeinsum::einsum_to<"ij,jk->ik">(found, a, whole);
    CHECK(found == xeinsum::reference::einsum("ij,jk->ik", a, c));
}
