// Many small products whose batch lies side by side, an interleaved batch: "ijb,jkb->ikb"
// multiplies eight matrices of floats at a time, as one would multiply one matrix of registers.
#pragma once

#include <xeinsum/kernel/gemm/interleaved_batch_blocks.hpp>
#include <xeinsum/kernel/gemm/interleaved_batch_prefetch.hpp>
#include <xeinsum/kernel/gemm/interleaved_batch_tile.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum::kernel {

template <class T, class Arch>
class interleaved_batch_gemm_run {
public:
    /// times: how many such products are computed, one after the other, with results of their own.
    interleaved_batch_gemm_run(const batched_shape& shape, std::int64_t count, std::int64_t times,
                               bool adds, std::byte* scratch)
        : s_(shape),
          count_(count),
          blocks_(interleaved_batch_blocks::of(s_, count / width, limits, sizeof(T),
                                               sizeof(typename simd_type::type))),
          prefetches_(blocks_.packs && elements() >= beyond_l2_elements<T>),
          asks_ahead_(is_line && elements() >= prefetched_elements),
          streams_(!adds && streams_output(times)),
          lhs_panel_(reinterpret_cast<T*>(scratch)),
          rhs_panel_(lhs_panel_ + blocks_.registers * std::min(s_.rows, blocks_.rows) *
                                      std::min(s_.depth, blocks_.depth) * width) {}

    /// further: the scaling of what is added to the first part of a sum.
    void run(const T* lhs, const T* rhs, T* out, const scaling<T>& scale,
             const scaling<T>& further) const {
        for_each_part(s_.depth, blocks_.depth, [&](std::int64_t k, std::int64_t depth) {
            run_depth(depth, lhs + k * s_.lhs_depth, rhs + k * s_.rhs_depth, out,
                      k == 0 ? scale : further);
        });
        if (streams_) {
            simd_type::end_stream();
        }
    }

private:
    using simd_type = simd<T, Arch>;
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
    static constexpr bool is_line = sizeof(typename simd_type::type) == line_bytes;
    static constexpr batched_limits limits = batched_limits::of<T, Arch>();
    static constexpr auto line_length = static_cast<std::int64_t>(line_elements<T>);
    // Measured; see docs/kernels/batched.md.
    /// Arrays so large, together, come from main memory: what is next is prefetched while some of
    /// it is multiplied.
    static constexpr std::int64_t prefetched_elements = 4 * beyond_l2_elements<T>;
    /// Rows of lanes from the one that is copied to the one that is prefetched.
    static constexpr std::int64_t rows_ahead = 16;
    /// An output so large is written by non-temporal stores: its lines lie on as many pages as
    /// there are results, and all would be read first.
    static constexpr std::int64_t streamed_output_bytes = std::int64_t{8} << 20U;
    using function = void (*)(const batched_shape&, const batched_lanes&, const T*, const T*, T*,
                              const scaling<T>&, interleaved_batch_prefetch<T>&);

    /// Of all three arrays.
    [[nodiscard]] std::int64_t elements() const noexcept {
        return (s_.rows * s_.columns + (s_.rows + s_.columns) * s_.depth) * count_;
    }
    /// Whether results are written once, and registers of them are whole lines where arrays begin
    /// with one.
    [[nodiscard]] bool streams_output(std::int64_t times) const noexcept {
        const std::int64_t bytes =
            s_.rows * s_.columns * count_ * times * static_cast<std::int64_t>(sizeof(T));
        return is_line && bytes >= streamed_output_bytes && s_.depth <= blocks_.depth &&
               s_.out_row % width == 0 && s_.out_column % width == 0;
    }
    /// What is read after the block of the batch that begins there.
    [[nodiscard]] interleaved_batch_prefetch<T> ahead_of(const T* lhs,
                                                         const T* rhs) const noexcept {
        const std::int64_t lanes = blocks_.registers * width;
        return {{rhs + lanes, s_.columns, s_.rhs_column, s_.rhs_depth},
                {lhs + lanes, s_.rows, s_.lhs_row, s_.lhs_depth},
                lanes};
    }

