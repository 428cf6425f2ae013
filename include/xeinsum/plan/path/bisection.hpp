// A hypergraph cut in two where that is cheap: of the terms of "ab,bc,cd,de->ae", joined by their
// labels, {ab, bc} and {cd, de} are the halves with only c between them.
#pragma once

#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random_source.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// Vertices 0, 1, ... and edges that join two of them or more, each with the cost of cutting it.
/// Vertices 0 and 1 stand for what is on either side already; the others are to be divided.
struct hypergraph {
    std::vector<std::vector<std::uint32_t>> pins{};   ///< the vertices of each edge
    std::vector<std::vector<std::uint32_t>> edges{};  ///< the edges of each vertex
    std::vector<double> weights{};                    ///< of each edge

    static constexpr std::size_t fixed = 2;
};

/// Divides the vertices of a hypergraph so that the edges between the sides weigh little.
/// Source: Fiduccia and Mattheyses, A linear-time heuristic for improving network partitions, DAC
/// 1982; a heap in place of their buckets, as weights are no integers.
template <class Graph>
class bisection {
    template <class T>
    using vector = dependent<Graph, std::vector<T>>;

public:
    explicit bisection(const Graph& graph) : graph_(graph) {}

    /// The side, 0 or 1, of each vertex; of those to be divided at most so many are on one. The
    /// best of a few starts, each grown from a vertex of chance.
    [[nodiscard]] vector<std::uint8_t> run(std::size_t most, random_source& random) {
        constexpr int starts = 4;
        constexpr int passes = 12;
        most_ = most;
        vector<std::uint8_t> best;
        double least = std::numeric_limits<double>::infinity();
        for (int i = 0; i < starts; ++i) {
            grow(random);
            double cut = cut_weight();
            for (int pass = 0; pass < passes && improve(cut, random); ++pass) {
            }
            if (cut < least) {
                least = cut;
                best = side_;
            }
        }
        return best;
    }

private:
    using vertex = std::uint32_t;

    struct move {
        double gain;
        std::uint64_t tie;  // chance decides between equal gains
        vertex v;

        friend bool operator<(const move& a, const move& b) noexcept {
            return a.gain != b.gain ? a.gain < b.gain : a.tie < b.tie;
        }
    };

    [[nodiscard]] std::size_t vertices() const noexcept { return graph_.edges.size(); }

    /// Half of the vertices, near one another, on side 0.
    void grow(random_source& random) {
        const std::size_t free = vertices() - Graph::fixed;
        side_.assign(vertices(), 1);
        vector<vertex> order(free);
        std::iota(order.begin(), order.end(), vertex{Graph::fixed});
        for (std::size_t i = free; i > 1; --i) {
            std::swap(order[i - 1], order[random.next() % i]);
        }
        vector<bool> seen(vertices(), false);
        vector<bool> crossed(graph_.pins.size(), false);
        seen[0] = seen[1] = true;
        vector<vertex> found;
        for (std::size_t next = 0, i = 0; found.size() < free / 2;) {
            if (i == found.size()) {
                const vertex start = order[next++];
                if (!seen[start]) {
                    seen[start] = true;
                    found.push_back(start);
                }
                continue;
            }
            for (const std::uint32_t e : graph_.edges[found[i++]]) {
                if (crossed[e]) {
                    continue;
                }
                crossed[e] = true;
                for (const vertex u : graph_.pins[e]) {
                    if (!seen[u]) {
                        seen[u] = true;
                        found.push_back(u);
                    }
                }
            }
        }
        side_[0] = 0;
        for (std::size_t i = 0; i < free / 2; ++i) {
            side_[found[i]] = 0;
        }
    }

    [[nodiscard]] double cut_weight() const {
        double weight = 0;
        for (std::size_t e = 0; e < graph_.pins.size(); ++e) {
            const auto& pins = graph_.pins[e];
            const bool cut = std::any_of(pins.begin(), pins.end(),
                                         [&](vertex v) { return side_[v] != side_[pins[0]]; });
            weight += cut ? graph_.weights[e] : 0;
        }
        return weight;
    }

