// Labels cut into slices so that intermediates stay small: "ij,jk,kl->il" for one half of j at a
// time, the halves of the result added up.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path_problem.hpp>
#include <xeinsum/plan/step.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

namespace xeinsum::planning {

/// The most that an extent can be divided into without rest, the extent itself left out.
[[nodiscard]] constexpr std::int64_t next_slice_extent(std::int64_t extent) noexcept {
    for (std::int64_t parts = 2; parts * parts <= extent; ++parts) {
        if (extent % parts == 0) {
            return extent / parts;
        }
    }
    return 1;
}

/// Chooses slices for one path.
template <class Problem>
class slice_search {
public:
    slice_search(const Problem& problem, const contraction_path& path)
        : problem_(problem), extents_(problem.extents.begin(), problem.extents.end()) {
        for (const std::size_t t : problem.summed_terms) {
            stored_.push_back(problem.terms[t]);
        }
        follow(path);
    }

    /// Cuts one label after the other, each time that which costs least, until no intermediate is
    /// larger than allowed. False where even single elements are, or where slices get
    /// too many to be counted.
    [[nodiscard]] bool run() {
        double cost = total_cost();
        while (true) {
            const std::vector<label>* widest = nullptr;
            double most = problem_.largest_elements;
            for (const auto& labels : stored_) {
                const double elements = element_count(labels, extents_);
                if (elements > most) {
                    most = elements;
                    widest = &labels;
                }
            }
            if (widest == nullptr) {
                cost_ = cost;
                return true;
            }
            const label chosen = cheapest_cut(*widest, cost);
            if (chosen < 0) {
                return false;
            }
            std::int64_t& extent = extents_[static_cast<std::size_t>(chosen)];
            const std::int64_t smaller = next_slice_extent(extent);
            count_ *= static_cast<double>(extent / smaller);
            if (count_ > most_slices) {
                return false;
            }
            extent = smaller;
            cost = total_cost();
        }
    }

    /// Of all slices together.
    [[nodiscard]] double cost() const noexcept { return cost_; }

    [[nodiscard]] std::vector<label_slices> slices() const {
        std::vector<label_slices> cut;
        for (std::size_t l = 0; l < extents_.size(); ++l) {
            if (extents_[l] != problem_.extents[l]) {
                const bool kept = std::binary_search(problem_.output.begin(), problem_.output.end(),
                                                     static_cast<label>(l));
                cut.push_back(
                    {static_cast<label>(l), extents_[l], problem_.extents[l] / extents_[l], kept});
            }
        }
        return cut;
    }

private:
    static constexpr double most_slices = 4e18;

    struct pair_labels {
        std::vector<label> lhs, rhs, out, all;
    };

    void follow(const contraction_path& path) {
        label_uses uses(problem_);
        std::vector<std::vector<label>> terms = problem_.terms;
        for (std::size_t p = 0; p < path.size(); ++p) {
            pair_labels pair{terms[path[p].first], terms[path[p].second], {}, {}};
            std::set_union(pair.lhs.begin(), pair.lhs.end(), pair.rhs.begin(), pair.rhs.end(),
                           std::back_inserter(pair.all));
            pair.out = uses.contract(pair.lhs, pair.rhs);
            terms.push_back(pair.out);
            if (p + 1 < path.size()) {
                stored_.push_back(pair.out);
            }
            pairs_.push_back(std::move(pair));
        }
    }

    [[nodiscard]] double total_cost() const {
        double cost = 0;
        for (const pair_labels& p : pairs_) {
            cost += problem_.cost({element_count(p.lhs, extents_), element_count(p.rhs, extents_),
                                   element_count(p.out, extents_), element_count(p.all, extents_),
                                   p.all.size() != p.out.size()});
        }
        return cost * count_;
    }

    /// The label of a term whose cut adds least for what it takes away; -1 where none is left.
    [[nodiscard]] label cheapest_cut(const std::vector<label>& term, double cost) {
        label best = -1;
        double least = std::numeric_limits<double>::infinity();
        for (const label l : term) {
            std::int64_t& extent = extents_[static_cast<std::size_t>(l)];
            if (extent == 1) {
                continue;
            }
            const std::int64_t whole = extent;
            const double count = count_;
            extent = next_slice_extent(whole);
            const auto parts = static_cast<double>(whole / extent);
            count_ *= parts;
            // Growth in cost for each halving; the tiny term prefers the longer label.
            const double growth = std::log2(total_cost() / cost) / std::log2(parts) -
                                  1e-9 * static_cast<double>(whole);
            count_ = count;
            extent = whole;
            if (growth < least) {
                least = growth;
                best = l;
            }
        }
        return best;
    }

    const Problem& problem_;
    std::vector<std::int64_t> extents_;
    std::vector<std::vector<label>> stored_{};  // labels of every intermediate
    std::vector<pair_labels> pairs_{};
    double count_ = 1;
    double cost_ = 0;
};

}  // namespace xeinsum::planning
