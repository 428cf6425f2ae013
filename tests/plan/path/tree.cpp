#include <xeinsum/plan/path/tree.hpp>

#include <xeinsum/plan/path/random_source.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::contraction_path;
using xeinsum::planning::path_problem;
using xeinsum::planning::path_tree;
using xeinsum::planning::random_source;

namespace {

/// Contracts 0 and 1, the result and 2, and so on.
contraction_path left_to_right(std::size_t terms) {
    contraction_path path;
    for (std::size_t t = 1; t < terms; ++t) {
        path.emplace_back(t, t == 1 ? 0 : terms + t - 2);
    }
    return path;
}

void check_figures(const path_problem& p, const path_tree<path_problem>& tree) {
    const support::path_replay expected(p, tree.path());
    CHECK(tree.cost() == expected.operations);
    CHECK(tree.cost({0, 0, 3}) == 3 * static_cast<double>(p.terms.size() - 1));
    CHECK(tree.largest() == expected.largest);
}

}  // namespace

TEST_CASE("a tree keeps its path's operations and knows them") {
    std::mt19937 engine(8);
    for (std::size_t i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 2 + i % 8, 9, extents);
        const contraction_path path = left_to_right(p.terms.size());
        const path_tree tree(p, path);
        CHECK(tree.cost() == support::path_replay(p, path).operations);
        check_figures(p, tree);
    }
}

TEST_CASE("any number of rotations leaves a path of the same terms that costs what is claimed") {
    std::mt19937 engine(9);
    random_source random(1);
    int changed = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 3 + i % 9, 12, extents);
        path_tree tree(p, left_to_right(p.terms.size()));
        const auto start = tree.shape();
        const contraction_path before = tree.path();
        for (std::size_t n = 0; n < 60; ++n) {
            // 0: every rotation is accepted.
            tree.rotate(tree.leaves() + n % (tree.nodes() - tree.leaves()), random, {0});
        }
        check_figures(p, tree);
        changed += tree.path() != before ? 1 : 0;
        tree.restore(start);
        CHECK(tree.path() == before);
        check_figures(p, tree);
    }
    CHECK(changed > 90);
}

TEST_CASE("rotations that are dearer, or make more of a large intermediate, can be refused") {
    std::mt19937 engine(10);
    random_source random(2);
    for (std::size_t i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 6, 7, extents);
        path_tree cheaper(p, left_to_right(6));
        path_tree smaller(p, left_to_right(6));
        for (std::size_t n = 0; n < 60; ++n) {
            const double cost = cheaper.cost();
            cheaper.rotate(6 + n % 5, random, {});
            CHECK(cheaper.cost() <= cost);
            const double largest = smaller.largest();
            smaller.rotate(6 + n % 5, random, {.sharpness = 0, .largest_elements = largest - 1});
            CHECK(smaller.largest() <= largest);
        }
    }
}

TEST_CASE("labels of many extents, more than 64 of them") {
    // Matrices in a row; extents 2, 3, 4 and many of each, so that words hold one or several.
    std::vector<std::int64_t> extents;
    path_problem p;
    for (label l = 0; l < 150; ++l) {
        p.terms.push_back({l, l + 1});
    }
    for (label l = 0; l <= 150; ++l) {
        extents.push_back(2 + l * 7 % 3);
    }
    p.output = {0, 150};
    p.extents = extents;
    random_source random(3);
    path_tree tree(p, left_to_right(150));
    CHECK(tree.words() == 3);
    for (std::size_t n = 0; n < 3000; ++n) {
        tree.rotate(150 + n % 149, random, {1});
    }
    check_figures(p, tree);
}

TEST_CASE("a cut label costs what is foretold, and what a slice costs, times the slices") {
    std::mt19937 engine(11);
    for (std::size_t i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        path_problem p = support::random_path_problem(engine, 6, 7, extents);
        for (std::int64_t& e : extents) {
            e *= 2;
        }
        path_tree tree(p, left_to_right(6));
        p.cost = {1, 3, 5};
        path_tree by_elements(p, left_to_right(6));
        std::vector<std::int64_t> sliced = extents;
        for (std::size_t bit = 0; bit < extents.size(); ++bit) {
            const double parts = bit % 2 == 0 ? 2 : tree.extent(bit);
            const double foretold = tree.cost_of_cut(tree.pairs(), bit, parts);
            tree.cut(bit, parts);
            CHECK(tree.cost() == foretold);
            const double with_elements = by_elements.cost_of_cut(by_elements.pairs(), bit, parts);
            by_elements.cut(bit, parts);
            CHECK(by_elements.cost() == with_elements);
            CHECK(by_elements.cost() == by_elements.cost(p.cost));
        }
        for (std::size_t l = 0; l < extents.size(); ++l) {
            sliced[l] = static_cast<std::int64_t>(tree.extent_of(static_cast<label>(l)));
        }
        p.extents = sliced;
        const support::path_replay slice(p, tree.path());
        CHECK(tree.cost() == slice.operations * tree.slices());
        CHECK(tree.largest() == slice.largest);
    }
}

TEST_CASE("the largest intermediate is told before the pair with most products") {
    // "ab,bc,cd->ad" with 2, 3, 5, 7 by (0, 1): ac has 10 elements, a c d 70 products.
    const std::vector<std::int64_t> extents{2, 3, 5, 7};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {2, 3}};
    p.output = {0, 3};
    p.extents = extents;
    const path_tree tree(p, {{0, 1}, {2, 3}});
    using bits = std::vector<std::size_t>;
    CHECK(tree.excess(9, 69) == bits{0, 2});
    CHECK(tree.excess(10, 69) == bits{0, 2, 3});
    CHECK(tree.excess(10, 70).empty());
}

TEST_CASE("a deep path is no deep recursion") {
    std::vector<std::int64_t> extents(5001, 2);
    path_problem p;
    for (label l = 0; l < 5000; ++l) {
        p.terms.push_back({l, l + 1});
    }
    p.extents = extents;
    const path_tree tree(p, left_to_right(5000));
    CHECK(tree.path().size() == 4999);
}
