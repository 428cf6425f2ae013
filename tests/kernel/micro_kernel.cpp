#include <xeinsum/kernel/micro_kernel.hpp>

#include <xeinsum/kernel/blocking.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using xeinsum::kernel::micro_tile;

TEST_CASE_TEMPLATE("a tile is the product of two packed panels", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    using tile_type = micro_tile<T, Arch, b.mr, b.nv>;
    constexpr std::size_t nr = b.nv * tile_type::lanes;
    for (const std::size_t depth : {1U, 2U, 7U, 64U}) {
        const auto lhs = support::small_numbers<T>(b.mr * depth, 2);
        const auto rhs = support::small_numbers<T>(nr * depth, 50);
        tile_type tile;
        tile.multiply(depth, lhs.data(), rhs.data());
        for (std::size_t i = 0; i < b.mr; ++i) {
            for (std::size_t j = 0; j < nr; ++j) {
                T expected(0);
                for (std::size_t k = 0; k < depth; ++k) {
                    expected = T(expected + lhs[k * b.mr + i] * rhs[k * nr + j]);
                }
                std::vector<T> lanes(tile_type::lanes);
                tile_type::simd_type::store(lanes.data(), tile.sums[i][j / tile_type::lanes]);
                CHECK(lanes[j % tile_type::lanes] == expected);
            }
        }
    }
}
