// A block of "mk,kn->mn": micro-tiles over operands that are packed or lie as they are, each
// written to where the output's strides put it.
#pragma once

#include <xeinsum/kernel/lines.hpp>
#include <xeinsum/kernel/micro_kernel.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum::kernel {

/// Everything that a block, or one tile of it, reads and writes. Element (i, j) of the result goes
/// to out[rows[i] + columns[j]].
template <class T>
struct macro_block {
    tile_depth depth{};
    tile_source<T> lhs{};
    tile_source<T> rhs{};
    T* out = nullptr;
    line_offsets rows{};
    line_offsets columns{};
};

/// Writes the results of a tile that lie within the block.
template <class T, class Arch, std::size_t R, std::size_t NV>
void put_tile(const micro_tile<T, Arch, R, NV>& tile, const macro_block<T>& at,
              const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    constexpr std::size_t lanes = simd_type::lanes;
    if (at.columns.side_by_side(0, at.columns.count)) {
        // The bound is a constant and the row is tested inside, so that the sums stay in registers.
        for (std::size_t i = 0; i < R; ++i) {
            if (i < at.rows.count) {
                T* row = at.out + at.rows[i] + at.columns[0];
                for (std::size_t v = 0; v < NV; ++v) {
                    const std::size_t begin = v * lanes;
                    if (begin + lanes <= at.columns.count) {
                        scale.template put_register<simd_type>(row + begin, tile.sums[i][v]);
                    } else if (begin < at.columns.count) {
                        scale.template put_part<simd_type>(row + begin, tile.sums[i][v],
                                                           at.columns.count - begin);
                    }
                }
            }
        }
        return;
    }
    std::array<T, R * NV * lanes> spilled;
    for (std::size_t i = 0; i < R; ++i) {
        for (std::size_t v = 0; v < NV; ++v) {
            simd_type::store(spilled.data() + (i * NV + v) * lanes, tile.sums[i][v]);
        }
    }
    for (std::size_t j = 0; j < at.columns.count;) {
        // A register's worth that lies side by side, or one column.
        const bool whole =
            j % lanes == 0 && j + lanes <= at.columns.count && at.columns.side_by_side(j, lanes);
        for (std::size_t i = 0; i < at.rows.count; ++i) {
            T* to = at.out + at.rows[i] + at.columns[j];
            const T* from = spilled.data() + i * NV * lanes + j;
            if (whole) {
                scale.template put_register<simd_type>(to, simd_type::load(from));
            } else {
                scale.template put<Arch>(*to, *from);
            }
        }
        j += whole ? lanes : 1;
    }
}

/// Tiles of every height up to MR and of one or NV registers, by number.
template <class T, class Arch, std::size_t MR, std::size_t NV>
class tile_kernels {
public:
    using function = void (*)(const macro_block<T>&, const scaling<T>&);

    /// The kernel for a tile of at most MR rows and NV registers of columns.
    [[nodiscard]] static function of(std::size_t rows, std::size_t columns) noexcept {
        return NV > 1 && columns <= simd<T, Arch>::lanes ? narrow[rows - 1] : wide[rows - 1];
    }

private:
    template <std::size_t R, std::size_t Registers>
    static void compute(const macro_block<T>& at, const scaling<T>& scale) {
        micro_tile<T, Arch, R, Registers> tile;
        // The output is far away and its rows are far apart: fetched while the sums run.
        for (std::size_t i = 0; i < at.rows.count; ++i) {
            __builtin_prefetch(at.out + at.rows[i] + at.columns[0], 1);
        }
        tile.multiply(at.depth, at.lhs, at.rhs);
        put_tile(tile, at, scale);
    }
    template <std::size_t Registers, std::size_t... I>
    [[nodiscard]] static constexpr std::array<function, MR> table(std::index_sequence<I...>) {
        return {&compute<I + 1, Registers>...};
    }

    static constexpr std::array<function, MR> wide = table<NV>(std::make_index_sequence<MR>());
    static constexpr std::array<function, MR> narrow = table<1>(std::make_index_sequence<MR>());
};

/// out = scale(lhs * rhs) for a block. Tiles are height rows high, the last one maybe less; tile
/// (i, j) begins i * lhs_row elements into lhs and j * rhs_column elements into rhs, which for
/// packed panels is their depth.
template <class T, class Arch, std::size_t MR, std::size_t NV>
void macro_kernel(const macro_block<T>& block, std::size_t height, std::ptrdiff_t lhs_row,
                  std::ptrdiff_t rhs_column, const scaling<T>& scale) {
    using kernels = tile_kernels<T, Arch, MR, NV>;
    constexpr std::size_t width = NV * simd<T, Arch>::lanes;
    macro_block<T> tile = block;
    for (std::size_t j = 0; j < block.columns.count; j += width) {
        tile.columns = block.columns.sub(j, std::min(width, block.columns.count - j));
        tile.rhs.from = block.rhs.from + static_cast<std::ptrdiff_t>(j) * rhs_column;
        for (std::size_t i = 0; i < block.rows.count; i += height) {
            tile.rows = block.rows.sub(i, std::min(height, block.rows.count - i));
            tile.lhs.from = block.lhs.from + static_cast<std::ptrdiff_t>(i) * lhs_row;
            kernels::of(tile.rows.count, tile.columns.count)(tile, scale);
        }
    }
}

}  // namespace xeinsum::kernel
