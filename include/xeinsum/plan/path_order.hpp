// The order of the pairs of a path that keeps fewest elements at a time: of "ab,bc,cd,de->ae" by
// ((ab,bc),(cd,de)) the pair goes first whose own intermediates take more room.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// The elements of the result of each pair, 0 for the last one, which is the output.
template <class Problem>
[[nodiscard]] std::vector<double> result_sizes(const Problem& problem,
                                               const contraction_path& path) {
    label_uses uses(problem);
    std::vector<std::vector<label>> terms = problem.terms;
    std::vector<double> sizes;
    for (const auto& [lhs, rhs] : path) {
        terms.push_back(uses.contract(terms[lhs], terms[rhs]));
        sizes.push_back(
            sizes.size() + 1 == path.size() ? 0 : element_count(terms.back(), problem.extents));
    }
    return sizes;
}

/// The most elements of intermediates that are there at a time, if pairs are contracted in order.
[[nodiscard]] inline double peak_elements(const contraction_path& path, std::size_t terms,
                                          const std::vector<double>& sizes) {
    double now = 0;
    double peak = 0;
    for (std::size_t p = 0; p < path.size(); ++p) {
        now += sizes[p];
        peak = std::max(peak, now);
        for (const std::size_t read : {path[p].first, path[p].second}) {
            now -= read < terms ? 0 : sizes[read - terms];
        }
    }
    return peak;
}

/// The same, of a path.
template <class Problem>
[[nodiscard]] double peak_elements(const Problem& problem, const contraction_path& path) {
    return peak_elements(path, problem.terms.size(), result_sizes(problem, path));
}

/// The same pairs in another order, if that keeps fewer elements: both branches of a pair one after
/// the other, and first the one that needs most room beyond its result.
/// Source: Liu, An Application of Generalized Tree Pebbling to Sparse Matrix Factorization, SIAM J.
/// Algebraic Discrete Methods 8(3), 1987, for orders that finish a branch before the next.
template <class Problem>
[[nodiscard]] contraction_path in_least_memory(const Problem& problem,
                                               const contraction_path& path) {
    if (path.size() < 3) {
        return path;
    }
    const std::size_t terms = problem.terms.size();
    const std::vector<double> sizes = result_sizes(problem, path);
    std::vector<double> peaks(terms + path.size(), 0);
    std::vector<std::pair<std::size_t, std::size_t>> branches(path);
    const auto size_of = [&](std::size_t t) { return t < terms ? 0 : sizes[t - terms]; };
    for (std::size_t p = 0; p < path.size(); ++p) {
        auto& [first, second] = branches[p];
        if (peaks[second] - size_of(second) > peaks[first] - size_of(first)) {
            std::swap(first, second);
        }
        peaks[terms + p] = std::max({peaks[first], size_of(first) + peaks[second],
                                     size_of(first) + size_of(second) + sizes[p]});
    }
    if (!(peaks.back() < peak_elements(path, terms, sizes))) {
        return path;
    }
    // The last pair's branches, each behind its own: without recursion, as paths may be long.
    std::vector<std::size_t> backwards;
    std::vector<std::size_t> open{path.size() - 1};
    while (!open.empty()) {
        const std::size_t p = open.back();
        open.pop_back();
        backwards.push_back(p);
        for (const std::size_t t : {branches[p].first, branches[p].second}) {
            if (t >= terms) {
                open.push_back(t - terms);
            }
        }
    }
    std::vector<std::size_t> place(path.size());
    contraction_path ordered;
    for (std::size_t i = backwards.size(); i-- > 0;) {
        const auto number = [&](std::size_t t) { return t < terms ? t : terms + place[t - terms]; };
        const auto& [lhs, rhs] = path[backwards[i]];
        place[backwards[i]] = ordered.size();
        ordered.emplace_back(number(lhs), number(rhs));
    }
    return ordered;
}

}  // namespace xeinsum::planning
