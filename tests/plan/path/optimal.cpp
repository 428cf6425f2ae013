#include <xeinsum/plan/path/optimal.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::contraction_path;
using xeinsum::planning::optimal_search;
using xeinsum::planning::path_problem;

TEST_CASE("no tree has fewer operations, with or without a limit on intermediates") {
    std::mt19937 engine(5);
    optimal_search search;
    int impossible = 0;
    for (int i = 0; i < 400; ++i) {
        std::vector<std::int64_t> extents;
        path_problem p =
            support::random_path_problem(engine, 2 + static_cast<std::size_t>(i) % 4, 7, extents);
        if (i % 2 == 1) {
            p.largest_elements = 40;
        }
        CAPTURE(i);
        const double best = support::fewest_operations(p);
        const contraction_path path = search.run(p);
        if (path.empty()) {
            ++impossible;
            CHECK(best == std::numeric_limits<double>::infinity());
        } else {
            const support::path_replay replay(p, path);
            CHECK(replay.operations == best);
            CHECK(replay.largest <= p.largest_elements);
            CHECK(search.run(p, best) == path);
            CHECK(search.run(p, best * 0.999).empty());
        }
    }
    CHECK(impossible > 0);
    CHECK(impossible < 100);
}

TEST_CASE("products of unconnected terms are tried too") {
    // "i,j,ijk,ijl->kl": i j first is 4 products, i or j alone meets a long term.
    const std::vector<std::int64_t> extents{2, 2, 50, 60};
    path_problem p;
    p.terms = {{0}, {1}, {0, 1, 2}, {0, 1, 3}};
    p.output = {2, 3};
    p.extents = extents;
    const contraction_path path = optimal_search().run(p);
    CHECK(path.front() == contraction_path::value_type{0, 1});
    CHECK(support::path_replay(p, path).operations == support::fewest_operations(p));
}

TEST_CASE("another cost finds another path") {
    // "ij,jk,kl->il" with 7, 2, 8, 30: jl makes fewer operations, but ik has fewer elements.
    const std::vector<std::int64_t> extents{7, 2, 8, 30};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {2, 3}};
    p.output = {0, 3};
    p.extents = extents;
    CHECK(optimal_search().run(p) == contraction_path{{1, 2}, {0, 3}});
    p.cost = {0, 1, 0};
    CHECK(optimal_search().run(p) == contraction_path{{0, 1}, {3, 2}});
}

TEST_CASE("more labels than a machine word has bits") {
    std::vector<std::int64_t> extents(130, 2);
    path_problem p;
    p.terms = {{0, 64, 129}, {64, 128}, {128, 129, 5}};
    p.output = {0, 5};
    p.extents = extents;
    const support::path_replay replay(p, optimal_search().run(p));
    CHECK(replay.terms.back() == support::label_set{0, 5});
    CHECK(replay.operations == support::fewest_operations(p));
}
