// The results of a micro-tile on their way to the output: those of "mk,kn->nm" leave their
// registers for where the output's strides put them, whole registers where columns lie side by
// side.
#pragma once

#include <xeinsum/kernel/gemm/micro_kernel.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>

namespace xeinsum::kernel {

/// Where results go: element (i, j) to out[rows[i] + columns[j]].
template <class T>
struct result_place {
    T* out = nullptr;
    line_offsets rows{};
    line_offsets columns{};
};

/// Writes a tile whose rows are stored one after the other, pitch elements each, wherever its
/// columns lie: registers and halves of them that lie side by side, and what is left one by one.
/// One for all tiles, as going through memory costs less than a percent of what a tile of some
/// depth takes.
template <class T, class Arch>
[[gnu::noinline]] void put_stored_tile(const T* sums, std::size_t pitch, const result_place<T>& at,
                                       const scaling<T>& scale) {
    using whole = simd<T, Arch>;
    using half = simd<T, narrower_t<Arch>>;
    using one = simd<T, Arch, false>;
    const auto put = [&]<class Simd>(Simd, std::size_t j, std::size_t count) {
        for (std::size_t i = 0; i < at.rows.count; ++i) {
            T* const to = at.out + at.rows[i] + at.columns[j];
            const auto value = Simd::load(sums + i * pitch + j);
            if (count == Simd::lanes) {
                scale.template put_register<Simd>(to, value);
            } else {
                scale.template put_part<Simd>(to, value, count);
            }
        }
        return count;
    };
    for (std::size_t j = 0; j < at.columns.count;) {
        const std::size_t left = at.columns.count - j;
        // No piece of two registers: what two stores have written is not read at once.
        const auto fits = [&](std::size_t lanes) {
            return j % lanes == 0 && at.columns.side_by_side(j, std::min(left, lanes));
        };
        j += fits(whole::lanes)  ? put(whole(), j, std::min(left, whole::lanes))
             : fits(half::lanes) ? put(half(), j, std::min(left, half::lanes))
                                 : put(one(), j, 1);
    }
}

/// Whether columns lie side by side in each register of Lanes, the last of which may be filled in
/// part.
template <std::size_t Lanes>
[[nodiscard]] inline bool lie_in_registers(const line_offsets& columns) {
    for (std::size_t j = 0; j < columns.count; j += Lanes) {
        if (!columns.side_by_side(j, std::min(Lanes, columns.count - j))) {
            return false;
        }
    }
    return true;
}

/// Whether a register is a cache line, which then goes by non-temporal stores at once.
template <class T, class Arch>
[[nodiscard]] constexpr bool is_line() noexcept {
    using simd_type = simd<T, Arch>;
    return simd_type::lanes > 1 && !is_complex_v<T> && sizeof(T) * simd_type::lanes == line_bytes;
}

/// Writes the results of a tile of R rows that lie within the block. Inlined, so that the sums go
/// from their registers to the output: those of whole registers, and, where such tiles are most of
/// all (Often), those of parts of registers and those that are added to the output.
template <bool Often, class T, class Arch, std::size_t R, std::size_t NV>
[[gnu::always_inline]] inline void put_tile(const micro_tile<T, Arch, R, NV>& tile,
                                            const result_place<T>& at, const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    constexpr std::size_t lanes = simd_type::lanes;
    const std::size_t width = at.columns.count;
    const bool full = width == NV * lanes;
    if (scale.is_identity()) {
        if (full && at.columns.side_by_side(0, width)) {
            T* const out = at.out + at.columns[0];
#pragma GCC unroll 32
            for (std::size_t i = 0; i < R; ++i) {
                T* const row = out + at.rows[i];
#pragma GCC unroll 32
                for (std::size_t v = 0; v < NV; ++v) {
                    simd_type::store(row + v * lanes, tile.sums[i][v]);
                }
            }
            return;
        }
        if (Often && lie_in_registers<lanes>(at.columns)) {
#pragma GCC unroll 32
            for (std::size_t v = 0; v < NV; ++v) {
                const std::size_t begin = v * lanes;
                if (begin >= width) {
                    continue;
                }
                T* const column = at.out + at.columns[begin];
                if (begin + lanes <= width) {
#pragma GCC unroll 32
                    for (std::size_t i = 0; i < R; ++i) {
                        simd_type::store(column + at.rows[i], tile.sums[i][v]);
                    }
                } else {
#pragma GCC unroll 32
                    for (std::size_t i = 0; i < R; ++i) {
                        simd_type::store_part(column + at.rows[i], tile.sums[i][v], width - begin);
                    }
                }
            }
            return;
        }
    } else if (Often && full && lie_in_registers<lanes>(at.columns)) {
#pragma GCC unroll 32
        for (std::size_t v = 0; v < NV; ++v) {
            T* const column = at.out + at.columns[v * lanes];
#pragma GCC unroll 32
            for (std::size_t i = 0; i < R; ++i) {
                scale.template put_register<simd_type>(column + at.rows[i], tile.sums[i][v]);
            }
        }
        return;
    }
    const auto stored = tile.stored();
    put_stored_tile<T, Arch>(stored.data(), NV * lanes, at, scale);
}

/// Writes the results of a whole tile by non-temporal stores, to the beginning of a line.
template <class T, class Arch, std::size_t R, std::size_t NV>
[[gnu::always_inline]] inline void stream_tile(const micro_tile<T, Arch, R, NV>& tile,
                                               const result_place<T>& at, const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
#pragma GCC unroll 32
    for (std::size_t i = 0; i < R; ++i) {
        T* const row = at.out + at.columns[0] + at.rows[i];
#pragma GCC unroll 32
        for (std::size_t v = 0; v < NV; ++v) {
            scale.template stream_register<simd_type>(row + v * simd_type::lanes, tile.sums[i][v]);
        }
    }
}

}  // namespace xeinsum::kernel
