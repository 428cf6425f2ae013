// Which loops go around a product: in "be,dcea->dcba" d and c do, because the product that is left,
// "be,ea->ba", reads both operands where they lie.
#pragma once

#include <xeinsum/kernel/staged_gemm.hpp>
#include <xeinsum/lowering/few_rows.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/plan/mode_table.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm, whose rows are grouped already: batch, m, n, k, each with long
/// strides outside.
struct product_loops {
    /// Where rhs and the output lie side by side along different columns and rows are few: leaves
    /// the columns of rhs, as many as follow each other there, makes those of the output the last
    /// loop around, and returns true: the product is one for kernel::staged_gemm.
    [[nodiscard]] static constexpr bool stage(mode_table& table, recipe& how,
                                              const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        const std::size_t unit = unit_row(table, begin, end, 2);
        const std::size_t along = unit_row(table, begin, end, 0);
        const auto least = static_cast<std::int64_t>(on.lanes);
        if (unit == end || along == end || unit == along || table.extent(unit) < least ||
            table.extent(along) < least || how.groups[3] != 1 ||
            !may_stage(product(table, how.groups[0], how.groups[1]),
                       product(table, begin, how.groups[2]), product(table, end, 1), on)) {
            return false;
        }
        move_row(table, along, begin);
        std::size_t first = end - 1;
        move_row(table, unit_row(table, begin + 1, end, 2), first);
        for (bool found = true; found;) {
            const std::int64_t next = table.stride(first, 2) * table.extent(first);
            found = false;
            for (std::size_t m = begin + 1; m < first && !found; ++m) {
                found = table.stride(m, 2) == next;
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
    static constexpr void choose(mode_table& table, recipe& how, const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        if (how.groups[2] > 1 && reads_rhs(table, how, on)) {
            leave_columns(table, how, unit_row(table, begin, end, 2));
        } else if (how.groups[2] > 1 && reads_depth(table, how, on)) {
            leave_columns(table, how, unit_row(table, begin, end, 0));
        } else if (how.groups[1] > 0 && how.groups[2] > 0 && is_interleaved(table, how, on)) {
            write_in_order(table, how, on);
        }
    }

    /// Whether results may be staged, for some layouts of operands with these extents.
    [[nodiscard]] static constexpr bool may_stage(double rows, double columns, double depth,
                                                  const target& on) noexcept {
        return rows <= static_cast<double>(staged_tiles * on.mr) &&
               depth <= static_cast<double>(on.kc) && rows * columns * depth >= 16 * enough;
    }

private:
    // Measured on AVX2 with one core; see docs/performance.md.
    /// Multiply-adds that are worth a product of their own.
    static constexpr double enough = 1 << 15;
    /// Micro-tiles of rows up to which results are moved sooner than rhs is packed.
    static constexpr std::size_t staged_tiles = 4;
    /// A product whose operands take no more stays in the second-level cache.
    static constexpr double near_bytes = 160 << 10U;
    static constexpr double near_rows = 320;
    /// Up to this depth writing the output takes longest, if it is far.
    static constexpr double shallow_depth = 48;
    /// Elements side by side that may be written anywhere.
    static constexpr std::int64_t long_line = 256;
    /// A part of the output that is written at a time.
    static constexpr double written_bytes = 64 << 10U;

    [[nodiscard]] static constexpr std::size_t columns_begin(const recipe& how) noexcept {
        return how.groups[0] + std::size_t{how.groups[1]};
    }
    [[nodiscard]] static constexpr double product(const mode_table& table, std::size_t begin,
                                                  std::size_t count) noexcept {
        return table.product([&](std::size_t m) { return m >= begin && m < begin + count; });
    }

    /// Makes row m, which group has, the last one of the batch.
    static constexpr void move_around(mode_table& table, recipe& how, std::size_t m,
                                      std::size_t group) noexcept {
        move_row(table, m, how.groups[0]);
        ++how.groups[0];
        --how.groups[group];
    }

    /// Makes all columns but those of one row loops around the product.
    static constexpr void leave_columns(mode_table& table, recipe& how, std::size_t row) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        move_row(table, row, end - 1);
        for (std::size_t m = begin; m + 1 < end; ++m) {
            move_around(table, how, m, 2);
        }
    }

    /// Whether the columns that lie side by side in the output alone make a product that reads rhs
    /// along the depth.
    [[nodiscard]] static constexpr bool reads_depth(const mode_table& table, const recipe& how,
                                                    const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        const std::size_t along = unit_row(table, begin, end, 0);
        return along != end && how.groups[3] == 1 && table.stride(end, 2) == 1 &&
               few_rows::suits_deep_tiles(
                   static_cast<std::int64_t>(product(table, how.groups[0], how.groups[1])),
                   table.extent(along), table.extent(end), on);
    }

    /// Whether the columns that lie side by side in rhs alone make a product that need not pack it.
    [[nodiscard]] static constexpr bool reads_rhs(const mode_table& table, const recipe& how,
                                                  const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        const std::size_t unit = unit_row(table, begin, end, 2);
        if (unit == end || table.extent(unit) < static_cast<std::int64_t>(on.lanes) ||
            how.groups[3] != 1 || table.stride(unit, 0) != 1) {
            return false;
        }
        const double rows = product(table, how.groups[0], how.groups[1]);
        const double depth = product(table, end, 1);
        const double columns = static_cast<double>(table.extent(unit));
        if (rows * columns * depth < enough) {
            return false;
        }
        if (few_rows::suits_reading_across(static_cast<std::int64_t>(rows), table.extent(unit),
                                           static_cast<std::int64_t>(depth), table.elements(2),
                                           on)) {
            return true;
        }
        const auto bytes = static_cast<double>(on.element_bytes);
        return rows < near_rows && columns * depth * bytes <= near_bytes &&
               rows * depth * bytes <= near_bytes;
    }

    /// Whether a large output of a shallow product has rows within columns, so that blocks of both
    /// would be written in small pieces far apart.
    [[nodiscard]] static constexpr bool is_interleaved(const mode_table& table, const recipe& how,
                                                       const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        if (product(table, begin + how.groups[2], how.groups[3]) > shallow_depth ||
            table.elements(0) * static_cast<double>(on.element_bytes) < far_output_bytes) {
            return false;
        }
        const std::size_t along = unit_row(table, begin, begin + how.groups[2], 0);
        if (along == begin + how.groups[2] || table.extent(along) > long_line) {
            return false;
        }
        // The first of the columns has the longest stride, and one of the rows the shortest.
        std::int64_t shortest = kernel::magnitude(table.stride(how.groups[0], 0));
        for (std::size_t m = how.groups[0]; m < begin; ++m) {
            shortest = std::min(shortest, kernel::magnitude(table.stride(m, 0)));
        }
        return kernel::magnitude(table.stride(begin, 0)) > shortest;
    }

    /// Moves loops around the product, those of the longest strides in the output first, until a
    /// small part of it is left. Columns first, so that rhs is packed once for all rows.
    static constexpr void write_in_order(mode_table& table, recipe& how,
                                         const target& on) noexcept {
        const std::size_t rows = how.groups[0];
        const std::size_t columns = columns_begin(how);
        const std::size_t end = columns + how.groups[2];
        const double depth = product(table, end, how.groups[3]);
        double elements = product(table, rows, end - rows);
        std::array<bool, max_modes> around{};
        std::size_t left_rows = how.groups[1];
        std::size_t left_columns = how.groups[2];
        while (elements * static_cast<double>(on.element_bytes) > written_bytes) {
            std::size_t next = end;
            for (std::size_t m = rows; m < end; ++m) {
                if (!around[m] && (next == end || kernel::magnitude(table.stride(m, 0)) >
                                                      kernel::magnitude(table.stride(next, 0)))) {
                    next = m;
                }
            }
            elements /= static_cast<double>(table.extent(next));
            std::size_t& left = next < columns ? left_rows : left_columns;
            if (left == 1 || elements * depth < enough) {
                break;
            }
            --left;
            around[next] = true;
        }
        std::size_t moved = 0;
        for (std::size_t m = columns; m < end; ++m) {
            if (around[m]) {
                move_around(table, how, m, 2);
                ++moved;
            }
        }
        for (std::size_t m = rows; m < columns; ++m) {
            if (around[m]) {
                move_around(table, how, m + moved, 1);
            }
        }
    }
};

}  // namespace xeinsum::lowerings
