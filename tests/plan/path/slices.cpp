#include <xeinsum/plan/path/slices.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using xeinsum::label_slices;
using xeinsum::planning::contraction_path;
using xeinsum::planning::next_slice_extent;
using xeinsum::planning::path_problem;
using xeinsum::planning::slice_search;

TEST_CASE("extents are divided without rest") {
    CHECK(next_slice_extent(12) == 6);
    CHECK(next_slice_extent(15) == 5);
    CHECK(next_slice_extent(7) == 1);
    CHECK(next_slice_extent(2) == 1);
}

TEST_CASE("the label that costs nothing is cut") {
    // "ij,jk,kl->il" by (0, 1): ik has 600 elements. Cutting i makes each part do its own rows,
    // cutting k makes the second step add up; neither costs operations, and i is longer.
    const std::vector<std::int64_t> extents{30, 7, 20, 4};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {2, 3}};
    p.output = {0, 3};
    p.extents = extents;
    p.largest_elements = 300;
    const contraction_path path{{0, 1}, {2, 3}};
    slice_search search(p, path);
    REQUIRE(search.run());
    const std::vector<label_slices> cut = search.slices();
    REQUIRE(cut.size() == 1);
    CHECK(cut[0].id == 0);
    CHECK(cut[0].extent == 15);
    CHECK(cut[0].count == 2);
    CHECK(cut[0].kept);
    CHECK(search.cost() == support::path_replay(p, path).operations);
}

TEST_CASE("slices keep any limit of at least one element") {
    std::mt19937 engine(4);
    for (int i = 0; i < 100; ++i) {
        std::vector<std::int64_t> extents;
        path_problem p = support::random_path_problem(engine, 5, 7, extents);
        p.largest_elements = 1 + i % 20;
        const contraction_path path{{3, 1}, {0, 4}, {5, 2}, {6, 7}};
        const double whole = support::path_replay(p, path).operations;
        slice_search search(p, path);
        REQUIRE(search.run());
        std::vector<std::int64_t> sliced = extents;
        double count = 1;
        for (const label_slices& s : search.slices()) {
            const auto l = static_cast<std::size_t>(s.id);
            CHECK(s.extent * s.count == extents[l]);
            CHECK(s.kept == (std::count(p.output.begin(), p.output.end(), s.id) == 1));
            sliced[l] = s.extent;
            count *= static_cast<double>(s.count);
        }
        p.extents = sliced;
        const support::path_replay replay(p, path);
        CHECK(replay.largest <= p.largest_elements);
        CHECK(search.cost() == replay.operations * count);
        CHECK(search.cost() >= whole);
    }
}

TEST_CASE("less than one element is no limit that slices keep") {
    const std::vector<std::int64_t> extents{3, 4};
    path_problem p;
    p.terms = {{0}, {0, 1}, {1}};
    p.extents = extents;
    p.largest_elements = 0.5;
    const contraction_path path{{0, 1}, {2, 3}};
    CHECK(!slice_search(p, path).run());
}

TEST_CASE("terms that are intermediates themselves are cut too") {
    const std::vector<std::int64_t> extents{8, 3};
    path_problem p;
    p.terms = {{0}, {0, 1}, {1}};
    p.extents = extents;
    p.largest_elements = 4;
    const contraction_path path{{0, 1}, {2, 3}};
    slice_search without(p, path);
    REQUIRE(without.run());
    CHECK(without.slices().empty());
    p.summed_terms = {0};
    slice_search with(p, path);
    REQUIRE(with.run());
    REQUIRE(with.slices().size() == 1);
    CHECK(with.slices()[0].extent == 4);
    CHECK(!with.slices()[0].kept);
}
