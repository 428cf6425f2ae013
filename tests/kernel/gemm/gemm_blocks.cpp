#include <xeinsum/kernel/gemm/gemm_blocks.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::kernel::blocking;
using xeinsum::kernel::gemm_blocks;
using xeinsum::kernel::gemm_packing;

namespace {

/// Tiles of 4 x 8, blocks of 40 rows, 32 deep, and 48 columns.
constexpr blocking small{.mr = 4, .nv = 1, .mc = 40, .kc = 32, .nc = 48};

struct groups {
    support::nest_rows m, n, k;
    [[nodiscard]] gemm_blocks cut(const gemm_packing& packing) const {
        return {{{}, m.loops(), n.loops(), k.loops()}, packing, small, 8, sizeof(float)};
    }
};

}  // namespace

TEST_CASE("blocks cover a product, and the last ones hold what is left") {
    const groups product{support::nest_rows({{90, 250, 77, 0}}),
                         support::nest_rows({{250, 1, 0, 1}}),
                         support::nest_rows({{77, 0, 1, 250}})};
    const gemm_blocks blocks = product.cut({});
    CHECK(blocks.rows() == 90);
    CHECK(blocks.columns() == 250);
    CHECK(blocks.depth() == 77);
    CHECK(blocks.block_rows() == 32);  // three of about as many rows
    CHECK(blocks.block_columns() == 48);
    CHECK(blocks.block_depth() == 32);
    CHECK(blocks.rows_at(64) == 26);
    CHECK(blocks.columns_at(192) == 48);
    CHECK(blocks.columns_at(240) == 10);
    CHECK(blocks.depth_at(32) == 32);
    CHECK(blocks.depth_at(64) == 13);

    const auto last = blocks.panel(240, 64);
    CHECK(last.column == 240);
    CHECK(last.width == 10);
    CHECK(last.begin == 64);
    CHECK(last.deep == 13);
    CHECK(last.segments == 1);
    CHECK(last.segment == 13);
}

TEST_CASE("blocks hold whole inner loops, and a depth that is read in place whole segments") {
    const groups product{support::nest_rows({{5, 1000, 70, 0}}),
                         support::nest_rows({{20, 50, 0, 21}, {21, 1, 0, 1}}),
                         support::nest_rows({{9, 0, 10, 4200}, {10, 0, 1, 420}})};
    const gemm_blocks packed = product.cut({});
    CHECK(packed.block_columns() == 42);
    CHECK(packed.block_depth() == 30);
    CHECK(packed.segment() == 30);
    const gemm_blocks direct = product.cut({.lhs = false});
    CHECK(direct.block_depth() == 30);
    CHECK(direct.segment() == 10);
    const auto panel = direct.panel(42, 60);
    CHECK(panel.deep == 30);
    CHECK(panel.segments == 3);
    CHECK(panel.segment == 10);
}

TEST_CASE("blocks of lhs follow each other down the rows, then the depth, for all columns") {
    const groups product{support::nest_rows({{70, 60, 40, 0}}), support::nest_rows({{60, 1, 0, 1}}),
                         support::nest_rows({{40, 0, 1, 60}})};
    const gemm_blocks blocks = product.cut({});
    REQUIRE(blocks.block_rows() == 36);
    REQUIRE(blocks.block_depth() == 32);
    REQUIRE(blocks.block_columns() == 48);
    std::vector<gemm_blocks::place> places;
    for (std::int64_t j = 0; j < 60; j += 48) {
        for (std::int64_t p = 0; p < 40; p += 32) {
            for (std::int64_t i = 0; i < 70; i += 36) {
                places.push_back({i, p});
            }
        }
    }
    gemm_blocks::place next;
    std::size_t at = 0;
    for (std::int64_t j = 0; j < 60; j += 48) {
        for (std::int64_t p = 0; p < 40; p += 32) {
            for (std::int64_t i = 0; i < 70; i += 36) {
                ++at;
                const bool found = blocks.find_next(i, blocks.panel(j, p), next);
                CHECK(found == (at < places.size()));
                if (found && at < places.size()) {
                    CHECK(next == places[at]);
                }
            }
        }
    }
}

TEST_CASE("a single block of lhs has no other after it") {
    const groups product{support::nest_rows({{30, 100, 20, 0}}),
                         support::nest_rows({{100, 1, 0, 1}}),
                         support::nest_rows({{20, 0, 1, 100}})};
    const gemm_blocks blocks = product.cut({});
    REQUIRE(blocks.columns() > blocks.block_columns());
    gemm_blocks::place next;
    CHECK_FALSE(blocks.find_next(0, blocks.panel(0, 0), next));
}
