// Which loops of a permute make its tiles: in "abcd->dcba" with short axes a and b are the rows, c
// and d the columns.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/arrange.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Rows of a tile of elements of so many bytes: out is written 1 KiB at a time, each on a page of
/// its own.
[[nodiscard]] constexpr std::int64_t permute_side(std::size_t element_bytes) noexcept {
    return std::clamp<std::int64_t>(1024 / static_cast<std::int64_t>(element_bytes), 8, 256);
}

/// The loop along which an array lies closest; of several the last.
[[nodiscard]] constexpr std::size_t closest_loop(const loops& over, std::size_t array) noexcept {
    std::size_t best = over.count - 1;
    for (std::size_t m = over.count - 1; m-- > 0;) {
        if (magnitude(over.stride(m, array)) < magnitude(over.stride(best, array))) {
            best = m;
        }
    }
    return best;
}

/// Whether some loops are one loop along an array, so many elements from one to the next.
[[nodiscard]] constexpr bool is_one_loop(const loops& over, std::size_t array,
                                         std::int64_t step) noexcept {
    std::size_t m = over.count;
    while (m > 0 && over.stride(m - 1, array) == step) {
        step *= over.extent(--m);
    }
    return m == 0;
}

/// Whether each step of some loops is a number of cache lines of an array, so many elements each.
[[nodiscard]] constexpr bool steps_are_lines(const loops& over, std::size_t array,
                                             std::int64_t line) noexcept {
    bool lines = true;
    for (std::size_t m = 0; m < over.count; ++m) {
        lines = lines && over.stride(m, array) % line == 0;
    }
    return lines;
}

/// The loops of a permute in three parts: rows, along which the output lies side by side, columns,
/// along which the input does, and the others. For "abcd->dcba" with short axes the rows are a and
/// b as one loop, the columns c and d.
class permute_order {
public:
    /// Rows and columns of at least side elements each, where there are so many.
    template <class T>
    permute_order(const loops& over, std::int64_t side, const T* out)
        : permute_order(over, side, line_elements<T>, elements_before_line(out) == 0) {}

    /// The same of an output that begins with a cache line of so many elements, or does not.
    constexpr permute_order(const loops& over, std::int64_t side, std::size_t line_elements,
                            bool begins_line) {
        const auto line = static_cast<std::int64_t>(line_elements);
        const std::size_t last = closest_loop(over, 0);
        const std::size_t close = closest_loop(over, 1);
        part_of_[last] = part::row;
        part_of_[close] = part::column;
        std::size_t ends[2] = {last, close};
        std::int64_t extents[2] = {over.extent(last), over.extent(close)};
        // Each part grows as long as its loops follow each other in memory, the shorter one first.
        // Where columns begin within lines of out, and rows end with lines of in, rows do: longer
        // columns have fewer ends, and are cut where lines end.
        const bool rows_first =
            extents[1] % line == 0 && !(begins_line && steps_are_lines(over.first(last), 0, line) &&
                                        steps_are_lines(over.from(last + 1), 0, line));
        bool grows[2] = {last != close, last != close};
        while (grows[0] || grows[1]) {
            const bool longer = !rows_first && extents[0] > extents[1] && extents[0] >= few;
            const std::size_t p = grows[0] && !(grows[1] && longer) ? 0 : 1;
            const std::size_t next = extents[p] < side ? follower(over, ends[p], p) : over.count;
            // Few rows are interleaved with columns that follow each other in out.
            grows[p] = next != over.count && !(p == 1 && extents[0] < few && extents[1] >= few &&
                                               over.stride(next, 0) != extents[0] * extents[1]);
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
        columns_begin_alike_ =
            steps_are_lines(outer(), 0, line) && steps_are_lines(columns(), 0, line);
        rows_begin_alike_ = steps_are_lines(outer(), 1, line) && steps_are_lines(rows(), 1, line);
    }
    permute_order(const permute_order&) = delete;
    permute_order& operator=(const permute_order&) = delete;

    [[nodiscard]] constexpr loops outer() const noexcept { return part_at(0, counts_[0]); }
    [[nodiscard]] constexpr loops rows() const noexcept { return part_at(counts_[0], counts_[1]); }
    [[nodiscard]] constexpr loops columns() const noexcept {
        return part_at(counts_[0] + counts_[1], counts_[2]);
    }

    /// Whether loop m of those that it was made of is one of the rows.
    [[nodiscard]] constexpr bool is_row(std::size_t m) const noexcept {
        return part_of_[m] == part::row;
    }

    /// Whether all columns of out begin at the same place of a cache line, and rows of in.
    [[nodiscard]] constexpr bool columns_begin_alike() const noexcept {
        return columns_begin_alike_;
    }
    [[nodiscard]] constexpr bool rows_begin_alike() const noexcept { return rows_begin_alike_; }

    [[nodiscard]] constexpr std::int64_t iterations() const noexcept {
        return loops{cells_, pitch, count_}.iterations();
    }

private:
    enum class part : unsigned char { other, row, column };
    static constexpr std::size_t pitch = 3;
    static constexpr std::int64_t few = 8;  ///< less than a register of rows or columns

    /// The loop that goes on where loop m of the array ends, or the number of loops.
    [[nodiscard]] constexpr std::size_t follower(const loops& over, std::size_t m,
                                                 std::size_t array) const {
        const std::int64_t stride = over.extent(m) * over.stride(m, array);
        for (std::size_t next = 0; next < over.count; ++next) {
            if (part_of_[next] == part::other && over.stride(next, array) == stride) {
                return next;
            }
        }
        return over.count;
    }

    constexpr void append(const loops& over, part which, std::size_t array) {
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

    [[nodiscard]] constexpr loops part_at(std::size_t begin, std::size_t count) const noexcept {
        return {cells_ + begin * pitch, pitch, count};
    }

    part part_of_[max_loops]{};
    std::int64_t cells_[max_loops * pitch];
    std::size_t counts_[3]{};
    std::size_t count_ = 0;
    bool columns_begin_alike_ = false;
    bool rows_begin_alike_ = false;
};

// Measured on AVX2; see docs/kernels/permute.md.
/// Tiles of fewer elements take longer to begin than elements take one by one.
inline constexpr std::int64_t least_tile_elements = 128;
/// The same where elements move one by one in tiles as well.
inline constexpr std::int64_t least_scalar_tile_elements = std::int64_t{64} << 10U;

/// How the elements of a permute move.
enum class permute_way : unsigned char {
    lines,        ///< one loop is closest on both sides
    stretches,    ///< one by one, in the order of the output
    tiles,        ///< in registers: in squares, or as a few lines that lie side by side
    scalar_tiles  ///< one by one, in tiles
};

/// Squares of registers have so many rows; 1 if there are none.
[[nodiscard]] constexpr permute_way permute_way_of(const permute_order& order,
                                                   std::int64_t square) noexcept {
    const loops rows = order.rows();
    const loops columns = order.columns();
    if (rows.count == 0) {
        return permute_way::lines;
    }
    const std::int64_t row_count = rows.iterations();
    const std::int64_t column_count = columns.iterations();
    const bool in_registers =
        square > 1 && columns.stride(columns.count - 1, 1) == 1 &&
        (row_count >= square ? column_count >= square || is_one_loop(rows, 1, column_count)
                             : column_count >= square && is_one_loop(columns, 0, row_count));
    const std::int64_t least = in_registers ? least_tile_elements : least_scalar_tile_elements;
    return row_count * column_count < least ? permute_way::stretches
           : in_registers                   ? permute_way::tiles
                                            : permute_way::scalar_tiles;
}

}  // namespace xeinsum::kernel
