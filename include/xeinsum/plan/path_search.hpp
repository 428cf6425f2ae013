// A search for as long as it is worth: the greedy path of "ab,bc,cd,de->ae" annealed for a
// twentieth of the seconds that a run of it is predicted to take.
#pragma once

#include <xeinsum/plan/path_anneal.hpp>
#include <xeinsum/plan/path_greedy.hpp>
#include <xeinsum/plan/path_problem.hpp>
#include <xeinsum/plan/path_random.hpp>
#include <xeinsum/plan/path_tree.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum::planning {

/// What a search takes of the seconds that path_problem has for a run: a tenth of the run, or less.
/// However short a run is, the search anneals for twice as long as a greedy search takes.
inline constexpr double search_share = 0.05;
/// Trees whose labels take more words are not annealed: 64 MiB.
inline constexpr std::size_t most_tree_words = std::size_t{1} << 23U;

/// Seconds for a network of so many terms whose run is predicted to take so long.
[[nodiscard]] inline double automatic_seconds(double most, double run, std::size_t terms) noexcept {
    const double least = 2 * greedy_seconds * static_cast<double>(terms);
    return std::min(most, std::max(search_share * run, least));
}

template <class Problem>
[[nodiscard]] bool fits_a_tree(const Problem& problem) noexcept {
    return 2 * problem.terms.size() <= most_tree_words / (problem.extents.size() / 64 + 1);
}

/// A greedy path annealed for at most so many seconds, as many as are worth it. Where these are
/// many, other greedy paths, with chance in them, are annealed before the best of all is. Other
/// seeds begin with other paths.
template <class Problem>
[[nodiscard]] contraction_path searched_path(const Problem& problem, double most_seconds,
                                             std::uint64_t seed) {
    constexpr int others = 3;
    constexpr double long_sweeps = 1000;
    const double limit = problem.largest_elements;
    const auto start = [&](std::uint64_t number) {
        return greedy_search(problem, {1, number == 0 ? 0 : 0.3, number}).run();
    };
    if (!fits_a_tree(problem)) {
        return start(seed);
    }
    const auto allowed = [&](const auto& tree) {
        return automatic_seconds(most_seconds, tree.cost(problem.seconds), problem.terms.size());
    };
    path_tree best(problem, start(seed));
    double spent = anneal_for(best, limit, [&](const auto& tree) { return allowed(tree) / 4; });
    for (int i = 0; i < others; ++i) {
        const double seconds = allowed(best) / 8;
        if (seconds < long_sweeps * sweep_seconds(best)) {
            break;
        }
        path_tree other(problem, start(seed * others + static_cast<std::uint64_t>(i) + 1));
        spent += anneal_for(other, limit, [&](const auto&) { return seconds; });
        const bool fits = other.largest() <= limit;
        if (fits == (best.largest() <= limit) ? other.cost() < best.cost() : fits) {
            best = std::move(other);
        }
    }
    anneal_for(
        best, limit, [&](const auto& tree) { return allowed(tree) - spent; }, 0.25);
    return best.path();
}

/// Chance in greedy paths, and then in rotations for as long again.
template <class Problem>
[[nodiscard]] contraction_path random_greedy_path(const Problem& problem, std::size_t most_restarts,
                                                  double most_seconds) {
    const double each = greedy_seconds * static_cast<double>(problem.terms.size());
    const double restarts = std::clamp(most_seconds / 2 / each, 0.0,
                                       std::min(static_cast<double>(most_restarts), 1e15));
    const measured_path start = random_path(problem, static_cast<std::size_t>(restarts));
    if (!fits_a_tree(problem)) {
        return start.path;
    }
    path_tree tree(problem, start.path);
    anneal_for(tree, problem.largest_elements, [&](const auto&) { return each * restarts; });
    return tree.path();
}

}  // namespace xeinsum::planning
