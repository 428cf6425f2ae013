// A micro-tile of "mk,kn->mn": R x NV registers of sums over elements that are packed for it or lie
// where the operands have them.
#pragma once

#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/simd/opaque.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Where a micro-tile finds the elements of an operand, in elements. Depth comes in segments of
/// equal steps: element k of segment s of line i is from[segments[s] + k * step + i * line].
template <class T>
struct tile_source {
    const T* from = nullptr;
    std::ptrdiff_t line = 1;  ///< from a row of lhs to the next; the columns of rhs have 1
    std::ptrdiff_t step = 1;  ///< from one depth to the next
    const std::int64_t* segments = nullptr;
};

/// How the depth of a block is cut.
struct tile_depth {
    std::size_t segments = 1;
    std::size_t length = 1;  ///< of each segment
};

/// What a step of a tile does beside multiplying, where that is nothing.
struct nothing_else {
    void operator()(std::size_t) const noexcept {}
};

// Loops over the depth are not unrolled: from eight steps clang 14 makes one chain of additions to
// the address of a row, which takes longer than the products.

/// Sums of a micro-tile, kept in registers. Element (i, j) is lane j % lanes of
/// sums[i][j / lanes].
///
/// A packed panel has one segment:
///   lhs, line 1, step MR: a(0,0) ... a(MR-1,0)  a(0,1) ... a(MR-1,1)  ...
///   rhs, step NR:         b(0,0) ... b(0,NR-1)  b(1,0) ... b(1,NR-1)  ...   NR = NV * lanes
/// Columns beyond the edge of the matrix hold zeros: their sums are computed and dropped.
template <class T, class Arch, std::size_t R, std::size_t NV>
struct micro_tile {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;

    reg sums[R][NV];

    /// Sets the tile to lhs * rhs; the depth has at least one segment of at least one step. With
    /// Prefetches, each step prefetches a cache line of those that begin so many bytes behind a
    /// segment of lhs, which may be beyond the array, and are so many bytes apart. Or the first
    /// steps k call begin(k), Beginning of them, if the first segment has more.
    template <bool Prefetches = false, std::size_t Beginning = 0, class Begin = nothing_else>
    [[gnu::always_inline]] void multiply(const tile_depth& depth, const tile_source<T>& lhs,
                                         const tile_source<T>& rhs, std::size_t lhs_ahead = 0,
                                         std::size_t apart = line_bytes, const Begin& begin = {}) {
        clear();
        std::size_t beginning = std::min(Beginning, depth.length - 1);
        // Loops that test behind their first pass: no path leaves the sums untouched.
        std::size_t s = 0;
        do {
            const T* a = lhs.from + lhs.segments[s];
            const T* b = rhs.from + rhs.segments[s];
            auto wanted = reinterpret_cast<std::uintptr_t>(a) + lhs_ahead;
            std::size_t left = depth.length;
            // A loop of its own: deciding in each step takes 2 to 3 % of the time.
            if constexpr (Beginning > 0) {
                for (std::size_t k = 0; k < beginning; ++k) {
                    begin(k);
                    step(a, b, lhs, rhs);
                }
                left -= beginning;
                beginning = 0;
            }
#if defined(__clang__)
#pragma clang loop unroll(disable)
#endif
            do {
                if constexpr (Prefetches) {
                    __builtin_prefetch(reinterpret_cast<const void*>(wanted));
                    wanted += apart;
                }
                step(a, b, lhs, rhs);
            } while (--left != 0);
        } while (++s != depth.segments);
    }

    /// The same of a depth in one segment. Fetches a cache line for every so many steps: beside
    /// multiplications, reads that wait for memory cost nothing as long as they are few at a time.
    [[gnu::always_inline]] void multiply_and_prefetch(std::size_t depth, const tile_source<T>& lhs,
                                                      const tile_source<T>& rhs,
                                                      std::size_t steps_per_line,
                                                      line_prefetcher& upcoming) {
        clear();
        const T* a = lhs.from + lhs.segments[0];
        const T* b = rhs.from + rhs.segments[0];
        line_prefetcher lines = upcoming;
        do {
            lines.next_line();
            std::size_t left = depth < steps_per_line ? depth : steps_per_line;
            depth -= left;
#if defined(__clang__)
#pragma clang loop unroll(disable)
#endif
            do {
                step(a, b, lhs, rhs);
            } while (--left != 0);
        } while (depth != 0);
        upcoming = lines;
    }

