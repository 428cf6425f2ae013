#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>

#include <doctest/doctest.h>

using xeinsum::kernel::runs_of_tile;

TEST_CASE("runs fill most of the three registers of a tile") {
    CHECK(runs_of_tile(48, 16) == 1);
    CHECK(runs_of_tile(36, 16) == 1);
    CHECK(runs_of_tile(24, 16) == 2);
    CHECK(runs_of_tile(20, 16) == 2);
    CHECK(runs_of_tile(8, 16) == 6);
    CHECK(runs_of_tile(24, 8) == 1);
}

TEST_CASE("runs that leave much of a tile free, or are shorter than half a register") {
    CHECK(runs_of_tile(49, 16) == 0);
    CHECK(runs_of_tile(35, 16) == 0);
    CHECK(runs_of_tile(17, 16) == 0);
    CHECK(runs_of_tile(7, 16) == 0);
    CHECK(runs_of_tile(0, 16) == 0);
}
