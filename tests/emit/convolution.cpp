#include <xeinsum/emit/convolution.hpp>

#include <doctest/doctest.h>

using namespace xeinsum::emission;

namespace {

label_table extents(std::vector<std::int64_t> list, std::vector<bool> dynamic) {
    return {list, dynamic, std::vector<std::string>(list.size())};
}

}  // namespace

TEST_CASE("positions in front, groups, a window of two axes") {
    // bchw,chw->bc
    const builder b(extents({2, 3, 4, 5}, {true, false, false, false}),
                    {{{0}, {1}, {2}, {3}}, {{1}, {2}, {3}}});
    const auto w = find_convolution(pair(b, 0, 1, {0, 1}, true));
    REQUIRE(w.has_value());
    CHECK(!w->swapped);
    CHECK(w->first == shape{{0}, {1}, {2}, {3}});
    CHECK(w->second == shape{{1}, {}, {2}, {3}});
    CHECK(w->result == shape{{0}, {1}, {}, {}});
}

TEST_CASE("positions behind the groups lie behind the window") {
    // abg,abgf->gf: the second operand is the data
    const builder b(extents({2, 3, 4, 5}, {false, false, false, false}),
                    {{{0}, {1}, {2}}, {{0}, {1}, {2}, {3}}});
    const auto w = find_convolution(pair(b, 0, 1, {2, 3}, true));
    REQUIRE(w.has_value());
    CHECK(w->swapped);
    CHECK(w->first == shape{{}, {2}, {0, 1}, {3}});
    CHECK(w->second == shape{{2}, {}, {0, 1}, {}});
    CHECK(w->result == shape{{}, {2}, {}, {3}});
}

TEST_CASE("what is no grouped convolution") {
    const auto found = [](std::vector<bool> dynamic, const shape& lhs, const shape& rhs,
                          std::vector<xeinsum::label> result) {
        const builder b(extents({2, 3, 4, 5}, std::move(dynamic)), {lhs, rhs});
        return find_convolution(pair(b, 0, 1, std::move(result), true)).has_value();
    };
    const std::vector<bool> fixed(4, false);
    CHECK(found(fixed, {{0}, {1}, {2}}, {{0}, {1}}, {0, 2}));
    // both have free labels; nothing is summed; there is no group; a run-time number of groups
    CHECK(!found(fixed, {{0}, {1}, {2}}, {{0}, {1}, {3}}, {0, 2, 3}));
    CHECK(!found(fixed, {{0}, {1}, {2}}, {{0}, {1}}, {0, 1, 2}));
    CHECK(!found(fixed, {{1}, {2}}, {{1}}, {2}));
    CHECK(!found({true, false, false, false}, {{0}, {1}, {2}}, {{0}, {1}}, {0, 2}));
}
