// Copies with permuted axes: "ij->ji" moves in tiles, so that each cache line is used whole on both
// sides.
#pragma once

#include <xeinsum/kernel/arrange.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/tile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// The loop along which an array lies closest; of several the last.
[[nodiscard]] inline std::size_t closest_loop(const loops& over, std::size_t array) noexcept {
    std::size_t best = over.count - 1;
    for (std::size_t m = over.count - 1; m-- > 0;) {
        if (magnitude(over.stride(m, array)) < magnitude(over.stride(best, array))) {
            best = m;
        }
    }
    return best;
}

/// So few elements that choosing an order takes longer than any order.
inline constexpr std::int64_t few_elements = 64;

/// Tiles with fewer rows or columns are mostly edge: the three colours of "nhwc->nchw".
inline constexpr std::int64_t narrowest_tile = 4;

/// The loops of a permute in three parts: rows, along which the output lies side by side, columns,
/// along which the input does, and the others. For "abcd->dcba" with short axes the rows are a and
/// b as one loop, the columns c and d.
class permute_order {
public:
    permute_order(const loops& over, std::int64_t side) {
        const std::size_t last = closest_loop(over, 0);
        const std::size_t close = closest_loop(over, 1);
        part_of_[last] = part::row;
        part_of_[close] = part::column;
        // The shorter part grows first; each as long as its loops follow each other in memory.
        std::size_t ends[2] = {last, close};
        std::int64_t extents[2] = {over.extent(last), over.extent(close)};
        bool grows[2] = {last != close, last != close};
        while (grows[0] || grows[1]) {
            const std::size_t p = grows[0] && (!grows[1] || extents[0] <= extents[1]) ? 0 : 1;
            const std::size_t next = extents[p] < side ? follower(over, ends[p], p) : over.count;
            grows[p] = next != over.count;
            if (grows[p]) {
                part_of_[next] = p == 0 ? part::row : part::column;
                ends[p] = next;
                extents[p] *= over.extent(next);
            }
        }
        // Loops of a part keep the order of its array: that of the input for columns.
        append(over, part::other, 0);
        append(over, part::row, 0);
        append(over, part::column, 1);
    }
    permute_order(const permute_order&) = delete;
    permute_order& operator=(const permute_order&) = delete;

    [[nodiscard]] loops outer() const noexcept { return part_at(0, counts_[0]); }
    [[nodiscard]] loops rows() const noexcept { return part_at(counts_[0], counts_[1]); }
    [[nodiscard]] loops columns() const noexcept {
        return part_at(counts_[0] + counts_[1], counts_[2]);
    }

private:
    enum class part : unsigned char { other, row, column };
    static constexpr std::size_t pitch = 3;

    /// The loop that goes on where loop m of the array ends, or the number of loops.
    [[nodiscard]] std::size_t follower(const loops& over, std::size_t m, std::size_t array) const {
        const std::int64_t stride = over.extent(m) * over.stride(m, array);
        for (std::size_t next = 0; next < over.count; ++next) {
            if (part_of_[next] == part::other && over.stride(next, array) == stride) {
                return next;
            }
        }
        return over.count;
    }

    void append(const loops& over, part which, std::size_t array) {
        const std::size_t begin = count_;
        for (std::size_t m = 0; m < over.count; ++m) {
            if (part_of_[m] == which) {
                std::size_t at = count_++;
                for (; at > begin && magnitude(cells_[(at - 1) * pitch + 1 + array]) <
                                         magnitude(over.stride(m, array));
                     --at) {
                    std::copy_n(cells_ + (at - 1) * pitch, pitch, cells_ + at * pitch);
                }
                std::copy_n(over.rows + m * over.pitch, pitch, cells_ + at * pitch);
            }
        }
        counts_[static_cast<std::size_t>(which)] = count_ - begin;
    }

    [[nodiscard]] loops part_at(std::size_t begin, std::size_t count) const noexcept {
        return {cells_ + begin * pitch, pitch, count};
    }

    part part_of_[max_loops]{};
    std::int64_t cells_[max_loops * pitch];
    std::size_t counts_[3]{};
    std::size_t count_ = 0;
};

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

/// Elements of count that one tile takes: parts of equal length but the last, in whole cache lines.
[[nodiscard]] constexpr std::int64_t tile_extent(std::int64_t count, std::int64_t side,
                                                 std::int64_t line) noexcept {
    const std::int64_t tiles = (count + side - 1) / side;
    return ((count + tiles - 1) / tiles + line - 1) / line * line;
}

/// out = scale(in) for loops without sums. in does not overlap out.
template <class T, class Arch>
void permute(const loops& over, const T* in, T* out, const scaling<T>& scale) {
    using turner = tile_turner<T, Arch>;
    constexpr auto element_bytes = static_cast<std::int64_t>(sizeof(T));
    constexpr auto line =
        std::max<std::int64_t>(static_cast<std::int64_t>(line_bytes) / element_bytes, 1);
    const bool streams =
        over.iterations() * element_bytes >= static_cast<std::int64_t>(streamed_bytes);
    // Larger tiles touch fewer pages; smaller ones leave more of the first-level cache to in and
    // out.
    constexpr auto widest = static_cast<std::int64_t>(turner::side);
    const std::int64_t side = streams ? widest : widest / 2;
    const line_writer<T, Arch> writer(scale, streams);
    if (over.iterations() <= few_elements) {
        permute_lines(over.first(over.count - 1), over.from(over.count - 1), in, out, writer);
        return;
    }
    const permute_order order(over, side);
    const loops rows = order.rows();
    const loops columns = order.columns();
    if (rows.count > 0 && std::min(rows.iterations(), columns.iterations()) < narrowest_tile) {
        permute_lines(over.first(over.count - 1), over.from(over.count - 1), in, out, writer);
        return;
    }
    if (rows.count == 0) {
        permute_lines(order.outer(), columns, in, out, writer);
    } else {
        const std::int64_t row_step = rows.stride(rows.count - 1, 0);
        const std::int64_t column_step = columns.stride(columns.count - 1, 1);
        const std::int64_t row_count = rows.iterations();
        const std::int64_t column_count = columns.iterations();
        const std::int64_t tile_rows = tile_extent(row_count, side, line);
        const std::int64_t tile_columns = tile_extent(column_count, side, line);
        turner tile(column_step, row_step, writer);
        std::int64_t memory[2 * line_table::width * turner::side];
        line_table row_table(memory, turner::side);
        line_table column_table(memory + line_table::width * turner::side, turner::side);
        odometer<2> at(order.outer(), {0, 1});
        do {
            for (std::int64_t r = 0; r < row_count; r += tile_rows) {
                const line_offsets from = row_table.fill(
                    rows, r, static_cast<std::size_t>(std::min(tile_rows, row_count - r)), 1);
                for (std::int64_t c = 0; c < column_count; c += tile_columns) {
                    const line_offsets to = column_table.fill(
                        columns, c,
                        static_cast<std::size_t>(std::min(tile_columns, column_count - c)), 0);
                    tile.turn(in + at.offset(1) + c * column_step, from,
                              out + at.offset(0) + r * row_step, to);
                }
            }
        } while (at.next());
    }
    if (streams) {
        simd<float, Arch>::end_stream();
    }
}

}  // namespace xeinsum::kernel
