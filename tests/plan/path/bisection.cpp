#include <xeinsum/plan/path/bisection.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using xeinsum::planning::bisection;
using xeinsum::planning::hypergraph;
using xeinsum::planning::random_source;

namespace {

using sides = std::vector<std::uint8_t>;

void join(hypergraph& g, const std::vector<std::uint32_t>& pins, double weight) {
    for (const std::uint32_t v : pins) {
        g.edges.resize(std::max<std::size_t>(g.edges.size(), v + 1));
        g.edges[v].push_back(static_cast<std::uint32_t>(g.pins.size()));
    }
    g.pins.push_back(pins);
    g.weights.push_back(weight);
}

double cut(const hypergraph& g, const sides& side) {
    double weight = 0;
    for (std::size_t e = 0; e < g.pins.size(); ++e) {
        double ones = 0;
        for (const std::uint32_t v : g.pins[e]) {
            ones += side[v];
        }
        weight += ones > 0 && ones < static_cast<double>(g.pins[e].size()) ? g.weights[e] : 0;
    }
    return weight;
}

/// The least cut of all divisions with at most so many vertices on a side.
double least_cut(const hypergraph& g, std::size_t most) {
    const std::size_t free = g.edges.size() - hypergraph::fixed;
    double least = 1e300;
    for (std::size_t set = 0; set < std::size_t{1} << free; ++set) {
        sides side{0, 1};
        std::size_t ones = 0;
        for (std::size_t v = 0; v < free; ++v) {
            side.push_back(static_cast<std::uint8_t>(set >> v & 1U));
            ones += side.back();
        }
        if (ones <= most && free - ones <= most) {
            least = std::min(least, cut(g, side));
        }
    }
    return least;
}

hypergraph random_hypergraph(std::mt19937& engine, std::uint32_t vertices, int edges) {
    hypergraph g;
    g.edges.resize(vertices);
    for (int e = 0; e < edges; ++e) {
        std::vector<std::uint32_t> all(vertices);
        for (std::uint32_t v = 0; v < vertices; ++v) {
            all[v] = v;
        }
        std::shuffle(all.begin(), all.end(), engine);
        all.resize(2 + engine() % 3);
        join(g, all, 1 + 0.37 * static_cast<double>(engine() % 8));
    }
    return g;
}

}  // namespace

TEST_CASE("the least cut of all is found in small hypergraphs, within the balance") {
    std::mt19937 engine(3);
    int best = 0;
    for (int i = 0; i < 100; ++i) {
        const hypergraph g = random_hypergraph(engine, 12, 20);
        for (const std::size_t most : {5U, 6U, 8U}) {
            random_source random(static_cast<std::uint64_t>(i));
            const sides side = bisection(g).run(most, random);
            REQUIRE(side.size() == 12);
            CHECK(side[0] == 0);
            CHECK(side[1] == 1);
            const auto ones = static_cast<std::size_t>(std::count(side.begin() + 2, side.end(), 1));
            CHECK(ones <= most);
            CHECK(10 - ones <= most);
            const double least = least_cut(g, most);
            CHECK(cut(g, side) >= least - 1e-9);
            best += cut(g, side) < least + 1e-9 ? 1 : 0;
        }
    }
    CHECK(best >= 280);
}

TEST_CASE("a lattice of 12 x 9 is cut across, the same way each time") {
    hypergraph g;
    const auto vertex = [](std::uint32_t i, std::uint32_t j) { return 2 + 9 * i + j; };
    for (std::uint32_t i = 0; i < 12; ++i) {
        for (std::uint32_t j = 0; j < 9; ++j) {
            if (i + 1 < 12) {
                join(g, {vertex(i, j), vertex(i + 1, j)}, 1.5);
            }
            if (j + 1 < 9) {
                join(g, {vertex(i, j), vertex(i, j + 1)}, 1.5);
            }
        }
    }
    random_source random(5);
    const sides side = bisection(g).run(54, random);
    CHECK(cut(g, side) == doctest::Approx(9 * 1.5));
    random_source again(5);
    CHECK(bisection(g).run(54, again) == side);
}

TEST_CASE("vertices go where what they share edges with is fixed") {
    // A row of eight whose ends are pulled to the sides against a cheap edge in the middle.
    hypergraph g;
    join(g, {9, 0}, 4);
    join(g, {2, 1}, 4);
    for (std::uint32_t v = 2; v < 9; ++v) {
        join(g, {v, v + 1}, v == 5 ? 1 : 2);
    }
    random_source random(1);
    CHECK(bisection(g).run(6, random) == sides{0, 1, 1, 1, 1, 1, 0, 0, 0, 0});
}

TEST_CASE("hypergraphs without edges, and of two vertices, are divided too") {
    hypergraph g;
    g.edges.resize(hypergraph::fixed + 5);
    random_source random(2);
    sides side = bisection(g).run(3, random);
    const auto ones = std::count(side.begin() + 2, side.end(), 1);
    CHECK(ones >= 2);
    CHECK(ones <= 3);
    g.edges.resize(hypergraph::fixed + 2);
    side = bisection(g).run(1, random);
    CHECK(side[2] != side[3]);
}
