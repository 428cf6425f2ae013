// Copies with permuted axes: "ij->ji" moves in tiles, so that each cache line is used whole on both
// sides.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/permute_order.hpp>
#include <xeinsum/kernel/permute/stretch_copy.hpp>
#include <xeinsum/kernel/permute/tile.hpp>
#include <xeinsum/kernel/permute/tile_lines.hpp>
#include <xeinsum/kernel/permute/tile_walk.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace xeinsum::kernel {

/// So few elements that choosing an order takes longer than any order.
inline constexpr std::int64_t few_elements = 64;

/// Arrays from here on are written by non-temporal stores: a permute that does not keep them would
/// read every line that it writes.
inline constexpr std::int64_t dram_permute_bytes = std::int64_t{8} << 20U;

/// Shorter stretches of out are no better than tiles.
inline constexpr std::int64_t least_stretch = 16;

/// Rows a multiple of this apart meet in few sets of the second-level cache, which holds 16 lines
/// at such places whatever its ways are: lines prefetched in advance push each other out before
/// they are read.
inline constexpr std::int64_t crowded_bytes = std::int64_t{64} << 10U;

/// Whether the rows of a permute lie so in in.
template <class T>
[[nodiscard]] bool is_crowded(const permute_order& order) noexcept {
    const std::int64_t apart = order.rows().stride(order.rows().count - 1, 1);
    return apart != 0 && apart * static_cast<std::int64_t>(sizeof(T)) % crowded_bytes == 0;
}

/// Copies line by line: where one loop is closest on both sides, or little is to do.
template <class T, class Arch>
void permute_lines(const loops& outer, const loops& line, const T* in, T* out,
                   const line_writer<T, Arch>& writer) {
    const bool side_by_side = line.stride(0, 0) == 1 && line.stride(0, 1) == 1;
    odometer<2> at(outer, {0, 1});
    do {
        if (side_by_side) {
            writer.write(in + at.offset(1), out + at.offset(0),
                         static_cast<std::size_t>(line.extent(0)));
        } else {
            writer.write(in + at.offset(1), line.stride(0, 1), out + at.offset(0),
                         line.stride(0, 0), line.extent(0));
        }
    } while (at.next());
}

/// Transposes the rows and columns of a permute tile by tile.
template <class T, class Arch>
class tiled_permute {
public:
    /// left_out: of the last rows.
    tiled_permute(const permute_order& order, const T* in, T* out, const scaling<T>& scale,
                  bool streams, const rotation& rows = {}, std::int64_t left_out = 0)
        : far_(streams),
          walk_(order, in, out),
          rows_(order.rows(), 1, rows),
          columns_(order.columns(), 0),
          row_step_(order.rows().stride(order.rows().count - 1, 0)),
          crowded_(is_crowded<T>(order)),
          column_step_(order.columns().stride(order.columns().count - 1, 1)),
          columns_before_line_(
              order.rows_begin_alike() && column_step_ == 1 ? elements_before_line(in) : 0),
          aligned_(row_step_ == 1 && order.columns_begin_alike() && elements_before_line(out) == 0),
          tile_(column_step_, row_step_, line_writer<T, Arch>(scale, streams),
                place_of(line_writer<T, Arch>(scale, streams), order.iterations())) {
        walk_.leave_out(left_out);
        choose_extents();
    }

    void run() {
        tile here = walk_.first();
        for (bool more = true; more;) {
            tile next = here;
            more = walk_.advance(next);
            const tile_seams seams{cuts_ && here.row != 0,
                                   static_cast<std::size_t>(shared_rows(here))};
            const tile_lines from = rows_.find(here.row, walk_.rows_of(here) + shared_rows(here));
            const tile_lines to = columns_.find(here.column, walk_.columns_of(here));
            next_tile<T> upcoming = more ? reads_of(next, here) : next_tile<T>();
            tile_.transpose(here.in + here.column * column_step_, from,
                            here.out + here.row * row_step_, to, upcoming, seams);
            here = next;
        }
    }

private:
    using transposer = tile_transposer<T, Arch>;
    using walk = tile_walk<T>;
    using tile = tile_start<T>;

    static constexpr auto line = static_cast<std::int64_t>(line_elements<T>);

    /// Where columns are written that need no buffer.
    [[nodiscard]] column_place place_of(const line_writer<T, Arch>& writer,
                                        std::int64_t elements) const noexcept {
        // Strips of columns would read each row's page again, and lines prefetched in advance would
        // meet in few sets of the second cache.
        if (aligned_ && !crowded_ && writer.only_streams()) {
            return column_place::memory;
        }
        return elements < beyond_l2_elements<T> ? column_place::cached : column_place::dram;
    }

