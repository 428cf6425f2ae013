#include <xeinsum/einsum.hpp>

#include "support/arrays.hpp"
#include "support/element_checks.hpp"
#include "support/error_of.hpp"
#include "support/shared_calls.hpp"
#include "support/views.hpp"

#include <xeinsum/grouped_einsum.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/reference/bound.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using support::error_of;
using support::numbers;
using xeinsum::einsum;
using xeinsum::einsum_to;
using xeinsum::error_code;
using xeinsum::scale;
namespace reference = xeinsum::reference;

TEST_CASE("results are tensors of the rank that the equation gives") {
    const xt::xtensor<float, 2> a = numbers({3, 4});
    const xt::xtensor<float, 2> b = numbers({4, 5}, 5);
    const auto y = einsum<"ij,jk->ik">(a, b);
    static_assert(std::is_same_v<decltype(y), const xt::xtensor<float, 2>>);
    CHECK(y == reference::einsum("ij,jk->ik", a, b));
    static_assert(std::is_same_v<decltype(einsum<"ij->">(a)), xt::xtensor<float, 0>>);
    CHECK(einsum<"ij->">(a)() == reference::einsum("ij->", a)());
    static_assert(std::is_same_v<decltype(einsum<"...j->...">(a)), xt::xtensor<float, 1>>);
    static_assert(
        std::is_same_v<decltype(einsum<"...j->...">(xt::xarray<float>())), xt::xarray<float>>);
    static_assert(
        std::is_same_v<decltype(einsum<"ij,jk">(xt::xarray<float>(), a)), xt::xtensor<float, 2>>);
    static_assert(std::is_same_v<decltype(einsum("ij,jk", a, b)), xt::xarray<float>>);
}

TEST_CASE("operands as users have them") {
    xt::xarray<float> dynamic = numbers({4, 6});
    const xt::xtensor<float, 2> constant = numbers({6, 5}, 3);
    const auto expected = reference::einsum("ij,jk->ik", dynamic, constant);

    SUBCASE("dynamic, static, constant") {
        CHECK(einsum<"ij,jk->ik">(dynamic, constant) == expected);
    }
    SUBCASE("fixed") {
        const xt::xtensor_fixed<float, xt::xshape<4, 6>> fixed = dynamic;
        CHECK(einsum<"ij,jk->ik">(fixed, constant) == expected);
    }
    SUBCASE("column-major") {
        const xt::xtensor<float, 2, xt::layout_type::column_major> columns = constant;
        const xt::xarray<float, xt::layout_type::column_major> left = dynamic;
        CHECK(einsum<"ij,jk->ik">(left, columns) == expected);
    }
    SUBCASE("raw memory") {
        const auto adapted =
            xt::adapt(dynamic.data(), 24, xt::no_ownership(), std::array<std::size_t, 2>{4, 6});
        CHECK(einsum<"ij,jk->ik">(adapted, constant) == expected);
        CHECK(einsum("ij,jk->ik", adapted, constant) == expected);
    }
    SUBCASE("transposed") {
        const xt::xtensor<float, 2> transposed = xt::transpose(constant);
        CHECK(einsum<"ij,jk->ik">(dynamic, xt::transpose(transposed)) == expected);
        CHECK(einsum<"ij,kj->ik">(dynamic, transposed) == expected);
    }
    SUBCASE("views: a part, every second, reversed, one row") {
        const auto part = xt::view(dynamic, xt::range(1, 4), xt::range(0, 6));
        CHECK(einsum<"ij,jk->ik">(part, constant) ==
              reference::einsum("ij,jk->ik", part, constant));
        const auto strided = xt::view(constant, xt::range(5, -7, -1), xt::range(0, 5, 2));
        CHECK(einsum<"ij,jk->ik">(dynamic, strided) ==
              reference::einsum("ij,jk->ik", dynamic, strided));
        const auto row = xt::view(dynamic, 2);
        CHECK(einsum<"j,jk->k">(row, constant) == reference::einsum("j,jk->k", row, constant));
        const auto sliced = xt::strided_view(dynamic, {xt::range(0, 4, 3), xt::all()});
        CHECK(einsum("ij,jk->ik", sliced, constant) ==
              reference::einsum("ij,jk->ik", sliced, constant));
        const auto picked = xt::view(dynamic, xt::keep(3, 0), xt::all());
        CHECK(einsum<"ij,jk->ik">(picked, constant) ==
              reference::einsum("ij,jk->ik", picked, constant));
    }
    SUBCASE("expressions and broadcasts") {
        CHECK(einsum<"ij,jk->ik">(2 * dynamic + 1, constant) ==
              reference::einsum("ij,jk->ik", xt::xarray<float>(2 * dynamic + 1), constant));
        const xt::xtensor<float, 1> v = {1, 2, 3, 4, 5, 6};
        const auto repeated = xt::broadcast(v, {4, 6});
        CHECK(einsum<"ij,jk->ik">(repeated, constant) ==
              reference::einsum("ij,jk->ik", repeated, constant));
    }
    SUBCASE("temporaries") {
        CHECK(einsum<"ij,jk->ik">(xt::xarray<float>(dynamic), xt::xtensor<float, 2>(constant)) ==
              expected);
    }
    SUBCASE("numbers") {
        CHECK(einsum<",ij->ij">(2.0F, dynamic) == 2 * dynamic);
        CHECK(einsum<"ij,->ji">(dynamic, 3.0F) == xt::transpose(3 * dynamic));
        CHECK(einsum<"">(5)() == 5);
    }
    SUBCASE("a list") {
        const std::vector<xt::xarray<float>> list{dynamic, constant};
        CHECK(einsum("ij,jk->ik", list) == expected);
        CHECK(einsum("ij,jk->ik", list, {.lowering = xeinsum::lowering::gemm}) == expected);
        const std::vector<xt::xtensor<float, 2>> tensors{dynamic, constant};
        CHECK(einsum("ij,jk->ik", tensors) == expected);
    }
}

