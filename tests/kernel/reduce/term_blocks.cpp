#include <xeinsum/kernel/reduce/term_blocks.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace {

using blocks = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// First term and count of each block.
blocks blocks_of(std::int64_t most, std::int64_t terms) {
    blocks found;
    for (std::int64_t term = 0; term < terms; term += found.back().second) {
        found.emplace_back(term, xeinsum::kernel::block_size(most, terms - term));
    }
    return found;
}

}  // namespace

TEST_CASE("blocks follow each other, the last one of what is left") {
    CHECK(blocks_of(8, 0).empty());
    CHECK(blocks_of(8, 1) == blocks{{0, 1}});
    CHECK(blocks_of(8, 16) == blocks{{0, 8}, {8, 8}});
    CHECK(blocks_of(8, 23) == blocks{{0, 8}, {8, 8}, {16, 7}});
    CHECK(blocks_of(8, 6) == blocks{{0, 6}});
    CHECK(blocks_of(4, 11) == blocks{{0, 4}, {4, 4}, {8, 3}});
    CHECK(blocks_of(4, 4) == blocks{{0, 4}});
    for (const std::int64_t terms : {1, 6, 11, 16, 23}) {
        CHECK(xeinsum::kernel::block_count(8, terms) ==
              static_cast<std::int64_t>(blocks_of(8, terms).size()));
    }
}

TEST_CASE("more inputs are read in fewer streams each") {
    using xeinsum::kernel::most_streams;
    CHECK(most_streams(1) == 8);
    CHECK(most_streams(2) == 4);
    CHECK(most_streams(3) == 4);
}

TEST_CASE("sums of short lines are direct, with fewer terms where lines wait for another row") {
    using xeinsum::kernel::are_direct;
    using xeinsum::kernel::direct_registers;
    CHECK(are_direct({direct_registers, 128, 8}));
    CHECK_FALSE(are_direct({direct_registers + 1, 128, 8}));
    CHECK(are_direct({1, 5000, 4}));
    CHECK(xeinsum::kernel::adds_row_by_row({direct_registers + 1, 128, 8}));
    CHECK(are_direct({1, 32, 8, true, true}));
    CHECK_FALSE(are_direct({1, 33, 8, true, true}));
    CHECK_FALSE(xeinsum::kernel::adds_row_by_row({9, 33, 8, true, true}));
    CHECK(are_direct({1, 8, 8, true, false}));
    CHECK_FALSE(are_direct({1, 9, 8, true, false}));
}
