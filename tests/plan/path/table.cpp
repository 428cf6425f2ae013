// The networks of paths.tsv, such as [1,0],[2,3,0],[2,1,3]->[], against the searches of opt_einsum.
#include "../../support/path_replay.hpp"
#include "../../support/path_table.hpp"

#include <xeinsum/plan/path/path.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {

using xeinsum::path_strategy;

struct network : support::path_table_row {
    explicit network(const path_table_row& row) : path_table_row(row) {}

    [[nodiscard]] double operations(path_strategy strategy) const {
        xeinsum::options wanted;
        wanted.path = strategy;
        const auto p = problem();
        return support::path_replay(p, xeinsum::planning::find_path(p, wanted)).operations;
    }
};

std::vector<network> networks() {
    std::vector<network> all;
    for (const auto& row : support::read_path_table(XEINSUM_PATH_TABLE)) {
        all.emplace_back(row);
    }
    REQUIRE(all.size() == 42);
    return all;
}

}  // namespace

TEST_CASE("optimal needs no more operations than any search of opt_einsum") {
    int rows = 0;
    for (const network& n : networks()) {
        if (n.optimal == 0 && n.dynamic == 0) {
            continue;
        }
        CAPTURE(n.name);
        const double ours = n.operations(path_strategy::optimal);
        for (const double theirs : {n.optimal, n.dynamic}) {
            CHECK((theirs == 0 || ours <= theirs));
        }
        CHECK((n.optimal == 0 || ours == n.optimal));
        ++rows;
    }
    CHECK(rows == 36);
}

TEST_CASE("greedy needs no more operations than opt_einsum's greedy, and never twice as many") {
    double logarithms = 0;
    for (const network& n : networks()) {
        CAPTURE(n.name);
        const double ratio = n.operations(path_strategy::greedy) / n.greedy;
        CHECK(ratio <= 2);
        logarithms += std::log(ratio);
    }
    CHECK(logarithms <= 0);
}

TEST_CASE("automatic needs no more operations than 128 random greedy paths of opt_einsum") {
    double automatic = 0;
    double random = 0;
    for (const network& n : networks()) {
        CAPTURE(n.name);
        automatic += std::log(n.operations(path_strategy::automatic) / n.random);
        random += std::log(n.operations(path_strategy::random_greedy) / n.random);
    }
    CHECK(automatic <= 0);
    CHECK(random <= 0);
}
