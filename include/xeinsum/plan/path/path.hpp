// The order of pairwise contractions: "ij,jk,kl->il" with a short l is cheaper as (j k, k l) first.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/given.hpp>
#include <xeinsum/plan/path/optimal.hpp>
#include <xeinsum/plan/path/order.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random.hpp>
#include <xeinsum/plan/path/search.hpp>
#include <xeinsum/plan/path/slices.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
/// Terms with the same labels are one: multiplying them first is never dearer, for whatever either
/// meets later has all their labels.
template <class Problem>
class merged_terms {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

public:
    explicit merged_terms(const Problem& problem) : terms_(problem.terms.size()) {
        merged = problem;
        merged.summed_terms.clear();
        vector<std::size_t> order(terms_);
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
    vector<std::size_t> number_{};  // of each merged term
    contraction_path path_{};
};

/// The best of all paths; known is one that may be dearer.
template <class Problem>
[[nodiscard]] contraction_path optimal_path(const Problem& problem, const measured_path& known) {
    return optimal_search<Problem>().run(problem, known.fits(problem.largest_elements)
                                                      ? known.figures.cost
                                                      : std::numeric_limits<double>::infinity());
}

template <class Problem>
[[nodiscard]] contraction_path automatic_path(const Problem& problem, const options& wanted,
                                              std::uint64_t seed) {
    const std::size_t terms = problem.terms.size();
    if (terms <= 4) {
        return optimal_search<Problem>().run(problem);
    }
    const measured_path known =
        measured(problem, searched_path(problem, wanted.path_seconds, seed));
    const bool all =
        wanted.path == path_strategy::optimal || terms <= quickly_optimal_operands ||
        (terms <= automatic_optimal_operands &&
         !(known.fits(problem.largest_elements) &&
           measure_path(problem, known.path, problem.seconds).cost < optimal_search_seconds));
    return all ? optimal_path(problem, known) : known.path;
}

/// The path that keeps fewest elements at a time of greedy ones, of the cheapest, and of those
/// within ever smaller limits on intermediates, until none is found. A path of the merged terms.
template <class Problem>
[[nodiscard]] contraction_path least_memory_path(const Problem& problem,
                                                 const merged_terms<Problem>& terms,
                                                 options wanted) {
    constexpr int searches = 40;
    wanted.path = path_strategy::automatic;
    contraction_path best;
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const contraction_path& found) {
        const contraction_path path = in_least_memory(problem, terms.expand(found));
        if (const double peak = peak_elements(problem, path); peak < least) {
            least = peak;
            best = found;
        }
    };
    for (const double removed : removed_weights) {
        consider(greedy_search(terms.merged, {removed, 0, 0}).run());
    }
    Problem limited = terms.merged;
    for (int i = 0; i < searches; ++i) {
        const contraction_path path = automatic_path(limited, wanted, 0);
        const double largest = path.empty() ? 0 : measure_path(terms.merged, path).largest;
        if (path.empty() || largest > limited.largest_elements) {
            break;
        }
        consider(path);
        if (i == 0) {
            limited.cost = {0, 1, 0};  // elements, not operations
            wanted.path_seconds /= 4;
        } else {
            limited.largest_elements = 0.75 * largest;
        }
    }
    return best;
}

/// A path for at least two terms by a strategy other than those that the caller's pairs belong to;
/// empty where none within the limit was found. automatic starts elsewhere for other seeds.
template <class Problem>
[[nodiscard]] contraction_path find_path(const Problem& problem, const options& wanted,
                                         std::uint64_t seed = 0) {
    const merged_terms terms(problem);
    const Problem& merged = terms.merged;
    if (merged.terms.size() < 2) {
        return terms.expand({});
    }
    const contraction_path path =
        wanted.path == path_strategy::greedy ? greedy_path(merged).path
        : wanted.path == path_strategy::random_greedy
            ? random_greedy_path(merged, wanted.path_restarts, wanted.path_seconds)
        : wanted.path == path_strategy::least_memory ? least_memory_path(problem, terms, wanted)
                                                     : automatic_path(merged, wanted, seed);
    const bool found =
        !path.empty() && measure_path(merged, path).largest <= problem.largest_elements;
    return found ? terms.expand(path) : contraction_path();
}

