// Which loops go around a product: in "be,dcea->dcba" d and c do, because the product that is left,
// "be,ea->ba", reads both operands where they lie.
#pragma once

#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>
#include <xeinsum/lowering/gemm/few_rows.hpp>
#include <xeinsum/lowering/gemm/short_runs_product.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm, whose rows are grouped already: batch, m, n, k, each with long
/// strides outside.
struct product_loops {
    /// Where rhs and the output lie side by side along different columns and rows are few: leaves
    /// the columns of rhs, as many as follow each other there, makes those of the output the last
    /// loop around, and returns true: the product is one for kernel::staged_gemm. Columns by which
    /// a short run of a large output goes on become a loop around as well: then it is written in
    /// whole cache lines.
    [[nodiscard, gnu::cold]] static constexpr bool stage(mode_table& table, recipe& how,
                                                         const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        const std::size_t unit = unit_row(table, begin, end, 2);
        const std::size_t along = unit_row(table, begin, end, 0);
        const auto least = static_cast<std::int64_t>(on.lanes);
        if (unit == end || along == end || unit == along || table.extent(unit) < least ||
            table.extent(along) < least || how.groups[3] != 1 ||
            !may_stage(extent_of_rows(table, how.groups[0], how.groups[1]),
                       extent_of_rows(table, begin, how.groups[2]), extent_of_rows(table, end, 1),
                       on)) {
            return false;
        }
        move_row(table, along, begin);
        std::size_t first = end - 1;
        move_row(table, unit_row(table, begin + 1, end, 2), first);
        const auto bytes = static_cast<std::int64_t>(on.element_bytes);
        const bool joins_runs = table.extent(begin) * bytes <= short_run_bytes &&
                                table.elements(0) * static_cast<double>(bytes) >= dram_output_bytes;
        for (bool found = true; found;) {
            const std::int64_t next = table.stride(first, 2) * table.extent(first);
            found = false;
            for (std::size_t m = begin + 1; m < first && !found; ++m) {
                const bool joins = joins_runs && table.stride(m, 0) == table.extent(begin);
                found = !joins && table.stride(m, 2) == next;
                if (found) {
                    move_row(table, m, --first);
                }
            }
        }
        for (std::size_t m = begin + 1; m < first; ++m) {
            move_around(table, how, m, 2);
        }
        // Each of them has passed it.
        move_around(table, how, first - 1, 2);
        return true;
    }

    /// Makes other loops over rows and columns loops around the product where that pays.
    [[gnu::cold]] static constexpr void choose(mode_table& table, recipe& how,
                                               const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        if (how.groups[2] > 1 && reads_rhs(table, how, on)) {
            leave_columns(table, how, unit_row(table, begin, end, 2));
        } else if (how.groups[2] > 1 && reads_depth(table, how, on)) {
            leave_columns(table, how, unit_row(table, begin, end, 0));
        } else if (short_runs_product::suits(table, how, on)) {
            short_runs_product::arrange(table, how, on);
        }
    }

    /// Whether results may be staged, for some layouts of operands with these extents.
    [[nodiscard]] static constexpr bool may_stage(double rows, double columns, double depth,
                                                  const target& on) noexcept {
        return rows <= static_cast<double>(staged_tiles * on.mr) &&
               depth <= static_cast<double>(on.kc) &&
               rows * columns * depth >= 16 * worthwhile_products;
    }

private:
    // Measured on AVX2 with one core; see docs/kernels/gemm.md.
    /// Micro-tiles of rows up to which results are moved sooner than rhs is packed.
    static constexpr std::size_t staged_tiles = 4;
    /// A longer run of the output gains less from whole lines than is lost where rhs is read in
    /// shorter ones.
    static constexpr std::int64_t short_run_bytes = 384;
    /// A product whose operands take no more stays in the second-level cache.
    static constexpr double near_bytes = 160 << 10U;
    static constexpr double near_rows = 320;

    /// Makes all columns but those of one row loops around the product.
    [[gnu::cold]] static constexpr void leave_columns(mode_table& table, recipe& how,
                                                      std::size_t row) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        move_row(table, row, end - 1);
        for (std::size_t m = begin; m + 1 < end; ++m) {
            move_around(table, how, m, 2);
        }
    }

    /// Whether the columns that lie side by side in the output alone make a product that reads rhs
    /// along the depth.
    [[nodiscard, gnu::cold]] static constexpr bool reads_depth(const mode_table& table,
                                                               const recipe& how,
                                                               const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        const std::size_t along = unit_row(table, begin, end, 0);
        return along != end && how.groups[3] == 1 && table.stride(end, 2) == 1 &&
               few_rows::suits_deep_tiles(
                   static_cast<std::int64_t>(extent_of_rows(table, how.groups[0], how.groups[1])),
                   table.extent(along), table.extent(end), table.elements(2), on);
    }

    /// Whether the columns that lie side by side in rhs alone make a product that need not pack it.
    [[nodiscard, gnu::cold]] static constexpr bool reads_rhs(const mode_table& table,
                                                             const recipe& how,
                                                             const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        const std::size_t unit = unit_row(table, begin, end, 2);
        if (unit == end || table.extent(unit) < static_cast<std::int64_t>(on.lanes) ||
            how.groups[3] != 1 || table.stride(unit, 0) != 1) {
            return false;
        }
        const double rows = extent_of_rows(table, how.groups[0], how.groups[1]);
        const double depth = extent_of_rows(table, end, 1);
        const double columns = static_cast<double>(table.extent(unit));
        if (rows * columns * depth < worthwhile_products) {
            return false;
        }
        if (few_rows::suits_reading_across(static_cast<std::int64_t>(rows), table.extent(unit),
                                           static_cast<std::int64_t>(depth), table.elements(2),
                                           table.stride(end, 2), on)) {
            return true;
        }
        const auto bytes = static_cast<double>(on.element_bytes);
        return rows < near_rows && columns * depth * bytes <= near_bytes &&
               rows * depth * bytes <= near_bytes;
    }
};

}  // namespace xeinsum::lowerings
