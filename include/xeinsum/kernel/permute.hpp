// Copies with permuted axes: "ij->ji" moves in tiles, so that each cache line is used whole on both
// sides.
#pragma once

#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute_order.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/tile.hpp>
#include <xeinsum/kernel/tile_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// So few elements that choosing an order takes longer than any order.
inline constexpr std::int64_t few_elements = 64;

/// Arrays from here on are written around the caches: a permute that does not keep them would read
/// every line that it writes.
inline constexpr std::int64_t far_permute_bytes = std::int64_t{8} << 20U;

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

/// Turns the rows and columns of a permute tile by tile.
template <class T, class Arch>
class tiled_permute {
public:
    tiled_permute(const permute_order& order, const T* in, T* out, const scaling<T>& scale,
                  bool streams)
        : far_(streams),
          outer_(order.outer()),
          rows_(order.rows(), 1),
          columns_(order.columns(), 0),
          in_(in),
          out_(out),
          row_step_(order.rows().stride(order.rows().count - 1, 0)),
          rows_apart_(magnitude(order.rows().stride(order.rows().count - 1, 1))),
          column_step_(order.columns().stride(order.columns().count - 1, 1)),
          row_count_(order.rows().iterations()),
          column_count_(order.columns().iterations()),
          aligned_(row_step_ == 1 && begins_at_lines(order.columns())),
          tile_(column_step_, row_step_, line_writer<T, Arch>(scale, streams),
                place_of(line_writer<T, Arch>(scale, streams), order.iterations())) {
        choose_extents();
    }

    void run() {
        odometer<2> at(outer_, {0, 1});
        tile here{in_ + at.offset(1), out_ + at.offset(0)};
        for (bool more = true; more;) {
            tile next = here;
            more = advance(next, at);
            const tile_seams seams{cuts_ && here.row != 0,
                                   static_cast<std::size_t>(shared_rows(here))};
            const tile_lines from = rows_.find(here.row, rows_of(here) + shared_rows(here));
            const tile_lines to = columns_.find(here.column, columns_of(here));
            tile_.turn(here.in + here.column * column_step_, from, here.out + here.row * row_step_,
                       to, more ? reads_of(next, here) : next_tile<T>(), seams,
                       more ? step_between(here, next) : tile_step());
            here = next;
        }
    }

private:
    using turner = tile_turner<T, Arch>;

    /// Where a tile begins: rows from row on, some columns from column on, of what lies at in and
    /// goes to out.
    struct tile {
        const T* in;
        T* out;
        std::int64_t row = 0;
        std::int64_t column = 0;
    };

    static constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
    static constexpr auto signed_size = static_cast<std::int64_t>(sizeof(T));

    /// Pages so far apart meet in few sets of what keeps their addresses.
    static constexpr std::int64_t crowded_bytes = std::int64_t{64} << 10U;

    /// Where columns are written that need no buffer.
    [[nodiscard]] column_place place_of(const line_writer<T, Arch>& writer,
                                        std::int64_t elements) const noexcept {
        // Strips of columns would read each row's page again, and lines asked for in advance would
        // meet in few sets of the second cache.
        const bool crowded = rows_apart_ * signed_size >= crowded_bytes;
        if (aligned_ && !crowded && writer.only_streams()) {
            return column_place::around;
        }
        return elements < far_elements<T> ? column_place::near : column_place::far;
    }

    /// Elements of count that a tile takes: parts of equal length but the last, in whole lines.
    [[nodiscard]] static std::int64_t part(std::int64_t count, std::int64_t limit) noexcept {
        const std::int64_t tiles = (count + limit - 1) / limit;
        return ((count + tiles - 1) / tiles + line - 1) / line * line;
    }

    /// Larger tiles touch fewer pages; smaller ones leave more of the first-level cache to in and
    /// out. Where one side is short, such as the colours of "nhwc->nchw", the other is longer.
    void choose_extents() {
        constexpr std::int64_t longest = tile_line_finder::capacity;
        constexpr auto side = static_cast<std::int64_t>(turner::side);
        constexpr auto area = static_cast<std::int64_t>(turner::area);
        const auto limit = [&](std::int64_t lines) {
            return std::clamp(area / lines / line * line, line, longest);
        };
        // Columns that follow each other in out leave as one stretch where they would share lines.
        const bool follow =
            row_step_ == 1 && column_count_ > 1 && columns_.find(0, 2).follow(row_count_);
        const bool whole = follow && row_count_ % line != 0 && row_count_ <= 2 * side;
        // Rows are halved for whole rows of in, and where they share translations of addresses.
        const bool halves = far_ && (column_count_ <= limit(side / 2 + line) ||
                                     rows_apart_ * signed_size >= crowded_bytes);
        tile_rows_ = whole ? row_count_ : part(row_count_, halves ? side / 2 : side);
        cuts_ =
            turner::cuts_at_lines && far_ && row_step_ == 1 && tile_rows_ < row_count_ && !aligned_;
        const auto taken =
            static_cast<std::size_t>(std::min(tile_rows_ + (cuts_ ? line : 0), row_count_));
        const std::int64_t columns = limit(static_cast<std::int64_t>(turner::pitch_of(taken)));
        tile_columns_ = part(column_count_, columns);
        if (column_count_ < columns && tile_rows_ < row_count_) {
            const std::int64_t besides = cuts_ ? 2 * line : line;
            tile_rows_ = part(row_count_, std::max(limit(column_count_) - besides, tile_rows_));
        }
    }

