#include <xeinsum/lowering/gemm/blocked_product.hpp>

#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using support::avx2;
using support::built_table;
using xeinsum::lowerings::blocked_product;

namespace {

/// Blocks of 96 x 256 of lhs and 256 x 512 of rhs.
constexpr xeinsum::planning::target complex_numbers{
    .lanes = 8, .flop_weight = 4, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};

std::string described(const char* text, const support::operand_shapes& shapes,
                      const xeinsum::planning::target& on = complex_numbers) {
    built_table t(text, shapes);
    const auto how = blocked_product::build(t.get(), on, 0);
    return blocked_product::describe(how, {t.get().row(0), t.get().pitch(), t.get().size()});
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
          "batch 1, m 128, n 8, k 400, operands exchanged, packed");
    // Smaller blocks than few rows take.
    xeinsum::planning::target small = avx2;
    small.mc = small.mr;
    small.nc = small.nr;
    built_table t("ij,jk->ik", {{8, 400}, {400, 128}});
    const std::size_t bytes = blocked_product::scratch_bytes(t.get(), small);
    const xeinsum::recipe how = blocked_product::build(t.get(), small, 0);
    CHECK(how.scratch_bytes == xeinsum::kernel::rank_k_updates_bytes(8, 400, 4));
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
    const auto columns = blocked_product::build(n.get(), avx2, 0);
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
    const auto depth = blocked_product::build(k.get(), avx2, 0);
    REQUIRE(depth.groups[3] >= 3);
    const std::size_t last = k.get().size() - 1;
    CHECK(k.get().stride(last, 1) == 1);
    CHECK(k.get().stride(last - 1, 2) == 1);
    CHECK(k.get().extent(last) * k.get().extent(last - 1) <= 256);
}

TEST_CASE("a larger product takes longer, a wide tile half empty too") {
    built_table a("ij,jk->ik", {{64, 64}, {64, 64}});
    built_table b("ij,jk->ik", {{64, 64}, {64, 65}});
    built_table c("ij,jk->ik", {{64, 64}, {64, 80}});
    CHECK(blocked_product::seconds(b.get(), complex_numbers, 0) >
          blocked_product::seconds(a.get(), complex_numbers, 0));
    CHECK(blocked_product::seconds(c.get(), complex_numbers, 0) -
              blocked_product::seconds(b.get(), complex_numbers, 0) <
          blocked_product::seconds(b.get(), complex_numbers, 0) -
              blocked_product::seconds(a.get(), complex_numbers, 0));
}
