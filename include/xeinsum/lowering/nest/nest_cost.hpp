// Cycles of a loop nest: "ij,j->i" in vectors pays for its lines and their registers, "ji,ik->jki"
// of short loops for every term and every result.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/reduce/term_blocks.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/lowering/nest/permute_cost.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// Cycles that a nest without vectors waits for memory in each iteration: along the loop that moves
/// least, which is the innermost.
[[nodiscard]] constexpr double scalar_wait_cycles(const mode_table& table,
                                                  const target& on) noexcept {
    const kernel::arrangement a = arrangement_of(table);
    const bool sums = a.output_count < a.count;
    const std::size_t first = sums ? a.output_count : 0;
    if (first == a.count) {
        return 0;
    }
    std::size_t inner = first;
    for (std::size_t m = first + 1; m < a.count; ++m) {
        const bool closer =
            sums ? kernel::reach(a, m, 1) <= kernel::reach(a, inner, 1)
                 : kernel::magnitude(a.stride(m, 0)) <= kernel::magnitude(a.stride(inner, 0));
        inner = closer ? m : inner;
    }
    double cycles = 0;
    for (std::size_t array = 0; array <= a.inputs; ++array) {
        cycles += wait_cycles(table, inner, array, on);
    }
    return cycles;
}

/// The extent of the output loop whose results go in fours: see kernel::arrange_rows.
[[nodiscard]] constexpr std::int64_t scalar_rows_of(const kernel::arrangement& a) noexcept {
    const std::size_t leader = kernel::leading_array(a);
    std::size_t row = a.count;
    for (std::size_t m = 0; m < a.output_count; ++m) {
        const bool better =
            row == a.count ||
            (a.extent(m) >= kernel::scalar_rows &&
             (a.extent(row) < kernel::scalar_rows || runs_inside(a, m, row, leader))) ||
            (a.extent(row) < kernel::scalar_rows && runs_inside(a, m, row, leader));
        row = better ? m : row;
    }
    return row == a.count ? 1 : a.extent(row);
}

/// The extent of the innermost loop of terms.
[[nodiscard]] constexpr std::int64_t closest_terms(const kernel::arrangement& a) noexcept {
    std::size_t inner = a.output_count;
    for (std::size_t m = inner + 1; m < a.count; ++m) {
        inner = kernel::reach(a, m, 1) <= kernel::reach(a, inner, 1) ? m : inner;
    }
    return a.extent(inner);
}

/// What a nest without vectors takes at least: its terms, if nothing waits and all rows go in
/// fours.
[[nodiscard]] constexpr double least_scalar_nest_cycles(const mode_table& table,
                                                        const target& on) noexcept {
    return table.output_count() == table.size()
               ? table.elements(0) * on.core.scalar_result_cycles
               : table.iterations() * on.core.scalar_cycles * on.flop_weight *
                     static_cast<double>(table.inputs()) / 2;
}

/// Cycles of a nest without vectors: rows of results go in fours.
[[nodiscard]] constexpr double scalar_nest_cycles(const mode_table& table,
                                                  const target& on) noexcept {
    const kernel::arrangement a = arrangement_of(table);
    const double results = table.elements(0);
    const double iterations = table.iterations();
    const double waits = iterations * scalar_wait_cycles(table, on);
    if (a.output_count == a.count) {
        return waits + results * on.core.scalar_result_cycles;
    }
    // Rows that do not fill four run alone, and wait for each addition.
    const std::int64_t rows = scalar_rows_of(a);
    const double alone =
        static_cast<double>(rows % kernel::scalar_rows) / static_cast<double>(rows);
    // Loops around the innermost one start it anew for every four results.
    const double lines = iterations / static_cast<double>(closest_terms(a)) *
                         (alone + (1 - alone) / kernel::scalar_rows);
    const double term = on.core.scalar_cycles * on.flop_weight * (1 + 2 * alone) *
                        static_cast<double>(table.inputs()) / 2;
    return waits + iterations * term + 2 * results * on.core.scalar_cycles +
           (a.count - a.output_count > 1 ? lines * on.core.line_cycles : 0);
}