    /// Whether every column of out begins with a line.
    [[nodiscard]] bool begins_at_lines(const loops& columns) const noexcept {
        const auto fills_lines = [](const loops& over) {
            bool fills = true;
            for (std::size_t m = 0; m < over.count; ++m) {
                fills = fills && over.stride(m, 0) % line == 0;
            }
            return fills;
        };
        return reinterpret_cast<std::uintptr_t>(out_) % line_bytes == 0 && fills_lines(outer_) &&
               fills_lines(columns);
    }

    [[nodiscard]] std::int64_t rows_of(const tile& t) const noexcept {
        return std::min(tile_rows_, row_count_ - t.row);
    }
    [[nodiscard]] std::int64_t columns_of(const tile& t) const noexcept {
        return std::min(tile_columns_, column_count_ - t.column);
    }

    /// Rows of the next tile that a tile takes as well.
    [[nodiscard]] std::int64_t shared_rows(const tile& t) const noexcept {
        return cuts_ ? std::min(line, row_count_ - t.row - rows_of(t)) : 0;
    }

    /// On to the next tile, if there is one: along in first.
    [[nodiscard]] bool advance(tile& t, odometer<2>& at) const noexcept {
        t.column += tile_columns_;
        // Not the other way round: clang 14 takes "column <" for the class template of that name.
        if (column_count_ > t.column) {
            return true;
        }
        t.column = 0;
        t.row += tile_rows_;
        if (t.row >= row_count_) {
            t.row = 0;
            if (!at.next()) {
                return false;
            }
            t.in = in_ + at.offset(1);
            t.out = out_ + at.offset(0);
        }
        return true;
    }

    /// What a tile reads, if that is far, to be asked for while the one before it is written.
    [[nodiscard]] next_tile<T> reads_of(const tile& t, const tile& before) noexcept {
        if (!far_ || column_step_ != 1) {
            return {};
        }
        const tile_lines from = rows_.find(t.row, rows_of(t) + shared_rows(t));
        const std::int64_t columns = columns_of(t);
        const bool dense = from.follow(columns);
        if (dense && t.in - before.in == rows_of(before) * columns) {
            return {};  // where the tile before ends
        }
        return {t.in + t.column, from, static_cast<std::size_t>(columns), dense};
    }

    /// From the lines of a tile to those of the one after it.
    [[nodiscard]] tile_step step_between(const tile& t, const tile& next) const noexcept {
        const std::int64_t in = next.in - t.in + (next.column - t.column) * column_step_;
        const std::int64_t out = next.out - t.out + (next.row - t.row) * row_step_;
        return {in + rows_.distance(t.row, next.row),
                out + columns_.distance(t.column, next.column),
                rows_.moves(t.row, next.row) && columns_.moves(t.column, next.column)};
    }

    bool far_;
    loops outer_;
    tile_line_finder rows_;
    tile_line_finder columns_;
    const T* in_;
    T* out_;
    std::int64_t row_step_;
    std::int64_t rows_apart_;  ///< in in
    std::int64_t column_step_;
    std::int64_t row_count_;
    std::int64_t column_count_;
    bool aligned_;  ///< each column of out begins with a line
    std::int64_t tile_rows_ = 0;
    std::int64_t tile_columns_ = 0;
    bool cuts_ = false;  ///< columns at lines, where tiles end
    turner tile_;
};

/// Whether so many elements are too many for the caches.
template <class T>
[[nodiscard]] bool is_far(std::int64_t elements) noexcept {
    return elements >= far_permute_bytes / static_cast<std::int64_t>(sizeof(T));
}

/// out = scale(in) for loops without sums, one element for no loops. in does not overlap out.
/// streams: out is written around the caches.
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
    constexpr auto side = static_cast<std::int64_t>(tile_turner<T, Arch>::side);
    const permute_order order(over, side);
    if (order.rows().count == 0) {
        permute_lines(order.outer(), order.columns(), in, out, writer);
    } else {
        tiled_permute<T, Arch>(order, in, out, scale, streams).run();
    }
    if (streams) {
        simd<float, Arch>::end_stream();
    }
}

/// The same, where in and out are all that there is.
template <class T, class Arch>
void permute(const loops& over, const T* in, T* out, const scaling<T>& scale) {
    permute<T, Arch>(over, in, out, scale, is_far<T>(over.iterations()));
}

}  // namespace xeinsum::kernel
