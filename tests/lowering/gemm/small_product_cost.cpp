#include <xeinsum/lowering/gemm/small_product_cost.hpp>

#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using support::built_table;
using xeinsum::lowerings::small_loops;
using xeinsum::lowerings::small_product_cost;

namespace {

constexpr const xeinsum::planning::target& avx2 = support::avx2_or_narrower;

double seconds(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    return small_product_cost::seconds(t.get(), small_loops::find(t.get(), avx2), avx2);
}

}  // namespace

TEST_CASE("an operand whose columns lie apart is transposed, in each product") {
    CHECK(seconds("ij,kj->ik", {{8, 15}, {16, 15}}) > seconds("ij,jk->ik", {{8, 15}, {15, 16}}));
    CHECK(seconds("bij,bkj->bik", {{7, 8, 15}, {7, 16, 15}}) >
          seconds("bij,kj->bik", {{7, 8, 15}, {16, 15}}));
}

TEST_CASE("columns fill a register, the narrowest or half of the only one, or matter little") {
    const auto fills = [](const xeinsum::planning::target& on, std::int64_t batch,
                          std::int64_t columns) {
        built_table t("bij,bjk->bik", {{batch, 4, 4}, {batch, 4, columns}});
        return small_product_cost::fills_registers(t.get(), small_loops::find(t.get(), on), on);
    };
    const xeinsum::planning::target avx512{.lanes = 16, .least_lanes = 4};
    CHECK(fills(avx512, 100000, 4));
    CHECK_FALSE(fills(avx512, 100000, 3));
    CHECK(fills(avx512, 80, 3));
    const xeinsum::planning::target sse2{.lanes = 4, .least_lanes = 4};
    CHECK(fills(sse2, 100000, 2));
}

TEST_CASE("more work takes longer") {
    CHECK(seconds("ij,jk->ik", {{8, 9}, {9, 16}}) < seconds("ij,jk->ik", {{8, 9}, {9, 32}}));
    CHECK(seconds("ij,jk->ik", {{8, 9}, {9, 16}}) < seconds("ij,jk->ik", {{9, 9}, {9, 16}}));
    CHECK(seconds("bij,bjk->bik", {{10, 4, 5}, {10, 5, 8}}) >
          5 * seconds("bij,bjk->bik", {{2, 4, 5}, {2, 5, 8}}) - 4 * avx2.core.step_seconds - 1e-12);
}

TEST_CASE("an lhs on more lines than the first cache holds is waited for") {
    // 25 x 48 of every second line for each c.
    const double spread = seconds("abc,cbd->cad", {{25, 48, 32}, {32, 48, 12}});
    CHECK(spread > 1.5 * seconds("cab,cbd->cad", {{32, 25, 48}, {32, 48, 12}}));
    // Fewer lines, and lines without gaps.
    CHECK(seconds("abc,cbd->cad", {{25, 16, 32}, {32, 16, 12}}) ==
          seconds("cab,cbd->cad", {{32, 25, 16}, {32, 16, 12}}));
    CHECK(seconds("abc,cbd->cad", {{25, 48, 16}, {16, 48, 12}}) ==
          seconds("cab,cbd->cad", {{16, 25, 48}, {16, 48, 12}}));
}
