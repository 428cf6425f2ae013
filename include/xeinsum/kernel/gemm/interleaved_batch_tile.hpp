// A tile of results of many products at once: in "ijb,jkb->ikb" R rows i by C columns k, each a
// register along b.
#pragma once

#include <xeinsum/kernel/gemm/interleaved_batch_blocks.hpp>
#include <xeinsum/kernel/gemm/interleaved_batch_prefetch.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Registers along the batch, one after the other in the output. Where lanes of the register are
/// left out, there is only one.
struct batched_lanes {
    std::int64_t registers = 1;
    std::int64_t lhs = 0, rhs = 0;  ///< elements from one register to the next
    std::int64_t done = 0;          ///< the first lanes, whose results are written already
    std::int64_t end = 0;           ///< behind the last lane that has a result
    /// Whole registers that are results as they are go by non-temporal stores: each is a line of
    /// these.
    bool streams = false;
};

/// Puts a tile of results, columns in a row, where they are scaled or lanes left out.
template <class T, class Arch>
[[gnu::noinline]] void put_batched(const batched_shape& s, const batched_lanes& lanes,
                                   const typename simd<T, Arch>::type* results, std::size_t count,
                                   std::size_t columns, T* out, const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    const bool whole = lanes.end == static_cast<std::int64_t>(simd_type::lanes);
    std::size_t column = 0;
    T* to = out;
    for (std::size_t n = 0; n < count; ++n, to += s.out_column) {
        if (column++ == columns) {
            column = 1;
            to = out += s.out_row;
        }
        if (whole && (lanes.done == 0 || !scale.adds())) {
            // What is written twice is the same.
            scale.template put_register<simd_type>(to, results[n]);
        } else if (lanes.done == 0) {
            scale.template put_part<simd_type>(to, results[n], static_cast<std::size_t>(lanes.end));
        } else {
            T lane[simd_type::lanes];
            simd_type::store(lane, results[n]);
            for (std::int64_t l = lanes.done; l < lanes.end; ++l) {
                scale.template put<Arch>(to[l], lane[l]);
            }
        }
    }
}

/// R * C + C + 1 registers.
template <class T, class Arch, std::size_t R, std::size_t C>
struct interleaved_batch_tile {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);

    /// beta = 0 does not read the output. A register that is a cache line prefetches a part of what
    /// is ahead; without any, two cache lines that are in use.
    static void run(const batched_shape& shape, const batched_lanes& lanes, const T* lhs,
                    const T* rhs, T* out, const scaling<T>& scale,
                    interleaved_batch_prefetch<T>& ahead) {
        const batched_shape s = shape;
        const bool plain = scale.is_identity() && lanes.end == width;
        for (std::int64_t v = lanes.registers; v > 0; --v) {
            reg sums[R][C];
            multiply(s, lhs, rhs, sums, ahead.next(lhs));
            if (is_line && plain && lanes.streams) {
                put<true>(s, sums, out);
            } else if (plain) {
                put<false>(s, sums, out);
            } else {
                // The sums themselves stay in registers.
                reg results[R * C];
#pragma GCC unroll 32
                for (std::size_t n = 0; n < R * C; ++n) {
                    results[n] = sums[n / C][n % C];
                }
                put_batched<T, Arch>(shape, lanes, results, R * C, C, out, scale);
            }
            lhs += lanes.lhs;
            rhs += lanes.rhs;
            out += width;
        }
    }

private:
    /// Only such registers are prefetched, or leave by non-temporal stores.
    static constexpr bool is_line = sizeof(reg) == line_bytes;

    [[nodiscard]] static constexpr std::int64_t at(std::size_t n, std::int64_t stride) {
        return static_cast<std::int64_t>(n) * stride;
    }

    template <bool Streams>
    [[gnu::always_inline]] static inline void put(const batched_shape& s, const reg (&sums)[R][C],
                                                  T* out) {
#pragma GCC unroll 32
        for (std::size_t i = 0; i < R; ++i) {
#pragma GCC unroll 32
            for (std::size_t j = 0; j < C; ++j) {
                T* const to = out + at(i, s.out_row) + at(j, s.out_column);
                if constexpr (Streams) {
                    simd_type::stream(to, sums[i][j]);
                } else {
                    simd_type::store(to, sums[i][j]);
                }
            }
        }
    }

    [[gnu::always_inline]] static inline void multiply(const batched_shape& s, const T* row,
                                                       const T* column, reg (&sums)[R][C],
                                                       lines_ahead<T> ahead) {
#pragma GCC unroll 32
        for (std::size_t n = 0; n < R * C; ++n) {
            sums[n / C][n % C] = simd_type::zero();
        }
        std::int64_t k = s.depth;
        do {
            reg b[C];
#pragma GCC unroll 32
            for (std::size_t j = 0; j < C; ++j) {
                b[j] = simd_type::held(simd_type::load(column + at(j, s.rhs_column)));
            }
#pragma GCC unroll 32
            for (std::size_t i = 0; i < R; ++i) {
                const reg a = simd_type::held(simd_type::load(row + at(i, s.lhs_row)));
#pragma GCC unroll 32
                for (std::size_t j = 0; j < C; ++j) {
                    sums[i][j] = simd_type::mul_add(a, b[j], sums[i][j]);
                }
            }
            if constexpr (is_line) {
                ahead.prefetch();
            }
            row += s.lhs_depth;
            column += s.rhs_depth;
        } while (--k > 0);
    }
};

}  // namespace xeinsum::kernel
