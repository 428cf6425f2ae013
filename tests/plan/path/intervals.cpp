#include <xeinsum/plan/path/intervals.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::contraction_path;
using xeinsum::planning::interval_search;
using xeinsum::planning::path_problem;
using row_of_terms = std::vector<std::uint32_t>;

namespace {

/// Fewest operations of all paths that contract neighbours of a row, by trying each.
double fewest_in_row(const path_problem& p, const row_of_terms& row) {
    double best = std::numeric_limits<double>::infinity();
    contraction_path path;
    const std::function<void(const std::vector<std::size_t>&)> extend =
        [&](const std::vector<std::size_t>& live) {
            if (live.size() == 1) {
                best = std::min(best, support::path_replay(p, path).operations);
            }
            for (std::size_t i = 0; i + 1 < live.size(); ++i) {
                std::vector<std::size_t> next(live);
                path.emplace_back(live[i], live[i + 1]);
                next[i] = p.terms.size() + path.size() - 1;
                next.erase(next.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                extend(next);
                path.pop_back();
            }
        };
    extend({row.begin(), row.end()});
    return best;
}

}  // namespace

TEST_CASE("the best tree over a row is found") {
    std::mt19937 engine(11);
    for (int i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 6, 9, extents);
        row_of_terms row{0, 1, 2, 3, 4, 5};
        std::shuffle(row.begin(), row.end(), engine);
        const contraction_path path = interval_search(p).run(row);
        CHECK(support::path_replay(p, path).operations == fewest_in_row(p, row));
    }
}

TEST_CASE("matrices are multiplied in the best order") {
    // Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, section 15.2: 15,125
    // multiplications; every one has its addition.
    std::vector<std::int64_t> extents{30, 35, 15, 5, 10, 20, 25};
    path_problem p;
    for (label l = 0; l < 6; ++l) {
        p.terms.push_back({l, l + 1});
    }
    p.output = {0, 6};
    p.extents = extents;
    const contraction_path path = interval_search(p).run({0, 1, 2, 3, 4, 5});
    CHECK(support::path_replay(p, path).operations == 2 * 15125);
}

TEST_CASE("elements and steps count as the cost says") {
    std::mt19937 engine(12);
    for (int i = 0; i < 50; ++i) {
        std::vector<std::int64_t> extents;
        path_problem p = support::random_path_problem(engine, 7, 9, extents);
        const row_of_terms row{3, 1, 0, 6, 2, 5, 4};
        const contraction_path fewest = interval_search(p).run(row);
        p.cost = {0, 1, 3};
        const contraction_path smallest = interval_search(p).run(row);
        CHECK(xeinsum::planning::measure_path(p, smallest).cost <=
              xeinsum::planning::measure_path(p, fewest).cost);
    }
}
