// Runs a loop nest that was decided on: "ij,j->i" along j, in vectors.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute/permute.hpp>
#include <xeinsum/kernel/reduce/matrix_vector.hpp>
#include <xeinsum/kernel/reduce/multiply_reduce.hpp>
#include <xeinsum/kernel/reduce/transposed_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/nest/build_nest.hpp>
#include <xeinsum/lowering/nest/decide.hpp>
#include <xeinsum/lowering/nest/matrix_vector.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <cstddef>
#include <type_traits>

namespace xeinsum::lowerings {

/// Sums one input in the order in which it lies, and permutes the results. Scratch has room for
/// them, and for the sums.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_permuted_sum(const kernel::loop_nest& nest, kernel::vector_loop along,
                      const T* const* from, T* out, const kernel::scaling<T>& scale,
                      std::byte* scratch) {
    constexpr std::size_t pitch = 3;
    std::int64_t sums[pitch * kernel::max_loops];
    const std::size_t results = kernel::dense_results(nest.output, sums);
    const kernel::loops terms = nest.contracted;
    for (std::size_t m = 0; m < terms.count; ++m) {
        std::int64_t* const row = sums + pitch * (results + m);
        row[0] = terms.extent(m);
        row[1] = 0;
        row[2] = terms.stride(m, 1);
    }
    std::int64_t moves[pitch * kernel::max_loops];
    for (std::size_t m = 0; m < nest.output.count; ++m) {
        moves[pitch * m] = nest.output.extent(m);
        moves[pitch * m + 1] = nest.output.stride(m, 0);
    }
    const std::int64_t waits = kernel::set_dense(moves, pitch, nest.output.count, 1);
    T* const waiting = reinterpret_cast<T*>(scratch);
    const std::size_t bytes = permuted_results_bytes(static_cast<double>(waits), sizeof(T));
    const kernel::loops rows{sums, pitch, results + terms.count};
    kernel::multiply_reduce<T, Arch, Kinds.of_nests()>({.output = rows.first(results),
                                                        .contracted = rows.from(results),
                                                        .dram_resident = nest.dram_resident,
                                                        .fills_lanes = nest.fills_lanes},
                                                       along, from, waiting, {}, scratch + bytes);
    kernel::permute<T, Arch>({moves, pitch, nest.output.count}, waiting, out, scale, false);
}

/// Runs a nest of any loops.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_loops(const recipe& how, const kernel::loops& rows, std::size_t inputs,
               const T* const* from, T* out, const kernel::scaling<T>& scale, std::byte* scratch) {
    const kernel::loop_nest nest{.output = rows.first(how.groups[0]),
                                 .contracted = rows.from(how.groups[0]),
                                 .inputs = inputs,
                                 .dram_resident = how.nest.dram_resident,
                                 .shares_lines = how.nest.shares_lines,
                                 .fills_lanes = how.nest.fills_lanes,
                                 .row_by_row = how.nest.row_by_row};
    constexpr bool may_transpose = (Kinds.most_inputs > 1 || Kinds.sums) && Kinds.reorders &&
                                   kernel::has_vectors<T, Arch>() &&
                                   std::is_same_v<T, kernel::compute_t<T>>;
    if constexpr (may_transpose) {
        if (how.nest.transposed) {
            kernel::transposed_nest<T, Arch, Kinds.of_nests()>(
                rows, how.groups[0], inputs, vector_row(how), how.groups[2], scale, scratch)
                .run(from, out);
            return;
        }
    }
    if constexpr (may_transpose && Kinds.sums && Kinds.copies()) {
        if (how.nest.permuted) {
            run_permuted_sum<T, Arch, Kinds>(nest, vector_loop_of(how), from, out, scale, scratch);
            return;
        }
    }
    // Arrays may lie in another order than the labels by which Kinds were told.
    const bool by_way_of_scratch = how.nest.transposed || how.nest.permuted;
    const kernel::vector_loop along =
        by_way_of_scratch ? kernel::vector_loop::none : vector_loop_of(how);
    if constexpr (Kinds.copies()) {
        const bool copies = inputs == 1 && nest.contracted.count == 0 && nest.output.count > 0;
        if (copies && along == kernel::vector_loop::none) {
            kernel::permute<T, Arch>(nest.output, from[0], out, scale);
            return;
        }
    }
    kernel::multiply_reduce<T, Arch, Kinds.of_nests()>(nest, along, from, out, scale, scratch);
}

/// Runs what build_nest has ordered. It is of one of the Kinds.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_nest(const recipe& how, const kernel::loops& rows, std::size_t inputs,
              const T* const* from, T* out, const kernel::scaling<T>& scale, std::byte* scratch) {
    if constexpr (Kinds.sums && Kinds.most_inputs > 1 && has_matrix_vector<T, Arch>) {
        if (!has_nests<T, Arch, Kinds> || how.nest.matrix_vector) {
            kernel::matrix_vector<T, Arch, !has_nests<T, Arch, Kinds>>(
                rows.first(how.groups[0]), rows.from(how.groups[0]), vector_loop_of(how),
                how.nest.shares_lines, from, out, scale);
            return;
        }
    }
    if constexpr (has_nests<T, Arch, Kinds>) {
        run_loops<T, Arch, Kinds>(how, rows, inputs, from, out, scale, scratch);
    }
}

/// Runs what broadcast_multiply_reduce has built. The step is of one of the Kinds.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_lowering(broadcast_multiply_reduce, const recipe& how, const kernel::loops& rows,
                  std::size_t inputs, const T* const* from, T* out, const kernel::scaling<T>& scale,
                  std::byte* scratch) {
    run_nest<T, Arch, Kinds>(how, rows, inputs, from, out, scale, scratch);
}

}  // namespace xeinsum::lowerings
