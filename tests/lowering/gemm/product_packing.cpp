#include <xeinsum/lowering/gemm/product_packing.hpp>

#include "../../support/nest.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using support::avx2;
using support::avx512;
using support::nest_row;
using xeinsum::recipe;
using xeinsum::lowerings::product_packing;

namespace {

/// What is packed of a product with the given loops: extents, strides in output, lhs and rhs.
struct product {
    std::array<unsigned char, 4> groups{};
    std::string words{};
    bool packs_lhs = true;
    bool packs_rhs = true;
};
product chosen(const std::vector<nest_row>& rows, const std::array<unsigned char, 4>& groups,
               const xeinsum::planning::target& on = avx2) {
    const support::nest_rows nest(rows);
    recipe how;
    how.groups = groups;
    product_packing::choose(how, nest.loops(), on);
    const auto packing = product_packing::of(how);
    return {how.groups, product_packing::words_of(how), packing.lhs, packing.rhs};
}
/// "ij,jk->ik", row-major.
product chosen(std::int64_t m, std::int64_t n, std::int64_t k) {
    return chosen({{m, n, k, 0}, {n, 1, 0, 1}, {k, 0, 1, n}}, {0, 1, 1, 1});
}

}  // namespace

TEST_CASE("the words say what is packed") {
    const product none = chosen(30, 50, 40);
    CHECK(none.words == ", both read directly");
    CHECK_FALSE(none.packs_lhs);
    CHECK_FALSE(none.packs_rhs);
    const product rhs = chosen(300, 500, 400);
    CHECK(rhs.words == ", lhs read directly");
    CHECK_FALSE(rhs.packs_lhs);
    CHECK(rhs.packs_rhs);
    const product all = chosen(3000, 5000, 400);
    CHECK(all.words == ", packed");
    CHECK(all.packs_lhs);
    CHECK(all.packs_rhs);
    const product lhs = chosen(24, 4200, 200);
    CHECK(lhs.words == ", rhs read directly");
    CHECK(lhs.packs_lhs);
    CHECK_FALSE(lhs.packs_rhs);
    const product few_rows = chosen(8, 5000, 400);
    CHECK(few_rows.words == ", rhs read directly across the depth");
    CHECK(few_rows.packs_lhs);
    CHECK_FALSE(few_rows.packs_rhs);
}

TEST_CASE("few rows read rhs across the depth if it and the output lie along one loop of columns") {
    const auto strided = [](std::int64_t out_column, std::int64_t rhs_column,
                            const xeinsum::planning::target& on = avx2) {
        return chosen({{7, 3000, 70, 0}, {200, out_column, 0, rhs_column}, {70, 0, 1, 1000}},
                      {0, 1, 1, 1}, on)
                   .words == ", rhs read directly across the depth";
    };
    CHECK(strided(1, 1));
    CHECK_FALSE(strided(2, 1));
    CHECK_FALSE(strided(1, 2));
    xeinsum::planning::target complex = avx2;
    complex.flop_weight = 4;
    CHECK_FALSE(strided(1, 1, complex));
}

TEST_CASE("more rows do so where rhs is large in all products") {
    const auto across = [](std::int64_t batch, std::int64_t rows, std::int64_t columns,
                           std::int64_t depth, const xeinsum::planning::target& on) {
        return chosen({{batch, rows * columns, rows * depth, columns * depth},
                       {rows, columns, depth, 0},
                       {columns, 1, 0, 1},
                       {depth, 0, 1, columns}},
                      {1, 1, 1, 1}, on)
                   .words == ", rhs read directly across the depth";
    };
    CHECK(across(1, 500, 1000, 263, avx512));
    CHECK_FALSE(across(1, 500, 1000, 262, avx512));  // less than 1 MiB
    CHECK(across(2, 500, 1000, 262, avx512));
    CHECK(across(1, 56, 1000, 263, avx2));
    CHECK_FALSE(across(1, 56, 1000, 262, avx2));
    CHECK(across(2, 56, 1000, 262, avx2));
    xeinsum::planning::target doubles = avx512;
    doubles.element_bytes = 8;
    doubles.lanes = 8;
    doubles.nr = 16;
    CHECK(across(1, 256, 1000, 900, doubles));
    CHECK_FALSE(across(1, 257, 1000, 900, doubles));  // blocks of lhs take more than 1 MiB
}

TEST_CASE("rows of one update are updated even where there are wide tiles") {
    const auto words = [](std::int64_t rows) {
        return chosen({{rows, 1000, 70, 0}, {1000, 1, 0, 1}, {70, 0, 1, 1000}}, {0, 1, 1, 1},
                      support::avx512)
            .words;
    };
    CHECK(words(6) == ", rhs read directly across the depth, by rank-k updates");
    CHECK(words(7) == ", rhs read directly across the depth");
}

