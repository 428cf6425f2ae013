// The order of pairwise contractions: "ij,jk,kl->il" with a short l is cheaper as (j k, k l) first.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/options.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// The terms to contract, each a sorted list of labels without repeats.
struct path_problem {
    std::vector<std::vector<label>> terms{};
    std::vector<label> output{};  ///< sorted
    std::span<const std::int64_t> extents{};
    double largest_elements = std::numeric_limits<double>::infinity();  ///< of an intermediate
};

/// Pairs to contract, in order. Terms count from 0, the result of pair p is number terms + p.
using contraction_path = std::vector<std::pair<std::size_t, std::size_t>>;

[[nodiscard]] inline double element_count(std::span<const label> labels,
                                          std::span<const std::int64_t> extents) noexcept {
    double count = 1;
    for (const label l : labels) {
        count *= static_cast<double>(extents[static_cast<std::size_t>(l)]);
    }
    return count;
}

/// Cheapest next pair, by the growth in elements that contracting it brings: out - lhs - rhs.
/// Source: Smith and Gray, opt_einsum, JOSS 3(26) 753, 2018, "memory-removed" greedy. Only pairs
/// that share a label compete; what is left over is multiplied smallest first.
class greedy_search {
public:
    explicit greedy_search(const path_problem& problem)
        : extents_(problem.extents), limit_(problem.largest_elements), terms_(problem.terms) {
        holders_.resize(extents_.size());
        in_output_.resize(extents_.size(), false);
        for (const label l : problem.output) {
            in_output_[static_cast<std::size_t>(l)] = true;
        }
        live_.resize(terms_.size(), true);
        for (std::size_t t = 0; t < terms_.size(); ++t) {
            add_holder(t);
        }
    }

    [[nodiscard]] contraction_path run() {
        for (std::size_t t = 0; t < terms_.size(); ++t) {
            propose_pairs_of(t, t);
        }
        while (!queue_.empty()) {
            const candidate best = queue_.top();
            queue_.pop();
            if (live_[best.lhs] && live_[best.rhs]) {
                contract(best.lhs, best.rhs);
                propose_pairs_of(terms_.size() - 1, terms_.size() - 1);
            }
        }
        multiply_the_rest();
        return std::move(path_);
    }

private:
    struct candidate {
        double growth;
        std::size_t lhs;
        std::size_t rhs;

        // The queue's top is its greatest element; the term numbers make the order total.
        friend bool operator<(const candidate& a, const candidate& b) noexcept {
            return std::tie(a.growth, a.lhs, a.rhs) > std::tie(b.growth, b.lhs, b.rhs);
        }
    };

    void add_holder(std::size_t t) {
        for (const label l : terms_[t]) {
            holders_[static_cast<std::size_t>(l)].push_back(t);
        }
    }

    [[nodiscard]] std::vector<label> contracted(std::size_t lhs, std::size_t rhs) const {
        std::vector<label> all;
        std::set_union(terms_[lhs].begin(), terms_[lhs].end(), terms_[rhs].begin(),
                       terms_[rhs].end(), std::back_inserter(all));
        std::erase_if(all, [&](label l) {
            const auto& holders = holders_[static_cast<std::size_t>(l)];
            return !in_output_[static_cast<std::size_t>(l)] &&
                   std::all_of(holders.begin(), holders.end(),
                               [&](std::size_t t) { return t == lhs || t == rhs; });
        });
        return all;
    }

    /// Queues the pairs of t with every live term below the bound that shares a label with it.
    void propose_pairs_of(std::size_t t, std::size_t below) {
        std::vector<std::size_t> partners;
        for (const label l : terms_[t]) {
            for (const std::size_t other : holders_[static_cast<std::size_t>(l)]) {
                if (other < below) {
                    partners.push_back(other);
                }
            }
        }
        std::sort(partners.begin(), partners.end());
        partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
        for (const std::size_t other : partners) {
            const double out = element_count(contracted(other, t), extents_);
            if (out <= limit_) {
                queue_.push({out - element_count(terms_[other], extents_) -
                                 element_count(terms_[t], extents_),
                             other, t});
            }
        }
    }

    void contract(std::size_t lhs, std::size_t rhs) {
        std::vector<label> out = contracted(lhs, rhs);
        for (const std::size_t t : {lhs, rhs}) {
            live_[t] = false;
            for (const label l : terms_[t]) {
                std::erase(holders_[static_cast<std::size_t>(l)], t);
            }
        }
        path_.emplace_back(lhs, rhs);
        terms_.push_back(std::move(out));
        live_.push_back(true);
        add_holder(terms_.size() - 1);
    }

    void multiply_the_rest() {
        using sized = std::pair<double, std::size_t>;
        std::priority_queue<sized, std::vector<sized>, std::greater<>> rest;
        for (std::size_t t = 0; t < terms_.size(); ++t) {
            if (live_[t]) {
                rest.emplace(element_count(terms_[t], extents_), t);
            }
        }
        while (rest.size() > 1) {
            const std::size_t a = rest.top().second;
            rest.pop();
            const std::size_t b = rest.top().second;
            rest.pop();
            contract(std::min(a, b), std::max(a, b));
            rest.emplace(element_count(terms_.back(), extents_), terms_.size() - 1);
        }
    }

