// Calls that broke other einsums, by what went wrong there; the sources are public issues, named at
// each case. Operands are distinct small integers, so that results are exact.
#include "support/error_of.hpp"
#include "support/evaluate.hpp"
#include "support/instances.hpp"
#include "support/shared_calls.hpp"
#include "support/table.hpp"
#include "support/views.hpp"

#include <xeinsum/xeinsum.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using xeinsum::einsum;
using xeinsum::einsum_to;
using xeinsum::error_code;
using xeinsum::scale;
namespace reference = xeinsum::reference;

namespace {

using shapes = std::vector<support::shape>;

/// Whether a call agrees with the reference exactly, as planned, in every path and under every
/// lowering that applies. The operands' elements are those of the conformance tables.
template <class T = double>
void agrees(const std::string& equation, const shapes& operands) {
    CAPTURE(equation);
    support::call<T> c{
        xeinsum::parse(std::string_view(equation)), support::table_operands<T>(operands), {}};
    const auto expected = support::expect(c);
    const auto check = [&] {
        const auto found = support::evaluate(c);
        CHECK(std::equal(found.shape().begin(), found.shape().end(), expected.shape().begin(),
                         expected.shape().end()));
        CHECK(found == expected);
    };
    check();
    for (const auto path : {xeinsum::path_strategy::optimal, xeinsum::path_strategy::greedy,
                            xeinsum::path_strategy::fused}) {
        c.options.path = path;
        check();
    }
    c.options.path = xeinsum::path_strategy::automatic;
    for (const auto forced : xeinsum::lowerings_in_order) {
        CAPTURE(name(forced));
        c.options.lowering = forced;
        try {
            check();
        } catch (const xeinsum::einsum_error& e) {
            CHECK(e.code() == error_code::lowering_not_applicable);
        }
    }
}

error_code refusal(const std::string& equation, const shapes& operands) {
    return support::code_of([&] {
        static_cast<void>(support::evaluate<double>({xeinsum::parse(std::string_view(equation)),
                                                     support::table_operands<double>(operands),
                                                     {}}));
    });
}

template <class T = double>
xt::xarray<T> table(const support::shape& shape, std::size_t k = 0) {
    return support::table_operand<T>(shape, k).values();
}

}  // namespace

TEST_CASE("an ellipsis with an extent of 1 against 10 (numpy#10343)") {
    agrees("t...i,ti->t...", {{10, 2}, {1, 2}});
}

TEST_CASE("a guard that looks at values instead of shapes (numpy#10930)") {
    agrees("i,i", {{2}, {1}});
    support::call<double> zeros{xeinsum::parse("i,i"), {}, {}};
    zeros.operands = {support::strided_array<double>::filled({2}, [](std::size_t) { return 0.0; }),
                      support::strided_array<double>::filled({1}, [](std::size_t) { return 0.0; })};
    CHECK(support::evaluate(zeros)() == 0);
}

TEST_CASE("results that depend on the path (numpy#11308)") {
    agrees("obk,ijk->ioj", {{2, 4, 8}, {2, 4, 8}});
    agrees("ijk,ilm,njm,nlk,abc->", {{2, 3, 4}, {2, 5, 2}, {3, 3, 2}, {3, 5, 4}, {2, 3, 2}});
}

TEST_CASE("a rewrite to a matrix product that loses extents of 1 (numpy#23513)") {
    agrees("ijp,ipq,ikq->ijk", {{3, 1, 1}, {3, 1, 3}, {3, 3, 3}});
}

TEST_CASE("an ellipsis that is summed (numpy#30349)") {
    agrees("i...->i", {{3, 3, 3}});
}

TEST_CASE("a result without axes, into an array without axes (numpy#31350)") {
    const auto a = table({5}), b = table({5}, 1);
    xt::xarray<double> out = 7.0;
    einsum_to("i,i->", out, a, b);
    CHECK(out() == reference::einsum("i,i->", a, b)());
    xt::xtensor<double, 0> fixed = 7.0;
    einsum_to<"i,i->">(fixed, scale{1, 2}, a, b);
    CHECK(fixed() == out() + 14);
}

