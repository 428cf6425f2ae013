// Products of few rows by way of their results: for "ij,jk->ik" on (16,2048) and (2048,2048) rhs is
// read row by row, as it lies, and what some rows j bring is added to all i of 384 columns k.
#pragma once

#include <xeinsum/kernel/gemm/few_rows_shapes.hpp>
#include <xeinsum/kernel/gemm/few_rows_walk.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/permute/line_writer.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum::kernel {

/// Rows of rhs in an update, and of the output at a time: their elements of lhs stay in registers,
/// 4 x 3 of 16 or 6 x 4 of 32, beside rows of rhs and a sum.
template <class Arch>
inline constexpr std::size_t update_depth = register_count<Arch> == 32 ? 4 : 3;
template <class Arch>
inline constexpr std::size_t update_rows = register_count<Arch> == 32 ? most_update_rows : 4;
/// Batched products whose columns are one loop, side by side in rhs and in the output, and whose
/// depth is one loop. Results of some columns stay in L1, while rows of rhs, those of
/// an update at a time, pass by; the first rows of lhs that meet them prefetch those that follow.
template <class T, class Arch>
class rank_k_updates_run {
public:
    /// Scratch has rank_k_updates_bytes(...), aligned to 64.
    rank_k_updates_run(const gemm_groups& groups, const scaling<T>& scale, std::byte* scratch)
        : groups_(groups),
          rows_(static_cast<std::size_t>(groups.m.iterations())),
          packed_(reinterpret_cast<T*>(scratch)),
          results_(reinterpret_cast<T*>(scratch + packed_bytes(rows_ * deepest(), sizeof(T)))),
          walk_(groups, scale, deepest(),
                reinterpret_cast<std::int64_t*>(results_ + rows_ * pitch)) {}

    void run(const T* lhs, const T* rhs, T* out) { walk_.run(lhs, rhs, out, *this); }

private:
    friend few_rows_walk<T>;
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using block = typename few_rows_walk<T>::block;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr std::size_t depth_at_once = update_depth<Arch>;
    static constexpr std::size_t rows_at_once = update_rows<Arch>;
    /// Rows of results are not a power of two apart.
    static constexpr std::size_t pitch = update_long_row_bytes / sizeof(T) + line_elements<T>;
    /// With registers of a line, an update is so short that rows of rhs are prefetched into the
    /// first-level cache during the one before it; else four of them earlier into the second.
    static constexpr bool prefetches_to_first_cache = simd_type::lanes == line_elements<T>;
    static constexpr std::size_t updates_ahead = prefetches_to_first_cache ? 1 : 4;

    struct update {
        const T* lhs = nullptr;
        const T* rhs = nullptr;
        const T* ahead = nullptr;  ///< rows of rhs to be prefetched, if any
        T* results = nullptr;
        std::size_t columns = 0;
    };
    /// With rhs rows so far apart.
    using function = void (*)(const update&, std::int64_t);

    [[nodiscard]] std::size_t deepest() const {
        return least(update_block_depth, groups_.k.iterations());
    }

    [[nodiscard]] std::size_t columns_at_once() const {
        const bool one_update = register_count<Arch> == 32 && rows_ <= rows_at_once;
        return (one_update ? update_long_row_bytes : update_row_bytes) / sizeof(T);
    }

    /// Rows of rhs that go together from row k on: what is left goes one by one, and to one row of
    /// the output at a time.
    [[nodiscard]] static std::size_t together(std::size_t k, std::size_t depth) {
        return k + depth_at_once <= depth ? depth_at_once : 1;
    }

    /// For each update, row by row, the elements that it multiplies.
    void pack(const T* lhs, const line_offsets& rows, const line_offsets& depths) {
        T* to = packed_;
        for (std::size_t k = 0, deep = 0; k < depths.count; k += deep) {
            deep = together(k, depths.count);
            for (std::size_t i = 0; i < rows_; ++i) {
                const T* const from = lhs + rows[i];
                for (std::size_t d = 0; d < deep; ++d) {
                    *to++ = from[depths[k + d]];
                }
            }
        }
    }

