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

/// Predicted seconds of the nest: an iteration loads every input that the vector loop changes.
[[nodiscard]] constexpr double nest_seconds(const mode_table& table, const target& on) noexcept {
    const kernel::arrangement a = arrangement_of(table);
    const kernel::vector_choice vectors = kernel::choose_vector_loop(a, on.lanes);
    double lanes = 1;
    auto loads = static_cast<double>(table.inputs());
    double lines = 0;  // short pieces of work, each with its own loop control
    if (vectors.kind != kernel::vector_loop::none) {
        const auto extent = static_cast<double>(table.extent(vectors.row));
        const auto lanes_wide = static_cast<std::int64_t>(on.lanes);
        const std::int64_t whole = (table.extent(vectors.row) + lanes_wide - 1) / lanes_wide;
        const auto registers = static_cast<double>(whole);
        lanes = extent / registers;
        loads = static_cast<double>(kernel::unit_inputs(a, vectors.row)) +
                static_cast<double>(kernel::gathered_inputs(a, vectors.row) * on.lanes);
        lines = table.iterations() / extent;
    } else {
        lines = table.elements(0);
    }
    const double cycles =
        table.iterations() / lanes * std::max(loads / on.core.loads_per_cycle, on.flop_weight) +
        4 * lines;
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