    /// The same where rhs comes from main memory and is read once: prefetches its rows so many
    /// steps before they are multiplied, and in the last steps for the rows that follow next, those
    /// of another tile. Into the second-level cache, to which more lines are on their way at once,
    /// and which holds rows that meet in one set of the first-level one.
    [[gnu::always_inline]] void multiply_ahead(std::size_t depth, const tile_source<T>& lhs,
                                               const tile_source<T>& rhs, std::size_t rows_ahead,
                                               const T* next) {
        clear();
        const T* a = lhs.from;
        const T* b = rhs.from;
        const auto ahead =
            static_cast<std::uintptr_t>(static_cast<std::ptrdiff_t>(rows_ahead) * rhs.step) *
            sizeof(T);
        // What is prefetched may lie beyond the array: an address.
        const bool is_short = depth <= rows_ahead;
        auto wanted = is_short ? reinterpret_cast<std::uintptr_t>(next)
                               : reinterpret_cast<std::uintptr_t>(b) + ahead;
        std::size_t left = is_short ? depth : depth - rows_ahead;
        std::size_t rest = depth - left;
        for (;;) {
#if defined(__clang__)
#pragma clang loop unroll(disable)
#endif
            do {
                for (std::size_t line = 0; line < NV * sizeof(reg); line += line_bytes) {
                    prefetch_to_second_cache(
                        reinterpret_cast<const void*>(wanted + line + line_bytes - 1));
                }
                wanted += static_cast<std::uintptr_t>(rhs.step) * sizeof(T);
                step(a, b, lhs, rhs);
            } while (--left != 0);
            if (rest == 0) {
                return;
            }
            left = rest;
            rest = 0;
            wanted = reinterpret_cast<std::uintptr_t>(next);
        }
    }

    /// The sums, row by row in registers. A copy, so that the sums themselves need no address.
    [[nodiscard, gnu::always_inline]] std::array<T, R * NV * lanes> stored() const {
        std::array<T, R * NV * lanes> all;
#pragma GCC unroll 32
        for (std::size_t at = 0; at < R * NV; ++at) {
            simd_type::store(all.data() + at * lanes, sums[at / NV][at % NV]);
        }
        return all;
    }

private:
    [[gnu::always_inline]] void clear() {
#pragma GCC unroll 32
        for (std::size_t at = 0; at < R * NV; ++at) {
            sums[at / NV][at % NV] = simd_type::zero();
        }
    }

    [[gnu::always_inline]] void step(const T*& a, const T*& b, const tile_source<T>& lhs,
                                     const tile_source<T>& rhs) {
        reg columns[NV];
#pragma GCC unroll 32
        for (std::size_t v = 0; v < NV; ++v) {
            columns[v] = simd_type::load(b + v * lanes);
            // Higher tiles keep them by themselves.
            if constexpr (R > 1 && R <= 4) {
                columns[v] = simd_type::held(columns[v]);
            }
        }
#pragma GCC unroll 32
        for (std::size_t i = 0; i < R; ++i) {
            const reg row = simd_type::set(a[static_cast<std::ptrdiff_t>(i) * lhs.line]);
#pragma GCC unroll 32
            for (std::size_t v = 0; v < NV; ++v) {
                sums[i][v] = simd_type::mul_add(row, columns[v], sums[i][v]);
            }
        }
        a += lhs.step;
        b += rhs.step;
        // Not a variable of the loop, to clang: it would keep an address of each row and add to all
        // of them in every step, not the multiples of line once.
        if constexpr (R <= 6) {
            a = opaque(a);
        }
    }
};

}  // namespace xeinsum::kernel
