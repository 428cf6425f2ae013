#include <xeinsum/kernel/permute/permute_order.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

using xeinsum::kernel::closest_loop;
using xeinsum::kernel::is_one_loop;
using xeinsum::kernel::permute_order;

namespace {

alignas(64) float out[32];

}  // namespace

TEST_CASE("the loop along which an array lies closest") {
    const support::nest_rows rows({{3, 70, 1}, {7, -10, 3}, {5, 2, 21}});
    CHECK(closest_loop(rows.loops(), 0) == 2);
    CHECK(closest_loop(rows.loops(), 1) == 0);
}

TEST_CASE("loops that are one loop along an array") {
    const support::nest_rows rows({{5, 60, 1}, {4, 15, 5}, {3, 5, 20}});
    CHECK(is_one_loop(rows.loops(), 0, 5));
    CHECK_FALSE(is_one_loop(rows.loops(), 0, 1));
    CHECK_FALSE(is_one_loop(rows.loops(), 1, 20));
    CHECK(is_one_loop(rows.loops().first(1), 1, 1));
    CHECK(is_one_loop(rows.loops().first(0), 0, 7));
}

TEST_CASE("short loops that follow each other become rows and columns") {
    // "abcd->dcba" of 4 x 5 x 6 x 3, in the order of the output.
    const support::nest_rows rows({{3, 120, 1}, {6, 20, 3}, {5, 4, 18}, {4, 1, 90}});
    const permute_order order(rows.loops(), 16, out);
    CHECK(order.outer().count == 0);
    REQUIRE(order.rows().count == 2);
    CHECK(order.rows().extent(0) == 5);
    CHECK(order.rows().extent(1) == 4);
    REQUIRE(order.columns().count == 2);
    CHECK(order.columns().extent(0) == 6);
    CHECK(order.columns().extent(1) == 3);
}

TEST_CASE("rows and columns that are long enough do not grow") {
    const support::nest_rows rows({{7, 30, 1}, {5, 6, 7}, {3, 2, 35}, {2, 1, 105}});
    const permute_order order(rows.loops(), 2, out);
    CHECK(order.outer().count == 2);
    CHECK(order.rows().iterations() == 2);
    CHECK(order.columns().iterations() == 7);
}

TEST_CASE("beside few rows, columns grow only as they follow each other in the output") {
    // "abcd->cbda" and "abcd->bcda" of 4 x 9 x 5 x 60
    const support::nest_rows apart({{5, 2160, 60}, {9, 240, 300}, {60, 4, 1}, {4, 1, 2700}});
    CHECK(permute_order(apart.loops(), 256, out).rows().iterations() == 4);
    CHECK(permute_order(apart.loops(), 256, out).columns().iterations() == 60);
    const support::nest_rows behind({{9, 1200, 300}, {5, 240, 60}, {60, 4, 1}, {4, 1, 2700}});
    CHECK(permute_order(behind.loops(), 256, out).columns().iterations() == 300);
    // "abcd->dcba" of 4 x 9 x 5 x 6, where rows have more to take
    const support::nest_rows more({{6, 180, 1}, {5, 36, 6}, {9, 4, 30}, {4, 1, 270}});
    CHECK(permute_order(more.loops(), 256, out).rows().iterations() == 36);
}

TEST_CASE("columns within lines grow first, if rows end with lines") {
    // "abc->cba" of 100 x 7 x 64: c and then b lie along the input, a and then b along the output.
    const support::nest_rows ragged({{64, 700, 1}, {7, 100, 64}, {100, 1, 448}});
    CHECK(permute_order(ragged.loops(), 256, out).rows().iterations() == 700);
    CHECK(permute_order(ragged.loops(), 256, out).columns().iterations() == 64);
    // Of 100 x 7 x 60, where rows would end within lines.
    const support::nest_rows both({{60, 700, 1}, {7, 100, 60}, {100, 1, 420}});
    CHECK(permute_order(both.loops(), 256, out).rows().iterations() == 100);
    CHECK(permute_order(both.loops(), 256, out).columns().iterations() == 420);
    // Of 96 x 7 x 64, where columns are whole lines, unless the output begins elsewhere.
    const support::nest_rows lined({{64, 672, 1}, {7, 96, 64}, {96, 1, 448}});
    CHECK(permute_order(lined.loops(), 256, out).rows().iterations() == 96);
    CHECK(permute_order(lined.loops(), 256, out + 1).rows().iterations() == 672);
}

TEST_CASE("one loop that is closest on both sides is no tile") {
    const support::nest_rows rows({{3, 10, 50}, {5, 50, 10}, {10, 1, 1}});
    const permute_order order(rows.loops(), 32, out);
    CHECK(order.rows().count == 0);
    CHECK(order.columns().iterations() == 10);
    CHECK(order.outer().iterations() == 15);
}

TEST_CASE("columns, and rows, begin at the same place of a line where all strides are lines") {
    const support::nest_rows lined({{3, 640, 1000}, {7, 32, 1}, {19, 1, 50}});
    CHECK(permute_order(lined.loops(), 4, out).columns_begin_alike());
    CHECK(permute_order(lined.loops(), 4, out + 1).columns_begin_alike());
    CHECK_FALSE(permute_order(lined.loops(), 4, out).rows_begin_alike());
    const support::nest_rows gapped({{3, 648, 1008}, {7, 32, 1}, {19, 1, 48}});
    CHECK_FALSE(permute_order(gapped.loops(), 4, out).columns_begin_alike());
    CHECK(permute_order(gapped.loops(), 4, out).rows_begin_alike());
    const support::nest_rows dense({{3, 640, 1000}, {7, 20, 1}, {19, 1, 50}});
    CHECK_FALSE(permute_order(dense.loops(), 4, out).columns_begin_alike());
}
