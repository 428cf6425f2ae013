// Products of few rows: "ij,jk->ik" on (16,2048) and (2048,2048) takes its time reading rhs, once,
// where it lies, in tiles that are wide instead of high.
#pragma once

#include <xeinsum/kernel/blocking.hpp>
#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/fetch_ahead.hpp>
#include <xeinsum/kernel/gemm.hpp>
#include <xeinsum/kernel/gemm_memory.hpp>
#include <xeinsum/kernel/lines.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/micro_kernel.hpp>
#include <xeinsum/kernel/pack.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/unroll.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum::kernel {

/// Registers of columns in a wide tile, and its rows where tiles of a usual product have so many.
inline constexpr std::size_t wide_registers = 3;
[[nodiscard]] constexpr std::size_t wide_rows(std::size_t mr) noexcept {
    return mr > 8 ? 8 : 4;
}

/// Scratch for products with so many rows, in tiles of height rows and blocks of depth kc.
[[nodiscard]] constexpr std::size_t wide_gemm_bytes(std::int64_t rows, std::int64_t depth,
                                                    std::size_t height, std::size_t kc,
                                                    std::size_t element_bytes) noexcept {
    const auto m = static_cast<std::size_t>(rows);
    const std::size_t deep = least(kc, depth);
    return packed_bytes(round_up(m, height) * deep, element_bytes) +
           line_table::width * (2 * m + deep) * sizeof(std::int64_t);
}

/// Batched products whose columns are one loop, side by side in rhs and in the output, and whose
/// depth is one loop. Panels of lhs, height rows each, are packed; a tile reads a block of the
/// depth of rhs. What is read next is asked for by the first of a few panels, shortly before, or
/// while many of them are multiplied, a share with each tile.
template <class T, class Arch>
class wide_gemm_run {
public:
    /// Scratch has wide_gemm_bytes(...), aligned to 64.
    wide_gemm_run(const gemm_groups& groups, const scaling<T>& scale, std::byte* scratch)
        : groups_(groups),
          scale_(scale),
          further_(scale.accumulating()),
          rows_(static_cast<std::size_t>(groups.m.iterations())),
          columns_(groups.n.iterations()),
          depth_(groups.k.iterations()),
          deep_(least(cut.kc, depth_)),
          panels_(reinterpret_cast<T*>(scratch)),
          numbers_(reinterpret_cast<std::int64_t*>(
              scratch + packed_bytes(round_up(rows_, height) * deep_, sizeof(T)))) {}

    void run(const T* lhs, const T* rhs, T* out) {
        line_table table(numbers_, rows_);
        out_rows_ = table.fill(groups_.m, 0, rows_, 0);
        splits_lines_ = rows_ > 1 && magnitude(out_row()) % line != 0;
        line_table lhs_table(numbers_ + line_table::width * rows_, rows_);
        const line_offsets lhs_rows = lhs_table.fill(groups_.m, 0, rows_, 1);
        odometer<3> batch(groups_.batch, {0, 1, 2});
        const T* in_panels = nullptr;
        for (bool more = true; more;) {
            const T* const lhs_here = lhs + batch.offset(1);
            const T* const rhs_here = rhs + batch.offset(2);
            T* const out_here = out + batch.offset(0);
            more = batch.next();
            for (std::int64_t p = 0; p < depth_; p += static_cast<std::int64_t>(deep_)) {
                const std::size_t deep = least(deep_, depth_ - p);
                if (lhs_here != in_panels || depth_ > static_cast<std::int64_t>(deep_)) {
                    line_table depths(numbers_ + 2 * line_table::width * rows_, deep_);
                    packer<T, Arch, height>::pack(lhs_here, lhs_rows,
                                                  depths.fill(groups_.k, p, deep, 1), panels_);
                    in_panels = lhs_here;
                }
                const std::int64_t end = p + static_cast<std::int64_t>(deep);
                multiply(
                    rhs_here + p * rhs_step(),
                    end < depth_ || !more ? rhs_here + end * rhs_step() : rhs + batch.offset(2),
                    deep, out_here, p == 0 ? scale_ : further_);
            }
        }
    }

private:
    using simd_type = simd<T, Arch>;
    static constexpr blocking cut = blocking_of<T, Arch>;
    static constexpr std::size_t height = wide_rows(cut.mr);
    static constexpr auto lanes = static_cast<std::int64_t>(simd_type::lanes);
    static constexpr std::int64_t width = static_cast<std::int64_t>(wide_registers) * lanes;
    static constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
    static constexpr std::int64_t one_segment = 0;
    // Measured; see docs/performance.md.
    /// Rows of rhs from one that is asked for to the one that is multiplied.
    static constexpr std::size_t rows_ahead = 40;
    /// More panels leave time enough to ask for all that is read next.
    static constexpr std::size_t few_panels = 4;
    /// Output rows that are longer are written some tiles at a time, as many as read so much of
    /// rhs.
    static constexpr std::int64_t long_row_bytes = 16 << 10U;
    static constexpr std::int64_t near_rhs_bytes = 64 << 10U;

