// A search for as long as it is worth: the greedy path of "ab,bc,cd,de->ae" annealed for a
// twentieth of the seconds that a run of it is predicted to take.
#pragma once

#include <xeinsum/plan/path/anneal.hpp>
#include <xeinsum/plan/path/bisected.hpp>
#include <xeinsum/plan/path/greedy.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random.hpp>
#include <xeinsum/plan/path/tree.hpp>

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

/// How many paths by bisection one start of a search of so many seconds is the best of; none where
/// one takes too long. What the first start may take is worth more than a longer search.
template <class Problem>
[[nodiscard]] std::size_t bisection_draws(const Problem& problem, double seconds, bool first) {
    constexpr double usual_share = 1.0 / 16;
    constexpr double largest_share = 1.0 / 3;
    constexpr double most = 8;
    const double draws = seconds / bisected_seconds(problem);
    const bool fits = interval_words(problem) <= most_tree_words;
    return fits && draws * (first ? largest_share : usual_share) >= 1
               ? static_cast<std::size_t>(std::clamp(draws * usual_share, 1.0, most))
               : 0;
}

/// A greedy path annealed for at most so many seconds, as many as are worth it. Where these are
/// many, other paths are annealed before the best of all is: one by bisection, a greedy one with
/// chance in it, and one more by bisection. Other seeds begin with other paths.
template <class Problem>
[[nodiscard]] contraction_path searched_path(const Problem& problem, double most_seconds,
                                             std::uint64_t seed) {
    constexpr int others = 3;
    constexpr double long_sweeps = 1000;
    constexpr double short_sweeps = 50;
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
        const std::uint64_t number = seed * others + static_cast<std::uint64_t>(i) + 1;
        const double seconds = allowed(best) / 8;
        const std::size_t draws = i % 2 == 0 ? bisection_draws(problem, allowed(best), i == 0) : 0;
        if (seconds < (draws > 0 ? short_sweeps : long_sweeps) * sweep_seconds(best)) {
            break;
        }
        spent += static_cast<double>(draws) * bisected_seconds(problem);
        path_tree other(problem, draws > 0 ? bisected_path(problem, draws, number) : start(number));
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
