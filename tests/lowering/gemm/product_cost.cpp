#include <xeinsum/lowering/gemm/product_cost.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

using support::built_table;
using support::operand_shapes;
using xeinsum::lowerings::product_cost;

namespace {

/// Cycles are nanoseconds; nothing waits, and memory costs nothing.
constexpr xeinsum::planning::target round_figures{.core = {.hertz = 1e9,
                                                           .fused_multiply_adds_per_cycle = 2,
                                                           .bytes_per_second = 1e30,
                                                           .cached_bytes_per_second = 1e30,
                                                           .near_bytes_per_second = 1e30,
                                                           .cached_line_cycles = 0,
                                                           .distant_line_cycles = 0,
                                                           .page_cycles = 0,
                                                           .sum_cycles = 4,
                                                           .tile_cycles = 50,
                                                           .scatter_cycles = 3,
                                                           .step_seconds = 0,
                                                           .product_seconds = 0,
                                                           .pack_seconds = 0},
                                                  .lanes = 8,
                                                  .mr = 6,
                                                  .nr = 16,
                                                  .mc = 72,
                                                  .nc = 512,
                                                  .kc = 512};

double cycles(const char* equation, const operand_shapes& operands, bool swapped = false,
              const xeinsum::planning::target& on = round_figures, std::size_t constant = 0) {
    built_table t(equation, operands);
    return product_cost(t.get(), swapped, constant, on).seconds() * 1e9;
}

xeinsum::planning::target packing_only() {
    xeinsum::planning::target on = round_figures;
    on.core.tile_cycles = on.core.scatter_cycles = on.core.gather_cycles = 0;
    on.core.fused_multiply_adds_per_cycle = 1e30;
    on.core.sum_cycles = 0;
    on.core.pack_seconds = 1e-9;
    return on;
}

}  // namespace

TEST_CASE("whole tiles multiply at full speed") {
    // 10 x 4 tiles of 6 x 16
    CHECK(cycles("ij,jk->ik", {{60, 100}, {100, 64}}) == doctest::Approx(40 * (100 * 6 + 50)));
    // twice the depth of a block
    CHECK(cycles("ij,jk->ik", {{60, 1000}, {1000, 64}}) ==
          doctest::Approx(40 * (1000 * 6 + 2 * 50)));
}

TEST_CASE("short tiles wait for each addition") {
    // a tile of 6 x 16, one of 1 x 16, one of 6 x 8 and one of 1 x 8
    CHECK(cycles("ij,jk->ik", {{7, 100}, {100, 20}}) ==
          doctest::Approx(100 * (6 + 4 + 4 + 4) + 4 * 50));
}

TEST_CASE("results that do not lie along columns are written alone") {
    const double side_by_side = cycles("ij,jk->ik", {{60, 100}, {100, 64}});
    CHECK(cycles("ij,jk->ki", {{60, 100}, {100, 64}}) ==
          doctest::Approx(side_by_side + 60 * 64 * 3));
    // 10 x 3 whole tiles, a row of 4 x 16 and a column of 6 x 12
    CHECK(cycles("ij,jk->ki", {{60, 100}, {100, 64}}, true) ==
          doctest::Approx(100 * (10 * 4 * 6 + 4 * 4) + 44 * 50));
}

TEST_CASE("rows of less than a cache line wait for their lines") {
    // The near cache does not hold the output, in which a row moves on by a quarter of a line.
    xeinsum::planning::target on = round_figures;
    const operand_shapes operands{{60, 4000, 10}, {10, 4}};
    const operand_shapes lines{{60, 4000, 10}, {10, 16}};
    const double plain = cycles("iaj,jk->iak", operands, false, on);
    const double plain_lines = cycles("iaj,jk->iak", lines, false, on);
    on.core.cached_line_cycles = 8;
    CHECK(cycles("iaj,jk->iak", operands, false, on) == doctest::Approx(plain + 60 * 4000 * 8 / 4));
    CHECK(cycles("iaj,jk->iak", lines, false, on) == doctest::Approx(plain_lines));
}

TEST_CASE("matrices whose elements lie far from each other are packed one by one") {
    // b is the closest axis of both, and of the output
    const operand_shapes shapes{{60, 100, 5}, {100, 64, 5}};
    const double together = cycles("bij,bjk->bik", {{5, 60, 100}, {5, 100, 64}});
    const double apart = cycles("ijb,jkb->ikb", shapes);
    CHECK(apart == doctest::Approx(together + 5 * 3 * 60 * 64));
    auto packing = round_figures;
    packing.core.pack_seconds = 4e-9;
    CHECK(cycles("ijb,jkb->ikb", shapes, false, packing) ==
          doctest::Approx(apart + 5 * (4 + 2 * 4) * (6000 + 6400)));
}

TEST_CASE("panels are packed whole") {
    const xeinsum::planning::target on = packing_only();
    // columns of rhs lie apart: a panel of 16; lhs is read where it lies
    CHECK(cycles("ij,kj->ik", {{60, 100}, {3, 100}}, false, on) == doctest::Approx(16 * 100));
    CHECK(cycles("ij,kj->ik", {{60, 100}, {3, 100}}, false, on, 2) == doctest::Approx(0));
    // rows of lhs lie apart: 11 panels of 6 rows
    CHECK(cycles("ji,jk->ik", {{100, 61}, {100, 64}}, false, on) == doctest::Approx(66 * 100));
    CHECK(cycles("ji,jk->ik", {{100, 61}, {100, 64}}, false, on, 1) == doctest::Approx(0));
    // rows in two loops: lhs is read where it lies if the inner one is long
    CHECK(cycles("iaj,jk->aik", {{6, 10, 100}, {100, 16}}, false, on) == doctest::Approx(60 * 100));
    CHECK(cycles("iaj,jk->aik", {{6, 48, 100}, {100, 16}}, false, on) == doctest::Approx(0));
    // few rows do not pay for packing a large rhs
    CHECK(cycles("ij,jk->ik", {{24, 500}, {500, 400}}, false, on) == doctest::Approx(0));
    CHECK(cycles("ij,jk->ik", {{25, 500}, {500, 400}}, false, on) == doctest::Approx(500 * 400));
}

TEST_CASE("few rows read rhs where it lies, across the depth or along it") {
    const auto packed = [](const char* equation, const operand_shapes& operands) {
        return cycles(equation, operands, false, packing_only());
    };
    // Less than an element: other costs are next to nothing.
    CHECK(packed("ij,kj->ik", {{32, 100}, {300, 100}}) < 1);
    CHECK(packed("ij,kj->ik", {{33, 100}, {300, 100}}) == doctest::Approx(304 * 100));
    // of two loops of columns the one that lies side by side is left, if both arrays have it
    CHECK(packed("ij,kjl->ikl", {{8, 100}, {10, 100, 300}}) < 1);
    CHECK(packed("ij,kjl->ilk", {{8, 100}, {10, 100, 300}}) > 1);
    CHECK(packed("ij,kjl->ikl", {{12, 100}, {10, 100, 300}}) > 1);
}
