// The terms of a network in a row in which few labels cross any place: those of "de,ab,cd,bc->ae"
// as ab, bc, cd, de, where one does.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path/bisection.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random_source.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// Bisects all terms, then either half, and so on; a half goes where the terms are that it shares
/// labels with. What is cut is the logarithm of the elements of an intermediate.
/// Source: min-cut placement with terminal propagation, Dunlop and Kernighan, A procedure for
/// placement of standard-cell VLSI circuits, IEEE Trans. CAD 4(1), 1985.
template <class Problem>
class term_row {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

public:
    /// A part has at most 1 + imbalance times half of the terms.
    term_row(const Problem& problem, double imbalance, std::uint64_t seed)
        : problem_(problem),
          imbalance_(imbalance),
          random_(seed),
          row_(problem.terms.size()),
          place_(problem.terms.size(), 0),
          edge_(problem.extents.size(), none),
          terms_of_(problem.extents.size()) {
        std::iota(row_.begin(), row_.end(), std::uint32_t{0});
        for (std::uint32_t t = 0; t < problem.terms.size(); ++t) {
            for (const label l : problem.terms[t]) {
                terms_of_[static_cast<std::size_t>(l)].push_back(t);
            }
        }
    }

    [[nodiscard]] vector<std::uint32_t> run() {
        vector<std::pair<std::size_t, std::size_t>> open{{0, row_.size()}};
        while (!open.empty()) {
            const auto [first, last] = open.back();
            open.pop_back();
            if (last - first > 1) {
                const std::size_t middle = divide(first, last);
                open.emplace_back(first, middle);
                open.emplace_back(middle, last);
            }
        }
        return std::move(row_);
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// Divides a part of the row; returns where its second half begins.
    std::size_t divide(std::size_t first, std::size_t last) {
        const std::size_t terms = last - first;
        const auto graph = graph_of(first, last);
        const auto most =
            static_cast<std::size_t>((1 + imbalance_) * static_cast<double>(terms) / 2);
        const vector<std::uint8_t> side =
            bisection(graph).run(std::clamp(most, (terms + 1) / 2, terms - 1), random_);
        std::array<vector<std::uint32_t>, 2> halves;
        for (std::size_t i = 0; i < terms; ++i) {
            halves[side[hypergraph::fixed + i]].push_back(row_[first + i]);
        }
        const std::size_t middle = first + halves[0].size();
        for (const std::uint32_t t : halves[1]) {
            place_[t] = middle;
        }
        const auto rest = std::copy(halves[0].begin(), halves[0].end(),
                                    row_.begin() + static_cast<std::ptrdiff_t>(first));
        std::copy(halves[1].begin(), halves[1].end(), rest);
        return middle;
    }

    [[nodiscard]] dependent<Problem, hypergraph> graph_of(std::size_t first, std::size_t last) {
        dependent<Problem, hypergraph> graph;
        graph.edges.resize(hypergraph::fixed + last - first);
        vector<label> used;
        for (std::size_t i = first; i < last; ++i) {
            for (const label l : problem_.terms[row_[i]]) {
                std::uint32_t& e = edge_[static_cast<std::size_t>(l)];
                if (e == none) {
                    e = static_cast<std::uint32_t>(used.size());
                    used.push_back(l);
                    graph.pins.emplace_back();
                }
                graph.pins[e].push_back(static_cast<std::uint32_t>(hypergraph::fixed + i - first));
            }
        }
        std::size_t kept = 0;
        for (std::size_t e = 0; e < used.size(); ++e) {
            const auto l = static_cast<std::size_t>(used[e]);
            edge_[l] = none;
            bool left = false;
            bool right = false;
            for (const std::uint32_t t : terms_of_[l]) {
                left = left || place_[t] < first;
                right = right || place_[t] >= last;
            }
            auto& pins = graph.pins[e];
            if (left) {
                pins.push_back(0);
            }
            if (right) {
                pins.push_back(1);
            }
            // Labels on both sides are cut whatever is done.
            if ((left && right) || pins.size() < 2 || problem_.extents[l] < 2) {
                continue;
            }
            graph.weights.push_back(std::log2(static_cast<double>(problem_.extents[l])));
            std::swap(graph.pins[kept++], pins);
        }
        graph.pins.resize(kept);
        for (std::uint32_t e = 0; e < kept; ++e) {
            for (const std::uint32_t v : graph.pins[e]) {
                graph.edges[v].push_back(e);
            }
        }
        return graph;
    }

    const Problem& problem_;
    double imbalance_;
    random_source random_;
    vector<std::uint32_t> row_;
    vector<std::size_t> place_;   // where the part of a term begins in the row
    vector<std::uint32_t> edge_;  // of a label; none between divisions
    vector<vector<std::uint32_t>> terms_of_;
};

}  // namespace xeinsum::planning