    /// A tile of one panel.
    struct tile_place {
        const T* panel = nullptr;
        const line_offsets rows{};
        const T* rhs = nullptr;
        const T* next = nullptr;  ///< what is read after it: then it asks for that and its own rhs
        T* out = nullptr;
        std::int64_t done = 0;        ///< columns that are written already
        bool fetches_output = false;  ///< whose lines several tiles write
    };
    /// Of so much depth, with rhs rows so far apart.
    using function = void (*)(const tile_place&, std::size_t, std::int64_t, line_fetcher&,
                              const scaling<T>&);

    struct column_range {
        std::int64_t begin;
        std::int64_t end;
    };

    [[nodiscard]] std::int64_t rhs_step() const { return groups_.k.stride(0, 2); }
    [[nodiscard]] std::int64_t out_row() const {
        return groups_.m.count == 0 ? 0 : groups_.m.stride(groups_.m.count - 1, 0);
    }

    [[nodiscard]] bool has_many_panels() const { return rows_ > few_panels * height; }

    /// Columns that all rows are multiplied with before the next ones.
    [[nodiscard]] std::int64_t block_columns(std::size_t deep) const {
        constexpr auto size = static_cast<std::int64_t>(sizeof(T));
        const std::int64_t near = near_rhs_bytes / (static_cast<std::int64_t>(deep) * size);
        return has_many_panels() && columns_ * size > long_row_bytes
                   ? std::max<std::int64_t>(near / width, 1) * width
                   : width;
    }

    /// All columns of a block of the depth. What lies at after is read next, where there is more.
    void multiply(const T* rhs, const T* after, std::size_t deep, T* out,
                  const scaling<T>& scale) const {
        if (columns_ < lanes) {
            multiply_few_columns(rhs, deep, out, scale);
            return;
        }
        const std::int64_t block = block_columns(deep);
        for (column_range here{0, std::min(block, columns_)}; here.begin < columns_;) {
            const bool last = here.end == columns_;
            const column_range next{here.end, std::min(here.end + block, columns_)};
            // Of the product that follows as many columns as of this one.
            const column_range upcoming = last ? here : next;
            multiply_block(rhs, here, deep, out, last ? after : rhs + next.begin,
                           static_cast<std::size_t>(upcoming.end - upcoming.begin), scale);
            here = next;
        }
    }

    /// All rows of some columns: wide tiles, then single registers, the last of which ends where
    /// the columns do. What is read next is so wide.
    void multiply_block(const T* rhs, const column_range& columns, std::size_t deep, T* out,
                        const T* after, std::size_t wide_after, const scaling<T>& scale) const {
        const std::int64_t count = columns.end - columns.begin;
        const auto tiles =
            (rows_ + height - 1) / height * static_cast<std::size_t>((count + width - 1) / width);
        line_fetcher lines(has_many_panels()
                               ? upcoming_lines<T>{after, rhs_step(), deep, wide_after * sizeof(T)}
                               : upcoming_lines<T>(),
                           tiles);
        for (std::size_t i = 0; i < rows_; i += height) {
            const std::size_t high = std::min(rows_ - i, height);
            for (std::int64_t j = columns.begin; j < columns.end;) {
                const std::int64_t left = columns.end - j;
                const bool wide = left >= width;
                const std::int64_t done = left < lanes ? lanes - left : 0;
                const T* const from = rhs + j - done;
                j += wide ? width : std::min(left, lanes);
                const T* const next = j < columns.end ? rhs + j : after;
                const function tile = (wide ? wides : singles)[high - 1];
                tile({panels_ + i * deep, out_rows_.sub(i, high), from,
                      i == 0 && !has_many_panels() ? next : nullptr, out + (from - rhs), done,
                      splits_lines_},
                     deep, rhs_step(), lines, scale);
            }
        }
    }