/// The output loop inside the others, the vector loop aside; a.count if there is none.
[[nodiscard]] constexpr std::size_t row_loop(const kernel::arrangement& a,
                                             const kernel::vector_choice& vectors) noexcept {
    std::size_t inside = a.count;
    std::size_t others = 0;
    for (std::size_t m = 0; m < a.output_count; ++m) {
        others += m != vectors.row ? 1U : 0U;
        inside = m != vectors.row ? m : inside;
    }
    if (others < 2) {
        return inside;
    }
    const std::size_t leader = kernel::leading_array(a);
    inside = a.count;
    for (std::size_t m = 0; m < a.output_count; ++m) {
        const bool closer = inside == a.count || kernel::magnitude(a.stride(m, leader)) <
                                                     kernel::magnitude(a.stride(inside, leader));
        inside = m != vectors.row && closer ? m : inside;
    }
    return inside;
}
[[nodiscard]] constexpr std::int64_t rows_inside(const kernel::arrangement& a,
                                                 const kernel::vector_choice& vectors) noexcept {
    const std::size_t row = row_loop(a, vectors);
    return row == a.count ? 1 : a.extent(row);
}

/// Whether output loop m goes over many rows that share a line of one of two inputs, in sums along
/// one loop.
[[nodiscard]] constexpr bool shares_a_line(const kernel::arrangement& a, std::size_t m) noexcept {
    return a.inputs == 2 && a.count == a.output_count + 1 && a.extent(m) >= kernel::sharing_rows &&
           (a.stride(m, 1) == 0) != (a.stride(m, 2) == 0);
}
/// The rows of the longest such loop; 0 if there is none.
[[nodiscard, gnu::noinline]] constexpr std::int64_t rows_of_a_line(
    const kernel::arrangement& a) noexcept {
    std::int64_t rows = 0;
    for (std::size_t m = 0; m < a.output_count; ++m) {
        rows = shares_a_line(a, m) ? std::max(rows, a.extent(m)) : rows;
    }
    return rows;
}

/// Whether rows of sums along a loop had best load a line that they share once for some of them:
/// where the inputs stay in a near cache, as loading is what takes time there, and where the first
/// cache would not keep what is shared, be it a line or all lines of an input.
[[nodiscard]] constexpr bool shares_lines(const mode_table& table, std::size_t line,
                                          const target& on) noexcept {
    constexpr double near_bytes = 1 << 20;
    if (table.inputs() != 2 || table.stride(line, 1) != 1 || table.stride(line, 2) != 1) {
        return false;
    }
    const auto element_bytes = static_cast<std::int64_t>(on.element_bytes);
    if (table.extent(line) * element_bytes >= kernel::long_shared_bytes) {
        return true;
    }
    const double first = table.elements(1) * static_cast<double>(element_bytes);
    const double second = table.elements(2) * static_cast<double>(element_bytes);
    const double both = first + second;
    return both <= near_bytes ||
           (both <= 4 * near_bytes &&
            std::min(first, second) > static_cast<double>(on.core.first_cache_bytes));
}

/// Cycles that a sum with results in vectors waits for a register of its inputs: of those that are
/// read anew for every iteration of another output loop, if the terms of a line push each other out
/// of the first cache.
[[nodiscard]] constexpr double reread_cycles(const mode_table& table, std::size_t row,
                                             const target& on) noexcept {
    const kernel::arrangement a = arrangement_of(table);
    const auto element_bytes = static_cast<double>(on.element_bytes);
    double lines = 0;
    for (std::size_t i = 1; i <= a.inputs; ++i) {
        bool again = false;
        double bytes = element_bytes * static_cast<double>(a.extent(row));
        for (std::size_t m = 0; m < a.count; ++m) {
            again = again || (m < a.output_count && a.stride(m, i) == 0);
            bytes *=
                m >= a.output_count && a.stride(m, i) != 0 ? static_cast<double>(a.extent(m)) : 1.0;
        }
        if (again && a.stride(row, i) == 1 &&
            bytes > static_cast<double>(on.core.first_cache_bytes)) {
            lines += static_cast<double>(on.lanes) * element_bytes / line_bytes;
        }
    }
    return lines * on.core.near_line_cycles;
}

