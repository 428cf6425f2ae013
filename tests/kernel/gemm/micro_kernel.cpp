#include <xeinsum/kernel/gemm/micro_kernel.hpp>

#include <xeinsum/kernel/gemm/blocking.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::line_prefetcher;
using xeinsum::kernel::micro_tile;
using xeinsum::kernel::tile_depth;
using xeinsum::kernel::tile_source;
using xeinsum::kernel::upcoming_lines;

namespace {

/// A tile of R x NV registers over operands that lie as their sources say.
template <class T, class Arch, std::size_t R, std::size_t NV>
void check_tile(const tile_depth& depth, std::ptrdiff_t lhs_line, std::ptrdiff_t lhs_step,
                std::ptrdiff_t rhs_step) {
    using tile_type = micro_tile<T, Arch, R, NV>;
    constexpr std::size_t columns = NV * tile_type::lanes;
    std::vector<std::int64_t> lhs_segments(depth.segments), rhs_segments(depth.segments);
    const auto length = static_cast<std::int64_t>(depth.length);
    for (std::size_t s = 0; s < depth.segments; ++s) {
        const auto at = static_cast<std::int64_t>(depth.segments - 1 - s);
        lhs_segments[s] = at * (length * lhs_step + 3);
        rhs_segments[s] = at * (length * rhs_step + 2);
    }
    const auto lhs = support::small_numbers<T>(
        static_cast<std::size_t>(lhs_segments[0] + length * lhs_step) + R * 100, 2);
    const auto rhs = support::small_numbers<T>(
        static_cast<std::size_t>(rhs_segments[0] + length * rhs_step) + columns, 50);
    const tile_source<T> lhs_source{lhs.data(), lhs_line, lhs_step, lhs_segments.data()};
    const tile_source<T> rhs_source{rhs.data(), 1, rhs_step, rhs_segments.data()};
    tile_type tile;
    tile.multiply(depth, lhs_source, rhs_source);
    tile_type prefetching = tile;
    if (depth.segments == 1) {
        line_prefetcher lines(upcoming_lines<T>{lhs.data(), 1, 3, 1}, 1);
        prefetching.multiply_and_prefetch(depth.length, lhs_source, rhs_source, 2, lines);
        CHECK(lines.goes_on() == (depth.length < 5));
    }
    std::size_t begun = 0;
    tile_type beginning;
    constexpr std::size_t first = 5;
    // They come in their order, none twice.
    beginning.template multiply<false, first>(
        depth, lhs_source, rhs_source, 0, 0, [&](std::size_t k) { begun += k == begun ? 1 : 100; });
    CHECK(begun == std::min(first, depth.length - 1));
    bool right = true;
    for (std::size_t i = 0; i < R; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            T expected(0);
            for (std::size_t s = 0; s < depth.segments; ++s) {
                for (std::int64_t k = 0; k < length; ++k) {
                    const auto row = static_cast<std::int64_t>(i) * lhs_line;
                    const auto a = static_cast<std::size_t>(lhs_segments[s] + k * lhs_step + row);
                    const auto b = static_cast<std::size_t>(rhs_segments[s] + k * rhs_step) + j;
                    expected = T(expected + lhs[a] * rhs[b]);
                }
            }
            const auto is_expected_in = [&](const tile_type& sums) {
                std::vector<T> lanes(tile_type::lanes);
                tile_type::simd_type::store(lanes.data(), sums.sums[i][j / tile_type::lanes]);
                return lanes[j % tile_type::lanes] == expected;
            };
            right = right && is_expected_in(tile) && is_expected_in(prefetching) &&
                    is_expected_in(beginning);
        }
    }
    CHECK(right);
}

}  // namespace

TEST_CASE_TEMPLATE("a tile is the product of two packed panels", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr auto nr = static_cast<std::ptrdiff_t>(b.nv * xeinsum::kernel::simd<T, Arch>::lanes);
    for (const std::size_t depth : {1U, 2U, 7U, 64U}) {
        check_tile<T, Arch, b.mr, b.nv>({1, depth}, 1, b.mr, nr);
        check_tile<T, Arch, 1, 1>({1, depth}, 1, b.mr, nr);
        check_tile<T, Arch, 2, b.nv>({1, depth}, 1, b.mr, nr);
    }
}

TEST_CASE_TEMPLATE("a tile of operands where they lie, their depth in one piece or several", I,
                   SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    check_tile<T, Arch, b.mr, b.nv>({1, 9}, 13, 1, 70);
    check_tile<T, Arch, b.mr, b.nv>({3, 5}, 1, 20, 67);
    check_tile<T, Arch, 3, 1>({4, 2}, 17, 2, 33);
}
