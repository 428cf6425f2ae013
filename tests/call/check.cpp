#include <xeinsum/call/check.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

// What the compiler finds wrong with a call; that it then refuses to compile is shown by the files
// of compile_fail.

using xeinsum::error_code;
using xeinsum::notation;
using xeinsum::detail::find_problem;
using dynamic = xt::xarray<float>;
using vector = xt::xtensor<float, 1>;
using matrix = xt::xtensor<float, 2>;
template <std::size_t... X>
using fixed = xt::xtensor_fixed<float, xt::xshape<X...>>;

namespace {

template <xeinsum::fixed_string Equation, class... Operands>
constexpr bool finds(error_code code, std::size_t column) {
    constexpr auto p = find_problem<Equation, notation::automatic, Operands...>();
    return p.code == code && p.column == column;
}

/// A column of 0 stands for no problem, unless a code is given.
template <xeinsum::fixed_string Equation, class Out, class... Operands>
constexpr bool finds_in_output(std::size_t column, error_code code = error_code::none) {
    constexpr auto p =
        xeinsum::detail::find_output_problem<Equation, notation::automatic, Out, Operands...>();
    return p.code == (column == 0 ? code : error_code::output_shape) && p.column == column;
}

}  // namespace

TEST_CASE("ranks are known from types, or from terms without an ellipsis") {
    using xeinsum::detail::are_known;
    using xeinsum::detail::known_ranks;
    constexpr auto unknown = xeinsum::array::dynamic_rank;
    constexpr auto equation = xeinsum::detail::parsed<"ijk,...i,j", notation::automatic>.equation;
    constexpr auto ranks = known_ranks<dynamic, dynamic, matrix>(equation);
    static_assert(ranks == std::array<std::size_t, 3>{3, unknown, 2});
    static_assert(!are_known(ranks));
    static_assert(are_known(known_ranks<dynamic, matrix, dynamic>(equation)));
    CHECK(xeinsum::detail::axes_capacity(10, std::array<std::size_t, 3>{3, 1, 1}) == 16);
    CHECK(xeinsum::detail::axes_capacity(10, std::array<std::size_t, 3>{3, 2, 1}) == 32);
}

TEST_CASE("right calls have no problem") {
    static_assert(finds<"ij,jk->ik", matrix, matrix>(error_code::none, 0));
    static_assert(finds<"ij,jk->ik", dynamic, matrix>(error_code::none, 0));
    static_assert(finds<"...ij,jk->...ik", dynamic, dynamic>(error_code::none, 0));
    static_assert(finds<"ij,jk->ik", fixed<2, 3>, fixed<3, 4>>(error_code::none, 0));
    static_assert(finds<"ij,jk->ik", fixed<2, 3>, fixed<1, 4>>(error_code::none, 0));
    static_assert(finds<",ij->ij", double, matrix>(error_code::none, 0));
    static_assert(finds<"b l d_in, d_in n -> b l d_in n", xt::xtensor<float, 3>, matrix>(
        error_code::none, 0));
    CHECK(finds<"", double>(error_code::none, 0));
}

TEST_CASE("wrong ones have a code and a column") {
    static_assert(finds<"ij->il", matrix>(error_code::unknown_output_label, 6));
    static_assert(finds<"ij,jk->ik", matrix>(error_code::operand_count, 0));
    static_assert(finds<"ij">(error_code::no_operand, 0));
    static_assert(finds<"ij,jk->ik", matrix, vector>(error_code::rank_mismatch, 4));
    static_assert(finds<"...ij", vector>(error_code::rank_mismatch, 1));
    static_assert(finds<"ij,jk->ik", fixed<2, 3>, fixed<4, 5>>(error_code::extent_mismatch, 4));
    static_assert(finds<"ii", fixed<2, 3>>(error_code::diagonal_mismatch, 2));
    static_assert(finds<"...,...", fixed<2, 3>, fixed<4>>(error_code::ellipsis_mismatch, 5));
    // An extent that only the run knows leaves those of other labels to be checked.
    static_assert(finds<"ij,jk->ik", fixed<2, 3>, matrix>(error_code::none, 0));
    static_assert(
        finds<"ij,jk,kl->il", fixed<2, 3>, fixed<4, 5>, matrix>(error_code::extent_mismatch, 4));
    CHECK(finds<"ij,ij,i", dynamic, dynamic, matrix>(error_code::rank_mismatch, 7));
}

TEST_CASE("outputs of another shape, as far as types tell it") {
    static_assert(finds_in_output<"ij,jk->ik", matrix, matrix, matrix>(0));
    static_assert(finds_in_output<"ij,jk->ik", vector, matrix, matrix>(8));
    static_assert(finds_in_output<"ij,jk", vector, dynamic, dynamic>(0, error_code::output_shape));
    static_assert(finds_in_output<"ij,jk->ik", dynamic, matrix, matrix>(0));
    static_assert(finds_in_output<"...ij->...i", vector, dynamic>(0));
    static_assert(finds_in_output<"...ij->...i", vector, xt::xtensor<float, 3>>(8));
    // Extents: i is 2, k unknown, and 1 may become anything where another operand is unknown.
    static_assert(finds_in_output<"ij,jk->ik", fixed<2, 9>, fixed<2, 3>, matrix>(0));
    static_assert(finds_in_output<"ij,jk->ik", fixed<3, 9>, fixed<2, 3>, matrix>(8));
    static_assert(finds_in_output<"ij,jk->ik", fixed<2, 4>, fixed<2, 3>, fixed<3, 5>>(9));
    static_assert(finds_in_output<"i,i->i", fixed<4>, fixed<1>, vector>(0));
    static_assert(finds_in_output<"i,i->i", fixed<4>, fixed<1>, fixed<1>>(6));
    static_assert(finds_in_output<"i,i->i", fixed<1>, fixed<4>, vector>(6));
    CHECK(finds_in_output<"i,i->i", fixed<4>, fixed<1>, fixed<4>>(0));
}
