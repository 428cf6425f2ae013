// Where the loops of a small product stand: in "nctw,cd->ndtw" on (2,3,4,5) and (3,6) its rows are
// d, its columns t w, its depth is c, and n is a loop around it.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <cstddef>

namespace xeinsum::lowerings {

using planning::target;

/// The loops of a product whose columns lie side by side in the output and in one operand, which is
/// transposed first where it lies otherwise. Its rows are one loop, its depth one or two; all
/// others are around it.
struct small_loops {
    static constexpr std::size_t none = max_modes;

    bool found = false;
    bool swapped = false;     ///< the columns come from lhs
    bool transposed = false;  ///< in their operand they do not lie side by side
    // Places in a table.
    std::size_t columns = 0;
    std::size_t rows = 0;
    std::size_t depth = 0;
    std::size_t pieces = none;  ///< the second loop of depth

    /// Arrays of the table that give the rows, and the columns.
    [[nodiscard]] constexpr std::size_t lhs() const noexcept { return swapped ? 2 : 1; }
    [[nodiscard]] constexpr std::size_t rhs() const noexcept { return swapped ? 1 : 2; }

    [[nodiscard]] static constexpr small_loops find(const mode_table& table,
                                                    const target& on) noexcept {
        small_loops at;
        if (table.inputs() != 2 || !on.has_real_vectors()) {
            return at;
        }
        at.columns = at.rows = at.depth = none;
        for (std::size_t m = 0; m < table.size(); ++m) {
            const index_class c = table.kind(m);
            const bool free = c == index_class::lhs_free || c == index_class::rhs_free;
            if (free && table.stride(m, 0) == 1) {
                at.columns = m;
                at.swapped = c == index_class::lhs_free;
            } else if (table.is_one_sided(m)) {
                return {};
            }
        }
        if (at.columns == none) {
            return {};
        }
        at.transposed = table.stride(at.columns, at.rhs()) != 1;
        const index_class row_class = at.swapped ? index_class::rhs_free : index_class::lhs_free;
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.kind(m) == row_class) {
                at.rows = longer(table, at.rows, m);
            } else if (table.kind(m) == index_class::contracted) {
                if (at.pieces != none) {
                    return {};
                }
                at.pieces = at.depth;
                at.depth = m;
            }
        }
        if (at.rows == none || at.depth == none) {
            return {};
        }
        if (at.pieces != none && !in_order(table, at.pieces, at.depth, 1)) {
            const std::size_t inner = at.pieces;
            at.pieces = at.depth;
            at.depth = inner;
        }
        at.found = true;
        return at;
    }

    /// Whether terms are added in this order of loops. It must not depend on what is known when,
    /// and comes from the strides of one array.
    [[nodiscard, gnu::always_inline]] static constexpr bool in_order(const mode_table& table,
                                                                     std::size_t outer,
                                                                     std::size_t inner,
                                                                     std::size_t array) noexcept {
        return kernel::magnitude(table.stride(outer, array)) >=
               kernel::magnitude(table.stride(inner, array));
    }

private:
    [[nodiscard]] static constexpr std::size_t longer(const mode_table& table, std::size_t a,
                                                      std::size_t b) noexcept {
        return a == none || table.extent(b) > table.extent(a) ? b : a;
    }
};

}  // namespace xeinsum::lowerings
