// A block of "mk,kn->mn": micro-tiles over operands that are packed or lie as they are, each
// written to where the output's strides put it.
#pragma once

#include <xeinsum/kernel/gemm/micro_kernel.hpp>
#include <xeinsum/kernel/gemm/tile_results.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum::kernel {

/// Everything that a block, or one tile of it, reads and writes.
template <class T>
struct macro_block : result_place<T> {
    tile_depth depth{};
    tile_source<T> lhs{};
    tile_source<T> rhs{};
    /// Results go by non-temporal stores where they fill lines: columns lie side by side, and rows
    /// are whole lines apart.
    bool streams = false;
    /// Bytes from the rows of a whole tile to those that it prefetches, where lhs comes from main
    /// memory and each step of the depth prefetching a line is enough; 0 where nothing is.
    std::size_t lhs_ahead = 0;
    /// First rows of a tile that the one before it has written.
    std::size_t skipped = 0;
};

/// Tiles of one size one after the other: along a row of the output or down a column.
struct tile_run {
    std::size_t count = 1;
    // From a tile to the next: elements of lhs and rhs, lines of the output.
    std::ptrdiff_t lhs = 0;
    std::ptrdiff_t rhs = 0;
    std::size_t rows = 0;
    std::size_t columns = 0;
};

/// Tiles of a few heights up to MR, and of one or NV registers. What is lower is computed in the
/// least of them that suffices, of whose rows the others are dropped.
template <class T, class Arch, std::size_t MR, std::size_t NV>
class tile_kernels {
public:
    /// Computes a run of tiles. The block is the first tile, then the last.
    using function = void (*)(macro_block<T>&, const tile_run&, const scaling<T>&);

    /// The kernel for tiles of a height, see tile_height, and at most NV registers of columns.
    [[nodiscard]] static function of(std::size_t height, std::size_t columns) noexcept {
        const bool narrow = NV > 1 && columns <= simd<T, Arch>::lanes;
        if constexpr (MR > 8) {
            if (height == 8) {
                return narrow ? &compute<8, 1> : &compute<8, NV>;
            }
        }
        if constexpr (MR > 4) {
            if (height == 4) {
                return narrow ? &compute<4, 1> : &compute<4, NV>;
            }
        }
        if constexpr (MR > 2) {
            if (height == 2) {
                return narrow ? &compute<2, 1> : &compute<2, NV>;
            }
        }
        return narrow ? &compute<MR, 1> : &compute<MR, NV>;
    }

    /// Of so many columns, those whose tiles read nothing behind them: whole tiles, then one
    /// register, unless with what is left it makes a tile. More must lie in a panel.
    [[nodiscard]] static constexpr std::size_t exact_columns(std::size_t columns,
                                                             bool fills_tiles) noexcept {
        constexpr std::size_t lanes = simd<T, Arch>::lanes;
        const std::size_t rest = columns % (NV * lanes);
        const bool register_alone = rest == lanes || (rest > lanes && !fills_tiles);
        return columns - rest + (register_alone ? lanes : 0);
    }

    /// Whether a tile is whole and begins with a line, and so may go by non-temporal stores.
    [[nodiscard]] static bool streams(const macro_block<T>& at) noexcept {
        return is_line<T, Arch>() && at.streams && at.rows.count == MR &&
               at.columns.count == NV * simd<T, Arch>::lanes &&
               reinterpret_cast<std::uintptr_t>(at.out + at.rows[0] + at.columns[0]) % line_bytes ==
                   0;
    }

    /// Whether a run is of whole tiles whose results go to columns side by side, as they are. If
    /// there is something upcoming, their depth is one segment.
    [[nodiscard]] static bool is_plain(const macro_block<T>& at, const tile_run& run,
                                       const scaling<T>& scale,
                                       const line_prefetcher& upcoming) noexcept {
        constexpr std::size_t width = NV * simd<T, Arch>::lanes;
        return (at.depth.segments == 1 || !upcoming.goes_on()) && at.rows.count == MR &&
               at.columns.count == width && scale.is_identity() &&
               at.columns.side_by_side(0, run.columns * (run.count - 1) + width);
    }

