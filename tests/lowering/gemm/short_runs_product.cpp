#include <xeinsum/lowering/gemm/short_runs_product.hpp>

#include "../../support/built_product.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using support::avx2;
using support::avx512;
using support::built_product;
using numbers = std::vector<std::int64_t>;
using counts = std::array<unsigned char, 4>;

namespace {

bool in_registers(const built_product& b) {
    return b.words.ends_with("runs of columns in whole registers");
}

}  // namespace

TEST_CASE("a large output of a shallow product is written in its order") {
    // of fedcba the loops f and e d go around, those over columns first
    const built_product b("aged,cbfg->fedcba", {{24, 24, 20, 24}, {20, 20, 20, 24}}, avx2);
    CHECK(b.groups == counts{2, 1, 1, 1});
    CHECK(b.extents == numbers{480, 20, 400, 24, 24});
    CHECK_FALSE(in_registers(b));
    // rows within columns, but lines of 480 elements
    const built_product lines("cged,bafg->fedcba", {{20, 24, 20, 24}, {20, 24, 20, 24}}, avx2);
    CHECK(lines.groups[0] == 0);
}

TEST_CASE("the loop along which a rhs beyond L2 lies stays inside") {
    // of fdcea, whose columns are a c d of the first operand; d goes around where rhs is smaller
    const built_product large("abcd,efb->fdcea", {{25, 48, 48, 20}, {22, 8, 48}}, avx2);
    CHECK(large.groups == counts{1, 1, 3, 1});
    CHECK(large.extents == numbers{8, 22, 48, 20, 25, 48});
    const built_product small("abcd,efb->fdcea", {{25, 48, 30, 20}, {22, 18, 48}}, avx2);
    CHECK(small.groups == counts{2, 1, 2, 1});
    CHECK(small.extents == numbers{20, 18, 22, 30, 25, 48});
}

TEST_CASE(
    "runs that fill most of a tile have kernels of their own, if registers are as wide as lines") {
    const built_product b("bged,cafg->fedcba", {{20, 22, 18, 26}, {21, 24, 19, 22}}, avx512);
    CHECK(in_registers(b));
    CHECK(b.groups == counts{2, 1, 2, 1});
    CHECK(b.extents == numbers{19, 18 * 26, 20, 21, 24, 22});
    CHECK_FALSE(in_registers({"bged,cafg->fedcba", {{20, 22, 18, 26}, {21, 24, 19, 22}}, avx2}));
    CHECK(in_registers({"bged,cafg->fedcba", {{21, 22, 18, 26}, {20, 36, 19, 22}}, avx512}));
    // a run that leaves a third of a tile, a deep product, a small output
    for (const auto& shapes : {std::array{numbers{20, 22, 18, 26}, numbers{21, 32, 19, 22}},
                               {numbers{20, 49, 18, 26}, numbers{21, 24, 19, 49}},
                               {numbers{20, 22, 2, 3}, numbers{21, 24, 19, 22}}}) {
        CHECK_FALSE(in_registers({"bged,cafg->fedcba", {shapes[0], shapes[1]}, avx512}));
    }
}

TEST_CASE("columns come back to a product with few of them, those that step least") {
    // 48 of the 480 e d, which are 1152 columns with a: as many as are packed
    const built_product part("aged,cbfg->fedcba", {{24, 24, 20, 24}, {20, 20, 20, 24}}, avx512);
    CHECK(in_registers(part));
    CHECK(part.groups == counts{2, 1, 2, 1});
    CHECK(part.extents == numbers{10, 20, 400, 48, 24, 24});
    const built_product all("aged,cbfg->fedcba", {{24, 24, 2, 24}, {20, 20, 50, 24}}, avx512);
    CHECK(in_registers(all));
    CHECK(all.groups == counts{1, 1, 2, 1});
    CHECK(all.extents == numbers{50, 400, 48, 24, 24});
}

TEST_CASE("memory is planned for whatever the layouts are") {
    for (const auto& shapes : {std::array{numbers{20, 24, 20, 24}, numbers{20, 24, 20, 24}},
                               {numbers{512, 2, 9, 4}, numbers{20, 24, 20, 2}}}) {
        support::built_table t("bged,cafg->fedcba", {shapes[0], shapes[1]});
        const std::size_t bytes = xeinsum::lowerings::gemm::scratch_bytes(t.get(), avx512);
        CHECK(bytes <= std::size_t{2} << 20U);
        CHECK(bytes >=
              built_product("bged,cafg->fedcba", {shapes[0], shapes[1]}, avx512).scratch_bytes);
    }
}
