#include <xeinsum/kernel/fetch_ahead.hpp>

#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using xeinsum::kernel::line_fetcher;
using xeinsum::kernel::upcoming_lines;

namespace {

const std::vector<float> memory(1000, 1.0F);

/// Where the cache lines begin that are fetched, in elements.
std::vector<std::ptrdiff_t> fetched(line_fetcher lines) {
    std::vector<std::ptrdiff_t> found;
    while (lines.goes_on()) {
        found.push_back(reinterpret_cast<const float*>(lines.position()) - memory.data());
        lines.next_line();
    }
    return found;
}

}  // namespace

TEST_CASE("lines are fetched one cache line after the other") {
    const upcoming_lines<float> three{memory.data() + 7, 100, 3, 20 * sizeof(float)};
    CHECK(fetched(line_fetcher(three, 1)) ==
          std::vector<std::ptrdiff_t>{7, 23, 107, 123, 207, 223});
    const upcoming_lines<float> back{memory.data() + 300, -50, 2, 64};
    CHECK(fetched(line_fetcher(back, 1)) == std::vector<std::ptrdiff_t>{300, 250});
    CHECK(fetched(line_fetcher(upcoming_lines<float>(), 4)).empty());
}

TEST_CASE("shares are equal and the last ones may find nothing") {
    const upcoming_lines<float> lines{memory.data(), 100, 7, 20 * sizeof(float)};
    line_fetcher fetcher(lines, 5);
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

TEST_CASE("registers of whole lines ask for what lies between the caches and main memory") {
    using xeinsum::kernel::asks_for;
    struct whole_line {
        std::byte bytes[64];
    };
    struct half_line {
        std::byte bytes[32];
    };
    CHECK(asks_for<whole_line>(8 << 20U));
    CHECK_FALSE(asks_for<whole_line>(4 << 20U));
    CHECK_FALSE(asks_for<whole_line>(64 << 20U));
    CHECK_FALSE(asks_for<half_line>(8 << 20U));

    // Of "ij,j->i" with 2000 x 1000 floats the first input counts; without its columns both are
    // near.
    using xeinsum::kernel::asks_for_inputs;
    const support::nest_rows output({{2000, 1, 1000, 0}});
    const support::nest_rows sums({{1000, 0, 1, 1}});
    CHECK(asks_for_inputs<float, whole_line>({output.loops(), sums.loops(), 2}));
    CHECK_FALSE(asks_for_inputs<float, half_line>({output.loops(), sums.loops(), 2}));
    const support::nest_rows short_sums({{2000, 0, 0, 1}});
    CHECK_FALSE(asks_for_inputs<double, whole_line>({output.loops(), short_sums.loops(), 2}));
}
