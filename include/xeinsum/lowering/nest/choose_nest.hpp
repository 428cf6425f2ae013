// Which nest a step is best run as, by predicted cycles: "ij,ji->i" along j, its second input
// transposed in tiles, or in scalars.
#pragma once

#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/lowering/nest/matrix_vector.hpp>
#include <xeinsum/lowering/nest/nest_cost.hpp>
#include <xeinsum/lowering/nest/permute_cost.hpp>
#include <xeinsum/lowering/nest/permuted_sum.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// How a nest runs, and the cycles that it is predicted to take.
struct nest_choice {
    kernel::vector_choice vectors{};
    double cycles = 0;
    bool transposed = false;  ///< see kernel::transposed_nest
    bool permuted = false;    ///< see permuted_sum
};

/// Whether a step is worth transposing inputs for, if they lie so that it helps, whatever their
/// layouts.
[[nodiscard]] constexpr bool may_transpose(const mode_table& table, const target& on) noexcept {
    constexpr double many = 1 << 9;
    const bool sums = table.output_count() < table.size();
    return (table.inputs() > 1 || sums) && table.inputs() <= kernel::few_inputs && on.lanes > 1 &&
           table.iterations() >= many;
}

/// Whether the inputs of a nest may be in DRAM, whatever their strides; most are not.
[[nodiscard]] constexpr bool inputs_may_be_dram_resident(const mode_table& table,
                                                         const target& on) noexcept {
    return table.iterations() * static_cast<double>(table.inputs()) >
           static_cast<double>(on.core.cache_bytes / on.element_bytes);
}
/// Whether the inputs of a nest are so large that the last cache does not keep them until the next
/// run, at least where others use it as well.
[[nodiscard]] constexpr bool inputs_are_dram_resident(const mode_table& table,
                                                      const target& on) noexcept {
    if (!inputs_may_be_dram_resident(table, on)) {
        return false;
    }
    double elements = 0;
    for (std::size_t input = 1; input <= table.inputs(); ++input) {
        elements += table.elements(input);
    }
    return elements > static_cast<double>(on.core.cache_bytes / on.element_bytes);
}

/// Scratch of a nest that transposes so many inputs, or of one that takes so many as they lie.
[[nodiscard]] constexpr std::size_t nest_scratch_bytes(const mode_table& table, std::size_t inputs,
                                                       bool transposes, bool has_sums,
                                                       const target& on) noexcept {
    return transposes
               ? kernel::transposed_nest_scratch_bytes(inputs, table.iterations(), on.element_bytes)
               : kernel::multiply_reduce_scratch_bytes(inputs, has_sums);
}
/// The most for any layouts of its arrays.
[[nodiscard]] constexpr std::size_t nest_scratch_bytes(const mode_table& table,
                                                       const target& on) noexcept {
    const bool has_sums = on.lanes > 1 && table.output_count() > 0 &&
                          table.output_count() < table.size() &&
                          inputs_may_be_dram_resident(table, on);
    const std::size_t straight = nest_scratch_bytes(table, table.inputs(), false, has_sums, on);
    const std::size_t moved = table.inputs() > 1 ? table.inputs() : 0;
    const std::size_t results = may_permute_results(table, on)
                                    ? permuted_results_bytes(table.elements(0), on.element_bytes)
                                    : 0;
    return results + (may_transpose(table, on)
                          ? std::max(straight, nest_scratch_bytes(table, moved, true, false, on))
                          : straight);
}

/// The loop of at least so many iterations across which a nest in vectors transposes its inputs, as
/// kernel::transposed_nest takes it; a.count if there is none. Of products the one whose results
/// lie closest; for sums, if there is one across which the inputs stay in place, that: a line is
/// moved once for all of them.
[[nodiscard, gnu::cold]] constexpr std::size_t loop_across(const kernel::arrangement& a,
                                                           std::size_t along,
                                                           std::int64_t least) noexcept {
    const bool sums = a.output_count < a.count;
    std::size_t found = a.count;
    for (std::size_t m = 0; m < a.count; ++m) {
        bool transposes = m != along && a.extent(m) >= least &&
                          !(sums && m < a.output_count && along < a.output_count);
        bool moves = false;
        for (std::size_t i = 1; transposes && i <= a.inputs; ++i) {
            const bool apart = kernel::is_apart(a.stride(along, i));
            transposes = !apart || !kernel::is_apart(a.stride(m, i));
            moves = moves || (apart && a.stride(m, i) != 0);
        }
        if (transposes && sums && !moves) {
            return m;
        }
        if (transposes &&
            (found == a.count || (!sums && kernel::reach(a, m, 0) < kernel::reach(a, found, 0)))) {
            found = m;
        }
    }
    return found;
}
/// The same: a loop for high tiles if there is one, or else for low ones.
[[nodiscard]] constexpr std::size_t loop_across(const kernel::arrangement& a,
                                                std::size_t along) noexcept {
    const std::size_t high = loop_across(a, along, kernel::high_tile);
    return high < a.count ? high : loop_across(a, along, kernel::least_tile);
}

