#include <xeinsum/lowering/gemm/decide.hpp>

#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <xeinsum/lowering/nest/decide.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using support::avx2;
using support::avx512;
using gemm = xeinsum::lowerings::gemm;
using support::built_table;

namespace {

/// The same without small products, which are of real numbers.
constexpr xeinsum::planning::target complex_numbers{
    .lanes = 8, .flop_weight = 4, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};

std::string described(const char* text, const support::operand_shapes& shapes,
                      const xeinsum::planning::target& on = complex_numbers) {
    built_table t(text, shapes);
    const auto how = gemm::build(t.get(), on);
    return gemm::describe(how, {t.get().row(0), t.get().pitch(), t.get().size()});
}

}  // namespace

TEST_CASE("small products of real numbers are not packed") {
    CHECK(described("ij,jk->ik", {{4, 5}, {5, 6}}, avx2) ==
          "1 small products, m 4, n 6, k 5, nothing packed");
    CHECK(described("ij,jk->ik", {{100, 64}, {64, 128}}, avx2) ==
          "1 small products, m 100, n 128, k 64, nothing packed");
    CHECK(described("ij,jk->ik", {{100, 65}, {65, 128}}, avx2) ==
          "batch 1, m 100, n 128, k 65, both read directly");
    built_table t("ij,jk->ik", {{4, 5}, {5, 6}});
    CHECK(gemm::obvious(t.get(), avx2));
    CHECK_FALSE(gemm::obvious(t.get(), complex_numbers));
    // any strides of the output must find their memory in a plan
    CHECK(gemm::scratch_bytes(t.get(), avx2) > 0);
    CHECK(gemm::build(t.get(), avx2).scratch_bytes == 0);
}

TEST_CASE("small products whose columns fill no register are compared with others") {
    xeinsum::planning::target on = avx2;
    on.least_lanes = 4;
    built_table t("bij,bjk->bik", {{1000, 8, 16}, {1000, 16, 3}});
    CHECK_FALSE(gemm::obvious(t.get(), on));
    CHECK(gemm::seconds(t.get(), on) <
          xeinsum::lowerings::broadcast_multiply_reduce::seconds(t.get(), on));
    CHECK(described("bij,bjk->bik", {{1000, 8, 16}, {1000, 16, 3}}, on) ==
          "1000 small products, m 8, n 3, k 16, nothing packed");
}

TEST_CASE("large products are obvious if no array is read or written element by element") {
    const auto obvious = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        const bool sure = gemm::obvious(t.get(), complex_numbers);
        xeinsum::recipe how;
        CHECK(gemm::build_obvious(t.get(), complex_numbers, how) == sure);
        CHECK((how.scratch_bytes > 0) == sure);
        return sure;
    };
    CHECK(obvious("ij,jk->ik", {{48, 49}, {49, 50}}));
    CHECK_FALSE(obvious("ij,jk->ik", {{47, 49}, {49, 50}}));
    CHECK_FALSE(obvious("ij,jk->ik", {{48, 47}, {47, 50}}));
    CHECK_FALSE(obvious("ij,jk->ik", {{48, 49}, {49, 47}}));
    CHECK(obvious("ijl,ljk->ik", {{48, 7, 8}, {8, 7, 50}}));
    CHECK(obvious("bij,bjk->bik", {{3, 48, 49}, {3, 49, 50}}));
    CHECK_FALSE(obvious("ijb,bjk->bik", {{48, 49, 3}, {3, 49, 50}}));
    CHECK_FALSE(obvious("bij,bjk->ikb", {{3, 48, 49}, {3, 49, 50}}));
    CHECK_FALSE(obvious("ij,j->i", {{500, 600}, {600}}));
    CHECK_FALSE(obvious("ij,jkl->ik", {{48, 49}, {49, 50, 5}}));
    CHECK_FALSE(obvious("i,j->ij", {{500}, {600}}));
    // a machine that a caller has named may see it otherwise
    built_table t("ij,jk->ik", {{100, 200}, {200, 300}});
    xeinsum::planning::target named = complex_numbers;
    named.use({});
    CHECK(gemm::obvious(t.get(), named));
    named.use({.fused_multiply_adds_per_cycle = 1e-3});
    CHECK_FALSE(gemm::obvious(t.get(), named));
}

