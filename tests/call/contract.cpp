#include <xeinsum/call/contract.hpp>

#include "../support/instances.hpp"
#include "../support/shared_calls.hpp"

#include <xeinsum/einsum.hpp>
#include <xeinsum/equation/parser.hpp>

#include <xtensor/xview.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace xeinsum::detail;
using xeinsum::notation;
using xeinsum::detail::default_arch;

namespace {

constexpr auto automatic = notation::automatic;

xt::xarray<float> numbers(const std::vector<std::size_t>& extents, unsigned seed) {
    xt::xarray<float> x(extents);
    const auto from = support::small_numbers<float>(x.size(), seed);
    std::copy(from.begin(), from.end(), x.begin());
    return x;
}

}  // namespace

TEST_CASE("a network is that of the equation for the ranks of the operands") {
    const auto a = numbers({2, 3}, 1);
    const auto b = numbers({3, 4, 5}, 9);
    const operand_pack<float, xt::xarray<float>, xt::xarray<float>> held(a, b);
    const xeinsum::equation eq = xeinsum::parse("ij,j...->i...");
    const std::size_t labels = with_network(
        eq, held.layouts(), [](const auto& net, const raiser&) { return net.label_count; });
    CHECK(labels == 4);
    const raiser raise(eq, held.layouts());
    const std::size_t known =
        with_network<"ij,j...->i...", automatic, true, xt::xarray<float>, xt::xarray<float>>(
            held.layouts(), raise,
            []<xeinsum::kernel::step_kinds Kinds>(const auto& net) { return net.output.size(); });
    CHECK(known == 3);
    const auto of_matrices = [&] {
        with_network<"ij,jk->ik", automatic, true, xt::xtensor<float, 2>, xt::xtensor<float, 2>>(
            held.layouts(), raise, []<xeinsum::kernel::step_kinds Kinds>(const auto&) {});
    };
    CHECK_THROWS_AS(of_matrices(), xeinsum::einsum_error);
}

TEST_CASE("a new array has the extents of the result, one that exists is checked first") {
    const auto a = numbers({2, 3}, 1);
    const auto b = numbers({3, 4}, 9);
    const operand_pack<float, xt::xarray<float>, xt::xarray<float>> held(a, b);
    const xeinsum::equation eq = xeinsum::parse("ij,jk->ki");
    const auto expected = [&](std::size_t k, std::size_t i) {
        return a(i, 0) * b(0, k) + a(i, 1) * b(1, k) + a(i, 2) * b(2, k);
    };
    with_network(eq, held.layouts(), [&](const xeinsum::network_view& net, const raiser& raise) {
        const operand_views<float> operands{held.layouts(), held.pointers()};
        constexpr xeinsum::kernel::step_kinds kinds = xeinsum::kernel::step_kinds::of_inputs(2);
        const auto c = contract_new<xt::xtensor<float, 2>, float, default_arch, kinds>(
            net, operands, xeinsum::options{}, raise);
        REQUIRE(c.shape() == std::array<std::size_t, 2>{4, 2});
        CHECK(c(3, 0) == expected(3, 0));
        CHECK(c(1, 1) == expected(1, 1));
        xt::xtensor<float, 2> sum = xt::ones<float>({4, 2});
        contract_to<float, default_arch, kinds>(sum, xeinsum::scale{2, 3}, net, operands,
                                                xeinsum::options{}, raise);
        CHECK(sum(3, 0) == 2 * expected(3, 0) + 3);
        xt::xtensor<float, 2> other = xt::ones<float>({2, 4});
        const auto into_other = [&] {
            contract_to<float, default_arch, kinds>(other, xeinsum::scale{1, 0}, net, operands,
                                                    xeinsum::options{}, raise);
        };
        CHECK_THROWS_AS(into_other(), xeinsum::einsum_error);
        CHECK(other == xt::ones<float>({2, 4}));
    });
}

