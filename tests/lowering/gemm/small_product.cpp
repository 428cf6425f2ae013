#include <xeinsum/lowering/gemm/small_product.hpp>

#include "../../support/instances.hpp"
#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using support::built_table;
using xeinsum::recipe;
using xeinsum::lowerings::small_loops;
using xeinsum::lowerings::small_product;

namespace {

constexpr const xeinsum::planning::target& avx2 = support::avx2_or_narrower;

bool found(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    return small_product::find_small(t.get(), avx2).found;
}

std::string described(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    recipe how;
    small_product::build(t.get(), small_loops::find(t.get(), avx2), how);
    return small_product::describe(how, {t.get().row(0), t.get().pitch(), t.get().size()});
}

}  // namespace

TEST_CASE("columns lie side by side in the output and in one operand") {
    CHECK(found("ij,jk->ik", {{4, 5}, {5, 6}}));
    CHECK(found("ji,jk->ik", {{5, 4}, {5, 6}}));
    CHECK(found("ji,jk->ki", {{5, 4}, {5, 6}}));
    CHECK(found("ijb,jkb->ikb", {{4, 5, 7}, {5, 6, 7}}) == false);
}

TEST_CASE("one tile of rows and few columns may be deep where nothing is transposed") {
    CHECK(found("ij,jk->ik", {{6, 3000}, {3000, 13}}));
    CHECK(found("ji,jk->ik", {{500, 6}, {500, 128}}));
    CHECK_FALSE(found("ij,jk->ik", {{7, 3000}, {3000, 13}}));
    CHECK(found("ij,jk->ik", {{8, 3000}, {3000, 8}}));
    CHECK_FALSE(found("ij,jk->ik", {{9, 3000}, {3000, 8}}));
    constexpr xeinsum::planning::target avx512{.lanes = 16, .least_lanes = 4, .mr = 14, .nr = 32};
    const auto found512 = [&](std::int64_t rows, std::int64_t columns) {
        built_table t("ij,jk->ik", {{rows, 3000}, {3000, columns}});
        return small_product::find_small(t.get(), avx512).found;
    };
    CHECK(found512(16, 16));
    CHECK_FALSE(found512(17, 16));
    CHECK(found512(8, 17));
    CHECK_FALSE(found512(9, 17));
    CHECK_FALSE(found("ij,jk->ik", {{6, 500}, {500, 129}}));
    CHECK_FALSE(found("ij,jk->ik", {{6, 6000}, {6000, 13}}));
    CHECK_FALSE(found("ij,kj->ik", {{8, 3000}, {13, 3000}}));
    CHECK_FALSE(found("ij,jk->ki", {{13, 3000}, {3000, 6}}));
}

TEST_CASE("an operand whose columns lie apart is transposed for many rows or a short depth") {
    CHECK(found("ij,kj->ik", {{8, 97}, {8, 97}}));
    CHECK(found("ij,kj->ik", {{12, 96}, {6, 96}}));
    CHECK_FALSE(found("ij,kj->ik", {{12, 97}, {6, 97}}));
    CHECK(found("ij,kj->ik", {{7, 56}, {9, 56}}));
    CHECK_FALSE(found("ij,kj->ik", {{7, 57}, {9, 57}}));
    CHECK_FALSE(found("ij,kj->ik", {{7, 56}, {3, 56}}));
    // less depth than dot tiles take, from four rows on, or one register of columns
    CHECK(found("ij,kj->ik", {{4, 47}, {9, 47}}));
    CHECK_FALSE(found("ij,kj->ik", {{4, 48}, {9, 48}}));
    CHECK_FALSE(found("ij,kj->ik", {{3, 25}, {9, 25}}));
    CHECK(found("ij,kj->ik", {{4, 64}, {8, 64}}));
    CHECK_FALSE(found("ij,kj->ik", {{4, 65}, {8, 65}}));
    CHECK(found("ij,jk->ki", {{8, 97}, {97, 8}}));
    CHECK_FALSE(found("ij,jk->ki", {{4, 63}, {63, 3}}));
    // neither operand has lines of the depth for a nest
    CHECK(found("ij,jk->ki", {{4, 64}, {64, 7}}));
    CHECK(found("ij,jk->ki", {{2, 64}, {64, 3}}));
    CHECK_FALSE(found("ij,jk->ki", {{2, 64}, {64, 2}}));
    CHECK_FALSE(found("ij,kj->ik", {{2, 64}, {3, 64}}));
    CHECK(found("ijb,kjb->ik", {{8, 5, 3}, {6, 5, 3}}));
    // along neither
    CHECK(found("ijb,kbj->ik", {{8, 5, 3}, {6, 3, 5}}));
    // along a loop around the product
    CHECK_FALSE(found("bij,jkb->bik", {{4, 8, 5}, {5, 6, 4}}));
    CHECK(described("bhqd,bhkd->bhqk", {{2, 3, 9, 5}, {2, 3, 6, 5}}) ==
          "6 small products, m 9, n 6, k 5, rhs transposed");
}

