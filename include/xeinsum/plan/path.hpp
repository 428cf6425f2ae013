// The order of pairwise contractions: "ij,jk,kl->il" with a short l is cheaper as (j k, k l) first.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path_given.hpp>
#include <xeinsum/plan/path_optimal.hpp>
#include <xeinsum/plan/path_problem.hpp>
#include <xeinsum/plan/path_random.hpp>
#include <xeinsum/plan/path_slices.hpp>
#include <xeinsum/plan/step.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// Terms up to which automatic searches all paths: beyond, that takes longer than most
/// contractions.
inline constexpr std::size_t automatic_optimal_operands = 12;
/// More operands than these it searches all paths of only where a run is predicted to take as long
/// as the search.
inline constexpr std::size_t quickly_optimal_operands = 8;
inline constexpr double optimal_search_seconds = 2.0e-5;
/// What automatic spends on more of them: restarts shrink with the terms, to none for thousands.
[[nodiscard]] inline search_budget automatic_budget(std::size_t terms) {
    search_budget budget;
    budget.restarts = 600 / terms;
    budget.refined = 2;
    budget.rounds = 10;
    return budget;
}

/// Terms with the same labels are one: multiplying them first is never dearer, for whatever either
/// meets later has all their labels.
template <class Problem>
class merged_terms {
public:
    explicit merged_terms(const Problem& problem) : terms_(problem.terms.size()) {
        merged = problem;
        std::vector<std::size_t> order(terms_);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return problem.terms[a] < problem.terms[b];
        });
        merged.terms.clear();
        for (std::size_t i = 0; i < terms_; ++i) {
            const auto& term = problem.terms[order[i]];
            const bool again = i > 0 && term == problem.terms[order[i - 1]] &&
                               element_count(term, problem.extents) <= problem.largest_elements;
            if (again) {
                path_.emplace_back(number_.back(), order[i]);
                number_.back() = terms_ + path_.size() - 1;
            } else {
                number_.push_back(order[i]);
                merged.terms.push_back(term);
            }
        }
        drop_sums();
    }

    Problem merged{};

    /// A path of the merged terms as one of all terms.
    [[nodiscard]] contraction_path expand(const contraction_path& path) const {
        contraction_path whole = path_;
        const std::size_t shift = terms_ + path_.size();
        const auto number = [&](std::size_t t) {
            return t < number_.size() ? number_[t] : shift + t - number_.size();
        };
        for (const auto& [lhs, rhs] : path) {
            whole.emplace_back(std::min(number(lhs), number(rhs)),
                               std::max(number(lhs), number(rhs)));
        }
        return whole;
    }

private:
    /// Labels that only terms made one have are summed when these meet.
    void drop_sums() {
        const label_uses uses(merged);
        for (std::size_t t = 0; t < number_.size(); ++t) {
            if (number_[t] >= terms_) {
                std::erase_if(merged.terms[t], [&](label l) { return uses[l] == 1; });
            }
        }
    }

    std::size_t terms_;
    std::vector<std::size_t> number_{};  // of each merged term
    contraction_path path_{};
};

template <class Problem>
[[nodiscard]] contraction_path optimal_path(const Problem& problem) {
    if (problem.terms.size() <= 4) {
        return optimal_search<Problem>().run(problem);
    }
    const measured_path known = refined_path(problem, greedy_path(problem), {});
    const double cap = known.fits(problem.largest_elements)
                           ? known.figures.cost
                           : std::numeric_limits<double>::infinity();
    return optimal_search<Problem>().run(problem, cap);
}

/// A path for at least two terms by a strategy other than those that the caller's pairs belong to;
/// empty where none within the limit was found.
template <class Problem>
[[nodiscard]] contraction_path find_path(const Problem& problem, const options& wanted) {
    const merged_terms terms(problem);
    const std::size_t count = terms.merged.terms.size();
    const bool all =
        wanted.path == path_strategy::optimal ||
        (wanted.path == path_strategy::automatic && count <= automatic_optimal_operands);
    const bool for_one_run =
        wanted.path == path_strategy::automatic && wanted.path_cost == path_cost{0, 0, 0};
    if (all) {
        if (for_one_run && count > quickly_optimal_operands) {
            const measured_path known =
                refined_path(terms.merged, greedy_path(terms.merged), {.parts = 5});
            if (known.fits(problem.largest_elements) &&
                known.figures.cost < optimal_search_seconds) {
                return terms.expand(known.path);
            }
        }
        const contraction_path path = count > 1 ? optimal_path(terms.merged) : contraction_path();
        return count > 1 && path.empty() ? path : terms.expand(path);
    }
    search_budget budget = automatic_budget(count);
    budget.for_one_run = for_one_run;
    if (wanted.path == path_strategy::random_greedy) {
        budget = {};
        budget.restarts = wanted.path_restarts;
        budget.seconds = wanted.path_seconds;
    }
    const measured_path found = wanted.path == path_strategy::greedy
                                    ? greedy_path(terms.merged)
                                    : random_path(terms.merged, budget);
    return found.fits(problem.largest_elements) ? terms.expand(found.path) : contraction_path();
}

/// A path and the labels that are cut so that its intermediates stay within the limit.
struct sliced_path {
    contraction_path path{};
    std::vector<label_slices> slices{};
    problem error{};
};

/// The caller's path, or one by the strategy wanted; the error is malformed_path, or memory_limit
/// where the limit is less than an element.
template <class Problem>
[[nodiscard]] sliced_path find_sliced_path(const Problem& problem, const options& wanted) {
    sliced_path out;
    const bool linear = wanted.path == path_strategy::linear_pairs;
    std::vector<contraction_path> candidates;
    if (linear || wanted.path == path_strategy::numbered_pairs) {
        given_path given = read_path(wanted.path_pairs, problem.terms.size(), linear);
        out.error = given.error;
        candidates.push_back(std::move(given.path));
    } else {
        candidates.push_back(find_path(problem, wanted));
        if (candidates.front().empty()) {
            // No path fits: paths of little cost and of little memory compete, both in slices.
            Problem unlimited = problem;
            unlimited.largest_elements = std::numeric_limits<double>::infinity();
            candidates.front() = find_path(unlimited, wanted);
            if (wanted.path == path_strategy::automatic) {
                candidates.push_back(greedy_search(problem, {}).run());
            }
        }
    }
    if (!out.error.ok()) {
        return out;
    }
    double least = std::numeric_limits<double>::infinity();
    for (contraction_path& path : candidates) {
        slice_search search(problem, path);
        if (search.run() && search.cost() < least) {
            least = search.cost();
            out.path = std::move(path);
            out.slices = search.slices();
        }
    }
    if (out.path.empty()) {
        out.error.code = error_code::memory_limit;
        out.error.reason = "no number of slices makes the intermediates small enough";
    }
    return out;
}

}  // namespace xeinsum::planning
