// Products of few rows whose rhs lies along its depth: "bi,oi->bo" on (16,2048) and (2048,2048)
// takes its time reading rhs, once, where it lies, in vectors along i.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/few_rows_shapes.hpp>
#include <xeinsum/kernel/gemm/few_rows_walk.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/gemm/pack.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/permute/line_writer.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Whether rhs, which few rows read once, is DRAM-resident.
template <class T>
[[nodiscard]] bool deep_rhs_is_dram_resident(const gemm_groups& g) {
    return span_of(g.batch, 2) + span_of(g.n, 2) + span_of(g.k, 2) >= beyond_l2_elements<T>;
}

/// Batched products whose depth is one loop, side by side in rhs, and whose columns are one loop.
/// A tile keeps a register of partial sums for each of its results, whose lanes are added up at the
/// end of a block of the depth. The tiles of some columns prefetch the next ones; low ones, which
/// have less to compute meanwhile, only if rhs is DRAM-resident. Results do not depend on the
/// height.
template <class T, class Arch>
class dot_gemm_run {
public:
    /// In tiles of usual height, or low ones. Scratch has dot_gemm_bytes(...), aligned to 64.
    dot_gemm_run(const gemm_groups& groups, deep_blocks blocks, bool low, const scaling<T>& scale,
                 std::byte* scratch)
        : groups_(groups),
          blocks_(blocks),
          tile_(low ? &compute<low_deep_height> : &compute<usual_height>),
          height_(low ? low_deep_height : usual_height),
          width_(deep_width * usual_height / height_),
          group_(deep_columns(sizeof(T), width_)),
          rows_(static_cast<std::size_t>(groups.m.iterations())),
          columns_(groups.n.iterations()),
          panels_(reinterpret_cast<T*>(scratch)),
          results_(panels_ + round_up(rows_, height_) * deepest()),
          walk_(groups, scale, deepest(),
                reinterpret_cast<std::int64_t*>(results_ + round_up(rows_, height_) * group_)),
          prefetches_(height_ == usual_height || deep_rhs_is_dram_resident<T>(groups)) {}

    void run(const T* lhs, const T* rhs, T* out) { walk_.run(lhs, rhs, out, *this); }

private:
    friend few_rows_walk<T>;
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using block = typename few_rows_walk<T>::block;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr std::size_t usual_height = deep_height(blocking_of<T, Arch>.mr);
    static constexpr std::size_t most_width = deep_width * usual_height / low_deep_height;
    // Measured; see docs/kernels/gemm.md.
    /// Steps of the depth, one register each, from which on panels share what they prefetch.
    static constexpr std::size_t shared_steps = 16;
    /// Columns from those of a tile to those that it prefetches, unless panels share in it.
    static constexpr std::size_t columns_ahead = 4 * deep_width;

    [[nodiscard]] std::size_t deepest() const {
        return deep_block(blocks_, groups_.k.iterations(), sizeof(T), lanes);
    }

    /// Rows of a block of the depth in panels: for each register of the depth those of height
    /// rows. What is missing is 0.
    void pack(const T* lhs, const line_offsets& rows, const line_offsets& depths) {
        const std::size_t steps = round_up(depths.count, lanes) / lanes;
        const auto place = [&](std::size_t i) {
            return panels_ + (i / height_ * steps * height_ + i % height_) * lanes;
        };
        for (std::size_t i = 0; i < rows_;) {
            const std::size_t high = pack_squares(lhs, rows, depths, i, place(i));
            i += high;
            if (high == 0) {
                pack_row(lhs + rows[i], depths, place(i));
                ++i;
            }
        }
        for (std::size_t i = rows_; i < round_up(rows_, height_); ++i) {
            T* to = place(i);
            for (std::size_t k = 0; k < steps; ++k, to += height_ * lanes) {
                simd_type::store(to, simd_type::zero());
            }
        }
    }

