// The cheapest of all contraction trees, products of unconnected terms included: for
// "ij,jk,kl->il" either ((0, 1), 2) or (0, (1, 2)).
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path/problem.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace xeinsum::planning {

/// Dynamic programming over sets of terms. Sets whose contraction alone costs more than a path that
/// is known already, or exceeds the limit on intermediates, are left out with all that contains
/// them. At most 24 terms; time up to 3^terms.
/// Source: Pfeifer, Haegeman and Verstraete, Phys. Rev. E 90, 033315, 2014, sections II and III.
template <class Problem = path_problem>
class optimal_search {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

public:
    /// A path that costs at most so much; empty where there is none, or where every path has an
    /// intermediate beyond the limit. An object can search any number of problems, one by one.
    [[nodiscard]] contraction_path run(const Problem& problem,
                                       double cost_cap = std::numeric_limits<double>::infinity()) {
        terms_ = problem.terms.size();
        cost_function_ = problem.cost;
        const std::size_t sets = std::size_t{1} << terms_;
        find_legs(problem, sets);
        cost_.assign(sets, std::numeric_limits<double>::infinity());
        size_.resize(sets);
        split_.resize(sets);
        // Room for the same sum in another order.
        cap_ = cost_cap * (1 + 1e-12);
        // An intermediate is written by one step and read by another, and each has its labels.
        const double per_element = cost_function_.per_operation + cost_function_.per_element;
        for (std::size_t set = 1; set < sets; ++set) {
            size_[set] = product(legs(set));
            if ((set & (set - 1)) == 0) {
                cost_[set] = 0;
            } else if (set == sets - 1) {
                find_split(set, cap_);
            } else if (size_[set] <= problem.largest_elements) {
                find_split(set, cap_ - per_element * size_[set]);
            }
        }
        path_.clear();
        if (cost_[sets - 1] < std::numeric_limits<double>::infinity()) {
            emit(sets - 1);
        }
        return path_;
    }

private:
    [[nodiscard]] const std::uint64_t* legs(std::size_t set) const {
        return legs_.data() + set * words_;
    }

    /// Finds the labels that the contraction of each set of terms still has: those of some term
    /// inside that the output or some term outside has too, or all labels of a term alone.
    void find_legs(const Problem& problem, std::size_t sets) {
        number_.resize(std::max(number_.size(), problem.extents.size()), -1);
        extents_.clear();
        for (const auto& term : problem.terms) {
            for (const label l : term) {
                std::int32_t& n = number_[static_cast<std::size_t>(l)];
                if (n < 0) {
                    n = static_cast<std::int32_t>(extents_.size());
                    extents_.push_back(
                        static_cast<double>(problem.extents[static_cast<std::size_t>(l)]));
                }
            }
        }
        words_ = (extents_.size() + 63) / 64;
        any_.assign(sets * words_, 0);
        legs_.resize(sets * words_);
        const auto mark = [&](std::size_t set, const vector<label>& term) {
            for (const label l : term) {
                const auto n = static_cast<std::size_t>(number_[static_cast<std::size_t>(l)]);
                any_[set * words_ + n / 64] |= std::uint64_t{1} << (n % 64);
            }
        };
        // Set 0 holds what every set must keep.
        mark(0, problem.output);
        for (std::size_t t = 0; t < terms_; ++t) {
            mark(std::size_t{1} << t, problem.terms[t]);
        }
        for (const auto& term : problem.terms) {
            for (const label l : term) {
                number_[static_cast<std::size_t>(l)] = -1;
            }
        }
        for (std::size_t set = 1; set < sets; ++set) {
            const std::size_t lowest = set & (~set + 1);
            const std::size_t rest = set ^ lowest;
            for (std::size_t w = 0; rest != 0 && w < words_; ++w) {
                any_[set * words_ + w] = any_[rest * words_ + w] | any_[lowest * words_ + w];
            }
        }
        for (std::size_t set = 1; set < sets; ++set) {
            const bool single = (set & (set - 1)) == 0;
            const std::size_t outside = sets - 1 - set;
            for (std::size_t w = 0; w < words_; ++w) {
                const std::uint64_t kept =
                    any_[w] | (outside == 0 ? 0 : any_[outside * words_ + w]);
                legs_[set * words_ + w] =
                    any_[set * words_ + w] & (single ? ~std::uint64_t{0} : kept);
            }
        }
    }

    [[nodiscard]] double product(const std::uint64_t* labels) const {
        double size = 1;
        for (std::size_t w = 0; w < words_; ++w) {
            for (std::uint64_t bits = labels[w]; bits != 0; bits &= bits - 1) {
                size *= extents_[64 * w + static_cast<std::size_t>(std::countr_zero(bits))];
            }
        }
        return std::min(size, most_elements);
    }

    /// Finds the cheapest split of a set below the cap, if there is one.
    void find_split(std::size_t set, double cap) {
        const std::size_t lowest = set & (~set + 1);
        const std::size_t others = set ^ lowest;
        double best = cap;
        if (!((cost_function_.per_operation + cost_function_.per_element) * size_[set] < cap)) {
            return;
        }
        // Every split once: the part with the lowest term is always lhs.
        for (std::size_t rhs = others; rhs != 0; rhs = (rhs - 1) & others) {
            const std::size_t lhs = set ^ rhs;
            const double parts = cost_[lhs] + cost_[rhs];
            if (!(parts < best)) {
                continue;
            }
            const double total = parts + cost_of(lhs, rhs, set);
            if (total < best) {
                best = total;
                cost_[set] = total;
                split_[set] = static_cast<std::uint32_t>(lhs);
            }
        }
    }

    [[nodiscard]] double cost_of(std::size_t lhs, std::size_t rhs, std::size_t out) {
        step_sizes s{size_[lhs], size_[rhs], size_[out], 1, false};
        for (std::size_t w = 0; w < words_; ++w) {
            const std::uint64_t all = legs(lhs)[w] | legs(rhs)[w];
            s.sums = s.sums || all != legs(out)[w];
            for (std::uint64_t bits = all & ~legs(out)[w]; bits != 0; bits &= bits - 1) {
                s.all *= extents_[64 * w + static_cast<std::size_t>(std::countr_zero(bits))];
            }
        }
        // Every label of out is in lhs or rhs.
        s.all = std::min(s.all * s.out, most_elements);
        return cost_function_(s);
    }

    std::size_t emit(std::size_t set) {
        if ((set & (set - 1)) == 0) {
            return static_cast<std::size_t>(std::countr_zero(set));
        }
        const std::size_t lhs = emit(split_[set]);
        const std::size_t rhs = emit(set ^ split_[set]);
        path_.emplace_back(lhs, rhs);
        return terms_ + path_.size() - 1;
    }

    std::size_t terms_ = 0;
    std::size_t words_ = 0;
    double cap_ = 0;
    path_cost cost_function_{};
    vector<std::int32_t> number_{};  // of a label among those that occur; -1 between runs
    vector<double> extents_{};
    vector<std::uint64_t> any_{};
    vector<std::uint64_t> legs_{};
    vector<double> size_{};
    vector<double> cost_{};
    vector<std::uint32_t> split_{};
    contraction_path path_{};
};

}  // namespace xeinsum::planning
