// Everything about a call that its types tell, found out in the compiler: einsum<"ij,jk->il">(a, b)
// does not compile, and the diagnostic shows equation, kind of error and column.
#pragma once

#include <xeinsum/array/traits.hpp>
#include <xeinsum/call/accepted.hpp>
#include <xeinsum/call/diagnosis.hpp>
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

namespace detail {

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

/// The rank of the result, where equation and operands tell it.
template <fixed_string Equation, notation Notation, class... Operands>
[[nodiscard]] constexpr std::size_t result_rank() {
    const auto& eq = parsed<Equation, Notation>.equation;
    if (!parsing::has_ellipsis(eq.output())) {
        return eq.output().size();
    }
    if constexpr (ranks_are_known<Equation, Notation, Operands...>()) {
        return static_network<Equation, Notation, Operands...>.output.size();
    } else {
        return array::dynamic_rank;
    }
}

/// The extents of an array where its type tells them, else 1, which fits any other.
template <class E, std::size_t Rank>
inline constexpr std::array<std::int64_t, Rank> known_extents = [] {
    std::array<std::int64_t, Rank> extents{};
    if constexpr (array::is_fixed<E>) {
        extents = array::traits_of_t<E>::extents;
    } else {
        extents.fill(1);
    }
    return extents;
}();

/// What the types of operands tell about extents.
template <std::size_t Labels>
struct measured {
    problem error{};
    std::array<std::int64_t, Labels> extents{};  ///< by label; 1 may be any where it is open
    std::array<bool, Labels> open{};             ///< by label, whether some operand's is unknown
};

template <fixed_string Equation, notation Notation, class... Operands>
[[nodiscard]] constexpr auto measure_fixed() {
    constexpr auto& net = static_network<Equation, Notation, Operands...>;
    constexpr auto& ranks = static_ranks<Equation, Notation, Operands...>;
    const auto layouts = []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<layout_view, sizeof...(Operands)>{
            layout_view{known_extents<Operands, ranks[I]>, {}}...};
    }
    (std::index_sequence_for<Operands...>());
    measured<(net.label_count > 0 ? net.label_count : 1)> m;
    const network_view view = net.view();
    m.error = planning::find_extents(view, layouts, {m.extents.data(), net.label_count});
    if (!m.error.ok()) {
        locate(m.error, parsed<Equation, Notation>.equation,
               layouts[m.error.second.array].extents.size());
    }
    const std::array<bool, sizeof...(Operands)> fixed{array::is_fixed<Operands>...};
    for (std::size_t i = 0; i < fixed.size(); ++i) {
        for (const label l : view.operand(i)) {
            m.open[static_cast<std::size_t>(l)] = m.open[static_cast<std::size_t>(l)] || !fixed[i];
        }
    }
    return m;
}
template <fixed_string Equation, notation Notation, class... Operands>
inline constexpr auto static_extents = measure_fixed<Equation, Notation, Operands...>();

/// What is wrong with a call as far as its types tell.
template <fixed_string Equation, notation Notation, class... Operands>
[[nodiscard]] constexpr problem find_problem() {
    if constexpr (constexpr problem syntax = parsed<Equation, Notation>.error; !syntax.ok()) {
        return syntax;
    } else if constexpr (parsed<Equation, Notation>.equation.term_count() != sizeof...(Operands)) {
        problem p;
        p.code = sizeof...(Operands) == 0 ? error_code::no_operand : error_code::operand_count;
        p.expected = static_cast<std::int64_t>(parsed<Equation, Notation>.equation.term_count());
        p.found = std::int64_t{sizeof...(Operands)};
        return p;
    } else if constexpr (!ranks_are_known<Equation, Notation, Operands...>()) {
        return {};
    } else if constexpr (constexpr problem ranks =
                             static_network<Equation, Notation, Operands...>.error;
                         !ranks.ok()) {
        return ranks;
    } else if constexpr ((array::is_fixed<Operands> || ...)) {
        return static_extents<Equation, Notation, Operands...>.error;
    } else {
        return {};
    }
}

/// What is wrong with the output of a call that has no other problem.
template <fixed_string Equation, notation Notation, class Out, class... Operands>
[[nodiscard]] constexpr problem find_output_problem() {
    constexpr std::size_t rank = result_rank<Equation, Notation, Operands...>();
    constexpr std::size_t found = array::rank_of<Out>;
    problem p;
    if constexpr (rank == array::dynamic_rank || found == array::dynamic_rank) {
        return p;
    } else if constexpr (rank != found) {
        p.code = error_code::output_shape;
        p.expected = std::int64_t{rank};
        p.found = std::int64_t{found};
    } else if constexpr (array::is_fixed<Out> &&
                         ranks_are_known<Equation, Notation, Operands...>()) {
        constexpr auto& m = static_extents<Equation, Notation, Operands...>;
        const auto output = static_network<Equation, Notation, Operands...>.view().output;
        for (std::size_t a = 0; a < rank && p.ok(); ++a) {
            const auto l = static_cast<std::size_t>(output[a]);
            const std::int64_t extent = array::traits_of_t<Out>::extents[a];
            if (extent != m.extents[l] && (m.extents[l] != 1 || !m.open[l])) {
                p.code = error_code::output_shape;
                p.second.axis = a;
                p.expected = m.extents[l];
                p.found = extent;
            }
        }
    }
    if (!p.ok()) {
        locate_output(p, parsed<Equation, Notation>.equation, rank);
    }
    return p;
}

// Problems have to be variables to be shown by a diagnostic.
template <fixed_string Equation, notation Notation, class... Operands>
inline constexpr problem call_problem = find_problem<Equation, Notation, Operands...>();
template <fixed_string Equation, notation Notation, class Out, class... Operands>
inline constexpr problem output_problem =
    find_output_problem<Equation, Notation, Out, Operands...>();

/// Refuses to compile a call whose equation, operands or fixed extents are wrong. Returns whether
/// the call is right, so that nothing else is instantiated for a wrong one.
template <fixed_string Equation, notation Notation, class... Operands>
[[nodiscard]] constexpr bool check_call() {
    if constexpr (check_operands<Operands...>()) {
        return check_problem<Equation, call_problem<Equation, Notation, Operands...>>();
    } else {
        return false;
    }
}

/// The same of a call with an output.
template <fixed_string Equation, notation Notation, class Out, class... Operands>
[[nodiscard]] constexpr bool check_call_to() {
    if constexpr (!check_output_and_operands<Out, Operands...>()) {
        return false;
    } else if constexpr (!call_problem<Equation, Notation, Operands...>.ok()) {
        return check_problem<Equation, call_problem<Equation, Notation, Operands...>>();
    } else {
        return check_problem<Equation, output_problem<Equation, Notation, Out, Operands...>>();
    }
}

}  // namespace detail
}  // namespace xeinsum
