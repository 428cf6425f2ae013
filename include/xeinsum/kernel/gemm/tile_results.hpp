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

/// Whether a register is a cache line, which then goes by non-temporal stores at once.
template <class T, class Arch>
[[nodiscard]] constexpr bool is_line() noexcept {
    using simd_type = simd<T, Arch>;
    return simd_type::lanes > 1 && !is_complex_v<T> && sizeof(T) * simd_type::lanes == line_bytes;
}

/// Multiplies all sums by alpha.
template <class T, class Arch, std::size_t R, std::size_t NV>
[[gnu::always_inline]] inline void scale_tile(micro_tile<T, Arch, R, NV>& tile,
                                              const scaling<T>& scale) {
    if (scale.scales()) {
#pragma GCC unroll 32
        for (std::size_t s = 0; s < R * NV; ++s) {
            auto& sum = tile.sums[s / NV][s % NV];
            sum = scale.template scaled<simd<T, Arch>>(sum);
        }
    }
}

/// Writes as many rows of a tile as the block has, from the first one behind those skipped.
/// Inlined, so that the sums of columns that are side by side go from their registers to the
/// output: those that fill them, scaled or not where such tiles are most of all (Often), and there
/// the part of one register. The rest goes through memory.
template <bool Often, class T, class Arch, std::size_t R, std::size_t NV>
[[gnu::always_inline]] inline void put_tile(micro_tile<T, Arch, R, NV>& tile,
                                            const result_place<T>& at, std::size_t skipped,
                                            const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    constexpr std::size_t lanes = simd_type::lanes;
    constexpr std::size_t width = NV * lanes;
    const std::size_t columns = at.columns.count;
    T* const out = at.out + at.columns[0];
    const auto for_each_row = [&](const auto& row) __attribute__((always_inline)) {
#pragma GCC unroll 32
        for (std::size_t i = 0; i < R; ++i) {
            // Those before the first one are beyond the last.
            if (const std::size_t of = i - skipped; of < at.rows.count) {
                row(out + at.rows[of], tile.sums[i]);
            }
        }
    };
    const bool together = at.columns.side_by_side(0, columns);
    if (together && columns == width && (Often || scale.is_identity())) {
        if constexpr (Often) {
            scale_tile(tile, scale);
        }
        for_each_row([&](T * to, auto& sums) __attribute__((always_inline)) {
#pragma GCC unroll 32
            for (std::size_t v = 0; v < NV; ++v) {
                if (Often && scale.adds()) {
                    sums[v] = scale.template added<simd_type>(to + v * lanes, sums[v]);
                }
                simd_type::store(to + v * lanes, sums[v]);
            }
        });
        return;
    }
    if (Often && NV == 1 && together && scale.is_identity()) {
        for_each_row([&](T * to, auto& sums) __attribute__((always_inline)) {
            simd_type::store_part(to, sums[0], columns);
        });
        return;
    }
    alignas(64) const auto stored = tile.stored();
    put_stored_tile<T, Arch>(stored.data() + skipped * width, width, at, scale);
}

/// Writes the results of a whole tile by non-temporal stores, to the beginning of a line.
template <class T, class Arch, std::size_t R, std::size_t NV>
[[gnu::always_inline]] inline void stream_tile(micro_tile<T, Arch, R, NV>& tile,
                                               const result_place<T>& at, const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    scale_tile(tile, scale);
#pragma GCC unroll 32
    for (std::size_t i = 0; i < R; ++i) {
        T* const row = at.out + at.columns[0] + at.rows[i];
#pragma GCC unroll 32
        for (std::size_t v = 0; v < NV; ++v) {
            simd_type::stream(row + v * simd_type::lanes, tile.sums[i][v]);
        }
    }
}

}  // namespace xeinsum::kernel
