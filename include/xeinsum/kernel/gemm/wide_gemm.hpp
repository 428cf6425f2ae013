// Products of few rows: "ij,jk->ik" on (16,2048) and (2048,2048) takes its time reading rhs, once,
// where it lies, in tiles that are wide instead of high.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/few_rows_shapes.hpp>
#include <xeinsum/kernel/gemm/few_rows_walk.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/gemm/micro_kernel.hpp>
#include <xeinsum/kernel/gemm/pack.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Batched products whose columns are one loop, side by side in rhs and in the output, and whose
/// depth is one loop. Panels of lhs, height rows each, are packed; a tile reads a block of the
/// depth of rhs. What is read next is prefetched by the first of one or two panels, shortly before,
/// or while all of them are multiplied, a share with each tile.
template <class T, class Arch>
class wide_gemm_run {
public:
    /// Scratch has wide_gemm_bytes(...), aligned to 64.
    wide_gemm_run(const gemm_groups& groups, const scaling<T>& scale, std::byte* scratch)
        : groups_(groups),
          rows_(static_cast<std::size_t>(groups.m.iterations())),
          columns_(groups.n.iterations()),
          panels_(reinterpret_cast<T*>(scratch)),
          walk_(groups, scale, deepest(),
                reinterpret_cast<std::int64_t*>(
                    scratch + packed_bytes(round_up(rows_, height) * deepest(), sizeof(T)))) {}

    void run(const T* lhs, const T* rhs, T* out) { walk_.run(lhs, rhs, out, *this); }

private:
    friend few_rows_walk<T>;
    using simd_type = simd<T, Arch>;
    using block = typename few_rows_walk<T>::block;
    static constexpr blocking cut = blocking_of<T, Arch>;
    static constexpr std::size_t height = wide_rows;
    static constexpr auto lanes = static_cast<std::int64_t>(simd_type::lanes);
    static constexpr std::int64_t width = static_cast<std::int64_t>(wide_registers) * lanes;
    static constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
    static constexpr std::int64_t one_segment = 0;
    // Measured; see docs/kernels/gemm.md.
    /// Rows of rhs from one that is prefetched to the one that is multiplied.
    static constexpr std::size_t rows_ahead = 40;
    /// Of two panels those that read no more of rhs in a tile have time enough to prefetch all that
    /// is read next while both are multiplied, and more panels do.
    static constexpr std::size_t cached_tile_bytes = 24 << 10U;
    /// Output rows that are longer are written some tiles at a time, as many as read so much of
    /// rhs.
    static constexpr std::int64_t long_row_bytes = 16 << 10U;
    static constexpr std::int64_t cached_rhs_bytes = 64 << 10U;

    /// A tile of one panel.
    struct tile_place {
        const T* panel = nullptr;
        const line_offsets rows{};
        const T* rhs = nullptr;
        const T* next =
            nullptr;  ///< what is read after it: then it prefetches that and its own rhs
        T* out = nullptr;
        std::int64_t done = 0;           ///< columns that are written already
        bool prefetches_output = false;  ///< whose lines several tiles write
    };
    /// Of so much depth, with rhs rows so far apart.
    using function = void (*)(const tile_place&, std::size_t, std::int64_t, line_prefetcher&,
                              const scaling<T>&);

    struct column_range {
        std::int64_t begin;
        std::int64_t end;
        std::int64_t done = 0;  ///< of them, that are written already
    };

    [[nodiscard]] std::size_t deepest() const { return least(cut.kc, groups_.k.iterations()); }
    [[nodiscard]] std::int64_t rhs_step() const { return groups_.k.stride(0, 2); }

    /// Whether rows of the output begin within lines.
    [[nodiscard]] bool splits_lines() const {
        return rows_ > 1 && magnitude(groups_.m.stride(groups_.m.count - 1, 0)) % line != 0;
    }

    /// Whether every tile prefetches a share of what is read next. A core has few lines on their
    /// way at once: the tiles of the first panel alone would wait for them.
    [[nodiscard]] bool shares_prefetches(std::size_t deep) const {
        const auto tile_bytes = static_cast<std::size_t>(width) * deep * sizeof(T);
        return rows_ > (tile_bytes <= cached_tile_bytes ? height : 2 * height);
    }

    /// Columns that all rows are multiplied with before the next ones.
    [[nodiscard]] std::int64_t block_columns(std::size_t deep) const {
        constexpr auto size = static_cast<std::int64_t>(sizeof(T));
        const std::int64_t most = cached_rhs_bytes / (static_cast<std::int64_t>(deep) * size);
        return shares_prefetches(deep) && columns_ * size > long_row_bytes
                   ? std::max<std::int64_t>(most / width, 1) * width
                   : width;
    }

    void pack(const T* from, const line_offsets& rows, const line_offsets& depths) {
        packer<T, Arch>(height).pack(from, rows, depths, panels_);
    }

    /// All columns of a block of the depth.
    void multiply(const block& at) const {
        if (columns_ < lanes) {
            multiply_few_columns(at);
            return;
        }
        const std::int64_t most = block_columns(at.depth);
        const std::int64_t first_line =
            lanes == line ? columns_before_line(at.rhs, rhs_step(), columns_) : 0;
        const bool peels = first_line != 0;
        for (column_range here{0, peels ? lanes : std::min(most, columns_)};
             here.begin < columns_;) {
            const bool last = here.end == columns_;
            const std::int64_t begin = peels && here.begin == 0 ? first_line : here.end;
            const column_range next{begin, std::min(begin + most, columns_), here.end - begin};
            // Of the product that follows as many columns as of this one.
            const column_range upcoming = last ? here : next;
            multiply_columns(at, here,
                             {last ? at.after : at.rhs + next.begin, rhs_step(), at.depth,
                              static_cast<std::size_t>(upcoming.end - upcoming.begin) * sizeof(T)});
            here = next;
        }
    }