    /// What is left for the last thread of many may fill no register.
    void multiply_few_columns(const T* rhs, std::size_t deep, T* out,
                              const scaling<T>& scale) const {
        for (std::size_t i = 0; i < rows_; ++i) {
            const T* const a = panels_ + i / height * height * deep + i % height;
            for (std::int64_t j = 0; j < columns_; ++j) {
                T sum(0);
                for (std::size_t k = 0; k < deep; ++k) {
                    sum = scalar_mul_add<Arch>(
                        a[k * height], rhs[static_cast<std::int64_t>(k) * rhs_step() + j], sum);
                }
                scale.template put<Arch>(out[out_rows_[i] + j], sum);
            }
        }
    }

    // Flat, so that the sums stay in registers at any level of optimisation.
    template <std::size_t R, std::size_t NV>
    [[gnu::flatten]] static void compute(const tile_place& at, std::size_t deep, std::int64_t step,
                                         line_fetcher& lines, const scaling<T>& scale) {
        micro_tile<T, Arch, R, NV> tile;
        const tile_source<T> lhs{at.panel, 1, height, &one_segment};
        const tile_source<T> rhs{at.rhs, 1, step, &one_segment};
        if (at.fetches_output) {
            fetch_output<R, NV>(at);
        }
        if (at.next != nullptr) {
            tile.multiply_ahead(deep, lhs, rhs, rows_ahead, at.next);
        } else {
            tile.multiply_and_fetch(deep, lhs, rhs, lines.steps_per_line(deep), lines);
        }
        unroll<R>([&](auto i) {
            T* const row = at.out + at.rows[i];
            unroll<NV>([&](auto v) {
                T* const to = row + v * simd_type::lanes;
                if (NV == 1 && at.done > 0) {
                    put_last(to, tile.sums[i][v], at.done, scale);
                } else if (scale.is_identity()) {
                    simd_type::store(to, tile.sums[i][v]);
                } else {
                    scale.template put_register<simd_type>(to, tile.sums[i][v]);
                }
            });
        });
    }
    /// Lines that tiles share are read before they are written. Without a lambda: g++ 12 drops
    /// calls of functions that only fetch.
    template <std::size_t R, std::size_t NV>
    [[gnu::always_inline]] static void fetch_output(const tile_place& at) {
        for (std::size_t i = 0; i < R; ++i) {
            const T* const row = at.out + at.rows[i];
            for (std::size_t column = 0; column < NV * simd_type::lanes;
                 column += line_elements<T>) {
                __builtin_prefetch(row + column, 1);
            }
            __builtin_prefetch(row + NV * simd_type::lanes - 1, 1);
        }
    }
    /// Outlined, so that it takes no registers from the sums.
    [[gnu::noinline]] static void put_last(T* out, const typename simd_type::type& value,
                                           std::int64_t done, const scaling<T>& scale) {
        scale.template put_behind<simd_type, Arch>(out, value, done);
    }

    template <std::size_t NV, std::size_t... I>
    [[nodiscard]] static constexpr std::array<function, height> table(std::index_sequence<I...>) {
        return {&compute<I + 1, NV>...};
    }
    static constexpr std::array<function, height> wides =
        table<wide_registers>(std::make_index_sequence<height>());
    static constexpr std::array<function, height> singles =
        table<1>(std::make_index_sequence<height>());

    gemm_groups groups_;
    scaling<T> scale_;
    scaling<T> further_;
    std::size_t rows_;
    std::int64_t columns_;
    std::int64_t depth_;
    std::size_t deep_;           ///< of a block
    bool splits_lines_ = false;  ///< rows of the output begin within lines
    T* panels_;
    std::int64_t* numbers_;
    line_offsets out_rows_{};
};

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
template <class T, class Arch>
void wide_gemm(const gemm_groups& groups, const T* lhs, const T* rhs, T* out,
               const scaling<T>& scale, std::byte* scratch) {
    wide_gemm_run<T, Arch>(groups, scale, scratch).run(lhs, rhs, out);
}

}  // namespace xeinsum::kernel
