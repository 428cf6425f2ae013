#include <xeinsum/plan/grouped_arrays.hpp>

#include "../support/shared_equations.hpp"

#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::layout_view;
using xeinsum::planning::grouped_arrays;

namespace {

using numbers = std::vector<std::int64_t>;

/// "(a b) c, b (c d) -> (c a) d" of extents a b c d = 2 3 5 7.
grouped_arrays example() {
    const auto eq = xeinsum::parse("(a b) c, b (c d) -> (c a) d", xeinsum::notation::grouped);
    grouped_arrays g;
    g.ranks = {2, 2};
    g.grouping =
        xeinsum::planning::group<xeinsum::heap_storage>(eq, g.ranks, xeinsum::call_kind::einsum);
    g.lengths = {2, 3, 5, 7};
    g.label_extents = {2, 3, 5, 3, 5, 7};
    g.output_extents = {5, 2, 7};
    g.shape = {10, 7};
    return g;
}

numbers listed(xeinsum::list_view<const std::int64_t> list) {
    return {list.begin(), list.end()};
}

}  // namespace

TEST_CASE("strides of groups are taken apart, in memory that is given") {
    const grouped_arrays g = example();
    const numbers ea{6, 5}, sa{20, -1}, eb{3, 35}, sb{100, 2}, out{14, 1};
    const std::array<layout_view, 2> both{layout_view{ea, sa}, layout_view{eb, sb}};
    std::vector<std::byte> memory(g.split_bytes() + 24);
    const std::array<std::size_t, 2> all{0, 1};
    const auto split = g.split(both, all, out, memory);
    REQUIRE(split.operands.size() == 2);
    CHECK(listed(split.operands[0].extents) == numbers{2, 3, 5});
    CHECK(listed(split.operands[0].strides) == numbers{60, 20, -1});
    CHECK(listed(split.operands[1].extents) == numbers{3, 5, 7});
    CHECK(listed(split.operands[1].strides) == numbers{100, 14, 2});
    CHECK(listed(split.output_strides) == numbers{28, 14, 1});
    CHECK(split.rest.size() == 24);
    CHECK(split.rest.data() + 24 == memory.data() + memory.size());
    // The second operand alone.
    const std::array<layout_view, 1> one{layout_view{eb, sb}};
    const std::array<std::size_t, 1> second{1};
    const auto part = g.split(one, second, out, memory);
    REQUIRE(part.operands.size() == 1);
    CHECK(listed(part.operands[0].extents) == numbers{3, 5, 7});
    CHECK(listed(part.operands[0].strides) == numbers{100, 14, 2});
    CHECK(listed(part.output_strides) == numbers{28, 14, 1});
}

TEST_CASE("a problem points at the group of its axis") {
    const grouped_arrays g = example();
    xeinsum::problem p;
    p.second = {1, 1, 34};
    g.locate(p);
    CHECK(p.column == 12);  // (a b) c, b (
    CHECK(p.length == 5);
    xeinsum::problem nowhere;
    g.locate(nowhere);
    CHECK(nowhere.column == 0);
}
