#include <xeinsum/plan/path/random.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::greedy_path;
using xeinsum::planning::greedy_search;
using xeinsum::planning::measured_path;
using xeinsum::planning::path_problem;
using xeinsum::planning::random_path;

namespace {

/// A square lattice whose bonds all have the same extent, without output.
path_problem lattice(std::size_t side, const std::vector<std::int64_t>& extents) {
    path_problem p;
    p.terms.resize(side * side);
    label next = 0;
    for (std::size_t i = 0; i < side * side; ++i) {
        for (const std::size_t other : {i + 1, i + side}) {
            const bool inside = other == i + 1 ? other % side != 0 : other < side * side;
            if (inside) {
                p.terms[i].push_back(next);
                p.terms[other].push_back(next++);
            }
        }
    }
    for (auto& term : p.terms) {
        std::sort(term.begin(), term.end());
    }
    p.extents = extents;
    return p;
}

}  // namespace

TEST_CASE("more search is never worse, and always the same") {
    const std::vector<std::int64_t> extents(60, 3);
    const path_problem p = lattice(6, extents);
    const double one = support::path_replay(p, greedy_search(p, {1, 0, 0}).run()).operations;
    const measured_path few = greedy_path(p);
    CHECK(support::path_replay(p, few.path).operations == few.figures.operations);
    CHECK(few.figures.operations <= one);
    const measured_path many = random_path(p, 40);
    CHECK(support::path_replay(p, many.path).operations == many.figures.operations);
    CHECK(many.figures.operations < few.figures.operations);
    CHECK(random_path(p, 40).path == many.path);
    CHECK(random_path(p, 0).path == few.path);
}

TEST_CASE("a path within the limit is preferred to a cheaper one") {
    path_problem p;
    p.largest_elements = 10;
    const measured_path small{{}, {5, 5, 10}};
    const measured_path cheap{{}, {4, 4, 11}};
    CHECK(better(p, small, cheap));
    CHECK(!better(p, cheap, small));
    p.largest_elements = 11;
    CHECK(better(p, cheap, small));
}