    void pack_row(const T* from, const line_offsets& depths, T* to) const {
        for (std::size_t k = 0; k < depths.count; k += lanes, to += height_ * lanes) {
            const std::size_t count = std::min(lanes, depths.count - k);
            if (depths.side_by_side(k, count)) {
                simd_type::store(to, count == lanes
                                         ? simd_type::load(from + depths[k])
                                         : simd_type::load_part(from + depths[k], count));
                continue;
            }
            simd_type::store(to, simd_type::zero());
            for (std::size_t l = 0; l < count; ++l) {
                to[l] = from[depths[k + l]];
            }
        }
    }
    /// Rows from i on that lie side by side, a square of them and of the depth at a time; returns
    /// how many these are.
    std::size_t pack_squares(const T* lhs, const line_offsets& rows, const line_offsets& depths,
                             std::size_t i, T* to) const {
        using packing = packer<T, Arch>;
        if constexpr (packing::has_registers) {
            constexpr std::size_t square = packing::chunk;
            if (i % square == 0 && height_ % square == 0 && i + square <= rows_ &&
                rows.side_by_side(i, square) && depths.runs[0] == 1) {
                for (std::size_t k = 0; k < depths.count; k += square) {
                    T* const step = to + k / lanes * height_ * lanes;
                    if (k % lanes == 0) {
                        for (std::size_t r = 0; r < square; ++r) {
                            simd_type::store(step + r * lanes, simd_type::zero());
                        }
                    }
                    const std::size_t deep = std::min(square, depths.count - k);
                    packing::put_square(lhs + rows[i], depths.sub(k, deep), step + k % lanes,
                                        lanes);
                }
                return square;
            }
        }
        return 0;
    }

    /// All columns of a block of the depth.
    void multiply(const block& at) const {
        const std::int64_t row = groups_.n.stride(0, 2);
        const std::size_t panel = round_up(at.depth, lanes) * height_;
        const std::size_t panels = round_up(rows_, height_) / height_;
        // Every panel prefetches its share of the next tile's columns, unless the next tile begins
        // so soon that the last share would come late: then the first panel prefetches all of a
        // later one, which wait in the second-level cache.
        const std::size_t steps = at.depth / lanes;
        const bool shares = panels > 1 && steps >= shared_steps;
        const std::size_t ahead = shares ? width_ : columns_ahead;
        const auto row_bytes = static_cast<std::uintptr_t>(row) * sizeof(T);
        const std::uintptr_t step_bytes = lanes * sizeof(T) / (shares ? panels : 1);
        for (std::int64_t j = 0; j < columns_; j += static_cast<std::int64_t>(group_)) {
            const std::size_t count = least(group_, columns_ - j);
            T* const out = at.out + j * groups_.n.stride(0, 0);
            for (std::size_t c = 0; c < count; c += width_) {
                prefetch_results(out, c / width_, count);
                const T* lines[most_width];
#pragma GCC unroll 1
                for (std::size_t w = 0; w < width_; ++w) {
                    const auto column = static_cast<std::int64_t>(std::min(c + w, count - 1));
                    lines[w] = at.rhs + (j + column) * row;
                }
                upcoming_columns next{address_of(at, j + static_cast<std::int64_t>(c + ahead)),
                                      row_bytes, step_bytes};
                for (std::size_t i = 0; i < panels; ++i) {
                    const T* const rows = panels_ + i * panel;
                    T* const to = results_ + i * height_ * group_ + c;
                    if (!shares && (i > 0 || !prefetches_)) {
                        // What is in the cache anyway: one loop for all tiles.
                        next = {reinterpret_cast<std::uintptr_t>(rows), 0, 0};
                    }
                    tile_(rows, lines, at.depth, next, to);
                    next.from += next.step * steps;
                }
            }
            put(out, count, at.scale);
        }
    }

    /// Where a column begins that may be one of the next block's.
    [[nodiscard]] std::uintptr_t address_of(const block& at, std::int64_t column) const {
        const bool here = column < columns_;
        const std::int64_t elements = (here ? column : column - columns_) * groups_.n.stride(0, 2);
        return reinterpret_cast<std::uintptr_t>(here ? at.rhs : at.after) +
               static_cast<std::uintptr_t>(elements) * sizeof(T);
    }

    /// Prefetches the lines of count results of some rows, with each tile for those of others: rows
    /// may be pages apart. Always inlined, as g++ 12 drops calls of functions that only prefetch.
    [[gnu::always_inline]] void prefetch_results(const T* out, std::size_t tile,
                                                 std::size_t count) const {
        if (groups_.n.stride(0, 0) != 1) {
            return;
        }
        for (std::size_t i = tile; i < rows_; i += group_ / width_) {
            const T* const row = out + walk_.out_rows()[i];
            for (std::size_t c = 0; c < count; c += line_elements<T>) {
                __builtin_prefetch(row + c, 1);
            }
        }
    }

    /// Where to prefetch what comes next, which may be beyond the array: addresses.
    struct upcoming_columns {
        std::uintptr_t from;    ///< of the first column
        std::uintptr_t column;  ///< bytes from one to the next
        std::uintptr_t step;    ///< bytes for each register of the depth
    };

