#include <xeinsum/lowering/gemm/direct_lhs.hpp>

#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using support::avx2;
using support::avx512;
using xeinsum::lowerings::direct_lhs;
using xeinsum::planning::target;

TEST_CASE("an lhs along its depth is read in place for up to so many columns") {
    const auto pays = [](std::int64_t columns, bool in_pieces) {
        return direct_lhs{.rows = 5000,
                          .columns = columns,
                          .depth = 300,
                          .in_pieces = in_pieces,
                          .lies_along = true}
            .pays(avx2);
    };
    CHECK(pays(4096, false));
    CHECK_FALSE(pays(4097, false));
    CHECK(pays(128, true));
    CHECK_FALSE(pays(129, true));
}

TEST_CASE("an lhs along neither side is read in place for one tile of columns") {
    const auto pays = [](std::int64_t columns) {
        return direct_lhs{.rows = 5000, .columns = columns, .depth = 300, .step = 7}.pays(avx2);
    };
    CHECK(pays(16));
    CHECK_FALSE(pays(17));
}

TEST_CASE("an lhs whose rows lie side by side is read in place by few rows or near lines") {
    const auto pays = [](std::int64_t rows, std::int64_t columns, std::int64_t depth,
                         std::int64_t step, const target& on) {
        return direct_lhs{
            .rows = rows, .columns = columns, .depth = depth, .rows_adjoin = true, .step = step}
            .pays(on);
    };
    // one register of columns, then two
    CHECK(pays(28, 16, 400, 1000, avx512));
    CHECK_FALSE(pays(29, 16, 400, 1000, avx512));
    CHECK(pays(29, 17, 400, 1000, avx512));
    CHECK(pays(5000, 32, 400, 1000, avx512));
    CHECK(pays(48, 8, 400, 1000, avx2));
    CHECK_FALSE(pays(49, 8, 400, 1000, avx2));
    // more columns: two low tiles, or lines that stay near
    CHECK(pays(16, 4096, 400, 1000, avx512));
    CHECK_FALSE(pays(16, 4097, 400, 1000, avx512));
    CHECK_FALSE(pays(17, 100, 400, 1000, avx512));
    CHECK(pays(29, 64, 128, 1000, avx512));
    CHECK_FALSE(pays(29, 64, 129, 1000, avx512));
    CHECK_FALSE(pays(29, 65, 128, 1000, avx512));
    CHECK_FALSE(pays(16, 100, 400, 1024, avx512));  // lines that meet in one set of the cache
    CHECK(pays(8, 33, 400, 1000, avx2));
    CHECK_FALSE(pays(9, 33, 400, 1000, avx2));
}
