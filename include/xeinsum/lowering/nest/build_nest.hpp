// A step as one loop nest: what broadcast-multiply-reduce always is, and matrix products such as
// "ij,j->i" whose shape leaves nothing for blocks to reuse.
#pragma once

#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/lowering/nest/choose_nest.hpp>
#include <xeinsum/lowering/nest/matrix_vector.hpp>
#include <xeinsum/lowering/nest/permuted_sum.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

[[nodiscard]] constexpr kernel::vector_loop vector_loop_of(const recipe& how) noexcept {
    return static_cast<kernel::vector_loop>(how.nest.along);
}
/// The row that runs in vectors, if one does.
[[nodiscard]] constexpr std::size_t vector_row(const recipe& how) noexcept {
    return how.groups[0] - std::size_t{1} +
           (vector_loop_of(how) == kernel::vector_loop::contracted ? how.groups[1] : 0U);
}

/// Chooses the last output loop of a nest along summed lines: the closest loop of some rows, or, if
/// lines are short, of as many as a register has lanes, whose sums are then one register, unless
/// arrays are in DRAM and best read in order; where lines are shared, and long enough to gain from
/// it, the closest loop of rows that share one, unless short ones meet in one set of the cache.
constexpr void choose_rows(kernel::arrangement& a, bool dram_resident, bool shares,
                           const target& on) noexcept {
    constexpr std::int64_t registers = 4;
    constexpr std::int64_t long_bytes = 384;
    const std::int64_t extent = a.extent(a.count - 1);
    const auto lanes = static_cast<std::int64_t>(on.lanes);
    // Whether lines follow each other in all inputs that the loop moves.
    const auto is_in_order = [&](std::size_t m) {
        bool in_order = true;
        for (std::size_t i = 1; i <= a.inputs; ++i) {
            const std::int64_t stride = a.stride(m, i);
            in_order = in_order && (stride == 0 || stride == extent);
        }
        return in_order;
    };
    const auto have_last = [&](std::int64_t rows) {
        kernel::make_last(a, a.output_count, [&](std::size_t m) {
            return a.extent(m) >= rows && (!dram_resident || is_in_order(m));
        });
    };
    // From DRAM long lines that rows share are read once for all of them.
    const bool is_short = extent < 12 * lanes;
    if (!dram_resident || is_short) {
        have_last(kernel::scalar_rows);
    }
    const std::int64_t together =
        kernel::short_line_registers(2, on.lanes * on.element_bytes, false) * lanes;
    if (dram_resident ? is_short : extent < together) {
        have_last(lanes);
    }
    if (!shares || extent < registers * lanes) {
        return;
    }
    const auto bytes = static_cast<std::int64_t>(on.element_bytes);
    kernel::make_last(a, a.output_count, [&](std::size_t m) {
        const std::int64_t apart = kernel::reach(a, m, 1) * bytes;
        return shares_a_line(a, m) && (extent * bytes >= long_bytes || apart % page_bytes != 0);
    });
}

/// Whether lines are worth a register for the sums of as many rows as it has lanes: from caches
/// where there are as many, from DRAM where their sums alone would fill a part of the first-level
/// cache, or lines end with parts of registers, which are then prefetched.
[[nodiscard]] constexpr bool rows_fill_lanes(const kernel::arrangement& a, bool dram_resident,
                                             const target& on) noexcept {
    const auto lanes = static_cast<std::int64_t>(on.lanes);
    const auto many = static_cast<std::int64_t>(kernel::cached_panel_bytes / 2 / on.element_bytes);
    const std::int64_t rows = a.extent(a.output_count - 1);
    return dram_resident
               ? rows * lanes > many || (rows >= 4 * lanes && a.extent(a.count - 1) % lanes != 0)
               : rows >= lanes;
}

/// Whether each row of sums along short lines takes all its terms before the next one begins, so
/// that the loop inside is one of many lines: where rows are few, and a near cache keeps what they
/// read.
[[nodiscard]] constexpr bool rows_are_few(const kernel::arrangement& a, const target& on) noexcept {
    if (a.output_count == 0 || a.count - a.output_count < 2) {
        return false;
    }
    constexpr std::int64_t few = 8;
    constexpr std::int64_t many = 16;
    const auto bytes = static_cast<std::int64_t>(on.element_bytes);
    const std::int64_t rows = a.extent(a.output_count - 1);
    const std::int64_t terms = a.extent(a.count - 2);
    const std::int64_t line = a.extent(a.count - 1);
    const std::int64_t read =
        terms * std::max(rows * line * bytes, static_cast<std::int64_t>(kernel::line_bytes));
    return rows < few && terms >= many && line < few * static_cast<std::int64_t>(on.lanes) &&
           read <= static_cast<std::int64_t>(on.core.near_cache_bytes / a.inputs);
}

