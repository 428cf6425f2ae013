// A block of "mk,kn->mn": micro-tiles over packed panels, each written to where the output's
// strides put it.
#pragma once

#include <xeinsum/kernel/micro_kernel.hpp>
#include <xeinsum/kernel/pack.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Writes rows.count x columns.count results of a tile to out[rows[i] + columns[j]].
template <class T, class Arch, std::size_t MR, std::size_t NV>
void put_tile(const micro_tile<T, Arch, MR, NV>& tile, T* out, const line_offsets& rows,
              const line_offsets& columns, const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    constexpr std::size_t lanes = simd_type::lanes;
    if (columns.side_by_side()) {
        // The bound is a constant and the row is tested inside, so that the sums stay in registers.
        for (std::size_t i = 0; i < MR; ++i) {
            if (i < rows.count) {
                T* row = out + rows[i] + columns[0];
                for (std::size_t v = 0; v < NV; ++v) {
                    const std::size_t begin = v * lanes;
                    if (begin + lanes <= columns.count) {
                        scale.template put_register<simd_type>(row + begin, tile.sums[i][v]);
                    } else if (begin < columns.count) {
                        scale.template put_part<simd_type>(row + begin, tile.sums[i][v],
                                                           columns.count - begin);
                    }
                }
            }
        }
        return;
    }
    T spilled[MR * NV * lanes];
    for (std::size_t i = 0; i < MR; ++i) {
        for (std::size_t v = 0; v < NV; ++v) {
            simd_type::store(spilled + (i * NV + v) * lanes, tile.sums[i][v]);
        }
    }
    for (std::size_t i = 0; i < rows.count; ++i) {
        for (std::size_t j = 0; j < columns.count; ++j) {
            scale.template put<Arch>(out[rows[i] + columns[j]], spilled[i * NV * lanes + j]);
        }
    }
}

/// out = scale(lhs * rhs) for packed blocks of rows.count x depth and depth x columns.count.
template <class T, class Arch, std::size_t MR, std::size_t NV>
void macro_kernel(std::size_t depth, const T* lhs, const T* rhs, T* out, const line_offsets& rows,
                  const line_offsets& columns, const scaling<T>& scale) {
    constexpr std::size_t NR = NV * simd<T, Arch>::lanes;
    for (std::size_t j = 0; j < columns.count; j += NR) {
        const line_offsets tile_columns = columns.sub(j, std::min(NR, columns.count - j));
        for (std::size_t i = 0; i < rows.count; i += MR) {
            micro_tile<T, Arch, MR, NV> tile;
            tile.multiply(depth, lhs + i * depth, rhs + j * depth);
            put_tile(tile, out, rows.sub(i, std::min(MR, rows.count - i)), tile_columns, scale);
        }
    }
}

}  // namespace xeinsum::kernel
