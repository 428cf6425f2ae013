#include <xeinsum/lowering/few_rows.hpp>

#include "../support/targets.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using support::avx2;
using support::avx512;
using xeinsum::lowerings::few_rows;

namespace {

constexpr xeinsum::planning::target complex_numbers() {
    xeinsum::planning::target on = avx512;
    on.flop_weight = 4;
    return on;
}

}  // namespace

TEST_CASE("wide tiles suit a few rows of many columns, and more rows of a far rhs") {
    CHECK(few_rows::suits_wide_tiles(64, 192, 64, 0, avx512));
    CHECK_FALSE(few_rows::suits_wide_tiles(65, 192, 64, 0, avx512));
    CHECK_FALSE(few_rows::suits_wide_tiles(64, 191, 64, 0, avx512));
    CHECK_FALSE(few_rows::suits_wide_tiles(64, 192, 63, 0, avx512));
    CHECK_FALSE(few_rows::suits_wide_tiles(64, 192, 64, 0, complex_numbers()));
    constexpr double mebibyte = 1 << 18;  // in floats
    CHECK(few_rows::suits_wide_tiles(512, 1024, 64, mebibyte, avx512));
    CHECK_FALSE(few_rows::suits_wide_tiles(513, 1030, 64, mebibyte, avx512));
    CHECK_FALSE(few_rows::suits_wide_tiles(512, 1023, 64, mebibyte, avx512));
    CHECK_FALSE(few_rows::suits_wide_tiles(512, 1024, 64, mebibyte - 1, avx512));
    CHECK(few_rows::suits_wide_tiles(8, 96, 64, 0, avx2));
    CHECK_FALSE(few_rows::suits_wide_tiles(9, 1024, 64, mebibyte, avx2));
}

TEST_CASE("deep tiles suit a few rows of some depth") {
    CHECK(few_rows::suits_deep_tiles(64, 16, 96, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(65, 16, 96, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(64, 15, 96, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(64, 16, 95, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(64, 16, 96, complex_numbers()));
    CHECK(few_rows::suits_deep_tiles(32, 8, 48, avx2));
    CHECK_FALSE(few_rows::suits_deep_tiles(33, 8, 48, avx2));
}

TEST_CASE("staged results of few rows come from wide tiles, if there is one of columns") {
    CHECK(few_rows::stages_in_wide_tiles(64, 48, avx512));
    CHECK_FALSE(few_rows::stages_in_wide_tiles(65, 48, avx512));
    CHECK_FALSE(few_rows::stages_in_wide_tiles(64, 47, avx512));
    CHECK_FALSE(few_rows::stages_in_wide_tiles(64, 48, complex_numbers()));
}

TEST_CASE("scratch is at most some MiB, and none where tiles do not suit") {
    constexpr std::size_t limit = (std::size_t{1} << 20U) + (std::size_t{64} << 10U);
    CHECK(few_rows::wide_bytes(512, 512, avx512) >= (std::size_t{1} << 20U));
    CHECK(few_rows::wide_bytes(512, 100000, avx512) <= limit);
    CHECK(few_rows::wide_bytes(513, 100, avx512) == 0);
    CHECK(few_rows::wide_bytes(9, 100, avx2) == 0);
    CHECK(few_rows::deep_bytes(64, 768, avx512) >= std::size_t{64} * 768 * sizeof(float));
    CHECK(few_rows::deep_bytes(64, 100000, avx512) <= limit);
    CHECK(few_rows::deep_bytes(65, 100, avx512) == 0);
}