    /// Larger tiles touch fewer pages; smaller ones leave more of the first-level cache to in and
    /// out. Where one side is short, such as the colours of "nhwc->nchw", the other is longer.
    void choose_extents() {
        const std::int64_t row_count = walk_.row_count();
        // Tiles begin with lines of in, but for the first one, which has little more than a line.
        const bool peels =
            columns_before_line_ > 0 && walk_.column_count() >= 8 * line && !crowded_;
        const std::int64_t first_columns = peels ? columns_before_line_ + line : 0;
        walk_.set_first_columns(first_columns);
        const std::int64_t column_count = walk_.column_count() - first_columns;
        constexpr std::int64_t longest = tile_line_finder::capacity;
        constexpr auto side = static_cast<std::int64_t>(transposer::side);
        constexpr auto area = static_cast<std::int64_t>(transposer::area);
        const auto limit = [&](std::int64_t lines) {
            return std::clamp(area / lines / line * line, line, longest);
        };
        // Columns that follow each other in out leave as one stretch where they would share lines.
        const bool follow =
            row_step_ == 1 && column_count > 1 && columns_.find(0, 2).follow(row_count);
        const bool whole = follow && row_count % line != 0 && row_count <= 2 * side;
        // Rows are halved for whole rows of in, and where they share translations of addresses.
        const bool halves = far_ && (column_count <= limit(side / 2 + line) || crowded_);
        std::int64_t rows = whole ? row_count : walk::part(row_count, halves ? side / 2 : side);
        cuts_ =
            transposer::cuts_at_lines && far_ && row_step_ == 1 && rows < row_count && !aligned_;
        const auto taken = static_cast<std::size_t>(std::min(rows + (cuts_ ? line : 0), row_count));
        const bool along = aligned_ && column_step_ == 1 &&
                           tile_.transposes_along(rows_.find(0, std::min(row_count, line)),
                                                  columns_.find(0, std::min(column_count, line)));
        const std::int64_t columns =
            along ? longest : limit(static_cast<std::int64_t>(transposer::pitch_of(taken)));
        if (column_count < columns && rows < row_count) {
            const std::int64_t besides = cuts_ ? 2 * line : line;
            rows = walk::part(row_count, std::max(limit(column_count) - besides, rows));
        }
        walk_.set_extents(rows, walk::part(column_count, columns));
    }

    /// Rows of the next tile that a tile takes as well.
    [[nodiscard]] std::int64_t shared_rows(const tile& t) const noexcept {
        return cuts_ ? std::min(line, walk_.row_count() - t.row - walk_.rows_of(t)) : 0;
    }

    /// What a tile reads, if that is in DRAM, to be prefetched while the one before it is written.
    [[nodiscard]] next_tile<T> reads_of(const tile& t, const tile& before) noexcept {
        if (!far_ || column_step_ != 1) {
            return {};
        }
        const tile_lines from = rows_.find(t.row, walk_.rows_of(t) + shared_rows(t));
        const std::int64_t columns = walk_.columns_of(t);
        const bool dense = from.follow(columns);
        if (dense && t.in - before.in == walk_.rows_of(before) * columns) {
            return {};  // where the tile before ends
        }
        return {t.in + t.column, from, static_cast<std::size_t>(columns), dense};
    }

    bool far_;
    walk walk_;
    tile_line_finder rows_;
    tile_line_finder columns_;
    std::int64_t row_step_;
    bool crowded_;  ///< rows of in
    std::int64_t column_step_;
    std::int64_t columns_before_line_;  ///< of each row of in, if that is the same in all
    bool aligned_;                      ///< each column of out begins with a line
    bool cuts_ = false;                 ///< columns at lines, where tiles end
    transposer tile_;
};

/// Whether so many elements are too many for the caches.
template <class T>
[[nodiscard]] bool is_dram_resident(std::int64_t elements) noexcept {
    return elements >= dram_permute_bytes / static_cast<std::int64_t>(sizeof(T));
}

/// Copies in stretches of out; false where it has no such.
template <class T, class Arch>
[[nodiscard]] bool permute_stretches(const loops& over, const T* in, T* out,
                                     const line_writer<T, Arch>& writer) {
    if constexpr (std::is_trivially_copyable_v<T>) {
        const stretch_copy<T, Arch> stretches(over, writer);
        if (stretches.length() >= least_stretch) {
            stretches.run(in, out);
            return true;
        }
    }
    return false;
}

/// The rows of squares; 1 if there are none.
template <class T, class Arch>
[[nodiscard]] constexpr std::int64_t square_rows() noexcept {
    using moved = moved_as_t<T, Arch>;
    if constexpr (std::is_void_v<moved>) {
        return 1;
    } else {
        return static_cast<std::int64_t>(square<moved, Arch>::lanes);
    }
}

/// Copies by tiles, or by lines where tiles are of no use.
template <class T, class Arch>
void permute_tiles(const loops& over, const T* in, T* out, const scaling<T>& scale, bool streams) {
    constexpr auto side = static_cast<std::int64_t>(tile_transposer<T, Arch>::side);
    const permute_order order(over, side, out);
    const line_writer<T, Arch> writer(scale, streams);
    const permute_way way = permute_way_of(order, square_rows<T, Arch>());
    if (way == permute_way::lines) {
        permute_lines(order.outer(), order.columns(), in, out, writer);
    } else if (way != permute_way::stretches || !permute_stretches(over, in, out, writer)) {
        tiled_permute<T, Arch>(order, in, out, scale, streams).run();
    }
}

