// Cycles of a copy in another order: "ij->ji" pays for tiles and their squares of registers,
// "bij->bji" with small matrices for each element.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute/permute_order.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

using planning::target;

/// Cycles of moving an element into a tile in squares of registers, which some cores shuffle in
/// halves.
[[nodiscard]] constexpr double square_cycles(const target& on) noexcept {
    const bool in_halves = on.lanes * on.element_bytes > 32 && !on.tuned.multiplies_whole_registers;
    return (in_halves ? 6 : 3) / static_cast<double>(on.lanes);
}

/// Cycles of a permute whose arrays are in the first-level cache.
[[nodiscard, gnu::cold]] constexpr double permute_cycles(const mode_table& table,
                                                         const target& on) noexcept {
    // Measured on a Zen 3; see docs/kernels/permute.md.
    constexpr double element_cycles = 1.4;  // one by one
    constexpr double tile_cycles = 130;     // beginning a tile
    if (table.size() == 0) {
        return element_cycles;
    }
    const std::int64_t side = kernel::permute_side(on.element_bytes);
    const bool has_squares = on.lanes > 1 && (on.element_bytes == 4 || on.element_bytes == 8);
    const auto square =
        has_squares
            ? static_cast<std::int64_t>(std::min<std::size_t>(on.lanes, 32 / on.element_bytes))
            : 1;
    const std::size_t line = std::max<std::size_t>(kernel::line_bytes / on.element_bytes, 1);
    const kernel::permute_order order({table.row(0), table.pitch(), table.size()}, side, line,
                                      true);
    const double elements = table.elements(0);
    if (kernel::permute_way_of(order, square) != kernel::permute_way::tiles) {
        return elements * element_cycles;
    }
    double tiles = elements;
    double moved = elements;
    for (const std::int64_t lines : {order.rows().iterations(), order.columns().iterations()}) {
        const auto squares = static_cast<double>((lines + square - 1) / square * square);
        tiles /= static_cast<double>(std::min(lines, side));
        moved *= squares / static_cast<double>(lines);
    }
    return tiles * tile_cycles + moved * square_cycles(on);
}

}  // namespace xeinsum::lowerings
