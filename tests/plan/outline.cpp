#include <xeinsum/plan/outline.hpp>

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/lowering/lowerings.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string_view>
#include <vector>

using xeinsum::lowering;
using xeinsum::planning::outline;

namespace {

constexpr xeinsum::planning::target avx2{
    .lanes = 8, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};

template <std::size_t Operands>
constexpr outline of(std::string_view text, const std::array<std::size_t, Operands>& ranks,
                     const xeinsum::planning::target& on = avx2) {
    using storage = xeinsum::fixed_storage<64>;
    const auto eq = xeinsum::parsing::read<storage>(text, xeinsum::notation::automatic).equation;
    const auto net = xeinsum::resolve<storage>(eq, ranks);
    return xeinsum::planning::outline_of<xeinsum::lowerings::all>(net.view(), on);
}

constexpr std::uint32_t bit(unsigned label) {
    return std::uint32_t{1} << label;
}

}  // namespace

TEST_CASE("labels alone tell rows, columns and sums of a product") {
    constexpr outline o = of<2>("ij,jk->ik", {2, 2});
    static_assert(o.usable && o.how.chosen == lowering::gemm && o.modes == 3);
    static_assert(o.how.groups == std::array<unsigned char, 4>{0, 1, 1, 1});
    static_assert(o.rows[0].labels == bit(0) && o.rows[0].last == 0);  // i
    static_assert(o.rows[1].labels == bit(2) && o.rows[1].last == 2);  // k
    static_assert(o.rows[2].labels == bit(1) && o.rows[2].last == 1);  // j
}

TEST_CASE("modes that always fuse are one, and the last label gives their strides") {
    // n 0, c 1, t 2, w 3, d 4
    constexpr outline o = of<2>("nctw,cd->ndtw", {4, 2});
    static_assert(o.usable && o.how.chosen == lowering::gemm && o.how.swapped && o.modes == 4);
    static_assert(o.rows[0].labels == bit(0));
    static_assert(o.rows[1].labels == bit(4));
    static_assert(o.rows[2].labels == (bit(2) | bit(3)) && o.rows[2].last == 3);
    static_assert(o.rows[3].labels == bit(1));
}

TEST_CASE("other equations are loops over results and terms") {
    constexpr outline o = of<2>("bij,ij->b", {3, 2});
    static_assert(o.usable && o.how.chosen == lowering::broadcast_multiply_reduce);
    static_assert(o.modes == 2 && o.how.groups[0] == 1 && o.how.groups[1] == 1);
    static_assert(o.rows[1].labels == (bit(1) | bit(2)) && o.rows[1].last == 2);
    constexpr outline diagonal = of<1>("ii->i", {2});
    static_assert(diagonal.usable && diagonal.modes == 1 && diagonal.rows[0].labels == bit(0));
    constexpr outline scalar = of<1>("->", {0});
    static_assert(scalar.usable && scalar.modes == 0);
    constexpr outline many = of<3>("ij,j,i->i", {2, 1, 1});
    static_assert(many.usable && many.modes == 2);
}

TEST_CASE("what has too many operands or labels, or a type of its own, has no outline") {
    static_assert(!of<5>("i,i,i,i,i->i", {1, 1, 1, 1, 1}).usable);
    static_assert(!of<1>("abcdefghijklm->abcdefghijklm", {13}).usable);
    constexpr xeinsum::planning::target narrow{.element_bytes = 1, .fused_only = true};
    static_assert(!of<2>("ij,jk->ik", {2, 2}, narrow).usable);
}