    /// Computes such a run, and prefetches the shares of what is upcoming.
    static void compute_plain(const macro_block<T>& at, const tile_run& run,
                              line_prefetcher& upcoming) {
        if (upcoming.goes_on()) {
            compute_plain<prefetching::upcoming>(at, run, upcoming);
        } else if (at.lhs_ahead != 0) {
            compute_plain<prefetching::rows>(at, run, upcoming);
        } else {
            compute_plain<prefetching::nothing>(at, run, upcoming);
        }
    }

private:
    /// What tiles prefetch while they are computed: nothing, the next rows of lhs, or what is
    /// upcoming.
    enum class prefetching : unsigned char { nothing, rows, upcoming };

    // Decisions are outside of the loop over tiles, which is as long as some steps of the depth.
    template <prefetching Prefetches>
    [[gnu::flatten]] static void compute_plain(const macro_block<T>& at, const tile_run& tiles,
                                               line_prefetcher& upcoming) {
        using simd_type = simd<T, Arch>;
        const tile_run run = tiles;
        const tile_depth depth = at.depth;
        tile_source<T> lhs = at.lhs;
        tile_source<T> rhs = at.rhs;
        const std::int64_t* rows = at.rows.offsets;
        T* out = at.out + at.columns[0];
        const std::size_t lhs_ahead = at.lhs_ahead;
        const std::size_t steps_per_line = upcoming.steps_per_line(depth.length);
        const bool prefetches = prefetches_results(depth);
        for (std::size_t left = run.count;;) {
            micro_tile<T, Arch, MR, NV> tile;
            const auto prefetch_row = [ out, rows ](std::size_t i) __attribute__((always_inline)) {
                prefetch_to_write<NV * simd_type::lanes>(out + rows[i]);
            };
            if constexpr (Prefetches == prefetching::upcoming) {
                if (prefetches) {
                    prefetch_rows(prefetch_row);
                }
                tile.multiply_and_prefetch(depth.length, lhs, rhs, steps_per_line, upcoming);
            } else if (!prefetches) {
                tile.template multiply<Prefetches == prefetching::rows>(depth, lhs, rhs, lhs_ahead);
            } else {
                multiply<Prefetches == prefetching::rows>(tile, depth, lhs, rhs, lhs_ahead,
                                                          prefetch_row);
            }
#pragma GCC unroll 32
            for (std::size_t i = 0; i < MR; ++i) {
                T* const row = out + rows[i];
#pragma GCC unroll 32
                for (std::size_t v = 0; v < NV; ++v) {
                    simd_type::store(row + v * simd_type::lanes, tile.sums[i][v]);
                }
            }
            if (--left == 0) {
                return;
            }
            lhs.from += run.lhs;
            rhs.from += run.rhs;
            rows += run.rows;
            out += run.columns;
        }
    }

    // The output is in main memory, and its rows lie apart: their lines are prefetched while the
    // sums run. g++ 12 drops calls of functions that only prefetch, if they are not always inlined.

    template <class PrefetchRow>
    [[gnu::always_inline]] static void prefetch_rows(const PrefetchRow& prefetch_row) {
        for (std::size_t i = 0; i < MR; ++i) {
            prefetch_row(i);
        }
    }

    /// A core has few lines on their way at once, some 24 of a Zen 4 and 12 of a Skylake: a tile
    /// that begins by prefetching more of its results than that waits for some of them.
    static constexpr std::size_t lines_at_once = 16;

    /// Whether tiles of such a depth prefetch the lines of their results.
    [[nodiscard]] static constexpr bool prefetches_results(const tile_depth& depth) noexcept {
        constexpr std::size_t short_depth = 32;
        return cores<Arch>::measured().short_tiles_prefetch ||
               depth.segments * depth.length > short_depth;
    }

