#include <xeinsum/plan/path/greedy.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

using xeinsum::label;
using xeinsum::planning::contraction_path;
using xeinsum::planning::greedy_rule;
using xeinsum::planning::greedy_search;
using xeinsum::planning::path_problem;
using xeinsum::planning::random_source;

namespace {

/// "ij,jk,kl->il" with i = 50, j = 40, k = 30, l = 2.
const std::vector<std::int64_t> chain_extents{50, 40, 30, 2};
path_problem chain() {
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {2, 3}};
    p.output = {0, 3};
    p.extents = chain_extents;
    return p;
}

}  // namespace

TEST_CASE("the pair that adds fewest elements goes first") {
    const path_problem p = chain();
    // ij,jk->ik sheds 1700 elements, jk,kl->jl only 1180; but jl is smaller than ik.
    CHECK(greedy_search(p, {1, 0, 0}).run() == contraction_path{{0, 1}, {2, 3}});
    CHECK(greedy_search(p, {0, 0, 0}).run() == contraction_path{{1, 2}, {0, 3}});
}

TEST_CASE("a pair beyond the limit is left for the end") {
    path_problem p = chain();
    p.largest_elements = 1000;
    CHECK(greedy_search(p, {1, 0, 0}).run() == contraction_path{{1, 2}, {0, 3}});
}

TEST_CASE("every search ends in a path, chance or not") {
    std::mt19937 engine(5);
    for (std::uint64_t i = 0; i < 200; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 2 + i % 9, 9, extents);
        CHECK(greedy_search(p, {1, 0, 0}).run().size() + 1 == p.terms.size());
        const support::path_replay replay(p, greedy_search(p, {0.5, 0.3, i}).run());
        CHECK(replay.terms.back() == support::label_set(p.output.begin(), p.output.end()));
    }
}

TEST_CASE("chance follows the seed") {
    std::vector<std::int64_t> extents(30, 3);
    path_problem p;
    for (label l = 0; l < 29; ++l) {
        p.terms.push_back({l, l + 1});
    }
    p.extents = extents;
    std::set<contraction_path> paths;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const greedy_rule rule{1, 1, seed};
        const contraction_path path = greedy_search(p, rule).run();
        CHECK(path == greedy_search(p, rule).run());
        paths.insert(path);
    }
    CHECK(paths.size() > 5);
}

TEST_CASE("terms that share one label are not all paired") {
    // "ab,ac,ad,...": each label but a is in the output.
    std::vector<std::int64_t> extents(2001, 1);
    path_problem p;
    for (label l = 1; l <= 2000; ++l) {
        p.terms.push_back({0, l});
    }
    p.extents = extents;
    CHECK(greedy_search(p, {1, 0, 0}).run().size() == 1999);
}

TEST_CASE("random numbers are those of splitmix64") {
    random_source random(1234567);
    CHECK(random.next() == 6457827717110365317U);
    CHECK(random.next() == 3203168211198807973U);
    for (int i = 0; i < 1000; ++i) {
        const double u = random.uniform();
        CHECK(u > 0);
        CHECK(u < 1);
    }
}
