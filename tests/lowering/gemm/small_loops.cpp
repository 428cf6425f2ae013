#include <xeinsum/lowering/gemm/small_loops.hpp>

#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

using support::avx2;
using support::built_table;
using xeinsum::lowerings::small_loops;

namespace {

/// Extents of the rows, columns and depth, and of the outer loop of the depth, if there is one.
std::array<std::int64_t, 4> extents(const char* text, const support::operand_shapes& shapes,
                                    bool swapped, bool transposed) {
    built_table t(text, shapes);
    const small_loops at = small_loops::find(t.get(), avx2);
    REQUIRE(at.found);
    CHECK(at.swapped == swapped);
    CHECK(at.transposed == transposed);
    CHECK(at.lhs() == (swapped ? 2 : 1));
    CHECK(at.rhs() == (swapped ? 1 : 2));
    return {t.get().extent(at.rows), t.get().extent(at.columns), t.get().extent(at.depth),
            at.pieces == small_loops::none ? 1 : t.get().extent(at.pieces)};
}

bool found(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    return small_loops::find(t.get(), avx2).found;
}

using four = std::array<std::int64_t, 4>;

}  // namespace

TEST_CASE("columns are those of the output, rows the longest loop of the other operand") {
    CHECK(extents("ij,jk->ik", {{4, 5}, {5, 6}}, false, false) == four{4, 6, 5, 1});
    CHECK(extents("ij,kj->ik", {{4, 5}, {6, 5}}, false, true) == four{4, 6, 5, 1});
    CHECK(extents("ij,jk->ki", {{4, 5}, {5, 6}}, true, true) == four{6, 4, 5, 1});
    CHECK(extents("nctw,cd->ndtw", {{2, 3, 4, 5}, {3, 6}}, true, false) == four{6, 20, 3, 1});
    CHECK(extents("iaj,jk->aik", {{4, 9, 5}, {5, 6}}, false, false) == four{9, 6, 5, 1});
}

TEST_CASE("the outer loop of the depth has the longer steps in lhs") {
    CHECK(extents("iajb,bak->ijk", {{4, 5, 2, 3}, {3, 5, 6}}, false, false) == four{4, 6, 3, 5});
}

TEST_CASE("what is no product of matrices has none") {
    CHECK_FALSE(found("ij,j->i", {{4, 5}, {5}}));
    CHECK_FALSE(found("i,j->ij", {{4}, {5}}));
    CHECK_FALSE(found("ij,jk->k", {{4, 5}, {5, 6}}));
    CHECK_FALSE(found("ijb,jkb->ikb", {{4, 5, 7}, {5, 6, 7}}));
    CHECK_FALSE(found("aibjc,cbak->ijk", {{4, 2, 3, 5, 2}, {2, 3, 4, 6}}));
}
