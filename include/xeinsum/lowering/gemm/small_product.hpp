// The matrix products that need neither packing nor blocks: in "nctw,cd->ndtw" on (2,3,4,5) and
// (3,6), n is a loop around products of 6 rows d, 20 columns t w and depth c.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/lowering/gemm/small_loops.hpp>
#include <xeinsum/lowering/gemm/small_product_cost.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/lowering/nest/matrix_vector.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm. Operands and output are read and written where they lie, see
/// small_loops.
struct small_product {
    using cost = small_product_cost;

    /// The loops of a product that is small enough. prepacked: one input is the same in all runs,
    /// so that packing it costs nothing.
    [[nodiscard]] static constexpr small_loops find_small(const mode_table& table, const target& on,
                                                          bool prepacked = false) noexcept {
        small_loops at = small_loops::find(table, on);
        at.found = at.found && cost::is_small(table, at, on, prepacked) &&
                   (cost::fills_registers(table, at, on) || !cost::suits_lines(table, at, on)) &&
                   (!at.transposed || cost::pays_for_transposing(table, at, on)) &&
                   !cost::writes_far_apart(table, at, on);
        return at;
    }
    /// Whether what build() has made of other strides and extents is right for these.
    [[nodiscard, gnu::always_inline]] static constexpr bool fits(const mode_table& table,
                                                                 const recipe& how,
                                                                 const target& on) noexcept {
        const std::size_t first = how.groups[0];
        const bool two = how.groups[3] == 2;
        const small_loops at{.found = true,
                             .columns = first + 1,
                             .rows = first,
                             .depth = first + (two ? 3U : 2U),
                             .pieces = two ? first + 2 : small_loops::none};
        const bool both = table.extent(at.rows) > 1 && table.extent(at.columns) > 1;
        // A vector times a matrix adds its terms one after the other as well, be it known when it
        // runs only.
        const bool is_line = table.extent(at.columns) > 1 && table.stride(at.columns, 2) == 1;
        const bool sums_in_order =
            table.extent(at.depth) <= kernel::few_terms && !two && (is_line || is_few(table));
        return (both || sums_in_order) && table.stride(at.columns, 0) == 1 &&
               (!two || small_loops::in_order(table, at.pieces, at.depth, how.swapped ? 2 : 1)) &&
               cost::is_small(table, at, on) && cost::fills_registers(table, at, on) &&
               !cost::waits_for_lhs(table, at, on) &&
               (table.stride(at.columns, 2) == 1 || cost::pays_for_transposing(table, at, on));
    }

    /// Rows and columns that a cut may not part, 0 for all. Of little depth each sum is one chain
    /// in any tile. Of more its order depends on the rows of its tile, and on the registers: a
    /// piece with the last columns alone, less than a register, may have narrower ones.
    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, const mode_table& table,
                                                     std::size_t m, const target& on) noexcept {
        const std::size_t rows = how.groups[0];
        const std::size_t columns = rows + 1;
        std::int64_t depth = 1;
#pragma GCC unroll 1
        for (std::size_t k = columns + 1; k < table.size(); ++k) {
            depth *= table.extent(k);
        }
        const bool one_chain = depth < kernel::two_chains_depth;
        if (m == columns) {
            const auto lanes = static_cast<std::int64_t>(on.lanes);
            const std::int64_t rest = table.extent(columns) % (2 * lanes);
            return one_chain || rest == 0 || rest >= lanes ? 2 * lanes : 0;
        }
        return m < rows ? 1 : m == rows && one_chain ? kernel::small_rows_unit : 0;
    }

    /// groups: loops around the product, 1, 1, loops of depth, the inner one last.
    static constexpr void build(mode_table& table, small_loops at, recipe& how) noexcept {
        how.swapped = at.swapped;
        if (at.swapped) {
            table.swap_inputs(0, 1);
        }
        std::size_t end = table.size();
        const auto move_to_end = [&](std::size_t& place) {
            table.swap_rows(place, --end);
            for (std::size_t* other : {&at.columns, &at.rows, &at.depth, &at.pieces}) {
                if (other != &place && *other == end) {
                    *other = place;
                }
            }
            place = end;
        };
        move_to_end(at.depth);
        if (at.pieces != small_loops::none) {
            move_to_end(at.pieces);
        }
        move_to_end(at.columns);
        move_to_end(at.rows);
        how.groups = {static_cast<unsigned char>(end), 1, 1,
                      static_cast<unsigned char>(at.pieces == small_loops::none ? 1 : 2)};
        // Far apart in the output, far outside.
        sort_rows(table, 0, end, 0);
    }

    [[nodiscard, gnu::always_inline]] static constexpr kernel::small_shape shape_of(
        const recipe& how, const kernel::loops& rows) noexcept {
        const std::size_t first = how.groups[0];
        const std::size_t depth = rows.count - 1;
        kernel::small_shape s{.rows = rows.extent(first),
                              .columns = rows.extent(first + 1),
                              .depth = rows.extent(depth),
                              .lhs_row = rows.stride(first, 1),
                              .lhs_depth = rows.stride(depth, 1),
                              .rhs_depth = rows.stride(depth, 2),
                              .rhs_column = rows.stride(first + 1, 2),
                              .out_row = rows.stride(first, 0)};
        if (how.groups[3] == 2) {
            s.pieces = rows.extent(depth - 1);
            s.lhs_piece = rows.stride(depth - 1, 1);
            s.rhs_piece = rows.stride(depth - 1, 2);
        }
        return s;
    }

    [[nodiscard]] static std::string describe(const recipe& how, const kernel::loops& rows) {
        const kernel::small_shape s = shape_of(how, rows);
        return parsing::join(rows.first(how.groups[0]).iterations(), " small products, m ", s.rows,
                             ", n ", s.columns, ", k ", s.depth * s.pieces,
                             how.swapped ? ", operands exchanged" : "",
                             s.rhs_column == 1 ? ", nothing packed" : ", rhs transposed");
    }
};

}  // namespace xeinsum::lowerings
