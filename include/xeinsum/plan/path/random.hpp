// Greedy searches with some chance in them, the best one kept: "ab,bc,cd,de->ae" is tried from
// several ends.
#pragma once

#include <xeinsum/plan/path/greedy.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random_source.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace xeinsum::planning {

/// About what a greedy search takes for each term.
inline constexpr double greedy_seconds = 1.5e-6;

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

/// The best of greedy_path and of further restarts with chance in them.
template <class Problem>
[[nodiscard]] measured_path random_path(const Problem& problem, std::size_t restarts) {
    measured_path best = greedy_path(problem);
    random_source draw(problem.terms.size());
    for (std::size_t i = removed_weights.size(); i < restarts; ++i) {
        greedy_rule rule;
        rule.removed = 0.05 * std::pow(40.0, draw.uniform());
        rule.temperature = 0.01 * std::pow(50.0, draw.uniform());
        rule.seed = draw.next();
        measured_path next = measured(problem, greedy_search(problem, rule).run());
        if (better(problem, next, best)) {
            best = std::move(next);
        }
    }
    return best;
}

}  // namespace xeinsum::planning
