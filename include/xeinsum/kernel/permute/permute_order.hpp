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

/// Whether some loops are one loop along an array, so many elements from one to the next.
[[nodiscard]] inline bool is_one_loop(const loops& over, std::size_t array,
                                      std::int64_t step) noexcept {
    std::size_t m = over.count;
    while (m > 0 && over.stride(m - 1, array) == step) {
        step *= over.extent(--m);
    }
    return m == 0;
}

/// Whether each step of some loops is a number of cache lines of an array.
template <class T>
[[nodiscard]] bool steps_are_lines(const loops& over, std::size_t array) noexcept {
    bool lines = true;
    for (std::size_t m = 0; m < over.count; ++m) {
        lines = lines && over.stride(m, array) % static_cast<std::int64_t>(line_elements<T>) == 0;
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
    permute_order(const loops& over, std::int64_t side, const T* out) {
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
            extents[1] % static_cast<std::int64_t>(line_elements<T>) == 0 &&
            !(elements_before_line(out) == 0 && steps_are_lines<T>(over.first(last), 0) &&
              steps_are_lines<T>(over.from(last + 1), 0));
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
        columns_begin_alike_ = steps_are_lines<T>(outer(), 0) && steps_are_lines<T>(columns(), 0);
        rows_begin_alike_ = steps_are_lines<T>(outer(), 1) && steps_are_lines<T>(rows(), 1);
    }
    permute_order(const permute_order&) = delete;
    permute_order& operator=(const permute_order&) = delete;

    [[nodiscard]] loops outer() const noexcept { return part_at(0, counts_[0]); }
    [[nodiscard]] loops rows() const noexcept { return part_at(counts_[0], counts_[1]); }
    [[nodiscard]] loops columns() const noexcept {
        return part_at(counts_[0] + counts_[1], counts_[2]);
    }

    /// Whether loop m of those that it was made of is one of the rows.
    [[nodiscard]] bool is_row(std::size_t m) const noexcept { return part_of_[m] == part::row; }

    /// Whether all columns of out begin at the same place of a cache line, and rows of in.
    [[nodiscard]] bool columns_begin_alike() const noexcept { return columns_begin_alike_; }
    [[nodiscard]] bool rows_begin_alike() const noexcept { return rows_begin_alike_; }

    [[nodiscard]] std::int64_t iterations() const noexcept {
        return loops{cells_, pitch, count_}.iterations();
    }

private:
    enum class part : unsigned char { other, row, column };
    static constexpr std::size_t pitch = 3;
    static constexpr std::int64_t few = 8;  ///< less than a register of rows or columns

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
    bool columns_begin_alike_ = false;
    bool rows_begin_alike_ = false;
};

}  // namespace xeinsum::kernel
