#include <xeinsum/plan/path/given.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using xeinsum::error_code;
using xeinsum::planning::contraction_path;
using xeinsum::planning::given_path;
using xeinsum::planning::read_path;

TEST_CASE("numbers and positions") {
    CHECK(read_path(contraction_path{{2, 1}, {0, 4}, {5, 3}}, 4, false).path ==
          contraction_path{{2, 1}, {0, 4}, {5, 3}});
    // Left are 0, 1, 2, 3; then 0, 3, (1 2); then 3, (0 (1 2)).
    CHECK(read_path(contraction_path{{2, 1}, {0, 2}, {1, 0}}, 4, true).path ==
          contraction_path{{2, 1}, {0, 4}, {5, 3}});
}

TEST_CASE("what does not contract every term once is refused") {
    struct refused {
        contraction_path pairs;
        bool linear;
        std::int64_t pair;
        std::string reason;
    };
    const std::vector<refused> cases{
        {{{0, 0}, {1, 2}}, false, 0, "a term cannot be contracted with itself"},
        {{{0, 1}, {4, 2}}, false, 1, "a term of it does not exist yet"},
        {{{0, 1}, {1, 3}}, false, 1, "a term of it was contracted before"},
        {{{1, 1}, {0, 1}}, true, 0, "a term cannot be contracted with itself"},
        {{{0, 1}, {0, 2}}, true, 1, "there are fewer terms left"},
    };
    for (const refused& c : cases) {
        const given_path found = read_path(c.pairs, 3, c.linear);
        CAPTURE(c.reason);
        CHECK(found.error.code == error_code::malformed_path);
        CHECK(found.error.expected == c.pair);
        REQUIRE(found.error.reason != nullptr);
        CHECK(found.error.reason == c.reason);
        CHECK(found.path.empty());
    }
    const given_path few = read_path(contraction_path{{0, 1}}, 3, false);
    CHECK(few.error.code == error_code::malformed_path);
    CHECK(few.error.expected == 2);
    CHECK(few.error.found == 1);
}
