#include <xeinsum/check.hpp>

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
    // An extent that only the run knows leaves the others unchecked until then.
    static_assert(finds<"ij,jk->ik", fixed<2, 3>, matrix>(error_code::none, 0));
    CHECK(finds<"ij,ij,i", dynamic, dynamic, matrix>(error_code::rank_mismatch, 7));
}
