#include <xeinsum/plan/path/bisected.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::bisected_path;
using xeinsum::planning::path_of_row;
using xeinsum::planning::path_problem;

namespace {

/// A lattice of rows x columns, its neighbours joined by labels of extent 2.
path_problem lattice(label rows, label columns, std::vector<std::int64_t>& extents) {
    path_problem p;
    p.terms.resize(static_cast<std::size_t>(rows * columns));
    label next = 0;
    const auto join = [&](label a, label b) {
        p.terms[static_cast<std::size_t>(a)].push_back(next);
        p.terms[static_cast<std::size_t>(b)].push_back(next++);
    };
    for (label i = 0; i < rows; ++i) {
        for (label j = 0; j < columns; ++j) {
            if (j + 1 < columns) {
                join(i * columns + j, i * columns + j + 1);
            }
            if (i + 1 < rows) {
                join(i * columns + j, (i + 1) * columns + j);
            }
        }
    }
    extents.assign(static_cast<std::size_t>(next), 2);
    p.extents = extents;
    return p;
}

}  // namespace

TEST_CASE("a lattice of 4 x 12 is contracted along its length") {
    // No path has a smaller largest intermediate than 2^4: the lattice is four wide.
    std::vector<std::int64_t> extents;
    const path_problem p = lattice(4, 12, extents);
    const support::path_replay replay(p, bisected_path(p, 8, 1));
    CHECK(replay.largest <= 32);
    // Term by term along the length takes at most 2^6 multiplications and additions a pair.
    constexpr double term_by_term = 47 * 2 * 64;
    CHECK(replay.operations <= 1.5 * term_by_term);
}

TEST_CASE("more draws are never worse, and each seed has paths of its own") {
    std::mt19937 engine(2);
    bool differs = false;
    for (int i = 0; i < 20; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 25, 45, extents);
        const auto one = bisected_path(p, 1, 3);
        CHECK(one == bisected_path(p, 1, 3));
        CHECK(support::path_replay(p, bisected_path(p, 5, 3)).operations <=
              support::path_replay(p, one).operations);
        differs = differs || one != bisected_path(p, 1, 4);
    }
    CHECK(differs);
}

TEST_CASE("rows longer than most_places are contracted in groups") {
    const auto terms = static_cast<label>(2 * xeinsum::planning::most_places + 7);
    std::vector<std::int64_t> extents;
    path_problem p;
    std::vector<std::uint32_t> row;
    for (label l = 0; l < terms; ++l) {
        p.terms.push_back({l, l + 1});
        row.push_back(static_cast<std::uint32_t>(terms - 1 - l));
    }
    for (label l = 0; l <= terms; ++l) {
        extents.push_back(2 + l % 3);
    }
    p.output = {0, terms};
    p.extents = extents;
    CHECK(support::path_replay(p, path_of_row(p, row)).largest <= 16);
    CHECK(xeinsum::planning::interval_words(p) == 201 * 201 * 7);
}

TEST_CASE("what a path takes grows with terms and labels, the search over rows up to a limit") {
    std::vector<std::int64_t> few;
    std::vector<std::int64_t> many;
    const path_problem small = lattice(4, 12, few);
    const path_problem large = lattice(40, 60, many);
    CHECK(xeinsum::planning::bisected_seconds(small) > 1e-4);
    CHECK(xeinsum::planning::bisected_seconds(small) < 2e-3);
    CHECK(xeinsum::planning::bisected_seconds(large) < 0.2);
}
