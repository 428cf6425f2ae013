// Where consecutive rows, columns or depths of a matrix product lie: in "nctw,cd->ndtw" a row of
// the result is a d, its columns are the n t w, and stretches of t w lie side by side.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Element offsets of count iterations of some loops, and how long each goes on in steps of one
/// element: runs[i] iterations from i on, itself included, lie side by side.
struct line_offsets {
    const std::int64_t* offsets = nullptr;
    const std::int64_t* runs = nullptr;
    std::size_t count = 0;
    /// Where the loop around the innermost one goes in steps of one element: the iterations from
    /// one of its steps to the next. 0 where it does not.
    std::size_t period = 0;

    [[nodiscard]] std::int64_t operator[](std::size_t i) const noexcept { return offsets[i]; }
    [[nodiscard]] line_offsets sub(std::size_t begin, std::size_t length) const noexcept {
        return {offsets + begin, runs + begin, length, period};
    }
    /// Whether length lines from begin on lie side by side.
    [[nodiscard]] bool side_by_side(std::size_t begin, std::size_t length) const noexcept {
        return runs[begin] >= static_cast<std::int64_t>(length);
    }
    /// Whether length lines from begin on, period apart, lie side by side.
    [[nodiscard]] bool stacked(std::size_t begin, std::size_t length) const noexcept {
        if (begin + (length - 1) * period >= count) {
            return false;
        }
#pragma GCC unroll 1
        for (std::size_t i = 1; i < length; ++i) {
            if (offsets[begin + i * period] != offsets[begin] + static_cast<std::int64_t>(i)) {
                return false;
            }
        }
        return true;
    }
};

/// Memory for line_offsets of at most capacity iterations.
class line_table {
public:
    line_table() = default;
    line_table(std::int64_t* memory, std::size_t capacity) noexcept
        : offsets_(memory), runs_(memory + capacity) {}

    /// Numbers of memory that a table needs for each iteration.
    static constexpr std::size_t width = 2;

    /// Writes the offsets in one array of count iterations of loops from begin on.
    line_offsets fill(const loops& over, std::int64_t begin, std::size_t count, std::size_t array) {
        if (over.count == 0) {
            offsets_[0] = 0;
            runs_[0] = 1;
            return {offsets_, runs_, 1};
        }
        const loops outer = over.first(over.count - 1);
        const std::int64_t extent = over.extent(over.count - 1);
        const std::int64_t stride = over.stride(over.count - 1, array);
        odometer<1> position(outer, {array});
        position.seek(begin / extent);
        std::int64_t from = begin % extent;
        for (std::size_t i = 0; i < count;) {
            const std::int64_t length =
                std::min(extent - from, static_cast<std::int64_t>(count - i));
            // Sums, as tables of many columns take a fifth of a product of little depth.
            std::int64_t offset = position.offset(0) + from * stride;
            std::int64_t run = stride == 1 ? length : 1;
#pragma GCC unroll 1
            for (const std::size_t end = i + static_cast<std::size_t>(length); i < end; ++i) {
                offsets_[i] = offset;
                runs_[i] = run;
                offset += stride;
                run -= stride == 1 ? 1 : 0;
            }
            from = 0;
            position.next();
        }
        const bool stacks = outer.count > 0 && outer.stride(outer.count - 1, array) == 1;
        return {offsets_, runs_, count, stacks ? static_cast<std::size_t>(extent) : 0};
    }

private:
    std::int64_t* offsets_ = nullptr;
    std::int64_t* runs_ = nullptr;
};

}  // namespace xeinsum::kernel