TEST_CASE("expressions are evaluated once") {
    const xt::xtensor<float, 2> a = numbers({3, 4});
    int evaluations = 0;
    const auto counted = xt::make_lambda_xfunction(
        [&evaluations](float x) {
            ++evaluations;
            return x;
        },
        a);
    CHECK(einsum<"ij,jk->ik">(counted, xt::transpose(a)) == reference::einsum("ij,kj->ik", a, a));
    CHECK(evaluations == 12);
}

TEST_CASE_TEMPLATE("element types", T, float, double, std::complex<float>, std::complex<double>,
                   std::int32_t, std::int64_t) {
    support::check_calls<T>();
}

TEST_CASE("scales that integers cannot hold are refused, nothing is written") {
    const xt::xarray<std::int32_t> a = {{1, 2}, {3, 4}};
    const xt::xtensor<std::int32_t, 2> fixed_rank = a;
    const xt::xtensor_fixed<std::int32_t, xt::xshape<2, 2>> fixed = a;
    const auto check = [&](auto out, auto call) {
        out = a;
        const auto e = error_of([&] { call(out, scale{0.5, 0.0}); });
        CHECK(e.code() == error_code::scale_not_held);
        CHECK(std::string(e.what()).find("alpha") != std::string::npos);
        CHECK(error_of([&] { call(out, scale{1.0, 1e10}); }).code() == error_code::scale_not_held);
        CHECK(out == a);
        call(out, scale{2.0, -1.0});
        CHECK(out == 2 * xt::transpose(a) - a);
    };
    check(a, [&](auto& out, const auto& by) { einsum_to<"ij->ji">(out, by, a); });
    check(a, [&](auto& out, const auto& by) { einsum_to("ij->ji", out, by, a); });
    check(fixed_rank, [&](auto& out, const auto& by) { einsum_to<"ij->ji">(out, by, fixed_rank); });
    check(fixed, [&](auto& out, const auto& by) { einsum_to<"ij->ji">(out, by, fixed); });
    check(a, [&](auto& out, const auto& by) {
        const auto plan = xeinsum::make_plan<std::int32_t>("ij->ji", {{2, 2}});
        auto memory = plan.make_workspace();
        plan.run(out, by, memory, a);
    });
    check(a, [&](auto& out, const auto& by) {
        einsum_to<"i j -> j i">(out, by, a, xeinsum::axis<"i">(2));
    });
}

TEST_CASE("operands of several types meet in the widest") {
    const xt::xtensor<float, 1> a = {1.5F, -2};
    const xt::xtensor<std::int32_t, 1> b = {3, 4};
    const xt::xtensor<std::complex<float>, 1> c = {{1, 2}, {3, -1}};
    const auto real = einsum<"i,i->i">(a, b);
    static_assert(std::is_same_v<decltype(real), const xt::xtensor<float, 1>>);
    CHECK(real == xt::xtensor<float, 1>{4.5F, -8});
    const auto complex = einsum<"i,i->i">(a, c);
    static_assert(std::is_same_v<decltype(complex), const xt::xtensor<std::complex<float>, 1>>);
    CHECK(complex(0) == std::complex<float>(1.5F, 3));
}