TEST_CASE("both operands have free labels, and something is summed in at most two loops") {
    CHECK_FALSE(found("ij,j->i", {{4, 5}, {5}}));
    CHECK_FALSE(found("i,j->ij", {{4}, {5}}));
    CHECK_FALSE(found("ij,jk->k", {{4, 5}, {5, 6}}));
    CHECK(found("iajb,bak->ijk", {{4, 5, 2, 3}, {3, 5, 6}}));
    CHECK_FALSE(found("aibjc,cbak->ijk", {{4, 2, 3, 5, 2}, {2, 3, 4, 6}}));
}

TEST_CASE(
    "an rhs that the first-level cache holds makes small products, and so does little depth") {
    CHECK(found("ij,jk->ik", {{128, 64}, {64, 128}}));
    CHECK_FALSE(found("ij,jk->ik", {{128, 64}, {64, 129}}));
    // lhs and results that the second-level cache holds
    CHECK(found("ij,jk->ik", {{2048, 64}, {64, 40}}));
    CHECK_FALSE(found("ij,jk->ik", {{2049, 64}, {64, 40}}));
    CHECK(found("ij,jk->ik", {{1489, 50}, {50, 88}}));
    CHECK_FALSE(found("ij,jk->ik", {{1490, 50}, {50, 88}}));
    // of little depth: few rows, few registers of columns, few results
    CHECK(found("ij,jk->ik", {{16, 47}, {47, 5000}}));
    CHECK_FALSE(found("ij,jk->ik", {{17, 47}, {47, 5000}}));
    CHECK_FALSE(found("ij,jk->ik", {{16, 48}, {48, 5000}}));
    CHECK(found("ij,jk->ik", {{70000, 47}, {47, 32}}));
    CHECK_FALSE(found("ij,jk->ik", {{70000, 47}, {47, 33}}));
    CHECK_FALSE(found("ij,jk->ik", {{70000, 48}, {48, 32}}));
    CHECK(found("ij,jk->ik", {{100, 30}, {30, 163}}));
    CHECK_FALSE(found("ij,jk->ik", {{101, 30}, {30, 163}}));
    constexpr xeinsum::planning::target avx512{.lanes = 16, .least_lanes = 4, .mr = 14, .nr = 32};
    const auto found512 = [&](std::int64_t rows, std::int64_t columns) {
        built_table t("ij,jk->ik", {{rows, 20}, {20, columns}});
        return small_product::find_small(t.get(), avx512).found;
    };
    CHECK(found512(32, 5000));
    CHECK_FALSE(found512(33, 5000));
    CHECK(found512(70000, 128));
    CHECK_FALSE(found512(70000, 129));
    CHECK(found512(300, 327));
    CHECK_FALSE(found512(301, 327));
    CHECK(found512(33, 1040));
    CHECK_FALSE(found512(33, 1024));  // rows of results meet in one set of the cache
    // transposed some columns at a time, or, of more depth, at once
    CHECK(found("ij,kj->ik", {{16, 47}, {9000, 47}}));
    CHECK(found("ij,kj->ik", {{16, 64}, {128, 64}}));
    CHECK_FALSE(found("ij,kj->ik", {{16, 64}, {129, 64}}));
    const auto transposed512 = [&](std::int64_t rows, std::int64_t depth) {
        built_table t("ij,kj->ik", {{rows, depth}, {9000, depth}});
        return small_product::find_small(t.get(), avx512).found;
    };
    CHECK(transposed512(4, 95));
    CHECK_FALSE(transposed512(4, 96));
    CHECK(transposed512(32, 159));
    CHECK_FALSE(transposed512(32, 160));
    CHECK_FALSE(transposed512(33, 95));
    CHECK(found("bij,bjk->bik", {{100000, 4, 4}, {100000, 4, 4}}));
    // large ones whose lines a loop around them would bring again, of lhs and of the output
    CHECK(found("bacx,cd->baxd", {{5, 30, 7, 11}, {7, 4}}));
    CHECK_FALSE(found("bacx,cd->baxd", {{25, 300, 7, 11}, {7, 4}}));
    CHECK_FALSE(found("bac,xcd->baxd", {{25, 300, 7}, {11, 7, 4}}));
    CHECK_FALSE(found("bacx,cd->xbad", {{25, 300, 11, 7}, {11, 4}}));
    CHECK(found("xbac,cd->xbad", {{11, 25, 300, 7}, {7, 4}}));
    // a large result whose longest rows are the farthest apart: e d of e d b, with a page each
    CHECK_FALSE(found("bged,cag->edcba", {{20, 24, 20, 24}, {20, 24, 24}}));
    CHECK(found("gb,edcag->edcba", {{24, 20}, {20, 24, 20, 24, 24}}));
    CHECK(found("bged,cag->edcba", {{20, 24, 5, 6}, {20, 24, 24}}));
}

