#include <xeinsum/lowering/gemm/few_rows.hpp>

#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using support::avx2;
using support::avx512;
using xeinsum::kernel::few_rows_way;
using xeinsum::lowerings::few_rows;

namespace {

constexpr double mebibyte = 1 << 18;  // in floats

constexpr xeinsum::planning::target complex_numbers(xeinsum::planning::target on) {
    on.flop_weight = 4;
    return on;
}

/// With rows of rhs so many elements apart.
constexpr bool suits(std::int64_t rows, std::int64_t columns, std::int64_t depth,
                     double rhs_elements, const xeinsum::planning::target& on,
                     std::int64_t rhs_step = 1000) {
    return few_rows::suits_reading_across(rows, columns, depth, rhs_elements, rhs_step, on);
}

}  // namespace

TEST_CASE("wide tiles suit a few rows of many columns, and more rows of a far rhs") {
    CHECK(suits(64, 192, 64, 0, avx512));
    CHECK_FALSE(suits(65, 192, 64, 0, avx512));
    CHECK_FALSE(suits(64, 191, 64, 0, avx512));
    CHECK_FALSE(suits(64, 192, 63, 0, avx512));
    CHECK_FALSE(suits(64, 192, 64, 0, complex_numbers(avx512)));
    CHECK(suits(512, 1024, 64, mebibyte, avx512));
    CHECK_FALSE(suits(513, 1030, 64, mebibyte, avx512));
    CHECK_FALSE(suits(512, 1023, 64, mebibyte, avx512));
    CHECK_FALSE(suits(512, 1024, 64, mebibyte - 1, avx512));
}

TEST_CASE("some cores pack an rhs whose rows drive each other out of the caches for fewer rows") {
    xeinsum::planning::target packs = avx512;
    packs.tuned.packs_rows_of_one_set = true;
    CHECK(suits(48, 2048, 512, mebibyte, packs, 2048));
    CHECK_FALSE(suits(49, 2048, 512, mebibyte, packs, 2048));
    CHECK_FALSE(suits(49, 2048, 512, mebibyte, packs, 3072));
    CHECK(suits(48, 2048, 1023, mebibyte, packs, 2048));
    CHECK(suits(24, 2048, 1024, mebibyte, packs, 2048));
    CHECK_FALSE(suits(25, 2048, 1024, mebibyte, packs, 2048));
    CHECK(suits(64, 2048, 512, mebibyte, packs, 2080));
    CHECK(suits(49, 2048, 512, mebibyte, avx512, 2048));
}

TEST_CASE("updates suit a few rows of many columns, and more rows of a far rhs") {
    CHECK(suits(8, 128, 64, 0, avx2));
    CHECK_FALSE(suits(8, 127, 64, 0, avx2));
    CHECK_FALSE(suits(8, 128, 63, 0, avx2));
    CHECK_FALSE(suits(8, 128, 64, 0, complex_numbers(avx2)));
    CHECK(suits(20, 200, 64, 0, avx2));
    CHECK_FALSE(suits(20, 199, 64, 0, avx2));
    CHECK_FALSE(suits(21, 1024, 64, mebibyte - 1, avx2));
    CHECK(suits(64, 640, 64, mebibyte, avx2));
    CHECK_FALSE(suits(64, 639, 64, mebibyte, avx2));
    CHECK_FALSE(suits(65, 1024, 64, mebibyte, avx2));
    // Those that fill tiles of six rows are as fast in them, up to four of them, in the caches.
    for (const std::int64_t rows : {5, 6, 11, 12, 23, 24}) {
        CHECK_FALSE(suits(rows, 1024, 64, 4 * mebibyte - 1, avx2));
        CHECK(suits(rows, 1024, 64, 4 * mebibyte, avx2));
    }
    CHECK(suits(30, 1024, 64, mebibyte, avx2));
}

TEST_CASE("with wide tiles, rows of one update are updated, and some more of a far rhs") {
    const auto updated = [](const auto& on, std::int64_t rows, std::int64_t columns, double mib) {
        return few_rows::way_across(rows, columns, mib * mebibyte, on) == few_rows_way::updates;
    };
    CHECK(updated(avx512, 6, 256, 1));
    CHECK_FALSE(updated(avx512, 6, 255, 1));
    CHECK_FALSE(updated(avx512, 7, 256, 7.9));
    CHECK(updated(avx512, 16, 256, 8));
    CHECK_FALSE(updated(avx512, 17, 256, 8));
    CHECK(updated(avx2, 17, 128, 8));
}

TEST_CASE("deep tiles suit a few rows of some depth") {
    constexpr double far = 4 * mebibyte;
    CHECK(few_rows::suits_deep_tiles(64, 16, 96, far, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(65, 16, 96, far, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(64, 15, 96, far, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(64, 16, 95, far, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(64, 16, 96, far, complex_numbers(avx512)));
    CHECK(few_rows::suits_deep_tiles(32, 16, 96, far - 1, avx512));
    CHECK_FALSE(few_rows::suits_deep_tiles(33, 16, 96, far - 1, avx512));
    CHECK(few_rows::suits_deep_tiles(32, 8, 48, 0, avx2));
    CHECK_FALSE(few_rows::suits_deep_tiles(33, 8, 48, far, avx2));
}

TEST_CASE("staged results of few rows come from rhs read across the depth, if columns suffice") {
    CHECK(few_rows::stages_across(64, 48, avx512));
    CHECK_FALSE(few_rows::stages_across(65, 48, avx512));
    CHECK_FALSE(few_rows::stages_across(64, 47, avx512));
    CHECK_FALSE(few_rows::stages_across(64, 48, complex_numbers(avx512)));
    CHECK(few_rows::stages_across(8, 64, avx2));
    CHECK_FALSE(few_rows::stages_across(9, 64, avx2));
    CHECK_FALSE(few_rows::stages_across(8, 63, avx2));
}

TEST_CASE("scratch is at most some MiB, and none where tiles do not suit") {
    constexpr std::size_t limit = (std::size_t{1} << 20U) + (std::size_t{64} << 10U);
    CHECK(few_rows::across_bytes(few_rows_way::wide_tiles, 512, 512, avx512) >=
          (std::size_t{1} << 20U));
    CHECK(few_rows::most_across_bytes(512, 512, avx512) >=
          few_rows::across_bytes(few_rows_way::wide_tiles, 512, 512, avx512));
    CHECK(few_rows::across_bytes(few_rows_way::wide_tiles, 512, 100000, avx512) <= limit);
    CHECK(few_rows::most_across_bytes(513, 100, avx512) == 0);
    for (const std::int64_t rows : {6, 16, 17, 500}) {
        CHECK(few_rows::most_across_bytes(rows, 100000, avx512) <= limit);
    }
    CHECK(few_rows::across_bytes(few_rows_way::updates, 64, 100000, avx2) <= limit);
    CHECK(few_rows::most_across_bytes(65, 100, avx2) == 0);
    CHECK(few_rows::deep_bytes(64, 768, avx512) >= std::size_t{64} * 768 * sizeof(float));
    CHECK(few_rows::deep_bytes(64, 100000, avx512) <= limit);
    CHECK(few_rows::deep_bytes(65, 100, avx512) == 0);
}
