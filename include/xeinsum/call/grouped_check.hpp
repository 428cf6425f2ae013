// What the compiler can tell of a call with groups: einsum<"b (h d) -> b h d">(x) lacks the length
// of an axis, rearrange<"a b -> a">(x) an axis, and neither compiles.
#pragma once

#include <xeinsum/array/traits.hpp>
#include <xeinsum/call/check.hpp>
#include <xeinsum/equation/grouping.hpp>
#include <xeinsum/equation/lengths.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/factors.hpp>
#include <xeinsum/plan/lengths.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::detail {

/// A pattern, or an equation with groups, that is known to the compiler.
template <fixed_string Text, call_kind Kind>
inline constexpr auto pattern = parsing::read<fixed_storage<parsing::capacity_for(Text.size())>>(
    Text.view(), notation::grouped, Kind);

template <fixed_string Text, call_kind Kind, class... Operands>
[[nodiscard]] constexpr bool pattern_ranks_are_known() {
    return are_known(known_ranks<Operands...>(pattern<Text, Kind>.equation));
}

/// The ranks of the operands, with as few axes as the terms allow where one is unknown. "..."
/// stands for no axis of a group, so that lengths can be checked nevertheless.
template <fixed_string Text, call_kind Kind, class... Operands>
[[nodiscard]] constexpr auto least_ranks() {
    constexpr auto& eq = pattern<Text, Kind>.equation;
    auto ranks = known_ranks<Operands...>(eq);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i] == array::dynamic_rank) {
            ranks[i] = parsing::axis_count(eq, i);
        }
    }
    return ranks;
}

/// Storage with room for the labels of all operands and of the output.
template <fixed_string Text, call_kind Kind, class... Operands>
using grouping_storage =
    fixed_storage<axes_capacity(Text.size(), least_ranks<Text, Kind, Operands...>())>;

/// The terms of a call, as far as its types tell; error tells a rank that does not fit.
template <fixed_string Text, call_kind Kind, class... Operands>
inline constexpr auto static_grouping = planning::group<grouping_storage<Text, Kind, Operands...>>(
    pattern<Text, Kind>.equation, least_ranks<Text, Kind, Operands...>(), Kind);

/// What is wrong with the axes whose lengths a call gives.
template <fixed_string Text, call_kind Kind, class Lengths, class... Operands>
[[nodiscard]] constexpr problem static_lengths_problem(const Lengths& given) {
    constexpr auto& eq = pattern<Text, Kind>.equation;
    std::array<std::int64_t, Text.size() + 1> lengths{};
    const list_view<std::int64_t> known(lengths.data(), eq.label_count());
    problem p = parsing::take_lengths(eq, given, known);
    if (p.ok()) {
        p = planning::find_missing(eq, static_grouping<Text, Kind, Operands...>,
                                   least_ranks<Text, Kind, Operands...>(), known);
    }
    p.reason = nullptr;
    return p;
}

/// What is wrong with a call as far as its types tell; lengths are those of axis<"h">.
template <fixed_string Text, call_kind Kind, class Lengths, class... Operands>
struct pattern_check;
template <fixed_string Text, call_kind Kind, class... Lengths, class... Operands>
struct pattern_check<Text, Kind, void(Lengths...), Operands...> {
    [[nodiscard]] static constexpr problem find() {
        if constexpr (constexpr problem syntax = pattern<Text, Kind>.error; !syntax.ok()) {
            return syntax;
        } else if constexpr (pattern<Text, Kind>.equation.term_count() != sizeof...(Operands)) {
            problem p;
            p.code = sizeof...(Operands) == 0 ? error_code::no_operand : error_code::operand_count;
            p.expected = static_cast<std::int64_t>(pattern<Text, Kind>.equation.term_count());
            p.found = std::int64_t{sizeof...(Operands)};
            return p;
        } else if constexpr (constexpr problem ranks =
                                 static_grouping<Text, Kind, Operands...>.error;
                             !ranks.ok()) {
            return ranks;
        } else {
            return static_lengths_problem<Text, Kind, decltype(views_of(Lengths{}...)),
                                          Operands...>(views_of(Lengths{}...));
        }
    }
};

/// The number of the result's axes, where pattern and operands tell it.
template <fixed_string Text, call_kind Kind, class... Operands>
[[nodiscard]] constexpr std::size_t pattern_result_rank() {
    bool open = false;
    const auto& eq = pattern<Text, Kind>.equation;
    const auto output = eq.output();
    for (std::size_t i = 0; i < output.size(); ++i) {
        bool grouped = false;
        for (const label_group& g : eq.groups()) {
            grouped = grouped || (g.term == label_group::in_output && i >= g.first &&
                                  i < std::size_t{g.first} + g.count);
        }
        open = open || (output[i].id == ellipsis_label && !grouped);
    }
    return open && !pattern_ranks_are_known<Text, Kind, Operands...>()
               ? array::dynamic_rank
               : static_grouping<Text, Kind, Operands...>.output.size();
}

template <fixed_string Text, call_kind Kind, class Out, class... Operands>
[[nodiscard]] constexpr problem find_pattern_output_problem() {
    constexpr std::size_t rank = pattern_result_rank<Text, Kind, Operands...>();
    constexpr std::size_t found = array::rank_of<Out>;
    problem p;
    if (rank != array::dynamic_rank && found != array::dynamic_rank && rank != found) {
        p.code = error_code::output_shape;
        p.expected = static_cast<std::int64_t>(rank);
        p.found = static_cast<std::int64_t>(found);
        locate_output(p, pattern<Text, Kind>.equation, rank);
    }
    return p;
}

// Problems have to be variables to be shown by a diagnostic.
template <fixed_string Text, call_kind Kind, class Lengths, class... Operands>
inline constexpr problem pattern_problem = pattern_check<Text, Kind, Lengths, Operands...>::find();
template <fixed_string Text, call_kind Kind, class Out, class... Operands>
inline constexpr problem pattern_output_problem =
    find_pattern_output_problem<Text, Kind, Out, Operands...>();

/// Refuses to compile a call that cannot be right; returns whether it may be.
template <fixed_string Text, call_kind Kind, class Lengths, class... Operands>
[[nodiscard]] constexpr bool check_pattern_call() {
    if constexpr (check_operands<Operands...>()) {
        return check_problem<Text, pattern_problem<Text, Kind, Lengths, Operands...>>();
    } else {
        return false;
    }
}

/// The same of a call with an output.
template <fixed_string Text, call_kind Kind, class Lengths, class Out, class... Operands>
[[nodiscard]] constexpr bool check_pattern_call_to() {
    if constexpr (!check_output_and_operands<Out, Operands...>()) {
        return false;
    } else if constexpr (!pattern_problem<Text, Kind, Lengths, Operands...>.ok()) {
        return check_problem<Text, pattern_problem<Text, Kind, Lengths, Operands...>>();
    } else {
        return check_problem<Text, pattern_output_problem<Text, Kind, Out, Operands...>>();
    }
}

}  // namespace xeinsum::detail