TEST_CASE("products of large arrays in other orders are faster than nests") {
    for (const auto& product : {std::pair<std::string, support::operand_shapes>{
                                    "adb,cd->cba", {{384, 384, 384}, {24, 384}}},
                                {"aebd,ce->dcba", {{96, 96, 84, 96}, {24, 96}}},
                                {"aced,eb->dcba", {{96, 84, 84, 96}, {84, 24}}},
                                {"afbce,df->edcba", {{48, 48, 36, 36, 48}, {24, 48}}},
                                {"bged,cafg->fedcba", {{20, 24, 20, 24}, {20, 24, 20, 24}}},
                                {"abcd,efb->fdcea", {{25, 48, 48, 20}, {20, 8, 48}}}}) {
        CAPTURE(product.first);
        built_table t(product.first.c_str(), product.second);
        CHECK(gemm::seconds(t.get(), avx512) * 2 <
              xeinsum::lowerings::nest_seconds(t.get(), avx512));
    }
}

TEST_CASE("a degenerate shape is left to the loop nest") {
    const auto never = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        return gemm::never_wins(t.get());
    };
    CHECK(never("ij,j->i", {{500, 600}, {600}}));
    CHECK(never("i,j->ij", {{500}, {600}}));
    CHECK(never("bi,bi->b", {{5, 6}, {5, 6}}));
    CHECK_FALSE(never("ij,jk->ik", {{4, 5}, {5, 6}}));
    CHECK_FALSE(never("ij->ji", {{4, 5}}));  // it is refused
}

TEST_CASE("a batch that lies side by side in all arrays is computed in lanes") {
    CHECK(described("ijb,jkb->ikb", {{4, 5, 70}, {5, 6, 70}}, avx2) ==
          "batch 70 interleaved, m 4, n 6, k 5");
    CHECK(described("ijb,jkb->ikb", {{4, 5, 70}, {5, 6, 70}}) ==
          "batch 70 interleaved, m 4, n 6, k 5");
    // two products of many terms fill a quarter of the lanes
    CHECK(described("ijb,jkb->ikb", {{64, 65, 2}, {65, 66, 2}}, avx2) ==
          "batch 2, m 64, n 66, k 65, packed");
    // any strides of the operands must find their memory in a plan
    built_table t("bij,bjk->bik", {{70, 40, 50}, {70, 50, 60}});
    CHECK(gemm::scratch_bytes(t.get(), avx2) >=
          xeinsum::lowerings::interleaved_batch_product::scratch_bytes(t.get(), avx2));
}

TEST_CASE("special shapes are told") {
    CHECK(described("ij,j->i", {{4, 5}, {5}}) == "matrix-vector product, 4 results of 5 terms");
    CHECK(described("i,ij->j", {{4}, {4, 5}}) == "matrix-vector product, 5 results of 4 terms");
    CHECK(described("i,i->", {{4}, {4}}) == "dot product, 1 results of 4 terms");
    CHECK(described("i,j->ij", {{4}, {5}}) == "outer product, 20 results of 1 terms");
    CHECK(described("ij,ij->ij", {{4, 5}, {4, 5}}) == "scaling, 20 results of 1 terms");
}

TEST_CASE("it refuses one operand and labels that only one operand has") {
    built_table one("ij->ji", {{4, 5}});
    CHECK(std::string(gemm::refusal(one.get())) == "a matrix product has two operands");
    built_table alone("ij,jk->k", {{4, 5}, {5, 6}});
    CHECK(std::string(gemm::refusal(alone.get())).find("only one operand has") !=
          std::string::npos);
    built_table fine("ij,jk->ik", {{4, 5}, {5, 6}});
    CHECK(gemm::refusal(fine.get()) == nullptr);
}

TEST_CASE("its memory is bounded whatever the extents, and small for small ones") {
    built_table large("ij,jk->ik", {{5000, 6000}, {6000, 7000}});
    CHECK(gemm::build(large.get(), avx2).scratch_bytes <= (std::size_t{2} << 20U));
    built_table small("ij,jk->ik", {{4, 5}, {5, 6}});
    CHECK(gemm::build(small.get(), avx2).scratch_bytes < 2048);
}