    void run_depth(std::int64_t depth, const T* lhs, const T* rhs, T* out,
                   const scaling<T>& scale) const {
        batched_lanes lanes{.lhs = width, .rhs = width, .end = width};
        lanes.streams = streams_ && simd_type::can_stream(out);
        const std::int64_t whole = count_ / width;
        for (std::int64_t v = 0; v < whole; v += blocks_.registers) {
            lanes.registers = std::min(blocks_.registers, whole - v);
            const std::int64_t at = v * width;
            const bool more = v + blocks_.registers < whole;
            interleaved_batch_prefetch<T> ahead;
            if (asks_ahead_ && more) {
                ahead = ahead_of(lhs + at, rhs + at);
            }
            run_lanes(depth, lanes, lhs + at, rhs + at, out + at, scale, ahead);
        }
        const std::int64_t rest = count_ - whole * width;
        if (rest > 0) {
            // A register that ends where the batch does, or is not filled.
            const std::int64_t at = std::max(count_ - width, std::int64_t{0});
            lanes.registers = 1;
            lanes.streams = false;
            lanes.end = std::min(count_, width);
            lanes.done = lanes.end - rest;
            interleaved_batch_prefetch<T> nothing;
            run_lanes(depth, lanes, lhs + at, rhs + at, out + at, scale, nothing);
        }
    }

    /// Some registers of the batch. Changes how far those of packed operands are apart.
    void run_lanes(std::int64_t depth, batched_lanes& lanes, const T* lhs, const T* rhs, T* out,
                   const scaling<T>& scale, interleaved_batch_prefetch<T>& ahead) const {
        const std::int64_t together = lanes.registers;
        batched_shape tile = s_;
        tile.depth = depth;
        if (blocks_.packs) {
            tile.lhs_row = tile.rhs_column = depth * width;
            tile.lhs_depth = tile.rhs_depth = width;
        }
        for_each_part(s_.columns, blocks_.columns, [&](std::int64_t j, std::int64_t columns) {
            const T* column = rhs + j * s_.rhs_column;
            if (blocks_.packs) {
                lanes.rhs =
                    pack(column, s_.rhs_column, columns, s_.rhs_depth, depth, lanes, rhs_panel_);
                column = rhs_panel_;
            }
            for_each_part(s_.rows, blocks_.rows, [&](std::int64_t i, std::int64_t rows) {
                const T* row = lhs + i * s_.lhs_row;
                if (blocks_.packs) {
                    lanes.lhs = pack(row, s_.lhs_row, rows, s_.lhs_depth, depth, lanes, lhs_panel_);
                    row = lhs_panel_;
                }
                T* to = out + i * s_.out_row + j * s_.out_column;
                const auto pass = [&](std::int64_t v, std::int64_t registers) {
                    lanes.registers = registers;
                    for_each_part(columns, limits.columns, [&](std::int64_t c, std::int64_t wide) {
                        T* const result = to + c * s_.out_column;
                        if (prefetches_ && v == 0 && !lanes.streams) {
                            prefetch_output(rows, wide, together * width, result);
                        }
                        tile_of(rows, wide)(tile, lanes, row + v * lanes.lhs,
                                            column + c * tile.rhs_column + v * lanes.rhs,
                                            result + v * width, scale, ahead);
                    });
                };
                for_each_part(together, blocks_.at_once, pass);
                lanes.registers = together;
            });
        });
    }

    /// Parts of about equal length, as few as possible: f(first, length).
    template <class F>
    static void for_each_part(std::int64_t extent, std::int64_t limit, const F& f) {
        // Most often there is one, and divisions take as long as a small tile.
        const std::int64_t parts = extent <= limit ? 1 : (extent + limit - 1) / limit;
        for (std::int64_t p = 0, first = 0; p < parts; ++p) {
            const bool last = p + 1 == parts;
            const std::int64_t length = last ? extent - first : (extent - first) / (parts - p);
            f(first, length);
            first += length;
        }
    }

