#include <xeinsum/plan/path_tree.hpp>

#include "../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::contraction_path;
using xeinsum::planning::path_problem;
using xeinsum::planning::path_tree;

namespace {

/// Contracts 0 and 1, the result and 2, and so on.
contraction_path left_to_right(std::size_t terms) {
    contraction_path path;
    for (std::size_t t = 1; t < terms; ++t) {
        path.emplace_back(t, t == 1 ? 0 : terms + t - 2);
    }
    return path;
}

}  // namespace

TEST_CASE("a tree keeps its path's operations and knows them") {
    std::mt19937 engine(8);
    for (std::size_t i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 2 + i % 8, 9, extents);
        const contraction_path path = left_to_right(p.terms.size());
        const path_tree tree(p, path);
        const double expected = support::path_replay(p, path).operations;
        CHECK(tree.cost() == expected);
        CHECK(support::path_replay(p, tree.path()).operations == expected);
    }
}

TEST_CASE("refining whole trees finds the best one, branches never make it worse") {
    std::mt19937 engine(9);
    int improved = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 5, 7, extents);
        const contraction_path path = left_to_right(5);
        path_tree whole(p, path);
        whole.refine(5, 1000);
        const double best = support::path_replay(p, whole.path()).operations;
        CHECK(best == support::fewest_operations(p));
        CHECK(whole.cost() == best);
        path_tree branches(p, path);
        branches.refine(3, 1000);
        const double refined = support::path_replay(p, branches.path()).operations;
        CHECK(refined >= best);
        CHECK(refined <= support::path_replay(p, path).operations);
        improved += refined < support::path_replay(p, path).operations ? 1 : 0;
    }
    CHECK(improved > 20);
}

TEST_CASE("a long chain of matrices is put into order branch by branch") {
    // Matrices of 2 x 100 and 100 x 2 in turn: the best path never has an array above 2 x 2.
    std::vector<std::int64_t> extents;
    path_problem p;
    for (label l = 0; l < 40; ++l) {
        p.terms.push_back({l, l + 1});
    }
    for (label l = 0; l <= 40; ++l) {
        extents.push_back(l % 2 == 0 ? 2 : 100);
    }
    p.output = {0, 40};
    p.extents = extents;
    // From the second matrix on, so that the worst pairs come first.
    contraction_path path{{1, 2}};
    for (std::size_t t = 3; t < 40; ++t) {
        path.emplace_back(t, 40 + t - 3);
    }
    path.emplace_back(0, 40 + 37);
    path_tree tree(p, path);
    tree.refine(8, 10000);
    CHECK(support::path_replay(p, tree.path()).largest == 4);
}

TEST_CASE("a deep path is no deep recursion") {
    std::vector<std::int64_t> extents(20001, 2);
    path_problem p;
    for (label l = 0; l < 20000; ++l) {
        p.terms.push_back({l, l + 1});
    }
    p.extents = extents;
    const path_tree tree(p, left_to_right(20000));
    CHECK(tree.path().size() == 19999);
}
