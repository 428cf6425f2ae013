#include <xeinsum/plan/precomputed_plan.hpp>

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/lowering/lowerings.hpp>

#include "../support/table_of.hpp"
#include "../support/targets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

using support::avx2;
using xeinsum::index_class;
using xeinsum::lowering;
using xeinsum::mode_table;
using xeinsum::planning::precomputed_plan;

namespace {

template <std::size_t Operands>
constexpr precomputed_plan of(std::string_view text, const std::array<std::size_t, Operands>& ranks,
                              const xeinsum::planning::target& on = avx2) {
    using storage = xeinsum::fixed_storage<64>;
    const auto eq = xeinsum::parsing::read<storage>(text, xeinsum::notation::automatic).equation;
    const auto net = xeinsum::resolve<storage>(eq, ranks);
    return xeinsum::planning::precompute_plan<xeinsum::lowerings::all>(net.view(), on);
}

constexpr std::uint32_t bit(unsigned label) {
    return std::uint32_t{1} << label;
}

}  // namespace

TEST_CASE("labels alone tell rows, columns and sums of a product") {
    constexpr precomputed_plan o = of<2>("ij,jk->ik", {2, 2});
    static_assert(o.usable && o.how.chosen == lowering::gemm && o.modes == 3);
    static_assert(o.how.groups == std::array<unsigned char, 4>{0, 1, 1, 1});
    static_assert(o.rows[0].labels == bit(0) && o.rows[0].last == 0);  // i
    static_assert(o.rows[1].labels == bit(2) && o.rows[1].last == 2);  // k
    static_assert(o.rows[2].labels == bit(1) && o.rows[2].last == 1);  // j
}

TEST_CASE("modes that always fuse are one, and the last label gives their strides") {
    // n 0, c 1, t 2, w 3, d 4
    constexpr precomputed_plan o = of<2>("nctw,cd->ndtw", {4, 2});
    static_assert(o.usable && o.how.chosen == lowering::gemm && o.how.swapped && o.modes == 4);
    static_assert(o.rows[0].labels == bit(0));
    static_assert(o.rows[1].labels == bit(4));
    static_assert(o.rows[2].labels == (bit(2) | bit(3)) && o.rows[2].last == 3);
    static_assert(o.rows[3].labels == bit(1));
}

TEST_CASE("other equations are loops over results and terms") {
    constexpr precomputed_plan o = of<2>("bij,ij->b", {3, 2});
    static_assert(o.usable && o.how.chosen == lowering::broadcast_multiply_reduce);
    static_assert(o.modes == 2 && o.how.groups[0] == 1 && o.how.groups[1] == 1);
    static_assert(o.rows[1].labels == (bit(1) | bit(2)) && o.rows[1].last == 2);
    constexpr precomputed_plan diagonal = of<1>("ii->i", {2});
    static_assert(diagonal.usable && diagonal.modes == 1 && diagonal.rows[0].labels == bit(0));
    constexpr precomputed_plan scalar = of<1>("->", {0});
    static_assert(scalar.usable && scalar.modes == 0);
    constexpr precomputed_plan many = of<3>("ij,j,i->i", {2, 1, 1});
    static_assert(many.usable && many.modes == 2);
}

TEST_CASE("rows of a call become those of a table again") {
    constexpr precomputed_plan o = of<2>("nctw,cd->ndtw", {4, 2});
    const support::operand_shapes shapes{{2, 3, 4, 5}, {3, 6}};
    support::built_table expected("nctw,cd->ndtw", shapes);
    const auto kind = [](index_class c) { return static_cast<std::int64_t>(c); };
    // Extent, strides of the output, of cd and of nctw.
    std::array<std::int64_t, 20> filled{
        2,  120, 0, 60, kind(index_class::lhs_free), 6, 20, 1, 0,  kind(index_class::rhs_free),
        20, 1,   0, 1,  kind(index_class::lhs_free), 3, 0,  6, 20, kind(index_class::contracted)};
    std::array<std::int64_t, 30> cells{};
    mode_table table(cells.data(), 2);
    REQUIRE(o.put_back(filled.data(), table));
    REQUIRE(table.size() == expected.get().size());
    for (std::size_t m = 0; m < table.size(); ++m) {
        for (std::size_t c = 0; c < table.pitch(); ++c) {
            CHECK(table.row(m)[c] == expected.get().row(m)[c]);
        }
    }
    const auto refuses = [&](std::size_t at, std::int64_t number) {
        auto other = filled;
        other[at] = number;
        mode_table rows(cells.data(), 2);
        return !o.put_back(other.data(), rows);
    };
    CHECK(refuses(0, std::int64_t{1} << 31U));  // more iterations than are counted
    CHECK_FALSE(refuses(0, 7));
    filled[3] = 20;
    CHECK(refuses(1, 20));  // n is one loop with t and w in both arrays that have them
    CHECK_FALSE(refuses(1, 120));
}

TEST_CASE("what has too many operands or labels, or a type of its own, has no precomputed plan") {
    static_assert(!of<5>("i,i,i,i,i->i", {1, 1, 1, 1, 1}).usable);
    static_assert(!of<1>("abcdefghijklm->abcdefghijklm", {13}).usable);
    constexpr xeinsum::planning::target narrow{.element_bytes = 1, .fused_only = true};
    static_assert(!of<2>("ij,jk->ik", {2, 2}, narrow).usable);
}