/// Whether sums with results in vectors stay in registers, as kernel::output_vectors decides.
[[nodiscard]] constexpr bool sums_directly(const kernel::arrangement& a,
                                           const kernel::vector_choice& vectors,
                                           std::int64_t registers, const target& on) noexcept {
    if (a.count - a.output_count != 1) {
        return false;
    }
    const std::size_t term = a.output_count;
    const std::size_t row = row_loop(a, vectors);
    kernel::line_terms l{registers, a.extent(term),
                         kernel::most_streams(kernel::unit_inputs(a, vectors.row))};
    l.rows_inside = row != a.count && kernel::reach(a, row, 1) < kernel::reach(a, term, 1);
    for (std::size_t i = 1; i <= a.inputs; ++i) {
        const std::int64_t bytes = a.stride(term, i) * static_cast<std::int64_t>(on.element_bytes);
        l.held = l.held && kernel::sets_hold(l.terms, bytes);
    }
    return kernel::are_direct(l);
}

/// Whether lines of sums are so short that a register holds several, as they follow each other in
/// all inputs.
[[nodiscard]] constexpr bool packs_lines(const kernel::arrangement& a,
                                         const kernel::vector_choice& vectors,
                                         const target& on) noexcept {
    const std::int64_t extent = a.extent(vectors.row);
    const std::size_t row = row_loop(a, vectors);
    bool follow = on.lanes > 2 && kernel::is_group(extent, on.lanes) && row != a.count &&
                  a.extent(row) >= static_cast<std::int64_t>(on.lanes);
    for (std::size_t i = 1; follow && i <= a.inputs; ++i) {
        follow = a.stride(vectors.row, i) == 1 && a.stride(row, i) == extent;
    }
    return follow && a.inputs <= 3;
}

