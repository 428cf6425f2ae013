// Whether a product is small enough to need neither packing nor blocks, and what it takes: in
// "nctw,cd->ndtw" on (2,3,4,5) and (3,6), 2 products of 6 rows and 20 columns, 3 deep.
#pragma once

#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/lowering/gemm/few_rows.hpp>
#include <xeinsum/lowering/gemm/small_loops.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// What the extents and strides of a product tell about it.
struct small_product_cost {
    [[nodiscard, gnu::always_inline]] static constexpr bool is_small(
        const mode_table& table, const small_loops& at, const target& on,
        bool prepacked = false) noexcept {
        const auto element = static_cast<std::int64_t>(on.element_bytes);
        const auto most = most_bytes / element;
        std::int64_t depth = table.extent(at.depth);
        if (at.pieces != small_loops::none && depth <= most) {
            depth *= table.extent(at.pieces);
        }
        const std::int64_t columns = table.extent(at.columns);
        const std::int64_t rows = table.extent(at.rows);
        if (is_long(table, at, on) && !is_inside(table, at)) {
            return false;
        }
        const bool side_by_side = table.stride(at.columns, at.rhs()) == 1;
        const bool rhs_is_small = depth <= most && columns <= most && depth * columns <= most;
        const bool high_tiles = on.mr > 8;
        const bool has_few_rows = rows <= (high_tiles ? 32 : 16);
        // Of little depth, beginning a tile takes less time here than packing and prefetching.
        if (depth < kernel::two_chains_depth) {
            const bool meet = kernel::share_a_set(table.stride(at.rows, 0) * element);
            return has_few_rows ||
                   columns <= (high_tiles ? 8 : 4) * static_cast<std::int64_t>(on.lanes) ||
                   (!meet &&
                    rows * columns * element <= (high_tiles ? most_results_bytes : 2 * most_bytes));
        }
        // Transposed some columns at a time, where dot tiles take more depth.
        if (!side_by_side && has_few_rows && depth < dot_depth(table, at, on)) {
            return true;
        }
        if ((side_by_side || (!has_few_rows && suits_transposing(table, at, depth, on))) &&
            !prepacked && depth <= most && columns <= most &&
            suits_unpacked_rhs(table, at, depth, on)) {
            return true;
        }
        // One tile of rows reads each register of few columns once, wherever they are.
        const bool once = side_by_side && rows <= tile_rows(columns, on) &&
                          columns <= 16 * static_cast<std::int64_t>(on.lanes);
        return once ? depth <= most && depth * columns <= 8 * most
                    : rhs_is_small && rows * std::max(depth, columns) <= most_lhs_bytes / element;
    }
    /// Whether lhs or results of a product are more than the first-level cache holds.
    [[nodiscard]] static constexpr bool is_long(const mode_table& table, const small_loops& at,
                                                const target& on) noexcept {
        const auto most = most_bytes / static_cast<std::int64_t>(on.element_bytes);
        const std::int64_t pieces = at.pieces == small_loops::none ? 1 : table.extent(at.pieces);
        const std::int64_t depth =
            std::min(std::min(table.extent(at.depth), most) * std::min(pieces, most), 4 * most);
        return table.extent(at.rows) * std::max(depth, table.extent(at.columns)) > 2 * most;
    }
    /// Whether no loop around a product steps closer than its rows, in lhs or in the output: it
    /// would bring the same cache lines again.
    [[nodiscard]] static constexpr bool is_inside(const mode_table& table,
                                                  const small_loops& at) noexcept {
        for (std::size_t m = 0; m < table.size(); ++m) {
            for (const std::size_t array : {std::size_t{0}, at.lhs()}) {
                const std::int64_t step = kernel::magnitude(table.stride(m, array));
                const bool around =
                    m != at.rows && m != at.columns && m != at.depth && m != at.pieces;
                if (around && step != 0 && step < kernel::magnitude(table.stride(at.rows, array))) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Whether columns fill a register, the narrowest or half of the only one, or there is so
    /// little to do that it does not matter. Else the lines of a nest may be faster.
    [[nodiscard, gnu::always_inline]] static constexpr bool fills_registers(
        const mode_table& table, const small_loops& at, const target& on) noexcept {
        return table.extent(at.columns) >=
                   static_cast<std::int64_t>(std::min(on.lanes / 2, on.least_lanes)) ||
               table.has_at_most(few_iterations);
    }

    /// Whether columns fill half of a register at most, and there are loops of more columns.
    [[nodiscard]] static constexpr bool wastes_lanes(const mode_table& table, const small_loops& at,
                                                     const target& on) noexcept {
        return 2 * table.extent(at.columns) <= static_cast<std::int64_t>(on.lanes) &&
               table.extent_of(table.kind(at.columns)) >
                   static_cast<double>(table.extent(at.columns));
    }

    [[nodiscard]] static constexpr double seconds(const mode_table& table, const small_loops& at,
                                                  const target& on) noexcept {
        const auto lanes = static_cast<double>(on.lanes);
        const double columns = static_cast<double>(table.extent(at.columns));
        const double registers = columns <= lanes ? 1 : columns / lanes + 0.5;
        const double others = table.iterations() / columns;
        const double rows = static_cast<double>(table.extent(at.rows));
        const double products = table.elements(0) / columns / rows;
        const double cycles = others * registers / on.core.fused_multiply_adds_per_cycle +
                              8 * products * (rows / 6 + 1) * (registers / 2 + 0.5);
        const double transposing =
            at.transposed ? table.elements(at.rhs()) * transposing_cycles(table, at, on) : 0;
        // Each tile of two registers reads lhs, whose elements may lie on a line each.
        const double waiting =
            waits_for_lhs(table, at, on) ? others * (registers / 2 + 0.5) * line_cycles : 0;
        const double seconds = (cycles + transposing + waiting) / on.core.hertz;
        // A batch of short products takes as long as they do; long ones may wait for memory.
        const double moving =
            is_long(table, at, on) ? transfer_seconds(bytes_moved(table, on), on) : 0;
        return on.core.step_seconds + std::max(seconds, moving);
    }

    /// Whether the lhs of a product lies on more lines than the first-level cache holds, with gaps
    /// between them that keep the hardware from prefetching them, so that a nest may be faster.
    [[nodiscard, gnu::always_inline]] static constexpr bool waits_for_lhs(
        const mode_table& table, const small_loops& at, const target& on) noexcept {
        constexpr auto line = static_cast<std::int64_t>(kernel::line_bytes);
        const std::int64_t lines = table.extent(at.rows) * table.extent(at.depth) *
                                   (at.pieces == small_loops::none ? 1 : table.extent(at.pieces));
        const std::size_t lhs = at.lhs();
        const auto spreads = [&](std::size_t m) {
            return kernel::magnitude(table.stride(m, lhs)) *
                       static_cast<std::int64_t>(on.element_bytes) >=
                   2 * line;
        };
        return lines > first_cache_bytes / line && spreads(at.rows) && spreads(at.depth);
    }

    /// Whether a product whose columns do not fill registers is faster as lines along the depth: if
    /// it lies side by side in both operands, and in lhs alone where that is more than a tile reads
    /// well from where it is.
    [[nodiscard]] static constexpr bool suits_lines(const mode_table& table, const small_loops& at,
                                                    const target& on) noexcept {
        const std::size_t lhs = at.lhs();
        const std::int64_t depth = table.extent(at.depth);
        if (table.stride(at.depth, lhs) != 1) {
            return false;
        }
        if (at.transposed && table.stride(at.depth, 3 - lhs) == 1) {
            return depth >= line_depth;
        }
        const bool dram_resident =
            table.elements(lhs) * static_cast<double>(on.element_bytes) >= dram_lhs_bytes;
        const std::int64_t elements = table.extent(at.rows) * depth;
        return depth >= 4 * line_depth && table.extent(at.rows) > few_line_rows &&
               elements >= (dram_resident ? dram_lhs_elements : cached_lhs_elements);
    }

    /// Whether to transpose an operand: there are rows enough, or dot products with its columns
    /// would be short, and no loop around the product steps closer in it.
    [[nodiscard, gnu::always_inline]] static constexpr bool pays_for_transposing(
        const mode_table& table, const small_loops& at, const target& on) noexcept {
        const std::size_t array = at.rhs();
        const std::int64_t step = std::min(kernel::magnitude(table.stride(at.columns, array)),
                                           kernel::magnitude(table.stride(at.depth, array)));
        bool nearest = true;
        for (std::size_t m = 0; m < table.size(); ++m) {
            const std::int64_t other = kernel::magnitude(table.stride(m, array));
            nearest = nearest && (m == at.pieces || other == 0 || other >= step);
        }
        const std::int64_t rows = table.extent(at.rows);
        const std::int64_t columns = table.extent(at.columns);
        const std::int64_t depth = table.extent(at.depth);
        const auto lanes = static_cast<std::int64_t>(on.lanes);
        const bool is_short =
            depth <= 8 * rows || (rows >= 4 && (depth < few_rows::least_depth(on) ||
                                                (columns <= lanes && depth <= 8 * lanes)));
        // Without lines of the depth in the other operand there are no dot products of vectors.
        const bool no_lines = table.stride(at.depth, 3 - array) != 1 && depth >= transposed_depth &&
                              rows * columns >= transposed_results;
        return nearest && (no_lines || (rows < many_rows ? is_short && columns >= few_columns
                                                         : is_short || columns >= 2 * few_columns));
    }

    /// Whether blocks, which may have rows of several loops, write an output in DRAM in better
    /// order: if each row here has a page of its own, and other rows lie closer.
    [[nodiscard]] static constexpr bool writes_far_apart(const mode_table& table,
                                                         const small_loops& at,
                                                         const target& on) noexcept {
        const auto bytes = static_cast<std::int64_t>(on.element_bytes);
        const std::int64_t row = kernel::magnitude(table.stride(at.rows, 0));
        if (table.elements(0) * static_cast<double>(bytes) < dram_output_bytes ||
            row * bytes < page_bytes) {
            return false;
        }
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.kind(m) == table.kind(at.rows) &&
                kernel::magnitude(table.stride(m, 0)) < row) {
                return true;
            }
        }
        return false;
    }

private:
    /// What is read again and again should leave room in the first-level cache.
    static constexpr std::int64_t most_bytes = std::int64_t{32} << 10U;
    static_assert(most_bytes <= kernel::transposed_bytes);
    // Measured beside blocks; see docs/kernels/gemm.md.
    /// Of more depth than a few steps, an lhs or results that the second-level cache holds.
    static constexpr std::int64_t most_lhs_bytes = std::int64_t{512} << 10U;
    /// Of little depth, results that it holds, unless rows or registers of columns are few.
    static constexpr std::int64_t most_results_bytes = std::int64_t{384} << 10U;
    static constexpr std::int64_t unpacked_rows = 128;
    static constexpr std::int64_t meeting_rows = 12;
    static constexpr std::int64_t first_cache_bytes = 48 << 10;
    /// A line of the second-level cache.
    static constexpr double line_cycles = 3;
    // Measured beside sums of products along the depth; see docs/kernels/gemm.md.
    static constexpr std::int64_t many_rows = 8;
    static constexpr std::int64_t few_columns = 4;
    static constexpr std::int64_t transposed_depth = 64;
    static constexpr std::int64_t transposed_results = 6;
    /// Of products whose columns do not fill the narrowest register, or half of the only one: those
    /// of so few iterations are small in any case, and what makes lines of their depth.
    static constexpr std::int64_t few_iterations = 4096;
    static constexpr std::int64_t line_depth = 16;
    static constexpr std::int64_t few_line_rows = 8;
    static constexpr double dram_lhs_bytes = 8 << 20U;
    static constexpr std::int64_t dram_lhs_elements = 2048;
    static constexpr std::int64_t cached_lhs_elements = 8192;

    /// Whether so few rows do not pay for packing an rhs that the second-level cache holds. Rows of
    /// either operand that meet in one set of the first-level cache do.
    [[nodiscard, gnu::always_inline]] static constexpr bool suits_unpacked_rhs(
        const mode_table& table, const small_loops& at, std::int64_t depth,
        const target& on) noexcept {
        const auto element = static_cast<std::int64_t>(on.element_bytes);
        const std::int64_t rows = table.extent(at.rows);
        const auto meet = [&](std::size_t m, std::size_t array) {
            return kernel::share_a_set(table.stride(m, array) * element);
        };
        return rows <= unpacked_rows &&
               depth * table.extent(at.columns) * element <= on.tuned.unpacked_rhs_bytes &&
               (table.stride(at.columns, at.rhs()) != 1 || !meet(at.depth, at.rhs())) &&
               (rows <= meeting_rows || !meet(at.rows, at.lhs()));
    }
    /// Whether rhs of all products comes from DRAM, of which transposing prefetches nothing.
    [[nodiscard, gnu::always_inline]] static constexpr bool is_dram_resident(
        const mode_table& table, const small_loops& at, const target& on) noexcept {
        return table.elements(at.rhs()) * static_cast<double>(on.element_bytes) >=
               static_cast<double>(on.tuned.dram_bytes);
    }
    /// Whether an rhs that comes from a cache is transposed for whole tiles at once.
    [[nodiscard, gnu::always_inline]] static constexpr bool suits_transposing(
        const mode_table& table, const small_loops& at, std::int64_t depth,
        const target& on) noexcept {
        const auto element = static_cast<std::int64_t>(on.element_bytes);
        const std::int64_t tile = depth * 2 * static_cast<std::int64_t>(on.lanes) * element;
        return depth <= most_bytes && tile <= most_bytes && !is_dram_resident(table, at, on);
    }
    /// Rows of a tile for so many columns: see kernel::small_rows.
    [[nodiscard]] static constexpr std::int64_t tile_rows(std::int64_t columns,
                                                          const target& on) noexcept {
        const bool one_register = columns <= static_cast<std::int64_t>(on.lanes);
        return on.mr > 8 ? (one_register ? 16 : 8) : (one_register ? 8 : 6);
    }
    /// Depth from which on dot tiles take less time than to transpose rhs for so many rows.
    [[nodiscard]] static constexpr std::int64_t dot_depth(const mode_table& table,
                                                          const small_loops& at,
                                                          const target& on) noexcept {
        return table.extent(at.rows) > 16 && !is_dram_resident(table, at, on)
                   ? 10 * static_cast<std::int64_t>(on.lanes)
                   : few_rows::least_depth(on);
    }
    /// To transpose one element: in squares of registers where both sides have so many, the last of
    /// which lies over the one before. Longer registers share shuffles among more elements.
    [[nodiscard]] static constexpr double transposing_cycles(const mode_table& table,
                                                             const small_loops& at,
                                                             const target& on) noexcept {
        const auto lanes = static_cast<std::int64_t>(on.lanes);
        const std::int64_t columns = table.extent(at.columns);
        if (columns < lanes || table.extent(at.depth) < lanes) {
            return 1;
        }
        const std::int64_t squares = (columns + lanes - 1) / lanes * lanes;
        return std::min(1.0, (0.2 + 3.2 / static_cast<double>(lanes)) *
                                 static_cast<double>(squares) / static_cast<double>(columns));
    }
};

}  // namespace xeinsum::lowerings
