#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>

#include <doctest/doctest.h>

using xeinsum::kernel::halves_of_run;
using xeinsum::kernel::runs_of_tile;

TEST_CASE("runs fill the registers of a tile") {
    CHECK(halves_of_run(8, 16) == 1);
    CHECK(halves_of_run(24, 16) == 3);
    CHECK(halves_of_run(48, 16) == 6);
    CHECK(halves_of_run(24, 8) == 6);
    CHECK(halves_of_run(32, 16) == 0);
    CHECK(halves_of_run(20, 16) == 0);
    CHECK(halves_of_run(1, 1) == 0);
    CHECK(halves_of_run(0, 16) == 0);
    CHECK(runs_of_tile(6) == 1);
    CHECK(runs_of_tile(3) == 2);
    CHECK(runs_of_tile(1) == 6);
}
