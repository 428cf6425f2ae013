// How a small product is cut into tiles: with registers of 16 floats "ij,jk->ik" on 20 x 5 and 5 x
// 24 has tiles of 8, 8 and 4 rows in two registers, which overlap, or, where half a register
// costs half, one of 16 and one of 4 rows and 16 columns and two of 8 columns.
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

/// The height of the tile for so many rows: few heights are enough, as tiles may have less rows.
[[nodiscard]] constexpr std::size_t small_height(std::size_t rows, std::size_t limit) noexcept {
    const std::size_t height = rows <= 6    ? (rows + 1) / 2 * 2
                               : rows <= 8  ? 8
                               : rows <= 12 ? 12
                                            : 16;
    return std::min(height, limit);
}

/// How rows are cut into tiles.
struct small_heights {
    std::int64_t height = 1;
    std::int64_t count = 0;  ///< of that height
    std::int64_t last = 0;   ///< rows left

    /// The highest tiles, or two of a lower height.
    [[nodiscard]] static constexpr small_heights of(std::int64_t rows, std::size_t limit) noexcept {
        const auto most = static_cast<std::int64_t>(limit);
        if (rows <= most) {
            return {rows, 1, 0};
        }
        constexpr std::int64_t low = 4;
        const std::int64_t height = low < most && rows <= 2 * low ? low : most;
        return {height, rows / height, rows % height};
    }
};

/// The next narrower registers of small tiles, Arch where there are none: parts of registers by
/// masks are as good as narrower ones.
template <class T, class Arch>
using small_narrower_t =
    std::conditional_t<simd<T, Arch>::has_lane_masks && !simd<T, narrower_t<Arch>>::has_lane_masks,
                       Arch, narrower_t<Arch>>;

/// Whether the last columns may have a narrower register, which pays where it takes less time than
/// a whole one. It must be written through a mask, as the columns before it belong to others.
template <class T, class Arch>
inline constexpr bool has_narrow_tail =
    !std::is_same_v<small_narrower_t<T, Arch>, Arch> && simd<T, Arch>::has_lane_masks &&
    !cores<Arch>::multiply_whole_registers;

/// Cuts columns into pairs of registers of so many lanes, then what is left: calls
/// f(registers, small_columns, first column) for each, with 0 registers for a narrow tail. Where
/// there are others before, one or two registers end with the columns.
template <class F>
[[gnu::always_inline]] constexpr void cut_columns(std::int64_t columns, std::int64_t lanes,
                                                  bool narrow_tail, const F& f) {
    const std::int64_t rest = columns % (2 * lanes);
    for (std::int64_t at = 0; at < columns - rest; at += 2 * lanes) {
        f(2, small_columns{2 * lanes, 0}, at);
    }
    const std::int64_t tail = columns % lanes;
    const bool narrow = narrow_tail && columns > lanes && tail > 0 && 2 * tail <= lanes;
    if (narrow) {
        if (rest > lanes) {
            f(1, small_columns{lanes, 0}, columns - rest);
        }
        f(0, small_columns{tail, 0}, columns - tail);
    } else if (rest > lanes) {
        f(2, small_columns{rest, 0}, columns - rest);
    } else if (rest > 0) {
        const std::int64_t count = std::min(columns, lanes);
        f(1, small_columns{count, count - rest}, columns - count);
    }
}

/// The same for the registers of Arch, by f.operator()<registers>(small_columns, first column).
template <class T, class Arch, class F>
[[gnu::always_inline]] constexpr void for_each_width(std::int64_t columns, const F& f) {
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    cut_columns(
        columns, lanes, has_narrow_tail<T, Arch>,
        [&](std::size_t registers, const small_columns& across, std::int64_t at)
            __attribute__((always_inline)) {
                if (registers == 2) {
                    f.template operator()<2>(across, at);
                } else if (registers == 1) {
                    f.template operator()<1>(across, at);
                } else if constexpr (has_narrow_tail<T, Arch>) {
                    f.template operator()<0>(across, at);
                }
            });
}

}  // namespace xeinsum::kernel