TEST_CASE("few rows and some depth suit deep tiles where rhs lies along the depth") {
    const auto is_deep = [](std::int64_t rows, std::int64_t columns, std::int64_t depth,
                            const xeinsum::planning::target& on, std::int64_t step = 1) {
        const product of =
            chosen({{rows, columns, depth, 0}, {columns, 1, 0, depth * step}, {depth, 0, 1, step}},
                   {0, 1, 1, 1}, on);
        const bool deep = of.words == ", rhs read directly along the depth";
        CHECK((!deep || (of.packs_lhs && !of.packs_rhs)));
        return deep;
    };
    CHECK(is_deep(32, 200, 96, avx512));
    CHECK_FALSE(is_deep(33, 200, 96, avx512));
    CHECK(is_deep(64, 11000, 96, avx512));
    CHECK_FALSE(is_deep(65, 11000, 96, avx512));
    CHECK_FALSE(is_deep(32, 15, 96, avx512));
    CHECK_FALSE(is_deep(32, 200, 95, avx512));
    CHECK_FALSE(is_deep(32, 200, 96, avx512, 2));
    // Half as many rows with half as many registers.
    CHECK(is_deep(32, 200, 48, avx2));
    CHECK_FALSE(is_deep(33, 200, 48, avx2));
    // Columns need not lie side by side in the output.
    CHECK(chosen({{30, 7000, 70, 0}, {200, 3, 0, 70}, {70, 0, 1, 1}}, {0, 1, 1, 1}).words ==
          ", rhs read directly along the depth");
}

TEST_CASE("many rows pay for packing rhs, unless it stays near and its lines are whole") {
    CHECK(chosen(319, 160, 256).words == ", both read directly");
    CHECK(chosen(320, 160, 256).words == ", lhs read directly");
    CHECK(chosen(320, 48, 256).words == ", both read directly");
    CHECK(chosen(320, 49, 250).words == ", lhs read directly");
}

TEST_CASE("an rhs whose rows lie far apart is packed for fewer rows") {
    const auto heads = [](std::int64_t m, std::int64_t n, std::int64_t apart,
                          const xeinsum::planning::target& on) {
        return chosen({{m, n, 70, 0}, {n, 1, 0, 1}, {70, 0, 1, apart}}, {0, 1, 1, 1}, on).packs_rhs;
    };
    // Sixteen tiles of rows pay for a quarter of a way of the first-level cache, eight for a way.
    CHECK(heads(96, 64, 256, avx2));
    CHECK_FALSE(heads(95, 64, 256, avx2));
    CHECK_FALSE(heads(96, 64, 255, avx2));
    CHECK(heads(48, 64, 1024, avx2));
    CHECK_FALSE(heads(47, 64, 1024, avx2));
    CHECK_FALSE(heads(48, 64, 1023, avx2));
    // Fewer tiles do where there are gaps between rows.
    CHECK(heads(96, 64, 512, avx512));
    CHECK_FALSE(heads(95, 64, 512, avx512));
    CHECK_FALSE(heads(96, 64, 511, avx512));
    CHECK_FALSE(heads(96, 264, 520, avx512));
}

TEST_CASE("a far rhs whose rows meet in the caches is packed for any number of rows") {
    const auto packs_rhs = [](std::int64_t depth, std::int64_t step) {
        // too few columns to be read across the depth
        return chosen({{16, 100, depth, 0}, {100, 1, 0, 1}, {depth, 0, 1, step}}, {0, 1, 1, 1})
            .packs_rhs;
    };
    CHECK(packs_rhs(16384, 2048));
    CHECK_FALSE(packs_rhs(16384, 2000));  // its rows do not meet
    CHECK_FALSE(packs_rhs(500, 2048));    // it is near
}

TEST_CASE("columns that do not lie side by side are packed, and so is a depth in short pieces") {
    CHECK(chosen({{30, 50, 40, 0}, {50, 1, 0, 40}, {40, 0, 1, 1}}, {0, 1, 1, 1}).words ==
          ", lhs read directly");
    CHECK(chosen({{30, 24, 200, 0}, {24, 1, 0, 1}, {3, 0, 60, 200}, {8, 0, 1, 24}}, {0, 1, 1, 2})
              .words == ", both read directly");
    CHECK(chosen({{30, 24, 200, 0}, {24, 1, 0, 1}, {3, 0, 60, 200}, {7, 0, 1, 24}}, {0, 1, 1, 2})
              .words == ", packed");
}

TEST_CASE("outer rows become loops around the product where inner rows fill it") {
    const auto rows_of = [](std::int64_t inner) {
        return std::vector<nest_row>{
            {8, 5000, 9000, 0}, {inner, 24, 25, 0}, {24, 1, 0, 1}, {25, 0, 1, 24}};
    };
    const product fills = chosen(rows_of(48), {0, 2, 1, 1});
    CHECK(fills.groups == std::array<unsigned char, 4>{1, 1, 1, 1});
    CHECK(fills.words == ", both read directly");
    const product short_rows = chosen(rows_of(47), {0, 2, 1, 1});
    CHECK(short_rows.groups == std::array<unsigned char, 4>{0, 2, 1, 1});
    CHECK(short_rows.words == ", rhs read directly");
}

TEST_CASE("the groups of a recipe are loops one after another") {
    const support::nest_rows nest(
        {{2, 0, 0, 0}, {3, 0, 0, 0}, {5, 0, 0, 0}, {7, 0, 0, 0}, {11, 0, 0, 0}, {13, 0, 0, 0}});
    recipe how;
    how.groups = {1, 2, 1, 2};
    const auto groups = product_packing::groups_of(how, nest.loops());
    CHECK(groups.batch.iterations() == 2);
    CHECK(groups.m.iterations() == 15);
    CHECK(groups.n.iterations() == 7);
    CHECK(groups.k.iterations() == 143);
}
