// Many greedy searches with some chance in them, the best ones refined: "ab,bc,cd,de->ae" is tried
// from several ends.
#pragma once

#include <xeinsum/plan/path_greedy.hpp>
#include <xeinsum/plan/path_problem.hpp>
#include <xeinsum/plan/path_tree.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// How long random_paths may search.
struct search_budget {
    std::size_t restarts = 128;
    double seconds = std::numeric_limits<double>::infinity();
    std::size_t refined = 4;  ///< the paths that are refined, best first
    std::size_t parts = 8;    ///< of a branch that is put into its best order
    std::size_t rounds = 20;  ///< looks at every branch at most
    /// Costs are seconds of a run, and to search for a better one need not take longer.
    bool for_one_run = false;
};

/// About what a greedy search takes for each term.
inline constexpr double greedy_seconds = 1.0e-6;

/// A path and what it takes.
struct measured_path {
    contraction_path path{};
    path_figures figures{};

    [[nodiscard]] bool fits(double largest_elements) const noexcept {
        return figures.largest <= largest_elements;
    }
};

template <class Problem>
[[nodiscard]] measured_path measured(const Problem& problem, contraction_path path) {
    measured_path m{std::move(path), {}};
    m.figures = measure_path(problem, m.path);
    return m;
}

/// Whether a is to be preferred: it stays within the limit, or costs less.
template <class Problem>
[[nodiscard]] bool better(const Problem& problem, const measured_path& a, const measured_path& b) {
    const bool a_fits = a.fits(problem.largest_elements);
    const bool b_fits = b.fits(problem.largest_elements);
    return a_fits != b_fits ? a_fits : a.figures.cost < b.figures.cost;
}

/// The rules that greedy_path tries. With removed = 1 elements are traded one for one, which keeps
/// memory low; with 0 the smallest result comes first; the others lie between and beyond.
inline constexpr std::array<double, 4> removed_weights{1, 0, 0.5, 2};

/// The best of a few greedy paths; always the same one.
template <class Problem>
[[nodiscard]] measured_path greedy_path(const Problem& problem) {
    measured_path best;
    for (const double removed : removed_weights) {
        measured_path next = measured(problem, greedy_search(problem, {removed, 0, 0}).run());
        if (best.path.empty() || better(problem, next, best)) {
            best = std::move(next);
        }
    }
    return best;
}

/// The path with its branches in their best orders.
template <class Problem>
[[nodiscard]] measured_path refined_path(const Problem& problem, const measured_path& from,
                                         const search_budget& budget) {
    path_tree tree(problem, from.path);
    tree.refine(budget.parts, budget.rounds * problem.terms.size());
    measured_path refined = measured(problem, tree.path());
    return better(problem, from, refined) ? from : refined;
}

/// Starts from greedy_path; with budget.seconds infinite, the result depends on the problem alone.
template <class Problem>
[[nodiscard]] measured_path random_path(const Problem& problem, search_budget budget) {
    using clock = std::chrono::steady_clock;
    const auto start = clock::now();
    const auto worse = [&](const measured_path& a, const measured_path& b) {
        return better(problem, a, b);
    };
    std::vector<measured_path> best{greedy_path(problem)};
    if (budget.for_one_run) {
        const double search = greedy_seconds * static_cast<double>(problem.terms.size());
        const double worth = best.front().figures.cost / search;
        if (worth < static_cast<double>(budget.restarts)) {
            budget.restarts = static_cast<std::size_t>(worth);
            budget.refined = 1;
            budget.parts = 5;
        }
    }
    random_source draw(problem.terms.size());
    for (std::size_t i = removed_weights.size(); i < budget.restarts; ++i) {
        if (std::chrono::duration<double>(clock::now() - start).count() > budget.seconds) {
            break;
        }
        greedy_rule rule;
        rule.removed = 0.05 * std::pow(40.0, draw.uniform());
        rule.temperature = 0.01 * std::pow(50.0, draw.uniform());
        rule.seed = draw.next();
        best.push_back(measured(problem, greedy_search(problem, rule).run()));
        std::push_heap(best.begin(), best.end(), worse);
        if (best.size() > std::max<std::size_t>(budget.refined, 1)) {
            std::pop_heap(best.begin(), best.end(), worse);
            best.pop_back();
        }
    }
    std::sort(best.begin(), best.end(), worse);
    measured_path chosen = best.front();
    for (const measured_path& one : best) {
        if (std::chrono::duration<double>(clock::now() - start).count() > budget.seconds) {
            break;
        }
        measured_path refined = refined_path(problem, one, budget);
        if (better(problem, refined, chosen)) {
            chosen = std::move(refined);
        }
    }
    return chosen;
}

}  // namespace xeinsum::planning