    /// The sums of height rows and width columns, which begin at lines. What comes next is
    /// prefetched into the second-level cache, to which more lines are on their way at a time.
    template <std::size_t Height>
    [[gnu::noinline, gnu::flatten]] static void compute(const T* panel, const T* const* lines,
                                                        std::size_t deep,
                                                        const upcoming_columns& upcoming, T* to) {
        constexpr std::size_t height = Height;
        constexpr std::size_t width = deep_width * usual_height / height;
        constexpr std::size_t group = deep_columns(sizeof(T), width);
        upcoming_columns next = upcoming;
        // Whole registers of results.
        constexpr std::size_t results = round_up(height * width, lanes);
        reg sums[results];
#pragma GCC unroll 32
        for (std::size_t s = 0; s < results; ++s) {
            sums[s] = simd_type::zero();
        }
        std::array<const T*, width> from;
#pragma GCC unroll 32
        for (std::size_t w = 0; w < width; ++w) {
            from[w] = lines[w];
        }
        const auto add = [&](const auto& load) {
            reg columns[width];
#pragma GCC unroll 32
            for (std::size_t w = 0; w < width; ++w) {
                columns[w] = simd_type::held(load(from[w]));
            }
#pragma GCC unroll 32
            for (std::size_t i = 0; i < height; ++i) {
                const reg row = simd_type::held(simd_type::load(panel + i * lanes));
#pragma GCC unroll 32
                for (std::size_t w = 0; w < width; ++w) {
                    reg& sum = sums[i * width + w];
                    sum = simd_type::mul_add(row, columns[w], sum);
                }
            }
            panel += height * lanes;
#pragma GCC unroll 32
            for (std::size_t w = 0; w < width; ++w) {
                from[w] += lanes;
            }
        };
        for (std::size_t k = deep / lanes; k != 0; --k) {
            // Without a lambda: g++ 12 drops calls of functions that only prefetch.
            for (std::size_t w = 0; w < width; ++w) {
                prefetch_to_second_cache(
                    reinterpret_cast<const void*>(next.from + w * next.column));
            }
            next.from += next.step;
            add([](const T* at) { return simd_type::load(at); });
        }
        if (const std::size_t rest = deep % lanes; rest != 0) {
            add([rest](const T* at) { return simd_type::load_part(at, rest); });
        }
        T added[results];
        add_lanes(sums, added);
        for (std::size_t i = 0; i < height; ++i) {
            std::copy_n(added + i * width, width, to + i * group);
        }
    }

    /// One sum for each register.
    template <std::size_t N>
    [[gnu::always_inline]] static void add_lanes(const reg (&sums)[N], T (&added)[N]) {
        if constexpr (std::is_floating_point_v<T> && lanes > 1) {
#pragma GCC unroll 32
            for (std::size_t r = 0; r < N / lanes; ++r) {
                simd_type::store(added + r * lanes, lane_sums<T, Arch>::of(sums + r * lanes));
            }
        } else {
#pragma GCC unroll 32
            for (std::size_t s = 0; s < N; ++s) {
                added[s] = simd_type::sum(sums[s]);
            }
        }
    }

    /// Writes count columns of all rows.
    void put(T* out, std::size_t count, const scaling<T>& scale) const {
        const line_writer<T, Arch> writer(scale, false);
        const std::int64_t step = groups_.n.stride(0, 0);
        for (std::size_t i = 0; i < rows_; ++i) {
            const T* const from = results_ + i * group_;
            T* const to = out + walk_.out_rows()[i];
            if (step == 1) {
                writer.write(from, to, count);
            } else {
                writer.write(from, 1, to, step, static_cast<std::int64_t>(count));
            }
        }
    }

    using function = void (*)(const T*, const T* const*, std::size_t, const upcoming_columns&, T*);

    gemm_groups groups_;
    deep_blocks blocks_;
    function tile_;
    // Rows and columns of a tile, and columns that are written together.
    std::size_t height_, width_, group_;
    std::size_t rows_;
    std::int64_t columns_;
    T* panels_;
    T* results_;  ///< of all rows and some columns
    few_rows_walk<T> walk_;
    bool prefetches_;
};

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
template <class T, class Arch>
void dot_gemm(const gemm_groups& groups, deep_blocks blocks, const T* lhs, const T* rhs, T* out,
              const scaling<T>& scale, std::byte* scratch) {
    // Low tiles read twice as many columns at a time: short ones are no streams.
    constexpr auto long_depth = static_cast<std::int64_t>((std::size_t{8} << 10U) / sizeof(T));
    const bool low = groups.m.iterations() <= static_cast<std::int64_t>(low_deep_height) &&
                     (groups.k.iterations() >= long_depth || !deep_rhs_is_dram_resident<T>(groups));
    dot_gemm_run<T, Arch>(groups, blocks, low, scale, scratch).run(lhs, rhs, out);
}

}  // namespace xeinsum::kernel