    /// Multiplies MR rows, and prefetches those of the results: row by row where they are many
    /// lines, unless each step prefetches a line of lhs.
    template <bool Ahead, class PrefetchRow>
    [[gnu::always_inline]] static void multiply(micro_tile<T, Arch, MR, NV>& tile,
                                                const tile_depth& depth, const tile_source<T>& lhs,
                                                const tile_source<T>& rhs, std::size_t lhs_ahead,
                                                const PrefetchRow& prefetch_row) {
        constexpr std::size_t row_bytes = NV * simd<T, Arch>::lanes * sizeof(T);
        constexpr std::size_t lines = MR * ((row_bytes + line_bytes - 1) / line_bytes);
        if constexpr (!Ahead && lines > lines_at_once) {
            tile.template multiply<false, MR>(depth, lhs, rhs, 0, 0, prefetch_row);
        } else {
            prefetch_rows(prefetch_row);
            tile.template multiply<Ahead>(depth, lhs, rhs, lhs_ahead);
        }
    }

    // Flat, so that the sums stay in registers at any level of optimisation.
    template <std::size_t R, std::size_t Registers>
    [[gnu::flatten]] static void compute(macro_block<T>& at, const tile_run& run,
                                         const scaling<T>& scale) {
        constexpr bool is_whole = R == MR && Registers == NV;
        // Where nothing is prefetched, each step prefetches the line that it reads first.
        const std::size_t apart = at.lhs_ahead == 0 ? 0 : line_bytes;
        for (std::size_t left = run.count;;) {
            micro_tile<T, Arch, R, Registers> tile;
            if (!at.streams) {
                const T* const out = at.out + at.columns[0];
#pragma GCC unroll 1
                for (std::size_t i = 0; i < at.rows.count; ++i) {
                    __builtin_prefetch(out + at.rows[i], 1);
                    if constexpr (is_whole) {
                        __builtin_prefetch(at.out + at.rows[i] + at.columns[at.columns.count - 1],
                                           1);
                    }
                }
            }
            tile.template multiply<R == MR>(at.depth, at.lhs, at.rhs, at.lhs_ahead, apart);
            if constexpr (is_whole && is_line<T, Arch>()) {
                if (at.streams) {
                    stream_tile(tile, at, scale);
                } else {
                    put_tile<R == MR>(tile, at, at.skipped, scale);
                }
            } else {
                put_tile<R == MR>(tile, at, at.skipped, scale);
            }
            if (--left == 0) {
                return;
            }
            at.lhs.from += run.lhs;
            at.rhs.from += run.rhs;
            at.rows = at.rows.sub(run.rows, at.rows.count);
            at.columns = at.columns.sub(run.columns, at.columns.count);
        }
    }
};

/// How a block is cut into tiles: tile (i, j) begins i * lhs_row elements into lhs and
/// j * rhs_column elements into rhs, which for packed panels is their depth.
struct tile_grid {
    std::size_t height = 1;  ///< rows of a tile; the last two may have less
    std::ptrdiff_t lhs_row = 1;
    std::ptrdiff_t rhs_column = 1;
    /// Whether tiles follow each other along a row of the output, which is best where writing it
    /// takes longer than reading rhs again from the second-level cache.
    bool along_rows = false;
    /// Whether a tile may begin at any row, as lhs is not packed: it has at least height rows,
    /// those before the block included.
    bool any_row = false;
};

