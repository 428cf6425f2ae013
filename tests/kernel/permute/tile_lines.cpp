#include <xeinsum/kernel/permute/tile_lines.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::rotation;
using xeinsum::kernel::tile_line_finder;
using xeinsum::kernel::tile_lines;

namespace {

/// Finds all lines in tiles of length and compares with the loops' own count.
void check_lines(const std::vector<support::nest_row>& rows, std::int64_t length,
                 const rotation& from = {}) {
    const support::nest_rows loops(rows);
    tile_line_finder finder(loops.loops(), 1, from);
    std::vector<std::int64_t> found;
    const std::int64_t all = loops.loops().iterations();
    for (std::int64_t begin = 0; begin < all; begin += length) {
        const tile_lines lines = finder.find(begin, std::min(length, all - begin));
        for (std::size_t i = 0; i < lines.count; ++i) {
            found.push_back(lines.base + lines.offsets[i]);
        }
    }
    std::vector<std::int64_t> expected;
    support::for_each_iteration(loops.loops(), 2,
                                [&](const auto& at) { expected.push_back(at[1]); });
    const auto end = expected.begin() + from.by;
    std::for_each(expected.begin(), end, [&](std::int64_t& offset) { offset += from.step; });
    std::rotate(expected.begin(), end, expected.end());
    CHECK(found == expected);
}

}  // namespace

TEST_CASE("lines of one loop, of few and of more than the table holds") {
    check_lines({{37, 1, 5}}, 10);
    check_lines({{3000, 1, -2}}, 1000);
    check_lines({{4, 30, 7}, {6, 5, -40}, {5, 1, 300}}, 16);
    check_lines({{13, 500, 1}, {500, 1, 20}}, 300);
}

TEST_CASE("lines from another one on") {
    check_lines({{37, 1, 5}}, 10, {3, 1000});
    check_lines({{3000, 1, -2}}, 1000, {15, 7});
    check_lines({{4, 30, 7}, {6, 5, -40}, {5, 1, 300}}, 16, {13, 9000});
    check_lines({{13, 500, 1}, {500, 1, 20}}, 300, {7, 50'000});
}

TEST_CASE("lines follow each other, or not") {
    const std::int64_t even[]{0, 3, 6, 9};
    const std::int64_t uneven[]{0, 3, 6, 10};
    CHECK(tile_lines{even, 4}.follow(3));
    CHECK_FALSE(tile_lines{even, 4}.follow(4));
    CHECK_FALSE(tile_lines{uneven, 4}.follow(3));
    CHECK(tile_lines{uneven, 1}.follow(8));
    CHECK(tile_lines{even, 4, 0, 3}.follow(3));
    CHECK_FALSE(tile_lines{even, 4, 0, 3}.follow(2));
}

TEST_CASE("from the first line to the second") {
    const std::int64_t offsets[]{7, 3, 20};
    CHECK(tile_lines{offsets, 3}.first_step() == -4);
    CHECK(tile_lines{offsets, 1}.first_step() == 0);
}

TEST_CASE("lines tell the innermost of their loops, and where in it they begin") {
    // Of few lines and of more than one table holds; 13 and 300 of the innermost.
    const support::nest_rows few({{4, 1, 900}, {13, 1, 20}});
    const support::nest_rows many({{5, 1, 7}, {300, 1, -3}});
    const auto check = [](const support::nest_rows& loops, std::int64_t begin, std::size_t inner,
                          std::int64_t stride, std::size_t before) {
        tile_line_finder finder(loops.loops(), 1);
        const tile_lines lines = finder.find(begin, 5);
        CHECK(lines.inner == inner);
        CHECK(lines.inner_stride == stride);
        CHECK(lines.before == before);
        CHECK(lines.step() == stride);
    };
    check(few, 0, 13, 20, 0);
    check(few, 38, 13, 20, 12);
    check(many, 950, 300, -3, 50);
    // A single loop has no runs.
    const support::nest_rows one({{30, 1, 11}});
    tile_line_finder finder(one.loops(), 1);
    CHECK(finder.find(4, 6).inner == 1);
    CHECK(finder.find(4, 6).step() == 11);
}