    /// All columns of a block of the depth.
    void multiply(const block& at) const {
        const line_writer<T, Arch> writer(at.scale, false);
        const auto columns = static_cast<std::size_t>(groups_.n.iterations());
        const auto before = static_cast<std::size_t>(
            columns_before_line(at.rhs, groups_.k.stride(0, 2), groups_.n.iterations()));
        std::size_t count = before != 0 ? before : std::min(columns_at_once(), columns);
        for (std::size_t j = 0; j < columns;
             j += count, count = std::min(columns_at_once(), columns - j)) {
            std::fill_n(results_, rows_ * pitch, T(0));
            add(at.rhs + j, j + count < columns ? at.rhs + j + count : at.after, at.depth, count);
            for (std::size_t i = 0; i < rows_; ++i) {
                writer.write(results_ + i * pitch, at.out + walk_.out_rows()[i] + j, count);
            }
        }
    }

    /// Adds the products of all rows and some columns; what lies at after is read next.
    void add(const T* rhs, const T* after, std::size_t depth, std::size_t columns) const {
        const std::int64_t row = groups_.k.stride(0, 2);
        for (std::size_t k = 0, deep = 0; k < depth; k += deep) {
            deep = together(k, depth);
            const std::size_t then = k + updates_ahead * depth_at_once;
            update next{packed_ + rows_ * k, rhs + static_cast<std::int64_t>(k) * row,
                        then + depth_at_once <= depth
                            ? rhs + static_cast<std::int64_t>(then) * row
                            : after + static_cast<std::int64_t>(then + depth_at_once - depth) * row,
                        results_, columns};
            // Of nearly equal height: a row alone would wait for what it loads.
            std::size_t parts = deep == 1 ? rows_ : (rows_ + rows_at_once - 1) / rows_at_once;
            for (std::size_t left = rows_; left > 0; --parts) {
                const std::size_t high = left / parts;
                (deep == 1 ? &compute<1, 1> : updates[high - 1])(next, row);
                left -= high;
                next.lhs += high * deep;
                next.results += high * pitch;
                next.ahead = nullptr;
            }
        }
    }

    // Flat, so that everything stays in registers at any level of optimisation.
    template <std::size_t R, std::size_t D>
    [[gnu::flatten]] static void compute(const update& at, std::int64_t row) {
        reg a[R][D];
#pragma GCC unroll 32
        for (std::size_t n = 0; n < R * D; ++n) {
            a[n / D][n % D] = simd_type::held(simd_type::set(at.lhs[n]));
        }
        const T* from = at.rhs;
        T* to = at.results;
        const auto step = [&](auto load) {
            reg b[D];
#pragma GCC unroll 32
            for (std::size_t d = 0; d < D; ++d) {
                b[d] = simd_type::held(load(from + static_cast<std::int64_t>(d) * row));
            }
#pragma GCC unroll 32
            for (std::size_t i = 0; i < R; ++i) {
                T* const sum = to + i * pitch;
                reg c = simd_type::load(sum);
#pragma GCC unroll 32
                for (std::size_t d = 0; d < D; ++d) {
                    c = simd_type::mul_add(a[i][d], b[d], c);
                }
                simd_type::store(sum, c);
            }
            from += lanes;
            to += lanes;
        };
        const auto whole = [](const T* place) { return simd_type::load(place); };
        std::size_t left = at.columns;
        if (at.ahead != nullptr) {
            const T* ahead = at.ahead;
            for (; left >= line_elements<T>; left -= line_elements<T>, ahead += line_elements<T>) {
                for (std::size_t d = 0; d < D; ++d) {
                    const T* const line = ahead + static_cast<std::int64_t>(d) * row;
                    if constexpr (prefetches_to_first_cache) {
                        __builtin_prefetch(line);
                    } else {
                        prefetch_to_second_cache(line);
                    }
                }
#pragma GCC unroll 32
                for (std::size_t n = 0; n < line_elements<T> / lanes; ++n) {
                    step(whole);
                }
            }
        }
        for (; left >= lanes; left -= lanes) {
            step(whole);
        }
        if (left > 0) {
            step([&](const T* place) { return simd_type::load_part(place, left); });
        }
    }

    /// By the number of rows less one.
    template <std::size_t... R>
    [[nodiscard]] static constexpr std::array<function, rows_at_once> table(
        std::index_sequence<R...>) {
        return {&compute<R + 1, depth_at_once>...};
    }
    static constexpr auto updates = table(std::make_index_sequence<rows_at_once>());

    gemm_groups groups_;
    std::size_t rows_;
    T* packed_;
    T* results_;
    few_rows_walk<T> walk_;
};

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
template <class T, class Arch>
void rank_k_updates(const gemm_groups& groups, const T* lhs, const T* rhs, T* out,
                    const scaling<T>& scale, std::byte* scratch) {
    rank_k_updates_run<T, Arch>(groups, scale, scratch).run(lhs, rhs, out);
}

}  // namespace xeinsum::kernel
