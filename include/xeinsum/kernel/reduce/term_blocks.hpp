// Terms of a sum in blocks: the 13 terms of "acd,c->ad" with 13 c are added as eight and five, and
// the blocks then as they come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Terms of a block, whose lines are read as streams at once: of one input that moves along them
/// eight, of several four each. A power of two.
[[nodiscard]] constexpr std::int64_t most_streams(std::size_t units) noexcept {
    return units == 2 || units == 3 ? 4 : 8;
}

/// Lines of results, and the terms of each.
struct line_terms {
    std::int64_t registers;    ///< of a line
    std::int64_t terms;        ///< in one loop
    std::int64_t block;        ///< terms of a block: most_streams()
    bool rows_inside = false;  ///< whether lines of the next row lie closer than those of a term
    bool held = true;          ///< whether the first cache has sets for the lines of all terms
};

/// Whether all terms of a row are added before the next row begins. Where rows are inside, they are
/// no more than are read well at once, and whose lines are kept for the next row.
[[nodiscard]] constexpr bool adds_row_by_row(const line_terms& l) noexcept {
    return !l.rows_inside || l.terms <= (l.held ? 4 * l.block : l.block);
}

/// Registers of a line whose sums leave room for terms.
inline constexpr std::int64_t direct_registers = 4;

/// Whether the sums of such lines stay in registers from their first term to the last.
[[nodiscard]] constexpr bool are_direct(const line_terms& l) noexcept {
    return l.registers <= direct_registers && adds_row_by_row(l);
}

/// Terms of the next block where so many are left.
[[nodiscard]] constexpr std::int64_t block_size(std::int64_t most, std::int64_t left) noexcept {
    return std::min(most, left);
}

/// Blocks of so many terms.
[[nodiscard]] constexpr std::int64_t block_count(std::int64_t most, std::int64_t terms) noexcept {
    return (terms + most - 1) / most;
}

}  // namespace xeinsum::kernel