    std::span<const std::int64_t> extents_;
    double limit_;
    std::vector<std::vector<label>> terms_;
    std::vector<std::vector<std::size_t>> holders_{};  // live terms by label
    std::vector<bool> in_output_{};
    std::vector<bool> live_{};
    std::priority_queue<candidate> queue_{};
    contraction_path path_{};
};

/// Fewest multiplications over all trees of pairs, by dynamic programming over sets of terms.
/// Source: Pfeifer, Haegeman and Verstraete, Phys. Rev. E 90, 033315, 2014, section II.
class optimal_search {
public:
    explicit optimal_search(const path_problem& problem)
        : problem_(problem), words_((problem.extents.size() + 63) / 64) {}

    /// Empty where every path has an intermediate beyond the limit.
    [[nodiscard]] contraction_path run() {
        const std::size_t terms = problem_.terms.size();
        const std::size_t sets = std::size_t{1} << terms;
        find_legs(sets);
        cost_.assign(sets, std::numeric_limits<double>::infinity());
        split_.assign(sets, 0);
        for (std::size_t t = 0; t < terms; ++t) {
            cost_[std::size_t{1} << t] = 0;
        }
        for (std::size_t set = 1; set < sets; ++set) {
            const bool whole = set == sets - 1;
            if ((set & (set - 1)) == 0 || (!whole && size_of(set) > problem_.largest_elements)) {
                continue;
            }
            const std::size_t lowest = set & (~set + 1);
            // Every split once: the part with the lowest term is always lhs.
            for (std::size_t rhs = (set - 1) & set; rhs != 0; rhs = (rhs - 1) & set) {
                const std::size_t lhs = set ^ rhs;
                if ((lhs & lowest) == 0 || cost_[lhs] + cost_[rhs] >= cost_[set]) {
                    continue;
                }
                const double total = cost_[lhs] + cost_[rhs] + union_size(lhs, rhs);
                if (total < cost_[set]) {
                    cost_[set] = total;
                    split_[set] = lhs;
                }
            }
        }
        path_.clear();
        if (cost_[sets - 1] < std::numeric_limits<double>::infinity()) {
            emit(sets - 1);
        }
        return std::move(path_);
    }

private:
    [[nodiscard]] std::uint64_t* legs(std::size_t set) { return legs_.data() + set * words_; }

    /// Labels that the contraction of each set of terms still has.
    void find_legs(std::size_t sets) {
        const std::size_t terms = problem_.terms.size();
        std::vector<std::size_t> holders(problem_.extents.size(), 0);
        for (std::size_t t = 0; t < terms; ++t) {
            for (const label l : problem_.terms[t]) {
                holders[static_cast<std::size_t>(l)] |= std::size_t{1} << t;
            }
        }
        std::vector<bool> in_output(problem_.extents.size(), false);
        for (const label l : problem_.output) {
            in_output[static_cast<std::size_t>(l)] = true;
        }
        legs_.assign(sets * words_, 0);
        for (std::size_t l = 0; l < holders.size(); ++l) {
            for (std::size_t set = 1; set < sets; ++set) {
                const bool inside = (holders[l] & set) != 0;
                const bool single = (set & (set - 1)) == 0;
                if (inside && (single || in_output[l] || (holders[l] & ~set) != 0)) {
                    legs(set)[l / 64] |= std::uint64_t{1} << (l % 64);
                }
            }
        }
    }

    [[nodiscard]] double size_of(std::size_t set) { return union_size(set, set); }

    /// Product of the extents of the labels of either set.
    [[nodiscard]] double union_size(std::size_t a, std::size_t b) {
        double size = 1;
        for (std::size_t w = 0; w < words_; ++w) {
            for (std::uint64_t bits = legs(a)[w] | legs(b)[w]; bits != 0; bits &= bits - 1) {
                const auto l = 64 * w + static_cast<std::size_t>(std::countr_zero(bits));
                size *= static_cast<double>(problem_.extents[l]);
            }
        }
        return size;
    }

    std::size_t emit(std::size_t set) {
        if ((set & (set - 1)) == 0) {
            return static_cast<std::size_t>(std::countr_zero(set));
        }
        const std::size_t lhs = emit(split_[set]);
        const std::size_t rhs = emit(set ^ split_[set]);
        path_.emplace_back(lhs, rhs);
        return problem_.terms.size() + path_.size() - 1;
    }

    const path_problem& problem_;
    std::size_t words_;
    std::vector<std::uint64_t> legs_{};
    std::vector<double> cost_{};
    std::vector<std::size_t> split_{};
    contraction_path path_{};
};

/// Operands up to which automatic searches for the optimal path: beyond, the search takes longer
/// than most contractions.
inline constexpr std::size_t automatic_optimal_operands = 8;

/// A path for at least two terms; empty where none stays within the limit.
[[nodiscard]] inline contraction_path find_path(const path_problem& problem,
                                                path_strategy strategy) {
    const bool optimal =
        strategy == path_strategy::optimal || (strategy == path_strategy::automatic &&
                                               problem.terms.size() <= automatic_optimal_operands);
    return optimal ? optimal_search(problem).run() : greedy_search(problem).run();
}

}  // namespace xeinsum::planning
