// How the arrays of random calls lie in memory: "ij" row-major, transposed, with gaps, backwards,
// repeating an axis, or as windows that slide over a shorter array.
#pragma once

#include "random_source.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace random_calls {

using shape = std::vector<std::size_t>;
using strides = std::vector<std::int64_t>;

/// Axis order[0] is outermost in memory; |steps[a]| > 1 leaves gaps along axis a, negative steps
/// run backwards. See support::strided_array::lying.
struct placement {
    shape order{};
    std::vector<std::int64_t> steps{};
};

/// The positions that an array covers, counted in elements from the one with index 0 everywhere.
struct reach {
    std::int64_t begin = 0;
    std::int64_t end = 0;

    [[nodiscard]] std::int64_t size() const { return end - begin; }
};

[[nodiscard]] std::size_t elements_of(const shape& extents);
[[nodiscard]] strides row_major(const shape& extents);
[[nodiscard]] reach reach_of(const shape& extents, const strides& lies);
/// Positions of all elements in row-major order, counted as those of reach.
[[nodiscard]] std::vector<std::int64_t> positions_of(const shape& extents, const strides& lies);
/// Whether no two elements share a position.
[[nodiscard]] bool are_distinct(std::vector<std::int64_t> positions);

/// Any order, gaps, reversed axes.
[[nodiscard]] placement random_placement(random_source& random, std::size_t rank);
[[nodiscard]] strides strides_of(const shape& extents, const placement& lies);
/// An operand may lie in any way, an output only so that no two elements meet.
[[nodiscard]] strides operand_strides(random_source& random, const shape& extents);
[[nodiscard]] strides output_strides(random_source& random, const shape& extents);

}  // namespace random_calls
