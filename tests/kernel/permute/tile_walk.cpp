#include <xeinsum/kernel/permute/tile_walk.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using xeinsum::kernel::permute_order;
using xeinsum::kernel::tile_start;
using xeinsum::kernel::tile_walk;

TEST_CASE("parts are of equal length in whole lines, but the last") {
    using walk = tile_walk<double>;
    CHECK(walk::part(128, 128) == 128);
    CHECK(walk::part(129, 128) == 72);
    CHECK(walk::part(300, 128) == 104);
    CHECK(walk::part(3, 128) == 8);
}

TEST_CASE("tiles follow each other along the input, then along the output, then in outer loops") {
    // "aij->aji" of 2 x 40 x 50.
    const support::nest_rows loops({{2, 2000, 3000}, {50, 40, 1}, {40, 1, 60}});
    const std::vector<float> in(6000);
    std::vector<float> out(4000);
    const permute_order order(loops.loops(), 32, out.data());
    tile_walk<float> walk(order, in.data(), out.data());
    CHECK(walk.row_count() == 40);
    CHECK(walk.column_count() == 50);
    walk.set_extents(32, 16);
    tile_start<float> at = walk.first();
    std::size_t tiles = 0;
    bool more = true;
    for (std::int64_t a = 0; a < 2; ++a) {
        for (std::int64_t row = 0; row < 40; row += 32) {
            for (std::int64_t column = 0; column < 50; column += 16) {
                CAPTURE(a);
                CAPTURE(row);
                CAPTURE(column);
                REQUIRE(more);
                CHECK(at.in == in.data() + 3000 * a);
                CHECK(at.out == out.data() + 2000 * a);
                CHECK(at.row == row);
                CHECK(at.column == column);
                CHECK(walk.rows_of(at) == (row == 0 ? 32 : 8));
                CHECK(walk.columns_of(at) == (column < 48 ? 16 : 2));
                ++tiles;
                more = walk.advance(at);
            }
        }
    }
    CHECK_FALSE(more);
    CHECK(tiles == 16);
}

TEST_CASE("the first tile of each row of tiles may have other columns") {
    const support::nest_rows loops({{50, 40, 1}, {40, 1, 60}});
    const std::vector<float> in(2400);
    std::vector<float> out(2000);
    const permute_order order(loops.loops(), 32, out.data());
    tile_walk<float> walk(order, in.data(), out.data());
    walk.set_extents(32, 16);
    walk.set_first_columns(21);
    tile_start<float> at = walk.first();
    for (const std::int64_t row : {0, 32}) {
        for (const auto& [column, count] : {std::pair{0, 21}, {21, 16}, {37, 13}}) {
            CHECK(at.row == row);
            CHECK(at.column == column);
            CHECK(walk.columns_of(at) == count);
            CHECK(walk.advance(at) == (row == 0 || column != 37));
        }
    }
}
