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

/// Seconds for moving bytes that live in memory or, if few, in cache.
[[nodiscard]] constexpr double transfer_seconds(double bytes, const target& on) noexcept {
    return bytes / (bytes > static_cast<double>(on.core.cache_bytes)
                        ? on.core.bytes_per_second
                        : on.core.cached_bytes_per_second);
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

/// Predicted seconds of the nest: an iteration loads every input that the vector loop changes.
[[nodiscard]] constexpr double nest_seconds(const mode_table& table, const target& on) noexcept {
    const kernel::arrangement a = arrangement_of(table);
    const kernel::vector_choice vectors = kernel::choose_vector_loop(a, on.lanes);
    double cycles = 0;
    if (vectors.kind == kernel::vector_loop::none) {
        const bool permutes = table.inputs() == 1 && a.output_count == a.count;
        cycles = permutes ? 0
                          : table.iterations() * (on.core.scalar_nest_cycles * on.flop_weight +
                                                  scalar_wait_cycles(table, on)) +
                                on.core.line_cycles * table.elements(0);
    } else {
        const auto extent = static_cast<double>(table.extent(vectors.row));
        const auto lanes_wide = static_cast<std::int64_t>(on.lanes);
        const std::int64_t whole = (table.extent(vectors.row) + lanes_wide - 1) / lanes_wide;
        const auto units = static_cast<double>(kernel::unit_inputs(a, vectors.row));
        double gathers = 0;
        for (std::size_t i = 1; i <= a.inputs; ++i) {
            const std::int64_t stride = a.stride(vectors.row, i);
            gathers += stride == 0 || stride == 1
                           ? 0
                           : on.core.gather_cycles + wait_cycles(table, vectors.row, i, on);
        }
        const double lines = table.iterations() / extent;  // each has its own loop control
        cycles = lines * (static_cast<double>(whole) *
                              std::max(units / on.core.loads_per_cycle, on.flop_weight) +
                          on.core.line_cycles) +
                 table.iterations() * gathers;
    }
    return on.core.step_seconds +
           std::max(cycles / on.core.hertz, transfer_seconds(bytes_moved(table, on), on));
}

/// Orders the rows for one nest. groups: output loops, contracted loops; variant: the vector loop.
[[nodiscard]] constexpr recipe build_nest(mode_table& table, const target& on) {
    kernel::arrangement a = arrangement_of(table);
    recipe how;
    how.variant = static_cast<unsigned char>(kernel::arrange(a, on.lanes));
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