/// Whether a nest that gathers inputs, or has no loop for vectors, might transpose them instead.
/// Not matrices: row-major ones never lie so that it helps, and a file with no other steps is
/// spared what transposes.
[[nodiscard]] constexpr bool might_transpose(const mode_table& table,
                                             const kernel::vector_choice& vectors,
                                             const target& on) noexcept {
    return may_transpose(table, on) && !is_of_matrices(table) &&
           (vectors.kind == kernel::vector_loop::none ||
            kernel::gathered_inputs(arrangement_of(table), vectors.row) > 0);
}

/// The better of a choice and the best nest that transposes inputs.
[[nodiscard, gnu::cold]] constexpr nest_choice choose_transposed(const mode_table& table,
                                                                 const nest_choice& other,
                                                                 const target& on) noexcept {
    if (!might_transpose(table, other.vectors, on)) {
        return other;
    }
    const kernel::arrangement a = arrangement_of(table);
    nest_choice best = other;
    for (std::size_t m = 0; m < a.count; ++m) {
        const bool output = m < a.output_count;
        // What is multiplied in vectors of results depends on their loop, as it lies or moved; sums
        // that are put one by one, and terms, lie along theirs.
        const std::size_t units = kernel::unit_inputs(a, m);
        const bool sums = a.output_count < a.count;
        const bool lies_along = output && a.stride(m, 0) == 1
                                    ? a.inputs > 1 && units + kernel::gathered_inputs(a, m) > 0
                                    : units > 0 && (!output || sums);
        if (!lies_along || a.extent(m) < kernel::least_tile) {
            continue;
        }
        const std::size_t across = loop_across(a, m);
        if (across < a.count) {
            const kernel::vector_choice along{
                output ? kernel::vector_loop::output : kernel::vector_loop::contracted, m};
            const double cycles = vector_nest_cycles(table, along, on, across);
            best = cycles < best.cycles ? nest_choice{along, cycles, true} : best;
        }
    }
    return best;
}

/// The better of a choice and a sum in the order of its input.
[[nodiscard, gnu::cold]] constexpr nest_choice choose_permuted(const mode_table& table,
                                                               const nest_choice& other,
                                                               const target& on) noexcept {
    if (!might_permute_results(table, other.vectors, on)) {
        return other;
    }
    const double cycles = permuted_sum(table).cycles(on);
    return cycles < other.cycles ? nest_choice{{}, cycles, false, true} : other;
}

/// Whether a nest only moves elements.
[[nodiscard]] constexpr bool only_moves(const mode_table& table) noexcept {
    return table.inputs() == 1 && table.output_count() == table.size();
}
/// Whether a loop is so short that scalars may be faster than vectors along it.
[[nodiscard]] constexpr bool is_short(const mode_table& table, const kernel::vector_choice& vectors,
                                      const target& on) noexcept {
    return table.extent(vectors.row) < static_cast<std::int64_t>(2 * on.lanes) &&
           !only_moves(table);
}

/// Takes vectors where there is a loop for them that is not so short that scalars are faster.
[[nodiscard]] constexpr nest_choice choose_nest(const mode_table& table,
                                                const target& on) noexcept {
    const kernel::vector_choice vectors =
        kernel::choose_vector_loop(arrangement_of(table), on.lanes);
    if (vectors.kind == kernel::vector_loop::none) {
        const double cycles =
            only_moves(table) ? permute_cycles(table, on) : scalar_nest_cycles(table, on);
        return choose_permuted(table, choose_transposed(table, {{}, cycles}, on), on);
    }
    const double cycles = vector_nest_cycles(table, vectors, on);
    const bool scalars_may_win =
        is_short(table, vectors, on) && least_scalar_nest_cycles(table, on) < cycles;
    const double scalar = scalars_may_win ? scalar_nest_cycles(table, on) : cycles;
    const nest_choice plain =
        scalar < cycles ? nest_choice{{}, scalar} : nest_choice{vectors, cycles};
    return choose_permuted(table, choose_transposed(table, plain, on), on);
}

/// The same for what is built: most nests leave nothing to predict.
[[nodiscard]] constexpr nest_choice choose_nest_to_build(const mode_table& table,
                                                         const target& on) noexcept {
    const kernel::vector_choice vectors =
        kernel::choose_vector_loop(arrangement_of(table), on.lanes);
    const bool in_vectors = vectors.kind != kernel::vector_loop::none;
    return (in_vectors && is_short(table, vectors, on)) || might_transpose(table, vectors, on) ||
                   might_permute_results(table, vectors, on)
               ? choose_nest(table, on)
               : nest_choice{vectors};
}

/// Predicted seconds of the nest.
[[nodiscard]] constexpr double nest_seconds(const mode_table& table, const target& on) noexcept {
    if (const auto along = matrix_vector_loop(table, on); along != kernel::vector_loop::none) {
        return matrix_vector_seconds(table, along, on);
    }
    return on.core.step_seconds + overlapped(choose_nest(table, on).cycles,
                                             transfer_seconds(bytes_moved(table, on), on), on);
}

}  // namespace xeinsum::lowerings
