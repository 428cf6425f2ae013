#include <xeinsum/lowering/gemm.hpp>

#include "../support/table_of.hpp"
#include "../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using support::avx2;
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

TEST_CASE("labels become the groups of a batched product") {
    CHECK(described("nkctv,kvw->nctw", {{2, 3, 4, 5, 6}, {3, 6, 7}}) ==
          "batch 1, m 40, n 7, k 18, packed");
    CHECK(described("bhqd,bhkd->bhqk", {{2, 3, 4, 5}, {2, 3, 6, 5}}) ==
          "batch 6, m 4, n 6, k 5, lhs read directly");
}

TEST_CASE("an output that lies along lhs exchanges the operands") {
    // "nctw,cd->ndtw": t w of lhs lie side by side in the output
    CHECK(described("nctw,cd->ndtw", {{2, 3, 4, 5}, {3, 6}}) ==
          "batch 1, m 6, n 40, k 3, operands exchanged, packed");
    CHECK(described("ij,jk->ki", {{4, 5}, {5, 6}}) ==
          "batch 1, m 6, n 4, k 5, operands exchanged, lhs read directly");
    CHECK(described("ij,jk->ik", {{4, 5}, {5, 6}}) == "batch 1, m 4, n 6, k 5, lhs read directly");
}

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

TEST_CASE("operands are read where they lie as long as that pays") {
    CHECK(described("ij,jk->ik", {{30, 40}, {40, 50}}) ==
          "batch 1, m 30, n 50, k 40, both read directly");
    CHECK(described("ij,jk->ik", {{300, 400}, {400, 500}}) ==
          "batch 1, m 300, n 500, k 400, lhs read directly");
    CHECK(described("ij,jk->ik", {{3000, 400}, {400, 5000}}) ==
          "batch 1, m 3000, n 5000, k 400, packed");
    // columns of lhs are far apart, rows of rhs lie one behind the other
    CHECK(described("ji,kj->ik", {{40, 30}, {50, 40}}) == "batch 1, m 30, n 50, k 40, packed");
}

TEST_CASE("few rows read rhs once, with scratch that is known beforehand") {
    CHECK(described("ij,jk->ik", {{8, 400}, {400, 128}}, avx2) ==
          "batch 1, m 8, n 128, k 400, rhs read directly across the depth");
    CHECK(described("ij,jk->ki", {{8, 400}, {400, 128}}, avx2) ==
          "batch 1, m 128, n 8, k 400, operands exchanged, lhs read directly");
    // Smaller blocks than few rows take.
    xeinsum::planning::target small = avx2;
    small.mc = small.mr;
    small.nc = small.nr;
    built_table t("ij,jk->ik", {{8, 400}, {400, 128}});
    const std::size_t bytes = gemm::scratch_bytes(t.get(), small);
    const xeinsum::recipe how = gemm::build(t.get(), small);
    CHECK(how.scratch_bytes == xeinsum::kernel::row_updates_bytes(8, 400, 4));
    CHECK(bytes >= how.scratch_bytes);
}

TEST_CASE("outer rows become loops around the product where inner rows fill it") {
    CHECK(described("nkctv,kvw->nctw", {{8, 3, 64, 150, 25}, {3, 25, 24}}) ==
          "batch 8, m 9600, n 24, k 75, both read directly");
    // pieces of depth that are too short to be read where they lie
    CHECK(described("nkctv,kvw->nctw", {{8, 3, 64, 150, 5}, {3, 5, 24}}) ==
          "batch 1, m 76800, n 24, k 15, packed");
}

TEST_CASE("where an operand and the result lie in different directions, both are cut into tiles") {
    // columns b a: the operand lies along b, the result along a
    built_table n("adb,cd->cba", {{96, 40, 64}, {25, 40}});
    const auto columns = gemm::build(n.get(), avx2);
    const xeinsum::mode_table& t = n.get();
    REQUIRE(columns.groups == std::array<unsigned char, 4>{0, 1, 4, 1});
    const std::vector<std::int64_t> extents{t.extent(1), t.extent(2), t.extent(3), t.extent(4)};
    CHECK(extents == std::vector<std::int64_t>{2, 6, 32, 16});
    CHECK(t.stride(3, 2) == 1);
    CHECK(t.stride(4, 0) == 1);
    CHECK(t.stride(1, 2) == 32);
    CHECK(t.stride(2, 0) == 16);
    // depth d c: one operand lies along c, the other along d
    built_table k("dac,bcd->ba", {{48, 30, 60}, {20, 60, 48}});
    const auto depth = gemm::build(k.get(), avx2);
    REQUIRE(depth.groups[3] >= 3);
    const std::size_t last = k.get().size() - 1;
    CHECK(k.get().stride(last, 1) == 1);
    CHECK(k.get().stride(last - 1, 2) == 1);
    CHECK(k.get().extent(last) * k.get().extent(last - 1) <= 256);
}

TEST_CASE("a batch that lies side by side in all arrays is computed in lanes") {
    CHECK(described("ijb,jkb->ikb", {{4, 5, 70}, {5, 6, 70}}, avx2) ==
          "batch 70 in lanes, m 4, n 6, k 5");
    CHECK(described("ijb,jkb->ikb", {{4, 5, 70}, {5, 6, 70}}) ==
          "batch 70 in lanes, m 4, n 6, k 5");
    // two products of many terms fill a quarter of the lanes
    CHECK(described("ijb,jkb->ikb", {{64, 65, 2}, {65, 66, 2}}, avx2) ==
          "batch 2, m 64, n 66, k 65, packed");
    // any strides of the operands must find their memory in a plan
    built_table t("bij,bjk->bik", {{70, 40, 50}, {70, 50, 60}});
    CHECK(gemm::scratch_bytes(t.get(), avx2) >=
          xeinsum::lowerings::batched_product::scratch_bytes(t.get(), avx2));
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

TEST_CASE("a larger product takes longer, a wide tile half empty too") {
    built_table a("ij,jk->ik", {{64, 64}, {64, 64}});
    built_table b("ij,jk->ik", {{64, 64}, {64, 65}});
    built_table c("ij,jk->ik", {{64, 64}, {64, 80}});
    CHECK(gemm::seconds(b.get(), complex_numbers) > gemm::seconds(a.get(), complex_numbers));
    CHECK(gemm::seconds(c.get(), complex_numbers) - gemm::seconds(b.get(), complex_numbers) <
          gemm::seconds(b.get(), complex_numbers) - gemm::seconds(a.get(), complex_numbers));
}
