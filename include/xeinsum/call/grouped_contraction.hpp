// Calls with groups on the planner and the kernels of einsum: "b n (h d) -> b h n d" is a
// contraction of one operand with four axes, "b n (h d), b m (h d) -> b h n m" of two.
#pragma once

#include <xeinsum/call/arguments.hpp>
#include <xeinsum/call/contract.hpp>
#include <xeinsum/call/grouped_call.hpp>
#include <xeinsum/call/grouped_check.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::detail {

/// Plans and runs a call into an output with an axis for each label.
template <class T, class Arch, kernel::step_kinds Kinds, class Call, class Options>
void contract_grouped(const Call& call, const T* const* operands, const Options& wanted,
                      const destination<T>& out,
                      const kernel::scaling<lowerings::element_t<T>>& scale) {
    const auto raise = [&](const problem& p) { call.raise(p); };
    contract<T, Arch, Kinds>(
        call.network(), {call.layouts(), operands}, wanted,
        [&](auto& c, auto run) { call.check(run(out, scale, c.needs_temporary(out))); }, raise);
}

/// How many elements are joined into one of the result's: the product of the extents of all labels
/// that the output lacks.
template <class Call>
[[nodiscard]] std::int64_t terms_per_element(const Call& call) {
    const network_view net = call.network();
    std::int64_t terms = 1;
    for (label l = 0; l < static_cast<label>(net.label_count); ++l) {
        if (std::find(net.output.begin(), net.output.end(), l) == net.output.end()) {
            if (call.extent(l) == 0) {
                return 0;
            }
            // Too many to count are too many to visit.
            static_cast<void>(planning::multiply(terms, call.extent(l), terms));
        }
    }
    return terms;
}

/// Calls f.operator()<room>(call) with the call of an equation that is known to the compiler.
template <fixed_string Text, call_kind Kind, class... Operands, class F>
decltype(auto) with_grouping(list_view<const layout_view> layouts,
                             list_view<const parsing::length_view> lengths, F f) {
    constexpr auto& eq = pattern<Text, Kind>.equation;
    using equation_storage = fixed_storage<parsing::capacity_for(Text.size())>;
    if constexpr (pattern_ranks_are_known<Text, Kind, Operands...>()) {
        constexpr auto& grouping = static_grouping<Text, Kind, Operands...>;
        constexpr auto ranks = least_ranks<Text, Kind, Operands...>();
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if (layouts[i].extents.size() != ranks[i]) {
                parsing::raise(planning::group<heap_storage>(eq, ranks_of(layouts), Kind).error,
                               eq);
            }
        }
        const grouped_call<grouping_storage<Text, Kind, Operands...>, equation_storage> call(
            eq, Kind, grouping, layouts, lengths);
        return f.template operator()<kinds_of(grouping.network.view(), false)>(call);
    } else {
        const grouped_call<heap_storage, equation_storage> call(
            eq, Kind, planning::group<heap_storage>(eq, ranks_of(layouts), Kind), layouts, lengths);
        return f.template operator()<kernel::step_kinds::of_inputs(sizeof...(Operands))>(call);
    }
}

}  // namespace xeinsum::detail
