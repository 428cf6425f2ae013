#include <xeinsum/lowering/nest/build_nest.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

using support::built_table;
using support::vectors_of_8;
using xeinsum::lowerings::build_nest;
using xeinsum::lowerings::nest_scratch_bytes;
using xeinsum::lowerings::nest_unit;
using xeinsum::lowerings::vector_loop_of;

TEST_CASE("a nest keeps its loops and says which run in vectors") {
    built_table t("ij->i", {{20, 64}});
    const auto how = build_nest(t.get(), vectors_of_8);
    CHECK(how.groups[0] == 1);
    CHECK(how.groups[1] == 1);
    CHECK(static_cast<xeinsum::kernel::vector_loop>(how.nest.along) ==
          xeinsum::kernel::vector_loop::contracted);
    CHECK(how.scratch_bytes == 0);
    built_table many("i,i,i,i,i->", {{3}, {3}, {3}, {3}, {3}});
    CHECK(build_nest(many.get(), vectors_of_8).scratch_bytes > 0);
}

TEST_CASE("rows that share a line are the last output loop") {
    const auto last = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        const auto how = build_nest(t.get(), vectors_of_8);
        return t.get().extent(how.groups[0] - std::size_t{1});
    };
    CHECK(last("bij,bj->bi", {{7, 5, 100}, {7, 100}}) == 5);
    CHECK(last("abj,bj->ab", {{40, 7, 100}, {7, 100}}) == 40);
    CHECK(last("bj,abj->ab", {{7, 100}, {40, 7, 100}}) == 40);
    // not a loop of few rows, although it is the closest
    CHECK(last("ij,kj->ik", {{2, 16}, {100, 16}}) == 100);
    // nor, for short lines, one of fewer rows than a register has lanes
    CHECK(last("abj,bj->ab", {{300, 7, 23}, {7, 23}}) == 300);
    CHECK(last("abj,bj->ab", {{300, 8, 23}, {8, 23}}) == 8);
    CHECK(last("abj,bj->ab", {{15, 7, 24}, {7, 24}}) == 15);
    CHECK(last("abj,bj->ab", {{40, 7, 31}, {7, 31}}) == 40);
    CHECK(last("abj,bj->ab", {{15, 7, 71}, {7, 71}}) == 15);
    CHECK(last("abj,bj->ab", {{15, 7, 72}, {7, 72}}) == 7);
    CHECK(last("bij->ib", {{7, 3, 16}}) == 7);
    CHECK(last("bij->ib", {{2, 3, 16}}) == 3);
    // too few, too short, in one set of the cache
    CHECK(last("abj,bj->ab", {{15, 7, 100}, {7, 100}}) == 7);
    CHECK(last("abj,bj->ab", {{40, 8, 31}, {8, 31}}) == 8);
    CHECK(last("abj,bj->ab", {{40, 32, 64}, {32, 64}}) == 32);
    CHECK(last("abj,bj->ab", {{40, 31, 96}, {31, 96}}) == 40);
    // not in a near cache, with lines that the first one keeps and that it does not keep
    CHECK(last("abj,bj->ab", {{40, 61, 1024}, {61, 1024}}) == 61);
    CHECK(last("abj,bj->ab", {{40, 61, 4100}, {61, 4100}}) == 40);
    CHECK(last("abj,bj->ab", {{40, 6001, 100}, {6001, 100}}) == 6001);
}

TEST_CASE("tiles go across the closest results, sums across what stays in place") {
    const auto across = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        const auto how = build_nest(t.get(), vectors_of_8);
        REQUIRE(how.nest.transposed);
        return t.get().extent(how.groups[2]);
    };
    // b is transposed: across a each line of it once, and results follow each other
    CHECK(across("a,bd->dab", {{64}, {768, 50}}) == 64);
    // here those of c do, not those of a
    CHECK(across("ca,bc->acb", {{32, 1024}, {100, 32}}) == 32);
    // lines of c lie apart in the second input, which a leaves in place
    CHECK(across("adec,cd->ec", {{20, 64, 9, 197}, {197, 64}}) == 20);
    // 13 a are closer, but low tiles are for where no loop has high ones, as across 8 b
    CHECK(across("bacd,bc,da->cbad", {{56, 13, 34, 60}, {56, 34}, {60, 13}}) == 56);
    CHECK(across("ba,acb->ac", {{8, 256}, {256, 12, 8}}) == 8);
}

TEST_CASE("threads share no tile of inputs that are transposed") {
    // 51 d are one tile across, 21 e lie along the results
    built_table t("edbac,cdbae,cd->de", {{21, 12, 3, 6, 51}, {51, 12, 3, 6, 21}, {51, 12}});
    const auto how = build_nest(t.get(), vectors_of_8);
    REQUIRE(how.nest.transposed);
    CHECK(t.get().extent(how.groups[2]) == 51);
    CHECK(nest_unit(how, how.groups[2], vectors_of_8) >= 51);
}