/// Paths that automatic cuts into slices and compares.
inline constexpr std::uint64_t sliced_starts = 13;
/// Those of them that are annealed while they are cut: the cheapest without that.
inline constexpr std::size_t annealed_slices = 3;

/// Orders paths by what they cost when they are cut as they are.
template <class Problem>
void sort_by_sliced_cost(const Problem& problem, std::vector<contraction_path>& paths) {
    dependent<Problem, std::vector<std::pair<double, std::size_t>>> costs;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        slice_search search(problem, paths[i]);
        const bool fits = search.run();
        costs.emplace_back(fits ? search.cost() : std::numeric_limits<double>::infinity(), i);
    }
    std::sort(costs.begin(), costs.end());
    dependent<Problem, std::vector<contraction_path>> sorted;
    for (const auto& [cost, i] : costs) {
        sorted.push_back(std::move(paths[i]));
    }
    paths = std::move(sorted);
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
    const bool given_by_caller = linear || wanted.path == path_strategy::numbered_pairs;
    const bool searches = wanted.path == path_strategy::automatic &&
                          problem.terms.size() > automatic_optimal_operands;
    dependent<Problem, std::vector<contraction_path>> candidates;
    if (given_by_caller) {
        given_path given = read_path(wanted.path_pairs, problem.terms.size(), linear);
        out.error = given.error;
        candidates.push_back(std::move(given.path));
    } else {
        Problem unlimited = problem;
        unlimited.largest_elements = std::numeric_limits<double>::infinity();
        candidates.push_back(find_path(unlimited, wanted));
        if (measure_path(problem, candidates.front()).largest > problem.largest_elements) {
            options shorter = wanted;
            shorter.path_seconds /= 4;
            contraction_path small = find_path(problem, shorter);
            if (wanted.path != path_strategy::automatic && !small.empty()) {
                candidates.clear();
            }
            if (!small.empty()) {
                candidates.push_back(std::move(small));
            }
            // The cheapest path need not be the cheapest in slices.
            shorter.path_seconds /= 4;
            for (std::uint64_t seed = 1; searches && seed < sliced_starts; ++seed) {
                candidates.push_back(find_path(unlimited, shorter, seed));
            }
            sort_by_sliced_cost(problem, candidates);
            candidates.resize(std::min(candidates.size(), annealed_slices));
        }
    }
    if (!out.error.ok()) {
        return out;
    }
    double least = std::numeric_limits<double>::infinity();
    for (contraction_path& path : candidates) {
        // Slices that the caller's path or a greedy one needs leave it as it is.
        const double run = measure_path(problem, path, problem.seconds).cost;
        const double seconds =
            searches ? automatic_seconds(wanted.path_seconds, run, problem.terms.size()) : 0;
        slice_search search(problem, path);
        if (search.run(seconds / static_cast<double>(2 * candidates.size())) &&
            search.cost() < least) {
            least = search.cost();
            out.slices = search.slices();
            out.path = searches && !out.slices.empty() ? search.path() : std::move(path);
        }
    }
    if (out.path.empty()) {
        out.error.code = error_code::memory_limit;
        out.error.reason = "no number of slices makes the intermediates small enough";
    } else if (!given_by_caller) {
        dependent<Problem, std::vector<std::int64_t>> extents(problem.extents.begin(),
                                                              problem.extents.end());
        for (const label_slices& s : out.slices) {
            extents[static_cast<std::size_t>(s.id)] = s.extent;
        }
        Problem slice = problem;
        slice.extents = extents;
        out.path = in_least_memory(slice, out.path);
    }
    return out;
}

}  // namespace xeinsum::planning
