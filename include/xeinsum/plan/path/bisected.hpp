// A path by bisection: the terms of "de,ab,cd,bc->ae" in the row ab, bc, cd, de, contracted by the
// cheapest tree over that.
#pragma once

#include <xeinsum/plan/path/intervals.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random.hpp>
#include <xeinsum/plan/path/random_source.hpp>
#include <xeinsum/plan/path/row.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// Places of a row that are searched; where there are more terms, neighbours share one.
inline constexpr std::size_t most_places = 200;

/// Words that the labels of all intervals take.
template <class Problem>
[[nodiscard]] std::size_t interval_words(const Problem& problem) noexcept {
    const std::size_t places = std::min(problem.terms.size(), most_places) + 1;
    return places * places * (problem.extents.size() / 64 + 1);
}

/// The path of the cheapest tree over a row. In long rows groups of neighbours are contracted from
/// left to right and count as one place.
template <class Problem>
[[nodiscard]] contraction_path path_of_row(
    const Problem& problem, const dependent<Problem, std::vector<std::uint32_t>>& row) {
    const std::size_t terms = row.size();
    const std::size_t group = (terms + most_places - 1) / most_places;
    Problem grouped = problem;
    label_uses uses(problem);
    dependent<Problem, std::vector<std::size_t>> number;  // of each term that is left
    contraction_path path;
    grouped.terms.clear();
    for (std::size_t i = 0; i < terms; ++i) {
        if (i % group == 0) {
            number.push_back(row[i]);
            grouped.terms.push_back(problem.terms[row[i]]);
            continue;
        }
        path.emplace_back(number.back(), row[i]);
        number.back() = terms + path.size() - 1;
        grouped.terms.back() = uses.contract(grouped.terms.back(), problem.terms[row[i]]);
    }
    dependent<Problem, std::vector<std::uint32_t>> in_order(number.size());
    std::iota(in_order.begin(), in_order.end(), std::uint32_t{0});
    for (const auto& [lhs, rhs] : interval_search(grouped).run(in_order)) {
        path.emplace_back(number[lhs], number[rhs]);
        number.push_back(terms + path.size() - 1);
    }
    return path;
}

/// About what bisections take for each label of each term and each halving of the row, and what the
/// search takes for each split of each interval, and there for each word of labels.
inline constexpr double halving_seconds = 7e-7;
inline constexpr double split_seconds = 2.5e-9;
inline constexpr double split_word_seconds = 4e-10;

/// About what one path by bisection takes.
template <class Problem>
[[nodiscard]] double bisected_seconds(const Problem& problem) {
    std::size_t labels = 0;
    for (const auto& term : problem.terms) {
        labels += term.size();
    }
    const auto terms = static_cast<double>(problem.terms.size());
    const double places = std::min(terms, static_cast<double>(most_places));
    const auto words = static_cast<double>(problem.extents.size() / 64 + 1);
    return halving_seconds * static_cast<double>(labels) * std::log2(terms + 1) +
           places * places * places / 6 * (split_seconds + words * split_word_seconds);
}

/// The best of so many paths by bisection, whose imbalances differ.
/// Source: trees from bisections of many imbalances, Gray and Kourtis, Quantum 5, 410, 2021.
template <class Problem>
[[nodiscard]] contraction_path bisected_path(const Problem& problem, std::size_t draws,
                                             std::uint64_t seed) {
    constexpr std::array<double, 3> imbalances{0.2, 0.4, 0.1};
    random_source random(seed);
    measured_path best;
    for (std::size_t i = 0; i < draws; ++i) {
        const double imbalance = imbalances[(seed + i) % imbalances.size()];
        const auto row = term_row(problem, imbalance, random.next()).run();
        measured_path next = measured(problem, path_of_row(problem, row));
        if (best.path.empty() || better(problem, next, best)) {
            best = std::move(next);
        }
    }
    return best.path;
}

}  // namespace xeinsum::planning
