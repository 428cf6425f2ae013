// Where the rows or columns of a tile begin: in "abc->cba" the columns of all c are a stride apart;
// rows that are several loops, as those of "abcd->dcab", need a table.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Where count lines begin.
struct tile_lines {
    const std::int64_t* offsets = nullptr;
    std::size_t count = 0;
    /// Added to every offset.
    std::int64_t base = 0;
    /// What each offset is beyond the one before; 0 where that differs.
    std::int64_t stride = 0;
    /// Of the innermost loop: from one line to the next, how many there are, and how many come
    /// before the first of these.
    std::int64_t inner_stride = 0;
    std::size_t inner = 1;
    std::size_t before = 0;

    /// From the first line to the second; 0 for a single one.
    [[nodiscard]] std::int64_t first_step() const noexcept {
        return count > 1 ? offsets[1] - offsets[0] : 0;
    }
    /// From most lines to the next.
    [[nodiscard]] std::int64_t step() const noexcept {
        return inner > 1 ? inner_stride : first_step();
    }
    /// Whether each line begins step elements behind the one before.
    [[nodiscard]] bool follow(std::int64_t step) const noexcept {
        if (stride != 0) {
            return stride == step || count == 1;
        }
        std::size_t i = 1;
        while (i < count && offsets[i] - offsets[i - 1] == step) {
            ++i;
        }
        return i >= count;
    }
};

/// Lines counted from another one than the first: those before it come last, a step further on.
struct rotation {
    std::int64_t by = 0;
    std::int64_t step = 0;
};

/// Finds the lines of tiles in one array. Those found stand until two others have been.
class tile_line_finder {
public:
    /// The most lines of a tile.
    static constexpr std::int64_t capacity = 1024;

    tile_line_finder(const loops& over, std::size_t array, const rotation& from = {})
        : over_(over),
          array_(array),
          from_(from),
          even_(over.count == 1 && from.by == 0),
          keeps_(even_ || over.iterations() <= capacity) {
        if (keeps_) {
            fill(tables_[0], 0, std::min(over.iterations(), capacity));
        }
    }

    /// count iterations from begin on.
    [[nodiscard]] tile_lines find(std::int64_t begin, std::int64_t count) noexcept {
        const auto length = static_cast<std::size_t>(count);
        if (even_) {
            const std::int64_t stride = over_.stride(0, array_);
            return {tables_[0].offsets, length, begin * stride, stride};
        }
        const std::size_t last = over_.count - 1;
        const std::int64_t inner = over_.extent(last);
        tile_lines lines{.count = length,
                         .inner_stride = over_.stride(last, array_),
                         .inner = static_cast<std::size_t>(inner),
                         .before = static_cast<std::size_t>((begin + from_.by) % inner)};
        if (keeps_) {
            lines.offsets = tables_[0].offsets + begin;
            return lines;
        }
        if (!tables_[last_].holds(begin, count)) {
            last_ = 1 - last_;
            if (!tables_[last_].holds(begin, count)) {
                fill(tables_[last_], begin, count);
            }
        }
        lines.offsets = tables_[last_].offsets;
        return lines;
    }

private:
    struct table {
        std::int64_t begin = 0;
        std::int64_t count = 0;
        std::int64_t offsets[capacity];

        [[nodiscard]] bool holds(std::int64_t wanted_begin,
                                 std::int64_t wanted_count) const noexcept {
            return wanted_begin == begin && wanted_count == count;
        }
    };

    void fill(table& to, std::int64_t begin, std::int64_t count) const noexcept {
        to.begin = begin;
        to.count = count;
        const std::int64_t lines = over_.iterations();
        const std::int64_t first = begin + from_.by;
        const std::int64_t unturned = std::clamp<std::int64_t>(lines - first, 0, count);
        fill(to.offsets, first, unturned, 0);
        fill(to.offsets + unturned, first + unturned - lines, count - unturned, from_.step);
    }
    /// Of lines one after the other, each so much further on.
    void fill(std::int64_t* to, std::int64_t begin, std::int64_t count,
              std::int64_t further) const noexcept {
        const std::size_t last = over_.count - 1;
        const std::int64_t extent = over_.extent(last);
        const std::int64_t stride = over_.stride(last, array_);
        odometer<1> outer(over_.first(last), {array_});
        outer.seek(begin / extent);
        std::int64_t from = begin % extent;
        for (std::int64_t i = 0; i < count;) {
            const std::int64_t end = std::min(extent, from + count - i);
#pragma GCC unroll 1
            for (; from < end; ++from) {
                to[i++] = outer.offset(0) + from * stride + further;
            }
            from = 0;
            outer.next();
        }
    }

    loops over_;
    std::size_t array_;
    rotation from_;
    bool even_;   ///< lines are a stride apart: the first ones stand for all
    bool keeps_;  ///< the first table holds all lines, or stands for them
    std::size_t last_ = 0;
    table tables_[2];
};

}  // namespace xeinsum::kernel