TEST_CASE("in DRAM some rows are inside where lines of all inputs follow each other") {
    const auto last = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        const auto how = build_nest(t.get(), vectors_of_8);
        CHECK(how.nest.dram_resident);
        return t.get().extent(how.groups[0] - std::size_t{1});
    };
    CHECK(last("bij,bkj->bik", {{4000, 3, 50}, {4000, 97, 50}}) == 97);
    CHECK(last("bij,bkj->bik", {{4000, 7, 50}, {4000, 97, 50}}) == 97);
    // not where lines are long
    CHECK(last("bij,bkj->bik", {{4000, 7, 96}, {4000, 97, 96}}) == 7);
    CHECK(last("bij,bkj->bik", {{4000, 3, 96}, {4000, 97, 96}}) == 3);
    // nor a loop that jumps
    CHECK(last("aij,aj->ai", {{200000, 3, 50}, {200000, 50}}) == 3);
}

TEST_CASE("lines are shared from a near cache, and if the first one does not keep them") {
    const auto shares = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        return build_nest(t.get(), vectors_of_8).nest.shares_lines;
    };
    // 1 MiB is near, 4096 floats are long; 40 KB stay where 1.6 MB do, but not in the first cache
    CHECK(shares("ij,j->i", {{255, 1024}, {1024}}));
    CHECK(!shares("ij,j->i", {{256, 1024}, {1024}}));
    CHECK(shares("abj,bj->ab", {{40, 100, 100}, {100, 100}}));
    CHECK(!shares("abj,bj->ab", {{160, 25, 100}, {25, 100}}));
    CHECK(shares("ij,j->i", {{300, 4096}, {4096}}));
    CHECK(!shares("ij,j->i", {{15, 1024}, {1024}}));
    CHECK(!shares("ij->i", {{20, 64}}));
    CHECK(!shares("ij,i->i", {{20, 64}, {20}}));
    CHECK(!shares("ij,j->ij", {{20, 64}, {64}}));
}

TEST_CASE("a register holds the sums of far rows that are many, or end with parts of registers") {
    const auto fills = [](const support::operand_shapes& shapes, const char* text = "abc->b") {
        built_table t(text, shapes);
        return build_nest(t.get(), vectors_of_8).nest.fills_lanes;
    };
    // A sum is eight floats, 32 bytes; 256 of them are 8 KiB.
    CHECK(fills({{900, 257, 40}}));
    CHECK(!fills({{900, 256, 40}}));
    CHECK(fills({{900, 256, 41}}));
    CHECK(fills({{7000, 32, 41}}));
    CHECK(!fills({{7000, 31, 41}}));
    // from a cache as many as lanes will do
    CHECK(fills({{90, 257, 40}}));
    CHECK(fills({{90, 8, 40}}));
    CHECK(!fills({{90, 7, 40}}));
    CHECK(!fills({{900, 257, 40}}, "abc->c"));
}

TEST_CASE("few rows of many short lines take all their terms one after the other") {
    const auto by_row = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        return build_nest(t.get(), vectors_of_8).nest.row_by_row;
    };
    CHECK(by_row("bcad->ba", {{5, 16, 7, 20}}));
    CHECK(by_row("bcad,cd->ba", {{5, 16, 7, 20}, {16, 20}}));
    CHECK_FALSE(by_row("bcad->ba", {{5, 16, 8, 20}}));
    CHECK_FALSE(by_row("bcad->ba", {{5, 15, 7, 20}}));
    CHECK_FALSE(by_row("bcad->ba", {{5, 16, 7, 64}}));
    // 468 terms of 7 rows of 20 floats are what the near cache keeps
    CHECK(by_row("bcad->ba", {{5, 468, 7, 20}}));
    CHECK_FALSE(by_row("bcad->ba", {{5, 469, 7, 20}}));
    // nothing but the lines is summed, or there is one result
    CHECK_FALSE(by_row("bad->ba", {{50, 7, 20}}));
    CHECK_FALSE(by_row("cd,dc->", {{50, 20}, {20, 50}}));
}

TEST_CASE("inputs that no cache keeps are far") {
    const auto far = [](support::operand_shapes shapes, std::string_view text,
                        std::size_t element_bytes) {
        built_table t(text, shapes);
        return build_nest(t.get(), {.element_bytes = element_bytes, .lanes = 8}).nest.dram_resident;
    };
    // 8 MiB are what the cache holds: 7.8 MB, then twice as much
    CHECK(!far({{1300, 1500}}, "ij->j", 4));
    CHECK(far({{1300, 1500}}, "ij->j", 8));
    CHECK(far({{1300, 1500}, {1300, 1500}}, "ij,ij->j", 4));
    CHECK(!far({{2000, 300}, {300, 7}}, "ij,jk->jk", 4));  // read again and again
    built_table transposed("ij,ji->", {{3000, 3000}, {3000, 3000}});
    const auto how = build_nest(transposed.get(), vectors_of_8);
    CHECK(how.nest.dram_resident);
    CHECK(how.nest.transposed);
    CHECK(vector_loop_of(how) == xeinsum::kernel::vector_loop::contracted);
}

