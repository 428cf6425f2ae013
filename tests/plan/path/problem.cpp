#include <xeinsum/plan/path/problem.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using xeinsum::planning::element_count;
using xeinsum::planning::label_uses;
using xeinsum::planning::measure_path;
using xeinsum::planning::path_problem;
using xeinsum::planning::sizes_of;

TEST_CASE("a label survives where the output or a third term has it") {
    // "ab,bc,bd,ae->d" with 2, 3, 5, 7, 11
    const std::vector<std::int64_t> extents{2, 3, 5, 7, 11};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {1, 3}, {0, 4}};
    p.output = {3};
    p.extents = extents;
    const label_uses uses(p);
    const auto sizes = sizes_of(p, uses, p.terms[0], p.terms[1]);
    CHECK(sizes.lhs == 6);
    CHECK(sizes.rhs == 15);
    CHECK(sizes.out == 6);  // ab: c is summed, b has another term
    CHECK(sizes.all == 30);
    CHECK(sizes.sums);
    CHECK(!sizes_of(p, uses, p.terms[0], p.terms[2]).sums);
}

TEST_CASE("the result of two terms takes their place among the uses of labels") {
    // "ab,bc,bd,ae->d"
    const std::vector<std::int64_t> extents{2, 3, 5, 7, 11};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {1, 3}, {0, 4}};
    p.output = {3};
    p.extents = extents;
    label_uses uses(p);
    using labels = std::vector<xeinsum::label>;
    CHECK(uses.contract(p.terms[1], p.terms[0]) == labels{0, 1});
    CHECK(uses[0] == 2);
    CHECK(uses[1] == 2);
    CHECK(uses[2] == 0);
    CHECK(uses.contract(labels{0, 1}, p.terms[2]) == labels{0, 3});
    CHECK(uses.contract(labels{0, 3}, p.terms[3]) == labels{3});
    CHECK(uses[0] == 0);
    CHECK(uses[1] == 0);
    CHECK(uses[3] == 2);
    CHECK(uses[4] == 0);
}

TEST_CASE("element counts stay finite") {
    const std::vector<std::int64_t> extents(40, std::int64_t{1} << 40);
    std::vector<xeinsum::label> all;
    for (xeinsum::label l = 0; l < 40; ++l) {
        all.push_back(l);
    }
    CHECK(element_count(all, extents) == xeinsum::planning::most_elements);
}

TEST_CASE("a path takes what its definition says") {
    std::mt19937 engine(3);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 5, 7, extents);
        const xeinsum::planning::contraction_path path{{3, 1}, {0, 4}, {5, 2}, {6, 7}};
        const support::path_replay expected(p, path);
        const auto found = measure_path(p, path);
        CHECK(found.operations == expected.operations);
        CHECK(found.cost == expected.operations);
        CHECK(found.largest == expected.largest);
    }
}
