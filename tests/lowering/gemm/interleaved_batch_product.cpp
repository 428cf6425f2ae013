#include <xeinsum/lowering/gemm/interleaved_batch_product.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_kernels.hpp"
#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using support::avx2;
using support::built_table;
using xeinsum::recipe;
using xeinsum::lowerings::interleaved_batch_product;

namespace {

bool found(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    return interleaved_batch_product::find(t.get(), avx2).found;
}

double seconds(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    return interleaved_batch_product::seconds(t.get(),
                                              interleaved_batch_product::find(t.get(), avx2), avx2);
}

recipe build(built_table& t) {
    recipe how;
    interleaved_batch_product::build(t.get(), interleaved_batch_product::find(t.get(), avx2), how);
    return how;
}

std::string described(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    const recipe how = build(t);
    return interleaved_batch_product::describe(how,
                                               {t.get().row(0), t.get().pitch(), t.get().size()});
}

}  // namespace

TEST_CASE("a batch label is the closest in both operands and in the output") {
    CHECK(found("ijb,jkb->ikb", {{4, 5, 7}, {5, 6, 7}}));
    CHECK(found("jib,kjb->ikb", {{5, 4, 7}, {6, 5, 7}}));
    CHECK_FALSE(found("bij,jkb->ikb", {{7, 4, 5}, {5, 6, 7}}));
    CHECK_FALSE(found("ijb,bjk->ikb", {{4, 5, 7}, {7, 5, 6}}));
    CHECK_FALSE(found("ijb,jkb->ibk", {{4, 5, 7}, {5, 6, 7}}));
    CHECK_FALSE(found("bij,bjk->bik", {{7, 4, 5}, {7, 5, 6}}));
    CHECK_FALSE(found("ijb,jk->ikb", {{4, 5, 7}, {5, 6}}));  // b is free: its columns
}

TEST_CASE("both operands have free labels, and something is summed") {
    CHECK_FALSE(found("ijb,jb->ib", {{4, 5, 7}, {5, 7}}));
    CHECK_FALSE(found("ib,kb->ikb", {{4, 7}, {6, 7}}));
}

TEST_CASE("other loops go around the product, far steps outside") {
    CHECK(described("ijb,jkb->ikb", {{4, 5, 7}, {5, 6, 7}}) ==
          "batch 7 interleaved, m 4, n 6, k 5");
    CHECK(described("aijb,ajkb->aikb", {{3, 4, 5, 7}, {3, 5, 6, 7}}) ==
          "3 times batch 7 interleaved, m 4, n 6, k 5");
    built_table t("ijcb,cjkab->aikb", {{4, 5, 2, 7}, {2, 5, 6, 3, 7}});
    const recipe how = build(t);
    REQUIRE(how.groups == std::array<unsigned char, 4>{1, 1, 1, 2});
    std::vector<std::int64_t> extents;
    for (std::size_t m = 0; m < t.get().size(); ++m) {
        extents.push_back(t.get().extent(m));
    }
    // a; i, k; b; c, j
    CHECK(extents == std::vector<std::int64_t>{3, 4, 6, 7, 2, 5});
}

TEST_CASE("threads share whole registers and whole tiles") {
    built_table t("aijb,ajkb->aikb", {{3, 25, 5, 700}, {3, 5, 24, 700}});
    const recipe how = build(t);
    const auto unit = [&](std::size_t m) {
        return interleaved_batch_product::unit(how, t.get(), m, avx2);
    };
    CHECK(unit(0) == 1);   // a
    CHECK(unit(1) == 0);   // i: a row would be left alone
    CHECK(unit(2) == 12);  // k
    CHECK(unit(3) == 64);  // b
    CHECK(unit(4) == 0);   // j
}

TEST_CASE("more work takes longer, and so do registers that are not filled") {
    const auto n = [](std::int64_t i, std::int64_t b) {
        return seconds("ijb,jkb->ikb", {{i, 5, b}, {5, 6, b}});
    };
    CHECK(n(4, 100) < n(5, 100));
    CHECK(n(4, 100) < n(4, 200));
    CHECK(n(4, 8) < n(4, 7));
}

TEST_CASE("its memory suffices for the operands in any order, and is small for small ones") {
    const auto bytes = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        return interleaved_batch_product::scratch_bytes(t.get(), avx2);
    };
    CHECK(bytes("ij,jk->ik", {{40, 50}, {50, 60}}) == 0);
    CHECK(bytes("bij,bjk->bik", {{7, 4, 5}, {7, 5, 6}}) == (4 + 6) * 5 * 8 * 32);
    CHECK(bytes("bij,bjk->bik", {{7, 6, 5}, {7, 5, 4}}) == (4 + 6) * 5 * 8 * 32);
    CHECK(bytes("bij,bjk->bik", {{7, 600, 500}, {7, 500, 400}}) == (32 + 512) << 10);
}