/// The next lower height of tiles, if there is one: of at most mr rows they have mr, 8, 4 or 2.
[[nodiscard]] constexpr std::size_t tile_height_below(std::size_t height) noexcept {
    return height > 8 ? 8 : height > 4 ? 4 : std::min<std::size_t>(height, 2);
}
/// The height of the next tile where so many rows are left, at most so many in a tile. What is not
/// much more than one tile is two low ones, if a tile may begin at any row.
[[nodiscard]] constexpr std::size_t tile_height(std::size_t left, std::size_t height,
                                                bool any_row) noexcept {
    const std::size_t low = tile_height_below(height);
    if (left > height) {
        return any_row && left <= 2 * low ? low : height;
    }
    while (height > tile_height_below(height) && left <= tile_height_below(height)) {
        height = tile_height_below(height);
    }
    return height;
}

/// out = scale(lhs * rhs) for a block, while what is upcoming is prefetched. A last tile reads rows
/// of the one before it again where any row may begin one, else zeros of its panel.
template <class T, class Arch, std::size_t MR, std::size_t NV>
void macro_kernel(const macro_block<T>& block, const tile_grid& grid, const scaling<T>& scale,
                  const upcoming_lines<T>& upcoming = {}) {
    using kernels = tile_kernels<T, Arch, MR, NV>;
    constexpr std::size_t width = NV * simd<T, Arch>::lanes;
    const std::size_t tiles = (block.columns.count + width - 1) / width;
    const std::size_t shares = (block.rows.count + grid.height - 1) / grid.height * tiles;
    line_prefetcher ahead(upcoming, shares);
    macro_block<T> tile = block;
    std::size_t height = grid.height;
    const auto enter_row = [&](std::size_t i) {
        const std::size_t left = block.rows.count - i;
        height = tile_height(left, grid.height, grid.any_row);
        tile.rows = block.rows.sub(i, std::min(left, height));
        tile.skipped = grid.any_row ? height - tile.rows.count : 0;
        tile.lhs.from = block.lhs.from + (static_cast<std::ptrdiff_t>(i) -
                                          static_cast<std::ptrdiff_t>(tile.skipped)) *
                                             grid.lhs_row;
    };
    const auto enter_column = [&](std::size_t j) {
        tile.columns = block.columns.sub(j, std::min(width, block.columns.count - j));
        tile.rhs.from = block.rhs.from + static_cast<std::ptrdiff_t>(j) * grid.rhs_column;
    };
    // Returns how many tiles were computed. One run for all: a copy waits for its last store.
    tile_run run;
    const auto compute = [&](std::size_t count) {
        run.count = count;
        tile.streams = block.streams;
        tile.streams = kernels::streams(tile);
        if (!tile.streams && kernels::is_plain(tile, run, scale, ahead)) {
            kernels::compute_plain(tile, run, ahead);
            return run.count;
        }
        if (ahead.goes_on()) {
            run.count = 1;
            ahead.next_share();
        }
        kernels::of(height, tile.columns.count)(tile, run, scale);
        return run.count;
    };
    // Tiles below each other are one run, which takes less than beginning each of them.
    if (grid.along_rows && tiles > 1) {
        const std::size_t whole = block.columns.count / width;
        run.rhs = static_cast<std::ptrdiff_t>(width) * grid.rhs_column;
        run.columns = width;
        for (std::size_t i = 0; i < block.rows.count; i += tile.rows.count) {
            enter_row(i);
            for (std::size_t j = 0; j < tiles;) {
                enter_column(j * width);
                const std::size_t count = std::max<std::size_t>(whole, j + 1) - j;
                j += compute(count);
            }
        }
        return;
    }
    run.lhs = static_cast<std::ptrdiff_t>(grid.height) * grid.lhs_row;
    run.rows = grid.height;
    for (std::size_t j = 0; j < block.columns.count; j += width) {
        enter_column(j);
        for (std::size_t i = 0; i < block.rows.count; i += tile.rows.count) {
            enter_row(i);
            // Two tiles at the end may be lower.
            const std::size_t left = (block.rows.count - i) / grid.height;
            const std::size_t count = left > 2 ? left - 1 : 1;
            i += (compute(count) - 1) * grid.height;
        }
    }
}

}  // namespace xeinsum::kernel
