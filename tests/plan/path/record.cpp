#include <xeinsum/plan/path/record.hpp>

#include <doctest/doctest.h>

#include <vector>

using xeinsum::options;
using xeinsum::path_strategy;
using xeinsum::planning::path_record;

TEST_CASE("a path that is given takes the place of a search") {
    path_record record{{{1, 2}, {0, 3}}, {{2, 4}}, false};
    const std::vector<xeinsum::sliced_label> own{{0, 2}};
    const options wanted{.path = path_strategy::greedy, .memory_limit = 100, .slices = own};
    const options found = record.followed_by(wanted);
    CHECK(plan_alike(found, wanted));
    record.given = true;
    const options followed = record.followed_by(wanted);
    CHECK(followed.path == path_strategy::numbered_pairs);
    CHECK(followed.path_pairs.data() == record.path.data());
    REQUIRE(followed.slices.size() == 1);
    CHECK(followed.slices[0] == xeinsum::sliced_label{2, 4});
    CHECK(followed.memory_limit == 100);
}

TEST_CASE("where no search was needed, only a short one is made") {
    const path_record record{{}, {}, true};
    CHECK(record.followed_by({}).path == path_strategy::automatic);
    // Which finds no pairs.
    CHECK(record.followed_by({.path = path_strategy::random_greedy}).path ==
          path_strategy::numbered_pairs);
}
