// A step as one loop nest: what broadcast-multiply-reduce always is, and matrix products such as
// "ij,j->i" whose shape leaves nothing for blocks to reuse.
#pragma once

#include <xeinsum/kernel/arrange.hpp>
#include <xeinsum/kernel/multiply_reduce.hpp>
#include <xeinsum/kernel/permute.hpp>
#include <xeinsum/plan/mode_table.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

using planning::target;

[[nodiscard]] constexpr kernel::arrangement arrangement_of(const mode_table& table) noexcept {
    return {table.row(0), table.pitch(), table.inputs(), table.output_count(), table.size()};
}

/// Bytes that must move between memory and core, each array once.
[[nodiscard]] constexpr double bytes_moved(const mode_table& table, const target& on) noexcept {
    double elements = 0;
    for (std::size_t array = 0; array <= table.inputs(); ++array) {
        elements += table.elements(array);
    }
    return elements * static_cast<double>(on.element_bytes);
}

/// Seconds for moving bytes that live in memory or, if few, in one of the caches.
[[nodiscard]] constexpr double transfer_seconds(double bytes, const target& on) noexcept {
    const auto fits = [bytes](std::size_t cache) { return bytes <= static_cast<double>(cache); };
    return fits(on.core.first_cache_bytes)  ? 0
           : fits(on.core.near_cache_bytes) ? bytes / on.core.near_bytes_per_second
           : fits(on.core.cache_bytes)      ? bytes / on.core.cached_bytes_per_second
                                            : bytes / on.core.bytes_per_second;
}

/// Seconds for computing and moving, which overlap only in part.
[[nodiscard]] constexpr double overlapped(double cycles, double transfer,
                                          const target& on) noexcept {
    const double computing = cycles / on.core.hertz;
    return std::max(computing, transfer) + 0.5 * std::min(computing, transfer);
}

/// Cycles that a step along a loop waits for an array: for the part of a cache line that it moves
/// on, where the array does not fit the near cache.
[[nodiscard]] constexpr double wait_cycles(const mode_table& table, std::size_t row,
                                           std::size_t array, const target& on) noexcept {
    constexpr double line_bytes = 64;
    const auto element_bytes = static_cast<double>(on.element_bytes);
    const double bytes = table.elements(array) * element_bytes;
    if (bytes <= static_cast<double>(on.core.near_cache_bytes)) {
        return 0;
    }
    const auto step =
        static_cast<double>(kernel::magnitude(table.stride(row, array))) * element_bytes;
    return std::min(step / line_bytes, 1.0) * (bytes <= static_cast<double>(on.core.cache_bytes)
                                                   ? on.core.cached_line_cycles
                                                   : on.core.distant_line_cycles);
}

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
    // Loops around the innermost one start it anew for every four results.
    std::size_t inner = a.output_count;
    for (std::size_t m = inner + 1; m < a.count; ++m) {
        inner = kernel::reach(a, m, 1) <= kernel::reach(a, inner, 1) ? m : inner;
    }
    const double rows = results < kernel::scalar_rows ? 1 : kernel::scalar_rows;
    const double lines = iterations / static_cast<double>(a.extent(inner)) / rows;
    const double term = on.core.scalar_cycles * on.flop_weight * (rows == 1 ? 3 : 1) *
                        static_cast<double>(table.inputs()) / 2;
    return waits + iterations * term + 2 * results * on.core.scalar_cycles +
           (a.count - a.output_count > 1 ? lines * on.core.line_cycles : 0);
}

/// The extent of the output loop inside the others, the vector loop aside.
[[nodiscard]] constexpr std::int64_t rows_inside(const kernel::arrangement& a,
                                                 const kernel::vector_choice& vectors) noexcept {
    const std::size_t leader = kernel::leading_array(a);
    std::size_t inside = a.count;
    for (std::size_t m = 0; m < a.output_count; ++m) {
        const bool closer = inside == a.count || kernel::magnitude(a.stride(m, leader)) <
                                                     kernel::magnitude(a.stride(inside, leader));
        inside = m != vectors.row && closer ? m : inside;
    }
    return inside == a.count ? 1 : a.extent(inside);
}