/// Cycles of a nest along vectors: an iteration loads every input that the vector loop changes.
/// Inputs that jump are gathered; if there is a loop across which they are transposed, they move in
/// tiles and are loaded then.
[[nodiscard]] constexpr double vector_nest_cycles(const mode_table& table,
                                                  const kernel::vector_choice& vectors,
                                                  const target& on,
                                                  std::size_t across = max_modes) noexcept {
    const kernel::arrangement a = arrangement_of(table);
    const auto extent = static_cast<double>(table.extent(vectors.row));
    const auto width = static_cast<std::int64_t>(on.lanes);
    const auto registers = static_cast<double>((table.extent(vectors.row) + width - 1) / width);
    const double iterations = table.iterations();
    const double lines = iterations / extent;  // each has its own loop control
    const bool sums = a.output_count < a.count;
    const bool transposes = across != max_modes;
    const double high =  // of a tile
        transposes ? static_cast<double>(std::min(a.extent(across), kernel::transposed_across)) : 1;
    double gathers = 0;
    double units = static_cast<double>(kernel::unit_inputs(a, vectors.row));
    for (std::size_t i = 1; i <= a.inputs; ++i) {
        if (!kernel::is_apart(a.stride(vectors.row, i))) {
            continue;
        }
        const double gathered = on.core.gather_cycles + wait_cycles(table, vectors.row, i, on);
        if (transposes) {
            const bool once = a.stride(across, i) == 0;
            gathers +=
                once ? gathered / high : square_cycles(on) + wait_cycles(table, across, i, on);
            units += 1;
        } else {
            gathers += gathered;
        }
    }
    if (transposes) {
        // A tile enters two kernels: what moves it, and what multiplies.
        const double wide = std::min(extent, static_cast<double>(kernel::transposed_along));
        gathers += 2 * on.core.step_seconds * on.core.hertz / (high * wide);
    }
    const bool along_output = vectors.kind == kernel::vector_loop::output;
    if (!along_output && !transposes && packs_lines(a, vectors, on)) {
        // Registers are added to a panel, and groups of their lanes added up at the end.
        const double full = iterations / static_cast<double>(on.lanes);
        const double runs = lines / static_cast<double>(rows_inside(a, vectors));
        return full * std::max((units + 2) / on.core.loads_per_cycle, on.flop_weight) +
               table.elements(0) + runs * on.core.rows_cycles;
    }
    double line = on.core.line_cycles;
    if (!along_output) {
        // An input that stays in place is multiplied in once more at the end of a line.
        const bool fixed = kernel::unit_inputs(a, vectors.row) < a.inputs;
        const std::int64_t rows = std::max(rows_inside(a, vectors), rows_of_a_line(a));
        const bool several = a.count - a.output_count > 1;
        line = rows >= kernel::scalar_rows ? on.core.lane_sum_cycles : on.core.lone_sum_cycles;
        // Short lines of as many rows as lanes wait for each other in registers.
        const bool together = a.inputs <= 2 && !fixed && registers <= 4 && rows >= width;
        line *= together ? 0.5 : 1;
        line *= fixed ? 1.5 : 1;
        // Lanes are added up behind the last of several lines.
        line *= a.inputs <= 2 && several ? 0.5 : 1;
        // Rows begin anew for each of them.
        if (several && rows >= kernel::scalar_rows) {
            line += on.core.rows_cycles / static_cast<double>(rows);
        }
    }
    // Kernels know up to three inputs when they are compiled, and count through others.
    const bool counts = a.inputs > 3 || (gathers > 0 && !transposes);
    // Along results they are multiplied one after the other into registers in memory.
    const double input = along_output ? 2 / on.core.loads_per_cycle : on.core.input_cycles;
    const double inputs = counts ? static_cast<double>(a.inputs) * input : 0;
    if (!along_output || !sums) {
        const bool shares =
            !along_output && rows_of_a_line(a) > 0 && shares_lines(table, vectors.row, on);
        const double moves = along_output ? units + 1 : shares ? 1.0 + 1.0 / 8 : units;
        // Nothing is decided in lines of products that no other is added to.
        line *= along_output && !counts && !transposes ? 0.5 : 1;
        return lines * (registers *
                            (std::max(moves / on.core.loads_per_cycle, on.flop_weight) + inputs) +
                        line) +
               iterations * gathers;
    }
    const double results = table.elements(0);
    const double scattered =
        a.stride(vectors.row, 0) == 1 ? 0 : results * on.core.scalar_result_cycles;
    // A line shorter than a register is read through a mask, term by term.
    const double masked = extent < static_cast<double>(width) ? on.core.term_line_cycles : 0;
    // Terms are added to a panel of results in one pass for each block.
    const std::int64_t terms = closest_terms(a);
    const std::int64_t passes = kernel::block_count(kernel::most_streams(1), terms);
    const double part = static_cast<double>(passes) / static_cast<double>(terms);
    if (!counts && !transposes &&
        sums_directly(a, vectors, static_cast<std::int64_t>(registers), on)) {
        const double factors = units < static_cast<double>(a.inputs) ? 1 : 0;
        return lines *
                   (registers * std::max((units + part) / on.core.loads_per_cycle, on.flop_weight) +
                    factors / on.core.loads_per_cycle + masked) +
               results / extent * on.core.line_cycles;
    }
    return lines * (registers *
                        (std::max((units + 2 * part) / on.core.loads_per_cycle, on.flop_weight) +
                         inputs + reread_cycles(table, vectors.row, on)) +
                    on.core.term_line_cycles + part * on.core.line_cycles + masked) +
           iterations * gathers +
           results / extent * (on.core.line_cycles + 2 * registers / on.core.loads_per_cycle) +
           scattered;
}

}  // namespace xeinsum::lowerings