    /// All rows of some columns: wide tiles, then single registers, the last of which ends where
    /// the columns do.
    void multiply_columns(const block& at, const column_range& columns,
                          const upcoming_lines<T>& upcoming) const {
        const std::int64_t count = columns.end - columns.begin;
        const auto tiles =
            (rows_ + height - 1) / height * static_cast<std::size_t>((count + width - 1) / width);
        const bool shares = shares_prefetches(at.depth);
        const bool prefetches_output = splits_lines();
        line_prefetcher lines(shares ? upcoming : upcoming_lines<T>(), tiles);
        for (std::size_t i = 0; i < rows_; i += height) {
            const std::size_t high = std::min(rows_ - i, height);
            std::int64_t written = columns.done;
            for (std::int64_t j = columns.begin; j < columns.end;) {
                const std::int64_t left = columns.end - j;
                const bool wide = left >= width;
                const std::int64_t before = left < lanes ? lanes - left : 0;
                const std::int64_t done = before + written;
                const std::int64_t from = j - before;
                written = 0;
                j += wide ? width : std::min(left, lanes);
                const T* const next = j < columns.end ? at.rhs + j : upcoming.from;
                const function tile = wide ? wides[(high - 1) / 2] : singles[(high - 1) / 4];
                tile({panels_ + i * at.depth, walk_.out_rows().sub(i, high), at.rhs + from,
                      i == 0 && !shares ? next : nullptr, at.out + from, done, prefetches_output},
                     at.depth, rhs_step(), lines, at.scale);
            }
        }
    }

    /// What is left for the last thread of many may fill no register.
    void multiply_few_columns(const block& at) const {
        for (std::size_t i = 0; i < rows_; ++i) {
            const T* const a = panels_ + i / height * height * at.depth + i % height;
            for (std::int64_t j = 0; j < columns_; ++j) {
                T sum(0);
                for (std::size_t k = 0; k < at.depth; ++k) {
                    sum = scalar_mul_add<Arch>(
                        a[k * height], at.rhs[static_cast<std::int64_t>(k) * rhs_step() + j], sum);
                }
                at.scale.template put<Arch>(at.out[walk_.out_rows()[i] + j], sum);
            }
        }
    }

    // Flat, so that the sums stay in registers at any level of optimisation. Rows that a panel has
    // not are zeros, whose sums are dropped.
    template <std::size_t R, std::size_t NV>
    [[gnu::flatten]] static void compute(const tile_place& at, std::size_t deep, std::int64_t step,
                                         line_prefetcher& lines, const scaling<T>& scale) {
        micro_tile<T, Arch, R, NV> tile;
        const tile_source<T> lhs{at.panel, 1, height, &one_segment};
        const tile_source<T> rhs{at.rhs, 1, step, &one_segment};
        if (at.prefetches_output) {
            prefetch_output<NV>(at);
        }
        if (at.next != nullptr) {
            tile.multiply_ahead(deep, lhs, rhs, rows_ahead, at.next);
        } else {
            tile.multiply_and_prefetch(deep, lhs, rhs, lines.steps_per_line(deep), lines);
        }
        if (scale.is_identity() && at.done == 0 && at.rows.count == R) {
#pragma GCC unroll 32
            for (std::size_t i = 0; i < R; ++i) {
                T* const row = at.out + at.rows[i];
#pragma GCC unroll 32
                for (std::size_t v = 0; v < NV; ++v) {
                    simd_type::store(row + v * simd_type::lanes, tile.sums[i][v]);
                }
            }
            return;
        }
        alignas(64) const auto stored = tile.stored();
        put_stored(stored.data(), at.rows.count, NV, at, scale);
    }
    /// Lines that tiles share are read before they are written. Without a lambda: g++ 12 drops
    /// calls of functions that only prefetch.
    template <std::size_t NV>
    [[gnu::always_inline]] static void prefetch_output(const tile_place& at) {
        for (std::size_t i = 0; i < at.rows.count; ++i) {
            const T* const row = at.out + at.rows[i];
            prefetch_to_write<NV * simd_type::lanes>(row);
            __builtin_prefetch(row + NV * simd_type::lanes - 1, 1);
        }
    }
    /// What does not leave its registers as it is: one function for all tiles.
    [[gnu::noinline]] static void put_stored(const T* sums, std::size_t rows, std::size_t registers,
                                             const tile_place& at, const scaling<T>& scale) {
        for (std::size_t i = 0; i < rows; ++i) {
            T* to = at.out + at.rows[i];
            for (std::size_t v = 0; v < registers; ++v) {
                const auto value = simd_type::load(sums);
                if (at.done > 0 && v == 0) {
                    scale.template put_behind<simd_type, Arch>(to, value, at.done);
                } else {
                    scale.template put_register<simd_type>(to, value);
                }
                sums += simd_type::lanes;
                to += simd_type::lanes;
            }
        }
    }

    static constexpr std::array<function, 4> wides{
        &compute<2, wide_registers>, &compute<4, wide_registers>, &compute<6, wide_registers>,
        &compute<8, wide_registers>};
    static constexpr std::array<function, 2> singles{&compute<4, 1>, &compute<8, 1>};

    gemm_groups groups_;
    std::size_t rows_;
    std::int64_t columns_;
    T* panels_;
    few_rows_walk<T> walk_;
};

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
template <class T, class Arch>
void wide_gemm(const gemm_groups& groups, const T* lhs, const T* rhs, T* out,
               const scaling<T>& scale, std::byte* scratch) {
    wide_gemm_run<T, Arch>(groups, scale, scratch).run(lhs, rhs, out);
}

}  // namespace xeinsum::kernel
