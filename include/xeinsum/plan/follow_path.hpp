// A contraction path as steps: for "ij,jk,kl->il" the pairs (1, 2) and (0, 3) become jk,kl->jl and
// ij,jl->il.
#pragma once

#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/step_emitter.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace xeinsum::planning {

/// The terms that a path is searched for: some arrays of a plan in the making.
template <class Emitter>
[[nodiscard]] path_problem path_problem_of(const Emitter& emitter,
                                           const std::vector<array_id>& arrays) {
    const auto sorted = [&](array_id id) {
        const auto labels = emitter.term(id).labels;
        std::vector<label> list(labels.begin(), labels.end());
        std::sort(list.begin(), list.end());
        return list;
    };
    path_problem p;
    for (const array_id id : arrays) {
        p.terms.push_back(sorted(id));
    }
    p.output = sorted(result_array);
    p.extents = emitter.data.extents;
    p.largest_elements = static_cast<double>(emitter.wanted().memory_limit) /
                         static_cast<double>(emitter.on().element_bytes);
    return p;
}

/// Appends the steps of a path over all operands, three or more.
template <class Emitter>
void follow_path(Emitter& emitter) {
    const options& wanted = emitter.wanted();
    const std::size_t operands = emitter.data.operand_count;
    if (wanted.path == path_strategy::optimal && operands > optimal_path_operands) {
        emitter.fail(error_code::path_not_available,
                     "optimal takes at most 14 operands; greedy takes any number");
        return;
    }
    // How many of the arrays that are still to be contracted have a label; the result counts.
    std::vector<std::size_t> holders(emitter.data.extents.size(), 0);
    const auto count = [&](array_id id, std::size_t by) {
        for (const label l : emitter.term(id).labels) {
            holders[static_cast<std::size_t>(l)] += by;
        }
    };
    for (array_id id = result_array; id < static_cast<array_id>(operands); ++id) {
        count(id, 1);
    }
    std::vector<array_id> live;
    for (std::size_t i = 0; i < operands; ++i) {
        live.push_back(emitter.presum(static_cast<array_id>(i), [&](label l) {
            return holders[static_cast<std::size_t>(l)] > 1;
        }));
    }
    const contraction_path path = find_path(path_problem_of(emitter, live), wanted.path);
    if (path.empty()) {
        emitter.fail(error_code::memory_limit, "every path needs a larger intermediate");
        return;
    }
    for (const auto& [lhs, rhs] : path) {
        count(live[lhs], static_cast<std::size_t>(-1));
        count(live[rhs], static_cast<std::size_t>(-1));
        const bool last = live.size() + 1 == 2 * operands - 1;
        live.push_back(emitter.pair(live[lhs], live[rhs], last, [&](label l) {
            return holders[static_cast<std::size_t>(l)] > 0;
        }));
        if (!last) {
            count(live.back(), 1);
        }
    }
}

}  // namespace xeinsum::planning