    /// One pass: every vertex changes sides at most once, the best first, and then those moves are
    /// undone that came after the least cut. Whether the cut is smaller now.
    bool improve(double& cut, random_source& random) {
        const std::size_t patience = 60 + vertices() / 4;
        start_pass(random);
        const double before = cut;
        double now = cut;
        vector<vertex> moved;
        std::size_t kept = 0;
        while (moved.size() < kept + patience) {
            const std::size_t from = next_side();
            if (from > 1) {
                break;
            }
            const vertex v = queue_[from].front().v;
            drop(from);
            now -= gain_[v];
            change_side(v, random);
            moved.push_back(v);
            // Sums of gains are rounded.
            if (now < cut - 1e-9 && std::max(count_[0], count_[1]) <= most_) {
                cut = now;
                kept = moved.size();
            }
        }
        for (; moved.size() > kept; moved.pop_back()) {
            side_[moved.back()] ^= 1U;
        }
        return cut < before;
    }

    void start_pass(random_source& random) {
        on_side_.assign(graph_.pins.size(), {0, 0});
        count_ = {0, 0};
        gain_.assign(vertices(), 0);
        locked_.assign(vertices(), false);
        queue_ = {};
        for (std::size_t e = 0; e < graph_.pins.size(); ++e) {
            for (const vertex v : graph_.pins[e]) {
                ++on_side_[e][side_[v]];
            }
        }
        for (vertex v = 0; v < vertices(); ++v) {
            if (v < Graph::fixed) {
                locked_[v] = true;
                continue;
            }
            const std::size_t s = side_[v];
            ++count_[s];
            for (const std::uint32_t e : graph_.edges[v]) {
                gain_[v] += on_side_[e][s] == 1 ? graph_.weights[e] : 0;
                gain_[v] -= on_side_[e][s ^ 1U] == 0 ? graph_.weights[e] : 0;
            }
            push(v, random);
        }
    }

    void push(vertex v, random_source& random) {
        auto& queue = queue_[side_[v]];
        queue.push_back({gain_[v], random.next(), v});
        std::push_heap(queue.begin(), queue.end());
    }
    void drop(std::size_t side) {
        std::pop_heap(queue_[side].begin(), queue_[side].end());
        queue_[side].pop_back();
    }

    /// The side whose best vertex goes next; 2 where none may.
    [[nodiscard]] std::size_t next_side() {
        std::size_t best = 2;
        for (std::size_t s = 0; s < 2; ++s) {
            auto& queue = queue_[s];
            // What has moved, or has another gain by now, is queued again or done with.
            while (!queue.empty() &&
                   (locked_[queue.front().v] || queue.front().gain != gain_[queue.front().v])) {
                drop(s);
            }
            // One vertex too many on a side on the way, or halves could not be exchanged.
            const bool may = !queue.empty() && count_[s ^ 1U] <= most_;
            if (may && (best > 1 || queue_[best].front() < queue.front())) {
                best = s;
            }
        }
        return best;
    }

    void change_side(vertex v, random_source& random) {
        const std::size_t from = side_[v];
        const std::size_t to = from ^ 1U;
        const auto change = [&](std::uint32_t e, std::size_t of, double by) {
            for (const vertex u : graph_.pins[e]) {
                if (!locked_[u] && side_[u] == of) {
                    gain_[u] += by;
                    push(u, random);
                }
            }
        };
        locked_[v] = true;
        side_[v] ^= 1U;
        --count_[from];
        ++count_[to];
        for (const std::uint32_t e : graph_.edges[v]) {
            const double weight = graph_.weights[e];
            auto& pins = on_side_[e];
            --pins[from];
            ++pins[to];
            if (pins[to] == 1) {  // cut from now on
                change(e, from, weight);
            } else if (pins[to] == 2) {
                change(e, to, -weight);
            }
            if (pins[from] == 0) {  // no longer cut
                change(e, to, -weight);
            } else if (pins[from] == 1) {
                change(e, from, weight);
            }
        }
    }

    const Graph& graph_;
    std::size_t most_ = 0;
    vector<std::uint8_t> side_{};
    vector<std::array<std::uint32_t, 2>> on_side_{};  // pins of each edge
    std::array<std::size_t, 2> count_{};              // vertices to be divided
    vector<double> gain_{};                           // of a change of sides
    vector<bool> locked_{};
    std::array<vector<move>, 2> queue_{};
};

}  // namespace xeinsum::planning