/// The rows of all columns that lie in a line with those of others: the first ones, so many, and
/// the last ones, with which they would fill it.
template <class T, class Arch>
void permute_ends(const loops& over, const permute_order& order, std::int64_t before, const T* in,
                  T* out, const scaling<T>& scale) {
    std::array<std::int64_t, 3 * max_loops> cells;
    const loops ends{cells.data(), 3, over.count};
    for (const bool first : {true, false}) {
        const std::int64_t rows =
            first ? before : static_cast<std::int64_t>(line_elements<T>) - before;
        const T* from = in;
        T* to = out;
        for (std::size_t m = 0; m < over.count; ++m) {
            const bool cut = order.is_row(m);
            const std::int64_t extent = cut ? (over.stride(m, 0) == 1 ? rows : 1) : over.extent(m);
            const std::int64_t begin = cut && !first ? over.extent(m) - extent : 0;
            from += begin * over.stride(m, 1);
            to += begin * over.stride(m, 0);
            const std::int64_t loop[]{extent, over.stride(m, 0), over.stride(m, 1)};
            std::copy_n(loop, 3, cells.data() + 3 * m);
        }
        permute_tiles<T, Arch>(ends, from, to, scale, false);
    }
}

/// The same of an output that begins within a cache line: in whole lines, each of which may have
/// the last rows of a column and the first ones of the column that follows it there. False where it
/// does not pay. For "ij->ji" all j but the last are written from the first line on that begins in
/// them, to where the next one's begins; the first and the last j are then written as they are,
/// some of their elements again. Of columns that do not follow each other so, the ends are written
/// apart.
template <class T, class Arch>
[[nodiscard]] bool permute_whole_lines(const loops& over, const T* in, T* out,
                                       const scaling<T>& scale, bool streams) {
    constexpr auto side = static_cast<std::int64_t>(tile_transposer<T, Arch>::side);
    constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
    // Measured. In the caches long columns, and few of them, are as fast as they are.
    const std::int64_t many = streams ? 16 : 256;
    const std::int64_t longest = streams ? std::numeric_limits<std::int64_t>::max() : 8 * line;
    constexpr std::int64_t worth_ends = 32 * line;
    const std::int64_t before = elements_before_line(out);
    if (before == 0 || over.iterations() < 2 * many * line) {
        return false;
    }
    std::array<std::int64_t, 3 * max_loops> cells;
    const loops all{cells.data(), 3, over.count};
    for (std::size_t m = 0; m < over.count; ++m) {
        std::copy_n(over.rows + m * over.pitch, 3, cells.data() + 3 * m);
    }
    const permute_order whole(all, side, out + before);
    const std::int64_t rows = whole.rows().iterations();
    const loops innermost = whole.rows().from(whole.rows().count - (whole.rows().count > 0));
    if (innermost.count == 0 || innermost.stride(0, 0) != 1 || rows % line != 0 || rows > longest ||
        !whole.columns_begin_alike()) {
        return false;
    }
    std::size_t next = 0;
    while (next < over.count && over.stride(next, 0) != rows) {
        ++next;
    }
    if (next == over.count) {
        if (!streams || rows < worth_ends || innermost.extent(0) < line) {
            return false;
        }
        tiled_permute<T, Arch>(whole, in, out + before, scale, streams, {before, 0}, line).run();
        permute_ends<T, Arch>(all, whole, before, in, out, scale);
        return true;
    }
    if (over.extent(next) < many) {
        return false;
    }
    const std::int64_t last = over.extent(next) - 1;
    cells[3 * next] = last;
    tiled_permute<T, Arch>(permute_order(all, side, out + before), in, out + before, scale, streams,
                           {before, over.stride(next, 1)})
        .run();
    cells[3 * next] = 1;
    permute_tiles<T, Arch>(all, in, out, scale, streams);
    permute_tiles<T, Arch>(all, in + last * over.stride(next, 1), out + last * rows, scale,
                           streams);
    return true;
}

/// out = scale(in) for loops without sums, one element for no loops. in does not overlap out.
/// streams: out is written by non-temporal stores.
template <class T, class Arch>
void permute(const loops& over, const T* in, T* out, const scaling<T>& scale, bool streams) {
    const line_writer<T, Arch> writer(scale, streams);
    if (over.count == 0) {
        writer.write(in, out, 1);
        return;
    }
    if (over.iterations() <= few_elements) {
        permute_lines(over.first(over.count - 1), over.from(over.count - 1), in, out, writer);
        return;
    }
    const bool moves = writer.only_streams() || writer.only_moves();
    if (!moves || !permute_whole_lines<T, Arch>(over, in, out, scale, streams)) {
        permute_tiles<T, Arch>(over, in, out, scale, streams);
    }
    if (streams) {
        simd<float, Arch>::end_stream();
    }
}

/// The same, where in and out are all that there is.
template <class T, class Arch>
void permute(const loops& over, const T* in, T* out, const scaling<T>& scale) {
    permute<T, Arch>(over, in, out, scale, is_dram_resident<T>(over.iterations()));
}

}  // namespace xeinsum::kernel
