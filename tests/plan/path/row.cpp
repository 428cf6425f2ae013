#include <xeinsum/plan/path/row.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::path_problem;
using xeinsum::planning::term_row;

namespace {

/// Whether each term is in the row once.
bool has_all(const std::vector<std::uint32_t>& row, std::size_t terms) {
    std::vector<std::uint32_t> sorted(row);
    std::sort(sorted.begin(), sorted.end());
    bool all = sorted.size() == terms;
    for (std::uint32_t t = 0; all && t < terms; ++t) {
        all = sorted[t] == t;
    }
    return all;
}

}  // namespace

TEST_CASE("a shuffled chain of matrices is put into order") {
    std::mt19937 engine(8);
    std::vector<label> links(40);
    for (label l = 0; l < 40; ++l) {
        links[static_cast<std::size_t>(l)] = l;
    }
    std::shuffle(links.begin(), links.end(), engine);
    path_problem p;
    std::vector<std::int64_t> extents;
    for (label l = 0; l <= 40; ++l) {
        extents.push_back(3 + l % 5);
    }
    for (const label l : links) {
        p.terms.push_back({l, l + 1});
    }
    p.output = {0, 40};
    p.extents = extents;
    const std::vector<std::uint32_t> row = term_row(p, 0.2, 4).run();
    REQUIRE(has_all(row, 40));
    std::size_t most = 0;
    for (std::size_t place = 1; place < 40; ++place) {
        std::size_t crossing = 0;
        for (label l = 1; l < 40; ++l) {
            const auto holds = [&](std::uint32_t t) { return links[t] == l || links[t] + 1 == l; };
            const auto middle = row.begin() + static_cast<std::ptrdiff_t>(place);
            crossing +=
                std::any_of(row.begin(), middle, holds) && std::any_of(middle, row.end(), holds)
                    ? 1
                    : 0;
        }
        most = std::max(most, crossing);
    }
    CHECK(most <= 2);
}

TEST_CASE("rows hold each term once and depend on the seed alone") {
    std::mt19937 engine(6);
    bool differs = false;
    for (int i = 0; i < 30; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = support::random_path_problem(engine, 30, 50, extents);
        for (const double imbalance : {0.0, 0.2, 1.0}) {
            const auto row = term_row(p, imbalance, 1).run();
            CHECK(has_all(row, 30));
            CHECK(row == term_row(p, imbalance, 1).run());
            differs = differs || row != term_row(p, imbalance, 2).run();
        }
    }
    CHECK(differs);
}

TEST_CASE("terms without labels in common, and one term, are rows as well") {
    std::vector<std::int64_t> extents{2, 1, 3};
    path_problem p;
    p.terms = {{0}, {1}, {1}, {}, {2}};
    p.output = {0, 2};
    p.extents = extents;
    CHECK(has_all(term_row(p, 0.4, 0).run(), 5));
    p.terms.resize(1);
    CHECK(term_row(p, 0.4, 0).run() == std::vector<std::uint32_t>{0});
}
