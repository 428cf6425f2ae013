#include <xeinsum/lowering/gemm/product_loops.hpp>

#include <xeinsum/lowering/gemm/decide.hpp>

#include "../../support/built_product.hpp"
#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using support::avx2;
using support::built_table;
using xeinsum::lowerings::gemm;
using xeinsum::lowerings::product_loops;
using numbers = std::vector<std::int64_t>;

namespace {

support::built_product product(const char* text, const std::vector<numbers>& shapes) {
    return {text, shapes, avx2};
}

}  // namespace

TEST_CASE("columns that lie side by side in rhs alone are staged, those of the output last") {
    // rhs lies along b, the output along a
    const support::built_product one = product("adb,cd->cba", {{96, 40, 64}, {24, 40}});
    CHECK(one.groups == std::array<unsigned char, 4>{1, 1, 1, 1});
    CHECK(one.extents == numbers{96, 24, 64, 40});
    CHECK(one.words.find("results staged") != std::string::npos);
    // c e follow each other in rhs; b goes around, a is the last loop of the batch
    const support::built_product chain =
        product("afbce,df->edcba", {{20, 30, 9, 10, 40}, {23, 30}});
    CHECK(chain.groups == std::array<unsigned char, 4>{1, 1, 3, 1});
    CHECK(chain.extents == numbers{20, 23, 9, 10, 40, 30});
    const support::built_product around =
        product("abdfe,cf->ecdba", {{20, 9, 11, 30, 40}, {23, 30}});
    CHECK(around.groups == std::array<unsigned char, 4>{3, 1, 1, 1});
    CHECK(around.extents == numbers{11, 9, 20, 23, 40, 30});
}

TEST_CASE("columns by which a short run of a large output goes on are a loop around") {
    const support::built_product joined =
        product("afbce,df->edcba", {{48, 5, 36, 37, 50}, {24, 5}});
    CHECK(joined.groups == std::array<unsigned char, 4>{2, 1, 2, 1});
    CHECK(joined.extents == numbers{36, 48, 24, 37, 50, 5});
    const support::built_product long_run =
        product("afbce,df->edcba", {{100, 5, 36, 37, 50}, {24, 5}});
    CHECK(long_run.groups == std::array<unsigned char, 4>{1, 1, 3, 1});
    const support::built_product small = product("afbce,df->edcba", {{48, 5, 5, 6, 50}, {24, 5}});
    CHECK(small.groups == std::array<unsigned char, 4>{1, 1, 3, 1});
}

TEST_CASE("many rows, a deep or a short product are not staged") {
    for (const auto& shapes : {std::pair{numbers{96, 40, 64}, numbers{25, 40}},
                               {numbers{96, 300, 64}, numbers{24, 300}},
                               {numbers{8, 8, 16}, numbers{24, 8}}}) {
        const support::built_product b = product("adb,cd->cba", {shapes.first, shapes.second});
        CHECK(b.words.find("results staged") == std::string::npos);
    }
}

TEST_CASE("memory for staged results is planned for whatever the layouts are") {
    using xeinsum::kernel::staged_tiles;
    constexpr std::size_t staged = xeinsum::kernel::staged_bytes(staged_tiles::usual);
    CHECK(product_loops::may_stage(24, 6144, 40, avx2));
    CHECK_FALSE(product_loops::may_stage(25, 6144, 40, avx2));
    CHECK_FALSE(product_loops::may_stage(24, 6144, 257, avx2));
    built_table t("adb,cd->cba", {{96, 40, 64}, {24, 40}});
    const std::size_t bytes = gemm::scratch_bytes(t.get(), avx2);
    CHECK(bytes >= staged);
    CHECK(bytes <= std::size_t{2} << 20U);
    built_table transposed("adb,cd->abc", {{96, 40, 64}, {24, 40}});
    CHECK(gemm::scratch_bytes(transposed.get(), avx2) == bytes);
    // what is built asks for what it needs
    CHECK(gemm::build(t.get(), avx2).scratch_bytes >= staged);
    CHECK(gemm::build(transposed.get(), avx2).scratch_bytes == 0);
    // few rows need more room, with the largest depth as well
    built_table few("adb,cd->cba", {{96, 256, 64}, {8, 256}});
    const auto how = gemm::build(few.get(), avx2);
    CHECK(how.scratch_bytes > xeinsum::kernel::staged_bytes(staged_tiles::few_rows));
    CHECK(gemm::scratch_bytes(few.get(), avx2) >= how.scratch_bytes);
    CHECK(gemm::scratch_bytes(few.get(), avx2) <= std::size_t{2} << 20U);
}

TEST_CASE("few rows read what lies side by side in rhs across the depth, staged or not") {
    const auto words = [](const char* text, const std::vector<numbers>& shapes) {
        return product(text, shapes).words;
    };
    const std::string across = "rhs read directly across the depth";
    CHECK(words("adb,cd->cba", {{96, 40, 64}, {8, 40}}).ends_with(across + ", results staged"));
    CHECK(words("adb,cd->cba", {{96, 40, 64}, {9, 40}}).ends_with("tly, results staged"));
    CHECK(words("adb,cd->cba", {{96, 80, 63}, {8, 80}}).ends_with("tly, results staged"));
    // a goes around: products of rhs that are too large to stay in a cache between tiles
    const support::built_product around = product("adb,cd->acb", {{30, 300, 500}, {8, 300}});
    CHECK(around.words.ends_with(across));
    CHECK(around.groups == std::array<unsigned char, 4>{1, 1, 1, 1});
    CHECK(around.extents == numbers{30, 8, 500, 300});
}

TEST_CASE("few rows read rhs along the depth, by the columns that lie side by side in the output") {
    const support::built_product one = product("acd,db->cba", {{30, 37, 500}, {500, 24}});
    CHECK(one.words.ends_with("rhs read directly along the depth"));
    CHECK(one.groups == std::array<unsigned char, 4>{1, 1, 1, 1});
    CHECK(one.extents == numbers{37, 24, 30, 500});
    // as many as make tiles, of few rows, and of some depth
    for (const auto& shapes : {std::pair{numbers{7, 37, 500}, numbers{500, 24}},
                               {numbers{30, 37, 500}, numbers{500, 33}},
                               {numbers{30, 370, 47}, numbers{47, 24}}}) {
        const support::built_product b = product("acd,db->cba", {shapes.first, shapes.second});
        CHECK(b.words.find("along the depth") == std::string::npos);
    }
}

TEST_CASE("a product that need not pack what lies side by side leaves the other columns outside") {
    const support::built_product b = product("be,dcea->dcba", {{84, 90}, {20, 30, 90, 96}});
    CHECK(b.groups == std::array<unsigned char, 4>{1, 1, 1, 1});
    CHECK(b.extents == numbers{600, 84, 96, 90});
    CHECK(b.words.find("both read directly") != std::string::npos);
}
