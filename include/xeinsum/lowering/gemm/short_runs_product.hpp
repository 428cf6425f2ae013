// Products whose rows lie within their columns in the output: "bged,cafg->fedcba" writes 20 b
// between one c and the next, each 24 a long, and so goes around f, e and d.
#pragma once

#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/lowering/gemm/product_packing.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm, whose rows are grouped already: batch, m, n, k, each with long
/// strides outside.
struct short_runs_product {
    /// Whether a large output of a shallow product has rows within columns, so that blocks of both
    /// would be written in small pieces far apart.
    [[nodiscard, gnu::cold]] static constexpr bool suits(const mode_table& table, const recipe& how,
                                                         const target& on) noexcept {
        const std::size_t begin = columns_begin(how);
        const std::size_t end = begin + how.groups[2];
        if (how.groups[1] == 0 || how.groups[2] == 0 ||
            extent_of_rows(table, end, how.groups[3]) > shallow_depth ||
            table.elements(0) * static_cast<double>(on.element_bytes) < dram_output_bytes) {
            return false;
        }
        const std::size_t along = unit_row(table, begin, end, 0);
        if (along == end || table.extent(along) > long_line) {
            return false;
        }
        // The first of the columns has the longest stride, and one of the rows the shortest.
        std::int64_t shortest = kernel::magnitude(table.stride(how.groups[0], 0));
        for (std::size_t m = how.groups[0]; m < begin; ++m) {
            shortest = std::min(shortest, kernel::magnitude(table.stride(m, 0)));
        }
        return kernel::magnitude(table.stride(begin, 0)) > shortest;
    }

    /// Makes loops of a product that suits loops around it, and chooses the kind short_runs if
    /// what is left can be written in whole registers.
    [[gnu::cold]] static constexpr void arrange(mode_table& table, recipe& how,
                                                const target& on) noexcept {
        write_in_order(table, how, on);
        if (writes_registers(table, how, on)) {
            set_kind(how, product_kind::short_runs);
        }
    }

    /// The most scratch of that kind for so many rows, columns and depth, in some order.
    [[nodiscard, gnu::cold]] static constexpr std::size_t most_bytes(double rows, double columns,
                                                                     double depth,
                                                                     const target& on) noexcept {
        if (!has_kernel(on) || depth > shallow_depth ||
            rows * columns * static_cast<double>(on.element_bytes) < dram_output_bytes) {
            return 0;
        }
        const auto deep = std::max<std::int64_t>(static_cast<std::int64_t>(depth), 1);
        const std::int64_t most =
            packed_bytes / (deep * static_cast<std::int64_t>(on.element_bytes));
        return kernel::short_runs_gemm_bytes(most, most, deep, on.element_bytes, on.lanes);
    }

private:
    // Measured with one core; see docs/kernels/batched.md.
    /// Up to this depth writing the output takes longest, if it is in DRAM.
    static constexpr double shallow_depth = 48;
    /// Elements side by side that may be written anywhere.
    static constexpr std::int64_t long_line = 256;
    /// A part of the output that is written at a time.
    static constexpr double written_bytes = 64 << 10U;
    /// Fewer do not pay for packing lhs.
    static constexpr double few_columns = 256;
    /// Each operand of such a product stays in the second-level cache.
    static constexpr std::int64_t packed_bytes = 128 << 10U;

    [[nodiscard]] static constexpr bool has_kernel(const target& on) noexcept {
        return on.has_real_vectors() && on.lanes * on.element_bytes == kernel::line_bytes;
    }

    /// Whether panels need a loop to use whole cache lines of rhs, which does not stay in L2.
    [[nodiscard]] static constexpr bool reads_lines(const mode_table& table, std::size_t m,
                                                    const target& on) noexcept {
        return table.stride(m, 2) == 1 &&
               table.elements(2) * static_cast<double>(on.element_bytes) >=
                   static_cast<double>(kernel::beyond_l2_bytes);
    }

    /// Moves loops around the product, those of the longest strides in the output first, until a
    /// small part of it is left. Columns first, so that rhs is packed once for all rows.
    [[gnu::cold]] static constexpr void write_in_order(mode_table& table, recipe& how,
                                                       const target& on) noexcept {
        const std::size_t rows = how.groups[0];
        const std::size_t columns = columns_begin(how);
        const std::size_t end = columns + how.groups[2];
        const double depth = extent_of_rows(table, end, how.groups[3]);
        double elements = extent_of_rows(table, rows, end - rows);
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
            if (left == 1 || elements * depth < worthwhile_products ||
                (next >= columns && reads_lines(table, next, on))) {
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

    /// Whether the product that is left is one for kernel::short_runs_gemm. Some columns come back
    /// to it where there are too few for tiles, or for packing lhs.
    [[nodiscard, gnu::cold]] static constexpr bool writes_registers(mode_table& table, recipe& how,
                                                                    const target& on) noexcept {
        const std::size_t row = how.groups[0];
        const std::size_t end = columns_begin(how) + how.groups[2];
        const auto tile = static_cast<std::int64_t>(
            has_kernel(on) ? kernel::runs_of_tile(table.extent(end - 1), on.lanes) : 0);
        if (tile == 0 || how.groups[1] != 1 || table.stride(end - 1, 0) != 1 ||
            table.stride(row, 0) != table.extent(end - 1)) {
            return false;
        }
        const auto bytes = static_cast<std::int64_t>(on.element_bytes);
        const auto depth = static_cast<std::int64_t>(extent_of_rows(table, end, how.groups[3]));
        const std::int64_t most = packed_bytes / (std::max<std::int64_t>(depth, 1) * bytes);
        const auto columns = [&] {
            return extent_of_rows(table, columns_begin(how), how.groups[2]);
        };
        const auto fills_tiles = [&] {
            const auto runs = static_cast<std::int64_t>(columns()) / table.extent(end - 1);
            return runs >= 4 * tile || runs % tile == 0;
        };
        if (table.extent(row) > most || columns() > static_cast<double>(most)) {
            return false;
        }
        if (!fills_tiles() || columns() < few_columns) {
            take_back_columns(table, how, most / static_cast<std::int64_t>(columns()), tile);
        }
        return fills_tiles();
    }

    /// Of the loops over columns around the product, makes the one that steps least in the output
    /// the outermost one of columns: all of it, or a part of at most so many iterations that fill
    /// tiles.
    [[gnu::cold]] static constexpr void take_back_columns(mode_table& table, recipe& how,
                                                          std::int64_t most,
                                                          std::int64_t tile) noexcept {
        const std::size_t around = how.groups[0];
        std::size_t found = around;
        for (std::size_t m = 0; m < around; ++m) {
            if (table.kind(m) == index_class::rhs_free &&
                (found == around || kernel::magnitude(table.stride(m, 0)) <
                                        kernel::magnitude(table.stride(found, 0)))) {
                found = m;
            }
        }
        const std::int64_t part =
            found == around ? 1 : divisor(table.extent(found), most, std::min(tile, most));
        if (part == 1) {
            return;
        }
        if (part < table.extent(found)) {
            table.split(found, part);
            ++found;
        } else {
            --how.groups[0];
        }
        move_row(table, found, columns_begin(how));
        ++how.groups[2];
    }
};

}  // namespace xeinsum::lowerings
