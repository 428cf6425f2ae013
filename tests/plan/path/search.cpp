#include <xeinsum/plan/path/search.hpp>

#include "../../support/network_file.hpp"
#include "../../support/path_replay.hpp"

#include <xeinsum/plan/path/given.hpp>
#include <xeinsum/plan/path/path.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using support::path_replay;
using support::published_network;
using xeinsum::planning::path_problem;

namespace {

published_network network(const std::string& name) {
    for (published_network& n : support::read_networks(XEINSUM_NETWORKS)) {
        if (n.name == name) {
            return n;
        }
    }
    FAIL("there is no network " << name);
    return {};
}

double log10_operations(const published_network& n, const xeinsum::options& wanted) {
    const path_problem p = n.problem();
    const auto found = xeinsum::planning::find_path(p, wanted);
    CHECK(found == xeinsum::planning::find_path(p, wanted));
    return std::log10(path_replay(p, found).operations);
}

}  // namespace

TEST_CASE("published paths take the operations that are published") {
    int paths = 0;
    for (const published_network& n : support::read_networks(XEINSUM_NETWORKS)) {
        CAPTURE(n.name);
        if (n.pairs.empty()) {
            continue;
        }
        const auto given = xeinsum::planning::read_path(n.pairs, n.terms.size(), true);
        REQUIRE(given.error.ok());
        const path_replay replay(n.problem(), given.path);
        CHECK(std::log10(replay.operations) == doctest::Approx(n.log10_operations).epsilon(1e-5));
        ++paths;
    }
    CHECK(paths == 4);
}

TEST_CASE("automatic needs hardly more operations than were published, in a tenth of the run") {
    for (const char* name : {"gm_queen5_5_3.wcsp", "str_nw_mera_open_26"}) {
        CAPTURE(name);
        const published_network n = network(name);
        CHECK(log10_operations(n, {}) <= n.log10_operations + std::log10(1.05));
    }
    // Here a tenth of the run is half a millisecond.
    for (const char* name :
         {"lm_batch_likelihood_brackets_4_4d", "lm_batch_likelihood_sentence_4_4d"}) {
        CAPTURE(name);
        const published_network n = network(name);
        CHECK(log10_operations(n, {}) <= n.log10_operations + std::log10(1.2));
    }
}

TEST_CASE(
    "a search takes a share of the run, as long as greedy at least, and what is allowed at most") {
    using xeinsum::planning::automatic_seconds;
    using xeinsum::planning::greedy_seconds;
    using xeinsum::planning::search_share;
    CHECK(automatic_seconds(1, 10, 30) == 10 * search_share);
    CHECK(automatic_seconds(1, 0, 30) == 60 * greedy_seconds);
    CHECK(automatic_seconds(1, 1e9, 30) == 1);
    CHECK(automatic_seconds(0, 1e9, 30) == 0);
}

TEST_CASE("each seed finds a path of its own, the same each time; a limit is kept") {
    const published_network n = network("str_nw_mera_open_26");
    path_problem p = n.problem();
    const auto one = xeinsum::planning::searched_path(p, 0, 1);
    CHECK(one == xeinsum::planning::searched_path(p, 0, 1));
    CHECK(one != xeinsum::planning::searched_path(p, 0, 2));
    p.largest_elements = 0x1p24;
    CHECK(path_replay(p, xeinsum::planning::searched_path(p, 0.01, 0)).largest <= 0x1p24);
    const auto random = xeinsum::planning::random_greedy_path(p, 20, 1);
    CHECK(random == xeinsum::planning::random_greedy_path(p, 20, 1));
    CHECK(path_replay(p, random).largest <= 0x1p24);
}

TEST_CASE("networks whose labels take too much room are not annealed") {
    std::vector<std::int64_t> extents(20001, 2);
    path_problem p;
    for (xeinsum::label l = 0; l < 20000; ++l) {
        p.terms.push_back({l, l + 1});
    }
    p.extents = extents;
    CHECK(!xeinsum::planning::fits_a_tree(p));
    CHECK(xeinsum::planning::searched_path(p, 1, 0).size() == 19999);
}

TEST_CASE("more time is spent where a run is long") {
    // The cheapest of 128 random greedy paths, refined, took 10^13.1 operations.
    const published_network regular = network("cot_randreg_200_3_a");
    CHECK(log10_operations(regular, {.path_seconds = 0}) > 14);
    CHECK(log10_operations(regular, {.path_seconds = 0.1}) < 12.5);
}

TEST_CASE("paths by bisection are tried where there is time, and mend what greedy ones spoil") {
    // A cubic lattice of 6 x 6 x 10: greedy starts end at 10^20 operations in this time.
    constexpr int width = 6;
    constexpr int length = 10;
    path_problem p;
    p.terms.resize(width * width * length);
    xeinsum::label next = 0;
    for (int t = 0; t < width * width * length; ++t) {
        const auto join = [&](bool inside, int step) {
            if (inside) {
                p.terms[static_cast<std::size_t>(t)].push_back(next);
                p.terms[static_cast<std::size_t>(t + step)].push_back(next++);
            }
        };
        join(t % length + 1 < length, 1);
        join(t / length % width + 1 < width, length);
        join(t / length / width + 1 < width, length * width);
    }
    const std::vector<std::int64_t> extents(static_cast<std::size_t>(next), 2);
    p.extents = extents;
    using xeinsum::planning::bisection_draws;
    CHECK(bisection_draws(p, 0.01, true) == 0);
    CHECK(bisection_draws(p, 0.1, true) == 1);
    CHECK(bisection_draws(p, 0.1, false) == 0);
    CHECK(bisection_draws(p, 1, false) > 1);
    CHECK(bisection_draws(p, 100, true) == 8);
    const auto found = xeinsum::planning::searched_path(p, 0.1, 0);
    CHECK(std::log10(path_replay(p, found).operations) < 17.5);
}

TEST_CASE("a circuit whose intermediates no machine holds is cut into slices") {
    const published_network circuit = network("cot_sycamore_n53_m20_s0_e0_pABCDCDAB");
    path_problem p = circuit.problem();
    p.largest_elements = 0x1p30;
    const auto found = xeinsum::planning::find_sliced_path(p, {.path_seconds = 0.1});
    REQUIRE(found.error.ok());
    std::vector<std::int64_t> sliced = circuit.extents;
    double slices = 1;
    for (const xeinsum::label_slices& s : found.slices) {
        sliced[static_cast<std::size_t>(s.id)] = s.extent;
        slices *= static_cast<double>(s.count);
    }
    p.extents = sliced;
    const path_replay slice(p, found.path);
    CHECK(slice.largest <= 0x1p30);
    CHECK(std::log10(slice.operations * slices) < 20);
}
