// The results of a micro-tile on their way to the output: those of "mk,kn->nm" leave their
// registers for where the output's strides put them, whole registers where columns lie side by
// side.
#pragma once

#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/element.hpp>
#include <xeinsum/kernel/lines.hpp>
#include <xeinsum/kernel/micro_kernel.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/unroll.hpp>

#include <array>
#include <cstddef>

namespace xeinsum::kernel {

/// Where results go: element (i, j) to out[rows[i] + columns[j]].
template <class T>
struct result_place {
    T* out = nullptr;
    line_offsets rows{};
    line_offsets columns{};
};

/// Writes a tile of R rows, stored row by row in registers of columns, whose columns lie apart:
/// registers and halves of them that lie side by side, and what is left one by one.
template <class T, class Arch, std::size_t R, std::size_t NV>
[[gnu::noinline]] void scatter_tile(const T* sums, const result_place<T>& at,
                                    const scaling<T>& scale) {
    using whole = simd<T, Arch>;
    using half = simd<T, narrower_t<Arch>>;
    using one = simd<T, Arch, false>;
    const auto put = [&]<class Simd>(Simd, std::size_t j) {
        for (std::size_t i = 0; i < R; ++i) {
            scale.template put_register<Simd>(at.out + at.rows[i] + at.columns[j],
                                              Simd::load(sums + i * NV * whole::lanes + j));
        }
        return Simd::lanes;
    };
    for (std::size_t j = 0; j < at.columns.count;) {
        // No piece of two registers: what two stores have written is not read at once.
        const auto fits = [&](std::size_t lanes) {
            return j % lanes == 0 && j + lanes <= at.columns.count &&
                   at.columns.side_by_side(j, lanes);
        };
        j += fits(whole::lanes)  ? put(whole(), j)
             : fits(half::lanes) ? put(half(), j)
                                 : put(one(), j);
    }
}

/// Whether columns that do not all lie side by side do so in registers of Lanes.
template <std::size_t Lanes>
[[nodiscard]] inline bool lie_in_registers(const line_offsets& columns) {
    for (std::size_t j = 0; j < columns.count; j += Lanes) {
        if (j + Lanes > columns.count || !columns.side_by_side(j, Lanes)) {
            return false;
        }
    }
    return true;
}

/// Whether a register is a cache line, which then goes around the caches at once.
template <class T, class Arch>
[[nodiscard]] constexpr bool is_line() noexcept {
    using simd_type = simd<T, Arch>;
    return simd_type::lanes > 1 && !is_complex_v<T> && sizeof(T) * simd_type::lanes == line_bytes;
}

/// Writes the results of a tile of R rows that lie within the block. Inlined, so that the sums go
/// from their registers to the output.
template <class T, class Arch, std::size_t R, std::size_t NV>
[[gnu::always_inline]] inline void put_tile(const micro_tile<T, Arch, R, NV>& tile,
                                            const result_place<T>& at, const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    constexpr std::size_t lanes = simd_type::lanes;
    const std::size_t width = at.columns.count;
    if (!at.columns.side_by_side(0, width)) {
        if (lie_in_registers<lanes>(at.columns)) {
            unroll<NV>([&](auto v) {
                if (v * lanes < width) {
                    T* const column = at.out + at.columns[v * lanes];
                    unroll<R>([&](auto i) {
                        scale.template put_register<simd_type>(column + at.rows[i],
                                                               tile.sums[i][v]);
                    });
                }
            });
            return;
        }
        std::array<T, R * NV * lanes> spilled;
        unroll<R * NV>([&](auto r) {
            simd_type::store(spilled.data() + r * lanes, tile.sums[r / NV][r % NV]);
        });
        scatter_tile<T, Arch, R, NV>(spilled.data(), at, scale);
        return;
    }
    T* const out = at.out + at.columns[0];
    const bool full = width == NV * lanes;
    if (full && scale.is_identity()) {
        unroll<R>([&](auto i) {
            T* const row = out + at.rows[i];
            unroll<NV>([&](auto v) { simd_type::store(row + v * lanes, tile.sums[i][v]); });
        });
        return;
    }
    unroll<R>([&](auto i) {
        T* const row = out + at.rows[i];
        unroll<NV>([&](auto v) {
            const std::size_t begin = v * lanes;
            if (begin + lanes <= width) {
                scale.template put_register<simd_type>(row + begin, tile.sums[i][v]);
            } else if (begin < width) {
                scale.template put_part<simd_type>(row + begin, tile.sums[i][v], width - begin);
            }
        });
    });
}

/// Writes the results of a whole tile around the caches, to the beginning of a line.
template <class T, class Arch, std::size_t R, std::size_t NV>
[[gnu::always_inline]] inline void stream_tile(const micro_tile<T, Arch, R, NV>& tile,
                                               const result_place<T>& at, const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    unroll<R>([&](auto i) {
        T* const row = at.out + at.columns[0] + at.rows[i];
        unroll<NV>([&](auto v) {
            scale.template stream_register<simd_type>(row + v * simd_type::lanes, tile.sums[i][v]);
        });
    });
}

}  // namespace xeinsum::kernel
