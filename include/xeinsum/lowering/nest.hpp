// A step as one loop nest: what broadcast-multiply-reduce always is, and matrix products such as
// "ij,j->i" whose shape leaves nothing for blocks to reuse.
#pragma once

#include <xeinsum/kernel/arrange.hpp>
#include <xeinsum/kernel/multiply_reduce.hpp>
#include <xeinsum/kernel/permute.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/lowering/nest_cost.hpp>
#include <xeinsum/plan/mode_table.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

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