    /// Copies a block so that each register's worth of the batch lies together: line by line, along
    /// the depth. Returns the distance from one register's block to the next.
    [[nodiscard]] std::int64_t pack(const T* from, std::int64_t line, std::int64_t lines,
                                    std::int64_t step, std::int64_t depth,
                                    const batched_lanes& lanes, T* to) const {
        // Numbers of its own: what is stored might lie over those in memory.
        const std::int64_t registers = lanes.registers;
        const std::int64_t end = lanes.end;
        const bool prefetches = prefetches_;
        const std::int64_t block = lines * depth * width;
        for (std::int64_t i = 0; i < lines; ++i, from += line) {
            const T* at = from;
            for (std::int64_t k = 0; k < depth; ++k, at += step, to += width) {
                if (prefetches) {
                    const std::int64_t next = k + rows_ahead;
                    const bool here = next < depth;
                    if (here || (i + 1 < lines && next - depth < depth)) {
                        const T* const wanted =
                            here ? at + rows_ahead * step : from + line + (next - depth) * step;
                        for (std::int64_t l = 0; l < registers * width; l += line_length) {
                            prefetch_to_second_cache(wanted + l);
                        }
                    }
                }
                if (end < width) {
                    simd_type::store(to, simd_type::load_part(at, static_cast<std::size_t>(end)));
                    continue;
                }
#pragma GCC unroll 1
                for (std::int64_t v = 0; v < registers; ++v) {
                    simd_type::store(to + v * block, simd_type::load(at + v * width));
                }
            }
        }
        return block;
    }

    /// Prefetches count lanes of each result of a tile, which will be written.
    void prefetch_output(std::int64_t rows, std::int64_t columns, std::int64_t count,
                         const T* out) const {
#pragma GCC unroll 1
        for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC unroll 1
            for (std::int64_t j = 0; j < columns; ++j) {
#pragma GCC unroll 1
                for (std::int64_t l = 0; l < count; l += line_length) {
                    __builtin_prefetch(out + i * s_.out_row + j * s_.out_column + l, 1, 2);
                }
            }
        }
    }

    static constexpr auto widths = static_cast<std::size_t>(limits.columns - limits.least + 1);
    static constexpr auto heights = static_cast<std::size_t>(limits.rows - limits.least + 1);

    template <std::size_t... N>
    [[nodiscard]] static constexpr std::array<function, sizeof...(N)> table(
        std::index_sequence<N...>) {
        constexpr auto least = static_cast<std::size_t>(limits.least);
        return {&interleaved_batch_tile<T, Arch, N / widths + least, N % widths + least>::run...};
    }
    using numbers = std::make_index_sequence<heights * widths>;
    static constexpr auto tiles = table(numbers());

    [[nodiscard]] function tile_of(std::int64_t rows, std::int64_t columns) const noexcept {
        const std::size_t number = static_cast<std::size_t>(rows - limits.least) * widths +
                                   static_cast<std::size_t>(columns - limits.least);
        return tiles[number];
    }

    batched_shape s_;
    std::int64_t count_;
    interleaved_batch_blocks blocks_;
    bool prefetches_;  ///< what is packed and written is DRAM-resident
    bool asks_ahead_;  ///< for what comes from main memory
    bool streams_;     ///< results, where they begin with a line
    T* lhs_panel_;
    T* rhs_panel_;
};

/// out = scale(sums of products of lhs and rhs) for every iteration of outer, whose strides are
/// those of out (0), lhs (1) and rhs (2); terms are summed along the loops of sums, and along the
/// depth of the shape. The batch lies side by side in all arrays. No array overlaps out.
template <class T, class Arch>
void interleaved_batch_gemm(const loops& outer, const loops& sums, const batched_shape& shape,
                            std::int64_t count, const T* lhs, const T* rhs, T* out,
                            const scaling<T>& scale, std::byte* scratch) {
    // Results that terms are added to are not written by non-temporal stores.
    const std::int64_t times = sums.iterations() == 1 ? outer.iterations() : 0;
    const interleaved_batch_gemm_run<T, Arch> product(shape, count, times, scale.adds(), scratch);
    const scaling<T> further = scale.accumulating();
    odometer<3> place(outer, {0, 1, 2});
    do {
        odometer<2> term(sums, {1, 2});
        const scaling<T>* by = &scale;
        do {
            product.run(lhs + place.offset(1) + term.offset(0),
                        rhs + place.offset(2) + term.offset(1), out + place.offset(0), *by,
                        further);
            by = &further;
        } while (term.next());
    } while (place.next());
}

}  // namespace xeinsum::kernel