/// Makes a longer loop the last around short lines of products, where the closest one has so few
/// rows that beginning them takes as long as they do, and the longer one stays in the first cache.
[[gnu::cold]] constexpr void choose_product_rows(kernel::arrangement& a,
                                                 const target& on) noexcept {
    if (a.output_count < 3) {
        return;
    }
    const std::size_t line = a.output_count - 1;
    const auto bytes = static_cast<std::int64_t>(on.element_bytes);
    if (a.extent(line - 1) >= kernel::scalar_rows ||
        a.extent(line) >= static_cast<std::int64_t>(2 * on.lanes)) {
        return;
    }
    kernel::make_last(a, line, [&](std::size_t m) {
        return a.extent(m) >= kernel::scalar_rows &&
               a.extent(m) * kernel::reach(a, m, 0) * bytes <=
                   static_cast<std::int64_t>(on.core.first_cache_bytes);
    });
}

/// Orders the rows for a sum in the order of its input.
[[gnu::cold]] constexpr void build_permuted_sum(mode_table& table, bool dram_resident,
                                                const target& on, recipe& how) {
    const kernel::vector_loop along = permuted_sum(table).arrange(table, on);
    const kernel::arrangement a = arrangement_of(table);
    how.nest = {.along = static_cast<unsigned char>(along),
                .permuted = true,
                .dram_resident = dram_resident,
                .fills_lanes = along == kernel::vector_loop::contracted &&
                               rows_fill_lanes(a, dram_resident, on)};
    how.groups[0] = static_cast<unsigned char>(a.output_count);
    how.groups[1] = static_cast<unsigned char>(a.count - a.output_count);
    const bool in_scratch =
        kernel::sums_in_scratch(along, a.count - a.output_count, true, dram_resident);
    how.scratch_bytes = permuted_results_bytes(table.elements(0), on.element_bytes) +
                        nest_scratch_bytes(table, 1, false, in_scratch, on);
}

/// Orders the rows for one nest. groups: output loops, contracted loops, the row across which
/// inputs are transposed.
constexpr void build_nest(mode_table& table, const target& on, recipe& how) {
    if (const auto along = matrix_vector_loop(table, on); along != kernel::vector_loop::none) {
        build_matrix_vector(table, along, on, how);
        return;
    }
    kernel::arrangement a = arrangement_of(table);
    const nest_choice choice = choose_nest_to_build(table, on);
    const bool dram_resident = inputs_are_dram_resident(table, on);
    if (choice.permuted) {
        build_permuted_sum(table, dram_resident, on, how);
        return;
    }
    const bool along_sums = choice.vectors.kind == kernel::vector_loop::contracted;
    bool shares = along_sums && shares_lines(table, choice.vectors.row, on);
    bool fills = false;
    bool row_by_row = false;
    kernel::arrange_around(choice.vectors, a);
    if (along_sums) {
        choose_rows(a, dram_resident, shares, on);
        shares = shares && a.output_count > 0 && shares_a_line(a, a.output_count - 1);
        fills = a.output_count > 0 && rows_fill_lanes(a, dram_resident, on);
        row_by_row = !shares && !choice.transposed && rows_are_few(a, on);
    } else if (choice.vectors.kind == kernel::vector_loop::output && a.count == a.output_count &&
               !choice.transposed) {
        choose_product_rows(a, on);
    }
    how.nest = {.along = static_cast<unsigned char>(choice.vectors.kind),
                .transposed = choice.transposed,
                .dram_resident = dram_resident,
                .shares_lines = shares,
                .fills_lanes = fills,
                .row_by_row = row_by_row};
    how.groups[0] = static_cast<unsigned char>(a.output_count);
    how.groups[1] = static_cast<unsigned char>(a.count - a.output_count);
    how.scratch_bytes = nest_scratch_bytes(
        table, choice.transposed ? kernel::gathered_inputs(a, vector_row(how)) : table.inputs(),
        choice.transposed,
        kernel::sums_in_scratch(choice.vectors.kind, a.count - a.output_count, a.output_count > 0,
                                dram_resident),
        on);
    if (choice.transposed) {
        how.groups[2] = static_cast<unsigned char>(loop_across(a, vector_row(how)));
    }
}
[[nodiscard]] constexpr recipe build_nest(mode_table& table, const target& on) {
    recipe how;
    build_nest(table, on, how);
    return how;
}

/// Iterations of row m that threads may not share: lanes of vectors, lines whose sums are added up
/// together, and tiles of inputs that are transposed.
[[nodiscard]] constexpr std::int64_t nest_unit(const recipe& how, std::size_t m,
                                               const target& on) noexcept {
    constexpr std::size_t registers = 8;
    const std::size_t output_end = how.groups[0];
    const std::size_t end = output_end + how.groups[1];
    if (how.nest.transposed && m == how.groups[2]) {
        return kernel::transposed_across;
    }
    if (how.nest.permuted && m < output_end) {
        return m == 0 ? 1 : 0;  // the others may be one loop
    }
    switch (vector_loop_of(how)) {
        case kernel::vector_loop::none: break;
        case kernel::vector_loop::output:
            return m + 1 == output_end ? static_cast<std::int64_t>(registers * on.lanes) : 1;
        case kernel::vector_loop::contracted:
            return m + 1 == end ? static_cast<std::int64_t>(registers * on.lanes)
                   : m + 1 == output_end
                       ? static_cast<std::int64_t>(std::max(kernel::rows_at_once, on.lanes))
                       : 1;
    }
    return 1;
}

}  // namespace xeinsum::lowerings
