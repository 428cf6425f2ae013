#include <xeinsum/kernel/gemm/few_rows_shapes.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using xeinsum::kernel::deep_block;
using xeinsum::kernel::deep_blocks;
using xeinsum::kernel::dot_gemm_bytes;
using xeinsum::kernel::few_rows_gemm_bytes;
using xeinsum::kernel::few_rows_way;
using xeinsum::kernel::has_wide_tiles;
using xeinsum::kernel::usual_few_rows_way;

TEST_CASE("wide tiles need 32 registers, and either way its own scratch") {
    CHECK(has_wide_tiles(14));
    CHECK_FALSE(has_wide_tiles(6));
    CHECK(usual_few_rows_way(14) == few_rows_way::wide_tiles);
    CHECK(usual_few_rows_way(6) == few_rows_way::updates);
    // 9 rows are two panels of 8, each 100 deep, or 400 bytes a row and 2 KiB and a line of
    // results.
    constexpr std::size_t numbers = 2 * (2 * 9 + 100) * sizeof(std::int64_t);
    constexpr std::size_t slack = 64;
    CHECK(few_rows_gemm_bytes(few_rows_way::wide_tiles, 9, 100, 512, 4) ==
          16 * 400 + slack + numbers);
    CHECK(few_rows_gemm_bytes(few_rows_way::updates, 9, 100, 512, 4) ==
          (9 * 400 / 64 + 1) * 64 + slack + 9 * (2048 + 64) + numbers);
}

TEST_CASE("blocks of the depth are equal, of whole registers, and no longer than a row's bytes") {
    CHECK(deep_block(deep_blocks::usual, 1, 4, 16) == 16);
    CHECK(deep_block(deep_blocks::usual, 768, 4, 16) == 768);
    CHECK(deep_block(deep_blocks::usual, 769, 4, 16) == 400);
    CHECK(deep_block(deep_blocks::usual, 769, 8, 8) == 264);
    CHECK(deep_block(deep_blocks::pages, 1025, 4, 16) == 528);
}

TEST_CASE("scratch is enough for less depth, which may have larger blocks") {
    CHECK(deep_block(deep_blocks::usual, 768, 4, 16) > deep_block(deep_blocks::usual, 769, 4, 16));
    const auto bytes = [](deep_blocks blocks, std::int64_t rows, std::int64_t depth) {
        return dot_gemm_bytes(blocks, rows, depth, 8, 4, 16);
    };
    CHECK(bytes(deep_blocks::usual, 9, 769) >= bytes(deep_blocks::usual, 9, 768));
    CHECK(bytes(deep_blocks::pages, 5, 1025) >= bytes(deep_blocks::pages, 5, 1024));
    CHECK(bytes(deep_blocks::usual, 9, 1024) >= bytes(deep_blocks::pages, 8, 1024));
}