TEST_CASE("an output that is a part of an operand (numpy#10080)") {
    xt::xarray<double> a = table({2, 4, 3});
    const auto factors = table({3}, 1);
    auto part = xt::view(a, xt::all(), xt::range(1, 4), xt::all());
    const auto from = xt::view(a, xt::all(), xt::range(0, 3), xt::all());
    const auto expected = reference::einsum("j,ijk->ijk", factors, from);
    einsum_to("j,ijk->ijk", part, factors, from);
    CHECK(part == expected);
}

TEST_CASE("single precision into a strided double array (numpy#5907)") {
    const auto a = table<float>({3, 4}), b = table<float>({4, 5}, 1);
    xt::xarray<double> large = xt::zeros<double>({6, 10});
    auto out = xt::view(large, xt::range(0, 6, 2), xt::range(0, 10, 2));
    einsum_to("ij,jk->ik", out, a, b);
    CHECK(out == reference::einsum("ij,jk->ik", a, b));
}

TEST_CASE("batches of which one side has extent 1 (numpy#5946, pytorch#15671, mlx#4124)") {
    agrees("...ij,...jk->...ik", {{2, 1, 1}, {2, 1, 1}});
    agrees("bijk,bilm->bjklm", {{1, 3, 2, 4}, {5, 3, 2, 3}});
    agrees("...ij,...jk->...ik", {{1, 3, 4}, {2, 4, 5}});
    agrees("...ij,...jk->...ik", {{2, 3, 4}, {1, 4, 5}});
}

TEST_CASE("repeated labels twice over (numpy#12689, numpy#5667)") {
    agrees("ijij->", {{10, 10, 10, 10}});
    agrees("tiijj->ij", {{2, 3, 3, 4, 4}});
}

TEST_CASE("27 labels and more, integer labels above 25 (numpy#18854, numpy#7741)") {
    std::string text;
    std::vector<std::vector<std::int64_t>> labels(1);
    support::shape shape;
    for (int i = 26; i >= 0; --i) {
        text += text.empty() ? "" : " ";
        text += "axis" + std::to_string(i);
        labels[0].push_back(i);
        shape.push_back(i == 3 ? 4 : i == 26 ? 3 : i == 11 ? 2 : 1);
    }
    const auto a = table(shape);
    agrees(text + " -> axis3 axis26 axis11", {shape});
    const auto sorted = einsum(xeinsum::equation::from_labels(labels), a);
    CHECK(sorted.shape(3) == 4);
    CHECK(sorted.shape(11) == 2);
    CHECK(sorted.shape(26) == 3);
    CHECK(sorted == reference::einsum(xeinsum::equation::from_labels(labels), a));
}

TEST_CASE("a diagonal of 0 by 3 (numpy)") {
    CHECK(refusal("ii->i", {{0, 3}}) == error_code::diagonal_mismatch);
    agrees("ii->i", {{0, 0}});
}

TEST_CASE("extents of 0 and 1 in the cost of a path (pytorch#37628, pytorch#111757)") {
    agrees("ij,j", {{0, 3}, {3}});
    agrees("abc,a,b->c", {{1, 1, 0}, {1}, {1}});
}

TEST_CASE("a diagonal beside an ellipsis (pytorch PR#49189)") {
    agrees("...ii->...i", {{2, 3, 4, 4}});
    agrees("i...i,...->i", {{3, 2, 4, 3}, {2, 4}});
}

TEST_CASE("alpha in a batched product with a permuted operand, beta 0 (pytorch#136299)") {
    const auto a = table({64, 1, 128});
    const xt::xarray<double> stored = table({64, 5, 128}, 1);
    const auto b = xt::transpose(stored, {0, 2, 1});
    xt::xarray<double> out = xt::full_like(xt::xarray<double>(xt::zeros<double>({64, 1, 5})),
                                           std::numeric_limits<double>::quiet_NaN());
    einsum_to("bij,bjk->bik", out, scale{3, 0}, a, b);
    CHECK(out == 3 * reference::einsum("bij,bjk->bik", a, b));
}

TEST_CASE("an output that is an operand (pytorch#48900, Eigen's M = M.contract(M))") {
    xt::xarray<double> m = table({4, 4});
    const auto expected = reference::einsum("ij,jk->ik", m, m);
    einsum_to("ij,jk->ik", m, m, m);
    CHECK(m == expected);
}

