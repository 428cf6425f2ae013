#include <xeinsum/kernel/memory/lines.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::kernel::line_offsets;
using xeinsum::kernel::line_table;

namespace {

/// Every stretch of some loops, against the loops themselves.
void check_lines(const std::vector<support::nest_row>& rows, bool unit_stride) {
    const support::nest_rows loops(rows);
    std::vector<std::int64_t> offsets;
    support::for_each_iteration(
        loops.loops(), 2, [&](const std::vector<std::int64_t>& at) { offsets.push_back(at[1]); });
    for (std::size_t begin = 0; begin < offsets.size(); ++begin) {
        for (std::size_t count = 1; begin + count <= offsets.size(); ++count) {
            std::vector<std::int64_t> memory(line_table::width * count + 1, -7);
            line_table table(memory.data(), count);
            const line_offsets found =
                table.fill(loops.loops(), static_cast<std::int64_t>(begin), count, 1);
            REQUIRE(found.count == count);
            CHECK(memory.back() == -7);
            for (std::size_t i = 0; i < count; ++i) {
                CHECK(found[i] == offsets[begin + i]);
                for (std::size_t n = 1; i + n <= count; ++n) {
                    bool beside = true;
                    for (std::size_t j = 1; j < n; ++j) {
                        beside = beside && found[i + j] == found[i + j - 1] + 1;
                    }
                    // A stretch that is not told costs time, one that is wrong an answer.
                    CHECK((!found.side_by_side(i, n) || beside));
                }
            }
        }
    }
    const std::int64_t inner = rows.empty() ? 1 : rows.back()[0];
    std::vector<std::int64_t> memory(line_table::width * offsets.size());
    line_table table(memory.data(), offsets.size());
    const line_offsets all = table.fill(loops.loops(), 0, offsets.size(), 1);
    CHECK(all.side_by_side(0, static_cast<std::size_t>(inner)) == (unit_stride || inner == 1));
}

}  // namespace

TEST_CASE("lines of one loop, with and without unit stride") {
    check_lines({{7, 0, 1}}, true);
    check_lines({{7, 0, 3}}, false);
    check_lines({{7, 0, -1}}, false);
}
TEST_CASE("lines of several loops") {
    check_lines({{3, 0, 20}, {4, 0, 1}}, true);
    check_lines({{2, 0, 1}, {3, 0, 40}, {2, 0, 5}}, false);
}
TEST_CASE("no loop is one line") {
    check_lines({}, true);
}
TEST_CASE("lines that lie side by side in the direction of the loop around the innermost") {
    // 2 x 5 x 3, the middle loop of unit stride
    const support::nest_rows loops({{2, 0, 100}, {5, 0, 1}, {3, 0, 20}});
    std::vector<std::int64_t> memory(line_table::width * 30);
    const line_offsets all = line_table(memory.data(), 30).fill(loops.loops(), 0, 30, 1);
    REQUIRE(all.period == 3);
    CHECK(all.stacked(0, 5));
    CHECK(all.stacked(2, 5));
    CHECK_FALSE(all.stacked(3, 5));
    CHECK(all.stacked(3, 4));
    CHECK_FALSE(all.stacked(18, 5));
    CHECK(all.sub(15, 15).stacked(0, 5));
    CHECK_FALSE(all.sub(15, 12).stacked(0, 5));
    const support::nest_rows others({{5, 0, 2}, {3, 0, 1}});
    CHECK(line_table(memory.data(), 15).fill(others.loops(), 0, 15, 1).period == 0);
}
TEST_CASE("a part of the lines knows where it ends") {
    const std::vector<std::int64_t> offsets{4, 5, 6, 8, 9};
    const std::vector<std::int64_t> runs{3, 2, 1, 2, 1};
    const line_offsets all{offsets.data(), runs.data(), 5};
    CHECK(all.side_by_side(0, 3));
    CHECK_FALSE(all.side_by_side(0, 4));
    const line_offsets part = all.sub(3, 2);
    CHECK(part.count == 2);
    CHECK(part[1] == 9);
    CHECK(part.side_by_side(0, 2));
}
