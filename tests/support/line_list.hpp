// Where the rows, columns or depths of a matrix lie, for kernels that take line_offsets: 0 1 2 4 5
// 6 are two runs of three.
#pragma once

#include <xeinsum/kernel/memory/lines.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace support {

/// Offsets, at least one, and how many of them follow each other in steps of one.
struct line_list {
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> runs;
    std::size_t period = 0;

    explicit line_list(std::vector<std::int64_t> at)
        : offsets(std::move(at)), runs(offsets.size(), 1) {
        for (std::size_t i = offsets.size() - 1; i-- > 0;) {
            runs[i] = offsets[i + 1] == offsets[i] + 1 ? runs[i + 1] + 1 : 1;
        }
    }
    /// So many, a step apart.
    line_list(std::size_t count, std::int64_t step) : line_list(numbered(count, step, count, 0)) {}

    /// So many side by side, then a gap of some elements before the next ones.
    static line_list in_runs(std::size_t count, std::size_t side_by_side, std::int64_t gap) {
        return line_list(numbered(count, 1, side_by_side, gap));
    }

    [[nodiscard]] xeinsum::kernel::line_offsets view() const {
        return {offsets.data(), runs.data(), offsets.size(), period};
    }

private:
    static std::vector<std::int64_t> numbered(std::size_t count, std::int64_t step, std::size_t run,
                                              std::int64_t gap) {
        std::vector<std::int64_t> at(count);
        for (std::size_t i = 0; i < count; ++i) {
            at[i] = static_cast<std::int64_t>(i) * step + static_cast<std::int64_t>(i / run) * gap;
        }
        return at;
    }
};

}  // namespace support