/// Cycles of a nest along vectors: an iteration loads every input that the vector loop changes.
[[nodiscard]] constexpr double vector_nest_cycles(const mode_table& table,
                                                  const kernel::vector_choice& vectors,
                                                  const target& on) noexcept {
    const kernel::arrangement a = arrangement_of(table);
    const auto extent = static_cast<double>(table.extent(vectors.row));
    const auto width = static_cast<std::int64_t>(on.lanes);
    const auto registers = static_cast<double>((table.extent(vectors.row) + width - 1) / width);
    const double lines = table.iterations() / extent;  // each has its own loop control
    const double results = table.elements(0);
    const bool sums = a.output_count < a.count;
    double gathers = 0;
    for (std::size_t i = 1; i <= a.inputs; ++i) {
        const std::int64_t stride = a.stride(vectors.row, i);
        gathers += stride == 0 || stride == 1
                       ? 0
                       : on.core.gather_cycles + wait_cycles(table, vectors.row, i, on);
    }
    const bool along_output = vectors.kind == kernel::vector_loop::output;
    const auto units = static_cast<double>(kernel::unit_inputs(a, vectors.row));
    double line = sums ? on.core.term_line_cycles : on.core.line_cycles;
    if (!along_output) {
        // An input that stays in place is multiplied in once more at the end of a line.
        const bool fixed = kernel::unit_inputs(a, vectors.row) < a.inputs;
        const bool in_fours = rows_inside(a, vectors) >= kernel::scalar_rows;
        line = (in_fours ? on.core.lane_sum_cycles : on.core.lone_sum_cycles) * (fixed ? 1.5 : 1);
    }
    const double moves = units + (along_output ? 1 : 0);
    return lines * (registers * std::max(moves / on.core.loads_per_cycle, on.flop_weight) + line) +
           table.iterations() * gathers + (along_output && sums ? results / extent * line : 0);
}

/// How a nest runs, and the cycles that it is predicted to take.
struct nest_choice {
    kernel::vector_choice vectors{};
    double cycles = 0;
};

/// Takes vectors where there is a loop for them that is not so short that scalars are faster.
[[nodiscard]] constexpr nest_choice choose_nest(const mode_table& table,
                                                const target& on) noexcept {
    const kernel::arrangement a = arrangement_of(table);
    const kernel::vector_choice vectors = kernel::choose_vector_loop(a, on.lanes);
    const bool moves = table.inputs() == 1 && a.output_count == a.count;
    if (vectors.kind == kernel::vector_loop::none) {
        return {vectors, moves ? 0 : scalar_nest_cycles(table, on)};
    }
    const double cycles = vector_nest_cycles(table, vectors, on);
    const bool is_short = table.extent(vectors.row) < static_cast<std::int64_t>(2 * on.lanes);
    const double scalar = is_short && !moves ? scalar_nest_cycles(table, on) : cycles;
    return scalar < cycles ? nest_choice{{}, scalar} : nest_choice{vectors, cycles};
}

/// Predicted seconds of the nest.
[[nodiscard]] constexpr double nest_seconds(const mode_table& table, const target& on) noexcept {
    return on.core.step_seconds + overlapped(choose_nest(table, on).cycles,
                                             transfer_seconds(bytes_moved(table, on), on), on);
}

/// Orders the rows for one nest. groups: output loops, contracted loops; variant: the vector loop.
[[nodiscard]] constexpr recipe build_nest(mode_table& table, const target& on) {
    kernel::arrangement a = arrangement_of(table);
    const kernel::vector_choice vectors = choose_nest(table, on).vectors;
    kernel::arrange_around(vectors, a);
    recipe how;
    how.variant = static_cast<unsigned char>(vectors.kind);
    how.groups[0] = static_cast<unsigned char>(a.output_count);
    how.groups[1] = static_cast<unsigned char>(a.count - a.output_count);
    how.scratch_bytes = kernel::multiply_reduce_scratch_bytes(table.inputs());
    return how;
}

/// Iterations of row m that threads may not share: lanes of vectors, and lines whose sums are added
/// up together.
[[nodiscard]] constexpr std::int64_t nest_unit(const recipe& how, std::size_t m,
                                               const target& on) noexcept {
    constexpr std::size_t registers = 8;
    constexpr std::size_t lines = 4;
    const std::size_t output_end = how.groups[0];
    const std::size_t end = output_end + how.groups[1];
    switch (static_cast<kernel::vector_loop>(how.variant)) {
        case kernel::vector_loop::none: break;
        case kernel::vector_loop::output:
            return m + 1 == output_end ? static_cast<std::int64_t>(registers * on.lanes) : 1;
        case kernel::vector_loop::contracted:
            return m + 1 == end          ? static_cast<std::int64_t>(registers * on.lanes)
                   : m + 1 == output_end ? static_cast<std::int64_t>(std::max(lines, on.lanes))
                                         : 1;
    }
    return 1;
}

/// Runs what build_nest has ordered.
template <class T, class Arch>
void run_nest(const recipe& how, const kernel::loops& rows, std::size_t inputs,
              const T* const* from, T* out, const kernel::scaling<T>& scale, std::byte* scratch) {
    const kernel::loop_nest nest{rows.first(how.groups[0]), rows.from(how.groups[0]), inputs};
    const auto along = static_cast<kernel::vector_loop>(how.variant);
    const bool copies = inputs == 1 && nest.contracted.count == 0 && nest.output.count > 0;
    if (copies && along == kernel::vector_loop::none) {
        kernel::permute<T, Arch>(nest.output, from[0], out, scale);
    } else {
        kernel::multiply_reduce<T, Arch>(nest, along, from, out, scale, scratch);
    }
}

}  // namespace xeinsum::lowerings