TEST_CASE("threads cut columns, and rows of little depth, whose tiles do not change sums") {
    const auto units = [](std::int64_t depth, std::int64_t columns = 40) {
        built_table t("bij,bjk->bik", {{3, 500, depth}, {3, depth, columns}});
        recipe how;
        small_product::build(t.get(), small_loops::find(t.get(), avx2), how);
        std::array<std::int64_t, 4> of{};
        for (std::size_t m = 0; m < of.size(); ++m) {
            of[m] = small_product::unit(how, t.get(), m, avx2);
        }
        return of;
    };
    CHECK(units(47) == std::array<std::int64_t, 4>{1, 48, 16, 0});
    CHECK(units(48) == std::array<std::int64_t, 4>{1, 0, 16, 0});
    // alone, less than a register of columns might have narrower ones
    CHECK(units(48, 48) == std::array<std::int64_t, 4>{1, 0, 16, 0});
    CHECK(units(48, 39) == std::array<std::int64_t, 4>{1, 0, 0, 0});
    CHECK(units(47, 39) == std::array<std::int64_t, 4>{1, 48, 16, 0});
}

TEST_CASE("columns that fill no register are left to a nest where lines of the depth are long") {
    CHECK(found("ij,jk->ik", {{20, 64}, {64, 3}}));
    CHECK(found("ij,jk->ik", {{127, 64}, {64, 3}}));
    CHECK_FALSE(found("ij,jk->ik", {{128, 64}, {64, 3}}));
    CHECK(found("ij,jk->ik", {{128, 64}, {64, 4}}));
    CHECK(found("ji,jk->ik", {{64, 128}, {64, 3}}));
    CHECK(found("ij,jk->ik", {{200, 63}, {63, 3}}));
    // of a far lhs
    CHECK(found("bij,bjk->bik", {{900, 33, 64}, {900, 64, 3}}));
    CHECK_FALSE(found("bij,bjk->bik", {{1000, 33, 64}, {1000, 64, 3}}));
    // of both operands
    CHECK(found("ij,kj->ik", {{100, 15}, {3, 15}}));
    CHECK_FALSE(found("ij,kj->ik", {{100, 16}, {3, 16}}));
}

TEST_CASE("what is neither row, column nor depth is a loop around the product") {
    CHECK(described("nctw,cd->ndtw", {{2, 3, 4, 5}, {3, 6}}) ==
          "2 small products, m 6, n 20, k 3, operands exchanged, nothing packed");
    CHECK(described("nkctv,kvw->nctw", {{2, 3, 4, 5, 6}, {3, 6, 7}}) ==
          "2 small products, m 20, n 7, k 18, nothing packed");
    CHECK(described("bhqd,bhdk->bhqk", {{2, 3, 4, 5}, {2, 3, 5, 6}}) ==
          "6 small products, m 4, n 6, k 5, nothing packed");
}

TEST_CASE("far steps in the output are outside") {
    built_table t("abij,abjk->baik", {{2, 3, 4, 5}, {2, 3, 5, 6}});
    recipe how;
    small_product::build(t.get(), small_loops::find(t.get(), avx2), how);
    REQUIRE(how.groups == std::array<unsigned char, 4>{2, 1, 1, 1});
    CHECK(t.get().extent(0) == 3);
    CHECK(t.get().extent(1) == 2);
    CHECK(t.get().stride(0, 0) > t.get().stride(1, 0));
}
