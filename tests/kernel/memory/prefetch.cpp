#include <xeinsum/kernel/memory/prefetch.hpp>

#include "../../support/line_list.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::line_prefetcher;
using xeinsum::kernel::upcoming_lines;

namespace {

const std::vector<float> memory(1000, 1.0F);

/// Where the cache lines begin that are prefetched, in elements.
std::vector<std::ptrdiff_t> prefetched(line_prefetcher lines) {
    std::vector<std::ptrdiff_t> found;
    while (lines.goes_on()) {
        found.push_back(reinterpret_cast<const float*>(lines.position()) - memory.data());
        lines.next_line();
    }
    return found;
}

}  // namespace

TEST_CASE("lines are prefetched one cache line after the other") {
    const upcoming_lines<float> three{memory.data() + 7, 100, 3, 20 * sizeof(float)};
    CHECK(prefetched(line_prefetcher(three, 1)) ==
          std::vector<std::ptrdiff_t>{7, 23, 107, 123, 207, 223});
    const upcoming_lines<float> back{memory.data() + 300, -50, 2, 64};
    CHECK(prefetched(line_prefetcher(back, 1)) == std::vector<std::ptrdiff_t>{300, 250});
    CHECK(prefetched(line_prefetcher(upcoming_lines<float>(), 4)).empty());
}

TEST_CASE("shares are equal and the last ones may find nothing") {
    const upcoming_lines<float> lines{memory.data(), 100, 7, 20 * sizeof(float)};
    line_prefetcher fetcher(lines, 5);
    CHECK(fetcher.share() == 3);
    for (const std::ptrdiff_t position : {116, 300, 416, 600}) {
        fetcher.next_share();
        CHECK(reinterpret_cast<const float*>(fetcher.position()) == memory.data() + position);
    }
    fetcher.next_share();
    CHECK_FALSE(fetcher.goes_on());
    fetcher.next_share();
    CHECK_FALSE(fetcher.goes_on());
}

TEST_CASE("blocks are prefetched along what lies side by side, a piece after the other") {
    const support::line_list apart({0, 100, 250});
    const auto in_pieces = support::line_list::in_runs(25, 20, 17);
    const auto lines = apart.view();
    const auto across = in_pieces.view();
    const std::vector<std::ptrdiff_t> expected{0, 16, 37, 100, 116, 137, 250, 266, 287};
    const auto block = xeinsum::kernel::block_of(memory.data(), lines, across);
    CHECK(prefetched(line_prefetcher(block, 1)) == expected);
    CHECK(prefetched(line_prefetcher(xeinsum::kernel::block_of(memory.data(), across, lines), 1)) ==
          expected);
    CHECK(line_prefetcher(block, 4).share() == 3);
    CHECK(line_prefetcher(block, 9).share() == 1);
    // nothing side by side
    CHECK(prefetched(line_prefetcher(xeinsum::kernel::block_of(memory.data(), lines, lines), 1))
              .empty());
}

TEST_CASE("a share is spread over the steps of a tile") {
    const upcoming_lines<float> lines{memory.data(), 100, 7, 20 * sizeof(float)};
    const line_prefetcher fetcher(lines, 5);
    CHECK(fetcher.steps_per_line(11) == 3);
    CHECK(fetcher.steps_per_line(2) == 1);
    CHECK(line_prefetcher(upcoming_lines<float>(), 5).steps_per_line(11) == 11);
}

TEST_CASE("columns of a block lie along the innermost loop, up to its end") {
    // rhs of "kab" as columns (b, a) of 3 x 20, b 50 apart, and 7 rows, 200 apart
    const support::nest_rows n({{3, 0, 0, 50}, {20, 0, 0, 1}});
    const support::nest_rows k({{7, 0, 0, 200}});
    std::vector<float> rhs(7 * 200);
    const auto check = [&](std::int64_t begin, std::ptrdiff_t at, std::size_t columns) {
        const auto lines =
            xeinsum::kernel::columns_from(rhs.data(), n.loops(), k.loops(), 2, begin, 8);
        CAPTURE(begin);
        CHECK(lines.from - rhs.data() == at);
        CHECK(lines.line == 200);
        CHECK(lines.count == 7);
        CHECK(lines.bytes == columns * sizeof(float));
    };
    check(0, 0, 8);
    check(16, 16, 4);   // the loop ends
    check(25, 55, 8);   // in the second b
    check(59, 119, 1);  // the last one
    CHECK(xeinsum::kernel::columns_from(rhs.data(), n.loops(), k.loops(), 2, 60, 8).count == 0);
}