TEST_CASE("results in another order than the input wait where lines are longer for it") {
    built_table t("abcd->dbc", {{4, 37, 5, 13}});
    const auto how = build_nest(t.get(), vectors_of_8);
    CHECK(how.nest.permuted);
    CHECK(how.scratch_bytes >= 37 * 5 * 13 * sizeof(float));
    // Threads share the outermost results, others may be one loop.
    CHECK(nest_unit(how, 0, vectors_of_8) == 1);
    CHECK(nest_unit(how, 1, vectors_of_8) == 0);
    // A plan for contiguous arrays has room for what views of them need.
    built_table contiguous("abcd->abc", {{37, 5, 13, 4}});
    CHECK(nest_scratch_bytes(contiguous.get(), vectors_of_8) >= how.scratch_bytes);
    // Here a loop of some length runs in vectors as it is.
    built_table lines("abcd->cbd", {{4, 37, 5, 130}});
    CHECK_FALSE(build_nest(lines.get(), vectors_of_8).nest.permuted);
}

TEST_CASE("short lines of products run along a loop of more rows, if the first cache holds it") {
    const auto rows = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        const auto how = build_nest(t.get(), vectors_of_8);
        return t.get().extent(how.groups[0] - std::size_t{2});
    };
    CHECK(rows("adb,abe->adbe", {{9, 426, 2}, {9, 2, 6}}) == 426);
    CHECK(rows("adb,abe->adbe", {{9, 426, 2}, {9, 2, 16}}) == 2);
    CHECK(rows("adb,abe->adbe", {{9, 426, 4}, {9, 4, 6}}) == 4);
    CHECK(rows("adb,abe->adbe", {{9, 4260, 2}, {9, 2, 6}}) == 2);
}

TEST_CASE("sums of far inputs wait in scratch, unless lines are all that is summed") {
    const auto bytes = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        const std::size_t most = nest_scratch_bytes(t.get(), vectors_of_8);
        const std::size_t built = build_nest(t.get(), vectors_of_8).scratch_bytes;
        CHECK(built <= most);
        return built;
    };
    constexpr std::size_t panels = xeinsum::kernel::panel_scratch_bytes(true);
    CHECK(panels < std::size_t{512} << 10U);
    CHECK(bytes("ij->j", {{2000, 1500}}) == panels);
    CHECK(bytes("ij->j", {{1000, 1500}}) == 0);  // near
    CHECK(bytes("ij->i", {{2000, 1500}}) == 0);
    CHECK(bytes("ij->", {{2000, 1500}}) == 0);
    CHECK(bytes("aij->i", {{20, 100, 1500}}) == panels);
    CHECK(bytes("ij,j->ij", {{2000, 1500}, {1500}}) == 0);
    CHECK(bytes("ai,bi,ci,di,ei->i", {{9, 90000}, {9, 90000}, {9, 90000}, {9, 90000}, {9, 90000}}) >
          panels);
}

TEST_CASE("a nest needs the scratch of the inputs that it transposes") {
    built_table transposed("ij,ji->", {{200, 300}, {300, 200}});
    built_table straight("ij,ij->", {{200, 300}, {200, 300}});
    const std::size_t any = nest_scratch_bytes(straight.get(), vectors_of_8);
    CHECK(any > 0);
    CHECK(2 * build_nest(transposed.get(), vectors_of_8).scratch_bytes == any);
    built_table all("ij,ij->ji", {{200, 300}, {200, 300}});
    CHECK(build_nest(all.get(), vectors_of_8).scratch_bytes == any);
    // Sums that are put one by one move nothing.
    built_table sums("ijk->ki", {{20, 300, 70}});
    const auto how = build_nest(sums.get(), vectors_of_8);
    CHECK(how.nest.transposed);
    CHECK(how.scratch_bytes == 0);
    // Nor has anything to be moved along a loop that no input depends on.
    built_table broadcast("ijk,j->jik", {{200, 300, 70}, {300}});
    for (std::size_t m = 0; m < broadcast.get().size(); ++m) {
        if (broadcast.get().stride(m, 0) == 1) {
            broadcast.get().stride(m, 1) = 0;
        }
    }
    CHECK_FALSE(build_nest(broadcast.get(), vectors_of_8).nest.transposed);
    CHECK(build_nest(straight.get(), vectors_of_8).scratch_bytes == 0);
}