TEST_CASE("a sum of a repeated, transposed operand (pytorch#189401, gpu4pyscf#614, candle#3744)") {
    support::call<double> c{xeinsum::parse("ijk->ik"), {}, {}};
    c.operands = {support::strided_array<double>::lying(
        {4, 3, 5}, {2, 0, 1}, {1, 1, 0},
        [](std::size_t n) { return static_cast<double>(n % 20); })};
    CHECK(support::evaluate(c) == support::expect(c));
    c.equation = xeinsum::parse("bij,bjk->bik");
    const auto fill = [](std::size_t n) { return static_cast<double>(n % 7) - 3; };
    c.operands = {support::strided_array<double>::lying({32, 32, 32}, {0, 1, 2}, {0, 1, 1}, fill),
                  support::strided_array<double>::filled({32, 32, 32}, fill)};
    CHECK(support::evaluate(c) == support::expect(c));
}

TEST_CASE("a large batch of 1 x 1 matrices (tensorflow#29869)") {
    agrees("Aij,Ajk->Aik", {{65536, 1, 1}, {65536, 1, 1}});
}

TEST_CASE("complex numbers are multiplied as they are (tensorflow#37307)") {
    agrees<std::complex<double>>("ij,jk->ik", {{3, 4}, {4, 5}});
    agrees<std::complex<float>>("i,i->", {{7}, {7}});
}

TEST_CASE("mismatches that others let through (onnxruntime#7375, Eigen, Fastor#120)") {
    CHECK(refusal("abc,cd,def->abd", {{2, 3, 4}, {5, 6}, {6, 7, 8}}) ==
          error_code::extent_mismatch);
    CHECK(refusal("ij,jk->ik", {{2, 3}, {4, 2}}) == error_code::extent_mismatch);
    CHECK(refusal("i", {{}}) ==
          error_code::rank_mismatch);  // onnxruntime with dynamic shapes aborts
}

TEST_CASE("plain permutes and upper-case letters (onnxruntime#18654, onnxruntime#4944)") {
    agrees("ijk->ki", {{2, 3, 4}});
    agrees("ZY,YX->ZX", {{2, 3}, {3, 4}});
}

TEST_CASE("scalars under ellipses (onnx#8207, onnx#6981)") {
    agrees("...,...->...", {{}, {2, 3}});
    agrees(",ij->ij", {{}, {2, 3}});
    agrees(",->", {{}, {}});
}

TEST_CASE("implicit outputs (openvino#6131)") {
    CHECK(einsum("i,i", table({3}), table({3}, 1)).dimension() == 0);
    agrees("a...b,b...", {{2, 3, 4}, {4, 3}});
}

TEST_CASE("outer and inner labels mixed (mlx PR#1269)") {
    agrees("ijk,lmk,ijf->lf", {{2, 3, 4}, {5, 2, 4}, {2, 3, 6}});
}

TEST_CASE("an extent of 1 as the depth of a product, 1 against 0 (rten#1369, rten#1368)") {
    agrees("ij,jk->ik", {{3, 1}, {1, 4}});
    agrees("ij,jk->ik", {{3, 1}, {5, 4}});
    agrees("i,i->i", {{1}, {0}});
    agrees("ij,ij->", {{1, 3}, {0, 3}});
    agrees("ii,i,i->i", {{3, 3}, {3}, {3}});
}

TEST_CASE("diagonals that an output keeps (tinygrad#18229, raven#224, tenferro#1073)") {
    agrees("iij->i", {{3, 3, 4}});
    agrees("iij->ij", {{3, 3, 4}});
    agrees("iij,j->ij", {{3, 3, 4}, {4}});
    agrees("abcb->ac", {{5, 7, 5, 7}});
    agrees("iii->i", {{2, 2, 2}});
    agrees("iii->i", {{3, 3, 3}});
    CHECK_THROWS_AS(static_cast<void>(xeinsum::parse(std::string_view("ij->iji"))),
                    xeinsum::einsum_error);
}

TEST_CASE("small products and networks (Fastor#33, Fastor#9, Einsums#283)") {
    agrees("ij,i", {{2, 2}, {2}});
    agrees("ij,jk,kl,li->", {{2, 3}, {3, 4}, {4, 5}, {5, 2}});
    agrees("ij,jk->ijk", {{2, 3}, {3, 4}});
    agrees("ijk,ikl", {{2, 3, 4}, {2, 4, 5}});
    agrees("ac,b->abc", {{2, 3}, {4}});
}