TEST_CASE("into an array or view: out = alpha * result + beta * out") {
    const xt::xtensor<double, 2> a = numbers<double>({3, 4}), b = numbers<double>({4, 5}, 2);
    const auto product = reference::einsum("ij,jk->ik", a, b);
    xt::xtensor<double, 2> out = numbers<double>({3, 5}, 40);
    const xt::xtensor<double, 2> old = out;
    einsum_to<"ij,jk->ik">(out, scale{2.0, 3}, a, b);
    CHECK(out == 2 * product + 3 * old);
    einsum_to("ij,jk->ik", out, scale{1, 1}, a, b);
    CHECK(out == 3 * product + 3 * old);
    einsum_to<"ij,jk->ik">(out, a, b);
    CHECK(out == product);
    einsum_to("ij,jk->ik", out,
              xeinsum::options{.lowering = xeinsum::lowering::broadcast_multiply_reduce}, a, b);
    CHECK(out == product);

    xt::xarray<double> large = numbers<double>({8, 11}, 1);
    const xt::xarray<double> before = large;
    auto view = xt::view(large, xt::range(6, 0, -2), xt::range(10, 0, -2));
    einsum_to("ij,jk->ik", view, scale{1, 2}, a, b);
    CHECK(view == product + 2 * xt::view(before, xt::range(6, 0, -2), xt::range(10, 0, -2)));
    CHECK(xt::view(large, xt::range(1, 8, 2)) == xt::view(before, xt::range(1, 8, 2)));

    xt::xarray<double> transposed = xt::zeros<double>({5, 3});
    einsum_to<"ij,jk->ik">(xt::transpose(transposed), a, b);
    CHECK(xt::transpose(transposed) == product);
}

TEST_CASE("into memory of another type, or without fixed strides") {
    const xt::xtensor<float, 2> a = numbers({3, 4}), b = numbers({4, 5}, 2);
    const auto product = reference::einsum("ij,jk->ik", a, b);
    xt::xarray<double> wide = xt::ones<double>({3, 5});
    einsum_to<"ij,jk->ik">(wide, scale{1, 2}, a, b);
    CHECK(wide == product + 2);
    xt::xarray<double> strided = xt::zeros<double>({6, 10});
    einsum_to<"ij,jk->ik">(xt::view(strided, xt::range(0, 6, 2), xt::range(0, 10, 2)), a, b);
    CHECK(xt::view(strided, xt::range(0, 6, 2), xt::range(0, 10, 2)) == product);
    xt::xarray<float> gapped = xt::zeros<float>({4, 5});
    auto rows = xt::view(gapped, xt::keep(3, 0, 1), xt::all());
    einsum_to("ij,jk->ik", rows, a, b);
    CHECK(rows == product);
    CHECK(gapped(2, 0) == 0);
}

TEST_CASE("notation is guessed or given") {
    const auto a = numbers({2, 3, 4}), b = numbers({4, 5});
    const auto expected = reference::einsum("abc,cd->abcd", a, b);
    CHECK(einsum<"b l d_in, d_in n -> b l d_in n">(a, b) == expected);
    CHECK(einsum("b l d_in, d_in n -> b l d_in n", a, b) == expected);
    CHECK(einsum<"abc,cd->abcd", xeinsum::notation::letters>(a, b) == expected);
    CHECK(einsum("a b c, c d -> a b c d", {.notation = xeinsum::notation::names}, a, b) ==
          expected);
    CHECK(einsum(xeinsum::equation::from_labels({{0, 1, 7}, {7, 2}}, {{0, 1, 7, 2}}), a, b) ==
          expected);
    constexpr auto parsed = xeinsum::parse("abc,cd->abcd");
    CHECK(einsum(parsed, a, b) == expected);
    const std::string text = "abc,cd->abcd";
    CHECK(einsum(text, a, b) == expected);
}

TEST_CASE("many operands, in any path") {
    const auto a = numbers({2, 3}), b = numbers({3, 4}, 1), c = numbers({4, 5}, 2),
               d = numbers({5, 2}, 3);
    const auto expected = reference::einsum("ij,jk,kl,lm->im", a, b, c, d);
    CHECK(einsum<"ij,jk,kl,lm->im">(a, b, c, d) == expected);
    for (const auto path : {xeinsum::path_strategy::automatic, xeinsum::path_strategy::optimal,
                            xeinsum::path_strategy::greedy, xeinsum::path_strategy::fused}) {
        CHECK(einsum("ij,jk,kl,lm->im", {.path = path}, a, b, c, d) == expected);
        CHECK(einsum<"ij,jk,kl,lm->im">(xeinsum::options{.path = path}, a, b, c, d) == expected);
    }
}

