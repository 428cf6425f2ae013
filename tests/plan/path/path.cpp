#include <xeinsum/plan/path/path.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using support::path_replay;
using xeinsum::label;
using xeinsum::options;
using xeinsum::path_strategy;
using xeinsum::planning::contraction_path;
using xeinsum::planning::find_path;
using xeinsum::planning::find_sliced_path;
using xeinsum::planning::path_problem;
using xeinsum::planning::peak_elements;
using xeinsum::planning::sliced_path;

namespace {

options by(path_strategy strategy) {
    options wanted;
    wanted.path = strategy;
    return wanted;
}

}  // namespace

TEST_CASE("a chain is contracted from its cheap end") {
    // "ij,jk,kl->il" with i = 50, j = 40, k = 30, l = 2
    const std::vector<std::int64_t> extents{50, 40, 30, 2};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {2, 3}};
    p.output = {0, 3};
    p.extents = extents;
    const contraction_path expected{{1, 2}, {0, 3}};
    for (const auto strategy : {path_strategy::optimal, path_strategy::automatic,
                                path_strategy::greedy, path_strategy::random_greedy}) {
        CHECK(find_path(p, by(strategy)) == expected);
    }
}

TEST_CASE("least memory keeps fewest elements at a time") {
    std::mt19937 engine(11);
    int smaller = 0;
    for (std::size_t i = 0; i < 60; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p =
            support::random_path_problem(engine, 4 + i % 14, 4 + static_cast<int>(i % 9), extents);
        CAPTURE(i);
        const auto peak = [&](path_strategy strategy) {
            const contraction_path path = find_sliced_path(p, by(strategy)).path;
            static_cast<void>(path_replay(p, path));  // it is one
            return peak_elements(p, path);
        };
        const double least = peak(path_strategy::least_memory);
        CHECK(least <= peak(path_strategy::automatic));
        CHECK(least <= peak(path_strategy::greedy));
        smaller += least < peak(path_strategy::automatic) ? 1 : 0;
    }
    CHECK(smaller > 5);
}

TEST_CASE("optimal is best, the others are paths, whatever the network") {
    std::mt19937 engine(5);
    for (std::size_t i = 0; i < 200; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p =
            support::random_path_problem(engine, 2 + i % 4, 2 + static_cast<int>(i % 6), extents);
        CAPTURE(i);
        const double best = support::fewest_operations(p);
        CHECK(path_replay(p, find_path(p, by(path_strategy::optimal))).operations == best);
        CHECK(path_replay(p, find_path(p, by(path_strategy::automatic))).operations == best);
        CHECK(path_replay(p, find_path(p, by(path_strategy::greedy))).operations >= best);
        CHECK(path_replay(p, find_path(p, by(path_strategy::random_greedy))).operations == best);
    }
}

TEST_CASE("the limit on intermediates is kept where it can be") {
    std::mt19937 engine(6);
    int limited = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        std::vector<std::int64_t> extents;
        path_problem p = support::random_path_problem(engine, 4 + i % 2, 7, extents);
        p.largest_elements = 40;
        const double best = support::fewest_operations(p);
        const contraction_path path = find_path(p, by(path_strategy::optimal));
        if (path.empty()) {
            ++limited;
            CHECK(best == std::numeric_limits<double>::infinity());
            const sliced_path sliced = find_sliced_path(p, by(path_strategy::optimal));
            CHECK(sliced.error.ok());
            CHECK(!sliced.slices.empty());
        } else {
            CHECK(path_replay(p, path).largest <= 40);
            CHECK(path_replay(p, path).operations == best);
            CHECK(find_sliced_path(p, by(path_strategy::optimal)).slices.empty());
        }
    }
    CHECK(limited > 0);
    CHECK(limited < 200);
}

TEST_CASE("twenty times the same operand is no search") {
    const std::vector<std::int64_t> extents{3, 4};
    path_problem p;
    p.terms.assign(20, {0, 1});
    p.output = {0};
    p.extents = extents;
    const path_replay replay(p, find_path(p, by(path_strategy::optimal)));
    CHECK(replay.operations == 12 * 18 + 2 * 12);
}

TEST_CASE("equal terms lose the labels that only they have when they meet") {
    // "ab,ab,bc,c->": b and c go on, a is summed where the first two meet.
    const std::vector<std::int64_t> extents{30, 5, 7};
    path_problem p;
    p.terms = {{0, 1}, {0, 1}, {1, 2}, {2}};
    p.extents = extents;
    const path_replay replay(p, find_path(p, by(path_strategy::greedy)));
    CHECK(replay.terms[4] == support::label_set{1});
    CHECK(replay.operations == 2 * 150 + 2 * 35 + 2 * 5);
}

TEST_CASE("terms that are merged may be sums of operands") {
    const std::vector<std::int64_t> extents{2, 3, 4, 5, 6, 7};
    path_problem p;
    for (label l = 0; l < 5; ++l) {
        p.terms.insert(p.terms.end(), 9, {l, l + 1});
    }
    p.extents = extents;
    p.summed_terms = {44};
    CHECK(path_replay(p, find_path(p, by(path_strategy::automatic))).terms.back().empty());
    p.largest_elements = 30;
    CHECK(!find_sliced_path(p, by(path_strategy::automatic)).slices.empty());
}

TEST_CASE("many terms, most of them unconnected") {
    std::vector<std::int64_t> extents(100, 2);
    path_problem p;
    for (label l = 0; l < 100; l += 2) {
        p.terms.push_back({l, l + 1});
        p.terms.push_back({l + 1});
    }
    p.extents = extents;
    p.output = {0, 2};
    for (const auto strategy :
         {path_strategy::automatic, path_strategy::greedy, path_strategy::random_greedy}) {
        const contraction_path path = find_path(p, by(strategy));
        CHECK(path.size() == 99);
        CHECK(path_replay(p, path).terms.back() == support::label_set{0, 2});
    }
}

TEST_CASE("the caller's pairs are followed or refused") {
    const std::vector<std::int64_t> extents{50, 40, 30, 2};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {2, 3}};
    p.output = {0, 3};
    p.extents = extents;
    const contraction_path costly{{0, 1}, {2, 3}};
    options wanted = by(path_strategy::numbered_pairs);
    wanted.path_pairs = costly;
    CHECK(find_sliced_path(p, wanted).path == costly);
    wanted.path = path_strategy::linear_pairs;
    CHECK(find_sliced_path(p, wanted).error.code == xeinsum::error_code::malformed_path);
    const contraction_path linear{{0, 1}, {0, 1}};
    wanted.path_pairs = linear;
    CHECK(find_sliced_path(p, wanted).path == contraction_path{{0, 1}, {2, 3}});
}