TEST_CASE(
    "sums over one operand's labels, empty sums, reversed strides with extent 1 (tblis#41, #52, "
    "#15, #81)") {
    agrees("ab,ab->a", {{5, 6}, {5, 6}});
    agrees("ab,ac->", {{3, 4}, {3, 5}});
    const auto empty = table({2, 3, 0, 4}), full = table({5, 6, 0, 4}, 1);
    xt::xarray<double> out = xt::zeros<double>({2, 3, 5, 6});
    out.fill(std::numeric_limits<double>::quiet_NaN());
    einsum_to("jbnf,menf->jbme", out, scale{1, 0}, empty, full);
    CHECK(out == xt::zeros<double>({2, 3, 5, 6}));
    einsum_to("jbnf,menf->jbme", out, scale{1, 3}, empty, full);
    CHECK(out == xt::zeros<double>({2, 3, 5, 6}));
    support::call<double> c{xeinsum::parse("ij,jk->ik"), {}, {}};
    const auto fill = [](std::size_t n) { return static_cast<double>(n) - 3; };
    c.operands = {support::strided_array<double>::lying({1, 4}, {0, 1}, {-1, -1}, fill),
                  support::strided_array<double>::lying({4, 1}, {0, 1}, {-2, -1}, fill)};
    CHECK(support::evaluate(c) == support::expect(c));
}

TEST_CASE("reductions and integer products that come out as zeros (MatX#167, MatX#538)") {
    agrees("ij->j", {{2, 3}});
    agrees<std::int32_t>("ij,jk->ik", {{3, 4}, {4, 5}});
    agrees<std::int64_t>("ij,jk->ik", {{3, 4}, {4, 5}});
}

TEST_CASE("a call never uses the plan of another (cupy#7318)") {
    for (const std::size_t n : {2U, 3U, 2U, 5U}) {
        agrees("ij,jk->ik", {{n, 3}, {3, n}});
        agrees("ij,jk->ki", {{n, 3}, {3, n}});
    }
}

TEST_CASE("beta 0 at the edges of tiles (rten#81, blaspp#39, BTAS#80, OpenBLAS#929)") {
    for (std::size_t m = 1; m <= 13; ++m) {
        for (std::size_t n = 1; n <= 33; n += 4) {
            const auto a = table<float>({m, 5}), b = table<float>({5, n}, 1);
            xt::xarray<float> out = xt::xarray<float>::from_shape({m, n});
            out.fill(std::numeric_limits<float>::quiet_NaN());
            einsum_to("ij,jk->ik", out, scale{1, 0},
                      xeinsum::options{.lowering = xeinsum::lowering::gemm}, a, b);
            CHECK(out == reference::einsum("ij,jk->ik", a, b));
        }
    }
}

TEST_CASE("products of extents beyond 32 bits (forte2#147, emlx#116)") {
    const auto plan = xeinsum::make_plan<double>("abc->", {{4740, 840, 840}});
    CHECK(plan.flops() == 4740.0 * 840 * 840);
    CHECK(xeinsum::make_plan<float>("ab,bc->ac", {{262144, 8960}, {8960, 2}}).flops() ==
          2.0 * 262144 * 8960 * 2);
}

TEST_CASE("xtensor's stride 0 for an extent of 1") {
    const xt::xarray<double> row = table({1, 7}), column = table({7, 1}, 1);
    REQUIRE(row.strides()[0] == 0);
    CHECK(einsum("ij,jk->ik", row, column) == reference::einsum("ij,jk->ik", row, column));
    CHECK(einsum<"ij,kj->ik">(row, row) == reference::einsum("ij,kj->ik", row, row));
    const xt::xarray<double> batch = table({1, 3, 4}), matrices = table({1, 4, 5}, 1);
    CHECK(einsum("bij,bjk->bik", batch, matrices) ==
          reference::einsum("bij,bjk->bik", batch, matrices));
}

TEST_CASE("integer sums keep their type (torch)") {
    const auto a = table<std::int32_t>({2, 3}), b = table<std::int32_t>({3, 4}, 1);
    static_assert(std::is_same_v<decltype(einsum("ij->", a))::value_type, std::int32_t>);
    CHECK(einsum("ij->", a)() == reference::einsum("ij->", a)());
    agrees<std::int32_t>("ij,jk->k", {{2, 3}, {3, 4}});
}
