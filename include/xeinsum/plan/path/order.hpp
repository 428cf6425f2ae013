// The order of the pairs of a path that keeps fewest elements at a time: of "ab,bc,cd,de->ae" by
// ((ab,bc),(cd,de)) the pair goes first whose own intermediates take more room.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// The pairs of a tree whose terms are nodes 0 to terms - 1, each behind its two branches, of which
/// one is done before the next begins. branches(node) has the one that is first and the other.
template <class Branches>
[[nodiscard]] std::vector<std::size_t> depth_first(std::size_t top, std::size_t terms,
                                                   Branches branches) {
    // Backwards, and without recursion, as paths may be long.
    dependent<Branches, std::vector<std::size_t>> order;
    dependent<Branches, std::vector<std::size_t>> open{top};
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        order.push_back(node);
        const auto [first, second] = branches(node);
        for (const std::size_t branch : {first, second}) {
            if (branch >= terms) {
                open.push_back(branch);
            }
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

/// The elements of the result of each pair, 0 for the last one, which is the output.
template <class Problem>
[[nodiscard]] std::vector<double> result_sizes(const Problem& problem,
                                               const contraction_path& path) {
    label_uses uses(problem);
    auto terms = problem.terms;
    dependent<Problem, std::vector<double>> sizes;
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
    const auto sizes = result_sizes(problem, path);
    dependent<Problem, std::vector<double>> peaks(terms + path.size(), 0);
    dependent<Problem, contraction_path> branches(path);
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
    dependent<Problem, std::vector<std::size_t>> number(terms + path.size());
    std::iota(number.begin(), number.end(), std::size_t{0});
    contraction_path ordered;
    for (const std::size_t node : depth_first(terms + path.size() - 1, terms,
                                              [&](std::size_t t) { return branches[t - terms]; })) {
        const auto& [lhs, rhs] = path[node - terms];
        ordered.emplace_back(number[lhs], number[rhs]);
        number[node] = terms + ordered.size() - 1;
    }
    return ordered;
}

}  // namespace xeinsum::planning