TEST_CASE("a product of matrices without options is one step, whatever its arrays are") {
    // Columns lie apart, a row is missing, the output is an operand.
    const auto b = numbers({3, 4}, 9);
    const auto check = [&](std::size_t rows, std::size_t depth) {
        xt::xarray<float> a = numbers({4, 3}, 1);
        const auto part = xt::view(a, xt::range(0, rows), xt::range(0, depth));
        const auto other = xt::view(b, xt::range(0, depth), xt::range(1, 4));
        xt::xtensor<float, 2> expected = xt::zeros<float>({rows, std::size_t{3}});
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < depth; ++j) {
                for (std::size_t k = 0; k < 3; ++k) {
                    expected(i, k) += part(i, j) * other(j, k);
                }
            }
        }
        CHECK(xeinsum::einsum<"ij,jk->ik">(part, other) == expected);
        CHECK(xeinsum::einsum<"ij,jk->ik">(part, other) ==
              xeinsum::einsum<"ij,jk->ik">(xeinsum::options{}, part, other));
        auto out = xt::view(a, xt::range(0, rows), xt::range(0, 3));
        const xt::xtensor<float, 2> before = out;
        xeinsum::einsum_to<"ij,jk->ik">(out, xeinsum::scale{2, 3}, part, other);
        CHECK(xt::xtensor<float, 2>(out) == 2 * expected + 3 * before);
    };
    check(4, 3);
    check(3, 2);
    check(1, 3);
    check(4, 1);
    check(0, 2);
    check(3, 0);
}

TEST_CASE("results have the same bits whether an extent of 1 was known or not") {
    const auto fractions = [](std::size_t rows, std::size_t columns) {
        xt::xtensor<float, 2> a = xt::zeros<float>({rows, columns});
        for (std::size_t n = 0; n < a.size(); ++n) {
            a.flat(n) = 1.0F / static_cast<float>(n * 7 % 31 + 3) - 0.1F;
        }
        return a;
    };
    const auto check = [&](std::size_t rows, std::size_t terms, std::size_t columns) {
        CAPTURE(rows);
        CAPTURE(terms);
        CAPTURE(columns);
        const auto a = fractions(rows, terms);
        const auto b = fractions(terms, columns);
        const auto c = xeinsum::einsum<"ij,jk->ik">(a, b);
        CHECK(c == xeinsum::einsum<"ij,jk->ik">(xeinsum::options{}, a, b));
        CHECK(c == xeinsum::einsum<"ij,jk->ik">(xeinsum::options{.threads = 2}, a, b));
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < columns; ++k) {
                double sum = 0;
                for (std::size_t j = 0; j < terms; ++j) {
                    sum += static_cast<double>(a(i, j)) * static_cast<double>(b(j, k));
                }
                CHECK(static_cast<double>(c(i, k)) == doctest::Approx(sum).epsilon(1e-4));
            }
        }
    };
    for (const std::size_t one : {2U, 7U, 13U, 37U, 300U}) {
        for (const std::size_t other : {3U, 8U, 32U, 70U, 513U}) {
            check(1, one, other);
            check(one, other, 1);
            check(one, 1, other);
        }
        check(1, one, 1);
    }
    check(1, 40000, 3);
    check(3, 40000, 1);
}

TEST_CASE("so is a sum of one array of a few labels, and of many it is not") {
    CHECK(is_one_step<float, xeinsum::kernel::ordered_sum_steps>);
    CHECK(is_one_step<float, xeinsum::kernel::matrix_steps>);
    CHECK_FALSE(is_one_step<float, xeinsum::kernel::product_sum_steps>);
    CHECK_FALSE(is_one_step<float, xeinsum::kernel::all_steps>);
    xt::xarray<float> a = numbers({2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, 3);
    const auto sums = xeinsum::einsum<"abcdefghijklmnopqr->b">(a);
    for (std::size_t b = 0; b < 3; ++b) {
        float expected = 0;
        for (std::size_t at : {0U, 1U, 6U, 7U}) {
            expected += a.flat(2 * b + at);
        }
        CHECK(sums(b) == expected);
    }
}