TEST_CASE("large operands that lie across the result, across each other and across the depth") {
    const auto check = [](const char* text, const std::vector<std::size_t>& a_shape,
                          const std::vector<std::size_t>& b_shape) {
        const auto values = [](const std::vector<std::size_t>& shape, std::size_t first) {
            xt::xarray<float> x = xt::xarray<float>::from_shape(shape);
            for (float& element : x.storage()) {
                element = static_cast<float>(first++ * 7919 % 10007) / 10007.0F - 0.5F;
            }
            return x;
        };
        const xt::xarray<float> a = values(a_shape, 1);
        const xt::xarray<float> b = values(b_shape, 5000);
        CAPTURE(text);
        const xt::xarray<float> found =
            xeinsum::einsum(text, xeinsum::options{.lowering = xeinsum::lowering::gemm}, a, b);
        CHECK(xeinsum::reference::worst_ratio(found, xeinsum::reference::einsum(text, a, b),
                                              xeinsum::reference::bound(text, a, b)) <= 1);
    };
    check("adb,cd->cba", {50, 33, 44}, {7, 33});
    check("adb,cd->cba", {37, 40, 53}, {3, 40});
    check("dac,bcd->ba", {48, 31, 60}, {5, 60, 48});
    check("dac,bcd->ba", {47, 19, 83}, {9, 83, 47});
    check("dabfe,fc->edcba", {12, 13, 14, 6, 10}, {6, 5});
    check("fbea,cedf->dcba", {14, 11, 22, 20}, {6, 22, 3, 14});
    check("ijb,jkb->ikb", {13, 70, 21}, {70, 35, 21});
    check("iajcb,cjkab->ikab", {5, 2, 6, 3, 19}, {3, 6, 4, 2, 19});
}

TEST_CASE("clashes are told with column, label, operands and extents; nothing is written") {
    const auto a = numbers({2, 3}), b = numbers({4, 5});
    xt::xarray<float> out = numbers({2, 5}, 7);
    const xt::xarray<float> before = out;
    const auto e = error_of([&] { einsum_to<"ij,jk->ik">(out, a, b); });
    CHECK(e.code() == error_code::extent_mismatch);
    CHECK(e.column() == 4);
    CHECK(
        std::string(e.what()) ==
        "xeinsum: one label has two extents, neither of them 1: label 'j': operand 0 has extent 3 "
        "on axis 1, operand 1 has extent 4 on axis 0\n  ij,jk->ik\n     ^");
    CHECK(error_of([&] { einsum_to("ij,jk->ik", out, a, b); }).what() == std::string(e.what()));
    CHECK(error_of([&] { einsum_to("ij,jk->il", out, a, a); }).code() ==
          error_code::unknown_output_label);
    const auto shape = error_of([&] { einsum_to("ij,kl->ik", out, a, b); });
    CHECK(shape.code() == error_code::output_shape);
    CHECK(shape.column() == 9);
    CHECK(
        std::string(shape.what()) ==
        "xeinsum: the output array has another shape than the result: it has shape (2, 5), the "
        "result has (2, 4): label 'k' has extent 5 and not 4 on axis 1\n  ij,kl->ik\n          ^");
    const auto rank = error_of([&] { einsum_to("ij,kl->i", out, a, b); });
    CHECK(rank.code() == error_code::output_shape);
    CHECK(rank.column() == 8);
    CHECK(std::string(rank.what()).find("has shape (2, 5), the result has (2): rank 2 and not 1") !=
          std::string::npos);
    // Labels of one operand alone are summed first; what is left is an outer product.
    const auto refused = error_of([&] {
        einsum_to("ij,kl->il", out,
                  xeinsum::options{.lowering = xeinsum::lowering::depthwise_convolution}, a, b);
    });
    CHECK(refused.code() == error_code::lowering_not_applicable);
    CHECK(std::string(refused.what()).find("both operands have free labels") != std::string::npos);
    CHECK(out == before);
    out = before;
    CHECK(error_of([&] {
              einsum_to("ij,jk,kl->il", out, scale{1, 1}, a, xt::transpose(a));
          }).code() == error_code::operand_count);
    CHECK(out == before);
}

TEST_CASE("ranks that only the run knows") {
    const auto e = error_of([] {
        static_cast<void>(einsum<"ij,jk->ik">(numbers({2, 3}), numbers({3})));
    });
    CHECK(e.code() == error_code::rank_mismatch);
    CHECK(e.column() == 4);
    CHECK(std::string(e.what()).find("operand 1 has rank 1, its term has 2 axes") !=
          std::string::npos);
    CHECK(error_of([] { static_cast<void>(einsum<"...ij->...">(numbers({2}))); }).code() ==
          error_code::rank_mismatch);
}

TEST_CASE("an output that names an element twice is refused") {
    const auto a = numbers({3, 4});
    xt::xarray<float> row = numbers({4});
    const auto twice = [&] {
        xt::xstrided_view<xt::xarray<float>&, xt::dynamic_shape<std::size_t>,
                          xt::layout_type::dynamic>
            view(row, xt::dynamic_shape<std::size_t>{3, 4}, xt::dynamic_shape<std::ptrdiff_t>{0, 1},
                 0, xt::layout_type::dynamic);
        einsum_to("ij->ij", view, a);
    };
    CHECK(error_of(twice).code() == error_code::output_overlaps_itself);
}
