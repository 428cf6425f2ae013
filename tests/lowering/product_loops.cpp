#include <xeinsum/lowering/product_loops.hpp>

#include <xeinsum/lowering/gemm.hpp>

#include "../support/table_of.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using support::built_table;
using xeinsum::lowerings::gemm;
using xeinsum::lowerings::product_loops;
using numbers = std::vector<std::int64_t>;

namespace {

constexpr xeinsum::planning::target avx2{
    .lanes = 8, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};

/// A built product: its loops' extents in order, and how they are grouped.
struct built {
    numbers extents{};
    std::array<unsigned char, 4> groups{};
    std::string words{};
};
built product(const char* text, const std::vector<numbers>& shapes) {
    built_table t(text, shapes);
    const auto how = gemm::build(t.get(), avx2);
    built b{{}, how.groups, gemm::describe(how, {t.get().row(0), t.get().pitch(), t.get().size()})};
    for (std::size_t m = 0; m < t.get().size(); ++m) {
        b.extents.push_back(t.get().extent(m));
    }
    return b;
}

}  // namespace

TEST_CASE("columns that lie side by side in rhs alone are staged, those of the output last") {
    // rhs lies along b, the output along a
    const built one = product("adb,cd->cba", {{96, 40, 64}, {24, 40}});
    CHECK(one.groups == std::array<unsigned char, 4>{1, 1, 1, 1});
    CHECK(one.extents == numbers{96, 24, 64, 40});
    CHECK(one.words.find("results staged") != std::string::npos);
    // c e follow each other in rhs; b goes around, a is the last loop of the batch
    const built chain = product("afbce,df->edcba", {{20, 30, 9, 10, 40}, {23, 30}});
    CHECK(chain.groups == std::array<unsigned char, 4>{1, 1, 3, 1});
    CHECK(chain.extents == numbers{20, 23, 9, 10, 40, 30});
    const built around = product("abdfe,cf->ecdba", {{20, 9, 11, 30, 40}, {23, 30}});
    CHECK(around.groups == std::array<unsigned char, 4>{3, 1, 1, 1});
    CHECK(around.extents == numbers{11, 9, 20, 23, 40, 30});
}

TEST_CASE("many rows, a deep or a short product are not staged") {
    for (const auto& shapes : {std::pair{numbers{96, 40, 64}, numbers{25, 40}},
                               {numbers{96, 300, 64}, numbers{24, 300}},
                               {numbers{8, 8, 16}, numbers{24, 8}}}) {
        const built b = product("adb,cd->cba", {shapes.first, shapes.second});
        CHECK(b.words.find("results staged") == std::string::npos);
    }
}

TEST_CASE("memory for staged results is planned for whatever the layouts are") {
    CHECK(product_loops::staged_bytes(24, 6144, 40, avx2) == xeinsum::kernel::staged_bytes);
    CHECK(product_loops::staged_bytes(25, 6144, 40, avx2) == 0);
    CHECK(product_loops::staged_bytes(24, 6144, 257, avx2) == 0);
    built_table t("adb,cd->cba", {{96, 40, 64}, {24, 40}});
    const std::size_t bytes = gemm::scratch_bytes(t.get(), avx2);
    CHECK(bytes >= xeinsum::kernel::staged_bytes);
    CHECK(bytes <= std::size_t{2} << 20U);
    built_table turned("adb,cd->abc", {{96, 40, 64}, {24, 40}});
    CHECK(gemm::scratch_bytes(turned.get(), avx2) == bytes);
    // what is built asks for what it needs
    CHECK(gemm::build(t.get(), avx2).scratch_bytes >= xeinsum::kernel::staged_bytes);
    CHECK(gemm::build(turned.get(), avx2).scratch_bytes == 0);
}

TEST_CASE("a product that need not pack what lies side by side leaves the other columns outside") {
    const built b = product("be,dcea->dcba", {{84, 90}, {20, 30, 90, 96}});
    CHECK(b.groups == std::array<unsigned char, 4>{1, 1, 1, 1});
    CHECK(b.extents == numbers{600, 84, 96, 90});
    CHECK(b.words.find("both read directly") != std::string::npos);
}

TEST_CASE("a large output of a shallow product is written in its order") {
    // of fedcba the loops f and e d go around, those over columns first
    const built b = product("aged,cbfg->fedcba", {{24, 24, 20, 24}, {20, 20, 20, 24}});
    CHECK(b.groups == std::array<unsigned char, 4>{2, 1, 1, 1});
    CHECK(b.extents == numbers{480, 20, 400, 24, 24});
    // rows within columns, but lines of 480 elements
    const built lines = product("cged,bafg->fedcba", {{20, 24, 20, 24}, {20, 24, 20, 24}});
    CHECK(lines.groups[0] == 0);
}
