#include <xeinsum/plan/path/anneal.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::anneal;
using xeinsum::planning::anneal_for;
using xeinsum::planning::annealing_pass;
using xeinsum::planning::contraction_path;
using xeinsum::planning::path_problem;
using xeinsum::planning::path_tree;
using xeinsum::planning::random_source;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

contraction_path left_to_right(std::size_t terms) {
    contraction_path path;
    for (std::size_t t = 1; t < terms; ++t) {
        path.emplace_back(t, t == 1 ? 0 : terms + t - 2);
    }
    return path;
}

}  // namespace

TEST_CASE("small trees become the best one, none becomes dearer") {
    std::mt19937 engine(9);
    int best = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 5, 7, extents);
        path_tree tree(p, left_to_right(5));
        const double before = tree.cost();
        random_source random(7);
        anneal(tree, random, {.sweeps = 3});
        CHECK(tree.cost() <= before);
        anneal_for(tree, infinity, [](const auto&) { return 1e-4; });
        const double after = support::path_replay(p, tree.path()).operations;
        CHECK(after == tree.cost());
        CHECK(after >= support::fewest_operations(p));
        best += after == support::fewest_operations(p) ? 1 : 0;
    }
    CHECK(best == 100);
}

TEST_CASE("a long chain of matrices is put into order, the same one each time") {
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
    path_tree tree(p, left_to_right(40));
    anneal_for(tree, infinity, [](const auto&) { return 1e-3; });
    CHECK(support::path_replay(p, tree.path()).largest == 4);
    path_tree again(p, left_to_right(40));
    anneal_for(again, infinity, [](const auto&) { return 1e-3; });
    CHECK(again.path() == tree.path());
}

TEST_CASE("no time leaves the path, and a time that shrinks is kept") {
    std::mt19937 engine(4);
    std::vector<std::int64_t> extents;
    const path_problem p = support::random_path_problem(engine, 12, 20, extents);
    path_tree tree(p, left_to_right(12));
    const contraction_path before = tree.path();
    anneal_for(tree, infinity, [](const auto&) { return 0.0; });
    CHECK(tree.path() == before);
    int asked = 0;
    anneal_for(tree, infinity, [&](const auto&) { return ++asked == 1 ? 1.0 : 0.0; });
    CHECK(asked == 2);
}

TEST_CASE("intermediates above the limit do not grow") {
    std::mt19937 engine(5);
    for (std::size_t i = 0; i < 50; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 8, 12, extents);
        path_tree tree(p, left_to_right(8));
        const double before = tree.largest();
        anneal_for(tree, 40, [](const auto&) { return 1e-4; });
        CHECK(tree.largest() <= std::max(before, 40.0));
    }
}
