// Everything about a call that its types tell, found out in the compiler: einsum<"ij,jk->il">(a, b)
// does not compile, and the diagnostic shows equation, kind of error and column.
#pragma once

#include <xeinsum/array/xtensor.hpp>
#include <xeinsum/equation/fixed_string.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/extents.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace xeinsum {

/// Position in an equation, in bytes from 1.
template <std::size_t Column>
struct column {};

/// An equation's characters, for compilers that show text in template arguments as numbers.
template <char... Characters>
struct characters {};

/// Is named by the diagnostic of a call that cannot be: the error code, the column, the equation.
template <error_code Code, class Column, class Equation>
struct error_in_equation {
    static constexpr bool none = false;
};
template <class Column, class Equation>
struct error_in_equation<error_code::none, Column, Equation> {
    static constexpr bool none = true;
};

namespace detail {

template <fixed_string Equation, std::size_t... I>
auto characters_of(std::index_sequence<I...>) -> characters<Equation.characters[I]...>;

template <fixed_string Equation, error_code Code, std::size_t Column>
using diagnosis = error_in_equation<Code, column<Column>,
                                    decltype(characters_of<Equation>(
                                        std::make_index_sequence<Equation.size()>()))>;

template <fixed_string Equation, notation Notation>
inline constexpr auto parsed =
    parsing::read<fixed_storage<parsing::capacity_for(Equation.size())>>(Equation.view(), Notation);

/// The ranks of the operands, where neither a type nor a term tells one array::dynamic_rank.
template <class... Operands, class Storage>
[[nodiscard]] constexpr std::array<std::size_t, sizeof...(Operands)> known_ranks(
    const basic_equation<Storage>& eq) {
    std::array<std::size_t, sizeof...(Operands)> ranks{array::rank_of<Operands>...};
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i] == array::dynamic_rank && i < eq.term_count() &&
            !parsing::has_ellipsis(eq.term(i))) {
            ranks[i] = parsing::axis_count(eq, i);
        }
    }
    return ranks;
}

template <std::size_t Operands>
[[nodiscard]] constexpr bool are_known(const std::array<std::size_t, Operands>& ranks) {
    return std::find(ranks.begin(), ranks.end(), array::dynamic_rank) == ranks.end();
}

template <fixed_string Equation, notation Notation, class... Operands>
inline constexpr auto static_ranks = known_ranks<Operands...>(parsed<Equation, Notation>.equation);

template <fixed_string Equation, notation Notation, class... Operands>
[[nodiscard]] constexpr bool ranks_are_known() {
    return are_known(static_ranks<Equation, Notation, Operands...>);
}

/// Room for the axes of operands of the given ranks and for those of the output.
template <std::size_t Operands>
[[nodiscard]] constexpr std::size_t axes_capacity(std::size_t characters,
                                                  const std::array<std::size_t, Operands>& ranks) {
    return std::bit_ceil(std::accumulate(ranks.begin(), ranks.end(), characters + 1));
}

/// The terms of a call whose ranks are known. error tells a wrong number or rank of operands.
template <fixed_string Equation, notation Notation, class... Operands>
inline constexpr auto static_network = resolve<
    fixed_storage<axes_capacity(Equation.size(), static_ranks<Equation, Notation, Operands...>)>>(
    parsed<Equation, Notation>.equation, static_ranks<Equation, Notation, Operands...>);

/// What is wrong with the extents of operands that are all xtensor_fixed or scalars.
template <fixed_string Equation, notation Notation, class... Operands>
[[nodiscard]] constexpr problem static_extents_problem() {
    constexpr auto& net = static_network<Equation, Notation, Operands...>;
    const std::array<layout_view, sizeof...(Operands)> layouts{
        layout_view{array::traits_of_t<Operands>::extents, {}}...};
    std::array<std::int64_t, (net.label_count > 0 ? net.label_count : 1)> extents{};
    problem p = planning::find_extents(net.view(), layouts, {extents.data(), net.label_count});
    if (!p.ok()) {
        locate(p, parsed<Equation, Notation>.equation, layouts[p.second.array].extents.size());
    }
    return p;
}

/// What is wrong with a call as far as its types tell.
template <fixed_string Equation, notation Notation, class... Operands>
[[nodiscard]] constexpr problem find_problem() {
    if constexpr (constexpr problem syntax = parsed<Equation, Notation>.error; !syntax.ok()) {
        return syntax;
    } else if constexpr (parsed<Equation, Notation>.equation.term_count() != sizeof...(Operands)) {
        problem p;
        p.code = sizeof...(Operands) == 0 ? error_code::no_operand : error_code::operand_count;
        return p;
    } else if constexpr (!ranks_are_known<Equation, Notation, Operands...>()) {
        return {};
    } else if constexpr (constexpr problem ranks =
                             static_network<Equation, Notation, Operands...>.error;
                         !ranks.ok()) {
        return ranks;
    } else if constexpr ((array::is_fixed<Operands> && ...)) {
        return static_extents_problem<Equation, Notation, Operands...>();
    } else {
        return {};
    }
}

/// Refuses to compile a call whose equation, number of operands, ranks or fixed extents are wrong.
/// Returns whether the call is right, so that nothing else is instantiated for a wrong one.
template <fixed_string Equation, notation Notation, class... Operands>
[[nodiscard]] constexpr bool check_call() {
    constexpr problem p = find_problem<Equation, Notation, Operands...>();
    static_assert(
        diagnosis<Equation, p.code, p.column>::none,
        "xeinsum: the equation, or its use with these operands, is wrong; the error code, "
        "the column and the equation are the arguments of error_in_equation");
    return p.ok();
}

}  // namespace detail
}  // namespace xeinsum
