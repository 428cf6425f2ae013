// How a small product is cut into tiles: with registers of 16 floats "ij,jk->ik" on 20 x 5 and 5 x
// 24 has three tiles of 7, 7 and 6 rows in two registers, which overlap, or, where half a register
// costs half, two of 10 rows and 16 columns and two of 8 columns.
#pragma once

#include <xeinsum/kernel/gemm/small_tile.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Rows of a tile with NV registers of columns: enough sums to hide the latency of a multiply-add
/// and few enough for the registers. With 32 of them 16 x 16 floats are one tile; more than eight
/// rows of pairs push each other out of the first-level cache.
template <class Arch, std::size_t NV>
inline constexpr std::size_t small_rows = NV == 1
                                              ? register_count<Arch> / 2
                                              : std::min<std::size_t>(register_count<Arch> * 3 / 8,
                                                                      8);

/// How rows are cut into tiles of about equal height.
struct small_heights {
    std::int64_t height = 1;
    std::int64_t count = 0;  ///< of that height
    std::int64_t last = 0;   ///< rows left

    [[nodiscard]] static constexpr small_heights of(std::int64_t rows, std::size_t limit) noexcept {
        const auto most = static_cast<std::int64_t>(limit);
        if (rows <= most) {
            return {rows, 1, 0};
        }
        const std::int64_t tiles = (rows + most - 1) / most;
        const std::int64_t height = (rows + tiles - 1) / tiles;
        return {height, rows / height, rows % height};
    }
};

/// Whether the last columns may have a narrower register, which pays where it takes less time than
/// a whole one. It must be written through a mask, as the columns before it belong to others.
template <class T, class Arch>
inline constexpr bool has_narrow_tail =
    !std::is_same_v<narrower_t<Arch>, Arch> && simd<T, Arch>::has_lane_masks &&
    !core_of<Arch>.multiplies_whole_registers;

/// Cuts columns into pairs of registers, then what is left: calls
/// f.operator()<registers>(small_columns, first column) for each, with 0 registers for a narrow
/// tail. Where there are others before, one or two registers end with the columns.
template <class T, class Arch, class F>
[[gnu::always_inline]] constexpr void for_each_width(std::int64_t columns, F f) {
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    const std::int64_t rest = columns % (2 * lanes);
    for (std::int64_t at = 0; at < columns - rest; at += 2 * lanes) {
        f.template operator()<2>(small_columns{2 * lanes, 0}, at);
    }
    if constexpr (has_narrow_tail<T, Arch>) {
        const std::int64_t tail = columns % lanes;
        if (columns > lanes && tail > 0 && prefers_narrower<T, Arch>(tail)) {
            if (rest > lanes) {
                f.template operator()<1>(small_columns{lanes, 0}, columns - rest);
            }
            f.template operator()<0>(small_columns{tail, 0}, columns - tail);
            return;
        }
    }
    if (rest > lanes) {
        f.template operator()<2>(small_columns{rest, 0}, columns - rest);
    } else if (rest > 0) {
        const std::int64_t count = std::min(columns, lanes);
        f.template operator()<1>(small_columns{count, count - rest}, columns - count);
    }
}

}  // namespace xeinsum::kernel
