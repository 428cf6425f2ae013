// Labels cut into slices so that intermediates stay small: "ij,jk,kl->il" for one half of j at a
// time, the halves of the result added up.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path/anneal.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random_source.hpp>
#include <xeinsum/plan/path/tree.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

/// Chooses slices, and on the way the path that suits them.
template <class Problem>
class slice_search {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

public:
    slice_search(const Problem& problem, const contraction_path& path)
        : problem_(problem), tree_(problem, path) {}

    /// Cuts one label after the other, each time that which costs least, until no intermediate is
    /// larger than allowed and the products of every step can be counted; after each cut the tree
    /// is annealed, for so many seconds in all. False where even single elements are too large, or
    /// where slices get too many to be counted.
    [[nodiscard]] bool run(double seconds = 0) {
        random_source random(tree_.leaves());
        const double cuts =
            std::log2(std::clamp(tree_.largest() / problem_.largest_elements, 1.0, most_elements));
        annealing_pass pass;
        pass.hottest = 0.5;
        pass.sweeps = static_cast<std::size_t>(
            std::min(seconds / (cuts + 2) / std::max(sweep_seconds(tree_), 1e-9), 1e9));
        while (true) {
            const auto labels = tree_.excess(problem_.largest_elements, most_products);
            if (labels.empty()) {
                return !(tree_.largest() > problem_.largest_elements);
            }
            if (!cut_cheapest(labels)) {
                return false;
            }
            pass.largest_elements = std::max(problem_.largest_elements, tree_.largest());
            anneal(tree_, random, pass);
        }
    }

    /// Of all slices together.
    [[nodiscard]] double cost() const noexcept { return tree_.cost(); }
    [[nodiscard]] contraction_path path() const { return tree_.path(); }

    [[nodiscard]] vector<label_slices> slices() const {
        vector<label_slices> cut;
        for (std::size_t l = 0; l < problem_.extents.size(); ++l) {
            const auto id = static_cast<label>(l);
            const auto extent = static_cast<std::int64_t>(tree_.extent_of(id));
            if (extent != problem_.extents[l]) {
                const bool kept =
                    std::binary_search(problem_.output.begin(), problem_.output.end(), id);
                cut.push_back({id, extent, problem_.extents[l] / extent, kept});
            }
        }
        return cut;
    }

private:
    static constexpr double most_products = 4e18;

    /// Cuts the label that adds least to the cost for what it takes away. False where none is left.
    [[nodiscard]] bool cut_cheapest(const vector<std::size_t>& labels) {
        const vector<step_sizes> pairs = tree_.pairs();
        const double cost = tree_.cost();
        std::size_t best = 0;
        double best_parts = 0;
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t bit : labels) {
            const auto whole = static_cast<std::int64_t>(tree_.extent(bit));
            if (whole == 1) {
                continue;
            }
            const auto parts = static_cast<double>(whole / next_slice_extent(whole));
            // Growth in cost for each halving; the tiny term prefers the longer label.
            const double growth =
                std::log2(tree_.cost_of_cut(pairs, bit, parts) / cost) / std::log2(parts) -
                1e-9 * static_cast<double>(whole);
            if (growth < least) {
                least = growth;
                best = bit;
                best_parts = parts;
            }
        }
        if (best_parts == 0 || tree_.slices() * best_parts > most_slices) {
            return false;
        }
        tree_.cut(best, best_parts);
        return true;
    }

    const Problem& problem_;
    path_tree<Problem> tree_;
};

}  // namespace xeinsum::planning
