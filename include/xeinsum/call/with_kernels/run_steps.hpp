// Bodies of what runs the steps of a call: those of "j,ijk->ijk" straight into the output, or by
// way of a temporary buffer that is delivered.
#pragma once

#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/workspace.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/lowering/run_recipe.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/one_step.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/run/execute.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::detail {

template <class T, class Arch, bool HasKernels>
void deliver(const T* from, const destination<T>& to,
             const kernel::scaling<lowerings::element_t<T>>& scale) {
    std::array<std::int64_t, max_modes * mode_table::row_length(1)> cells;
    mode_table table(cells.data(), 1);
    std::int64_t row_major = 1;
    for (std::size_t a = to.extents.size(); a-- > 0;) {
        if (to.extents[a] == 0) {
            return;
        }
        if (to.extents[a] > 1) {
            const std::size_t m = table.push(to.extents[a]);
            table.stride(m, 0) = to.strides[a];
            table.stride(m, 1) = from == nullptr ? 0 : row_major;
            table.set_kind(m, index_class::lhs_free);
            row_major *= to.extents[a];
        }
    }
    planning::fuse(table);
    lowerings::copy_scaled<T, Arch, HasKernels>(table, from, to.first, scale);
}

template <class T, class Arch, kernel::step_kinds Kinds>
void run_one_step(const planning::one_step& plan, std::size_t inputs, const T* const* operands,
                  T* out, const kernel::scaling<lowerings::element_t<T>>& scale,
                  const parallel_for& parallel) {
    using element = lowerings::element_t<T>;
    run_memory memory;
    lowerings::run_step<T, Arch, Kinds>(
        plan.how(), {plan.cells(), mode_table::row_length(inputs), plan.modes()}, inputs,
        reinterpret_cast<const element* const*>(operands), reinterpret_cast<element*>(out), scale,
        memory(plan.how().memory_bytes()).data(), parallel);
}

/// Runs a plan by run_steps(executor). The output of the arrays is null, or row-major memory for
/// the result, for which the plan was made.
template <class T, class Arch, kernel::step_kinds Kinds, class Run>
void run_by(Run run_steps, const plan_view& plan, lowerings::run_arrays<T> arrays,
            const destination<T>& out, const kernel::scaling<lowerings::element_t<T>>& scale) {
    using executor = lowerings::executor<T, Arch, Kinds>;
    if (plan.sums_nothing) {
        deliver<T, Arch, Kinds.copies()>(nullptr, out, scale);
        return;
    }
    T* const temporary = arrays.output;
    kernel::scaling<lowerings::element_t<T>> first;
    if (temporary == nullptr) {
        arrays.output = out.first;
        first = scale;
    } else if (plan.only_slice >= 0) {
        // Which may be a part of the result.
        std::fill_n(temporary, plan.result_elements, T());
        first = first.accumulating();
    }
    run_steps(executor(plan, arrays, first));
    if (temporary != nullptr) {
        deliver<T, Arch, Kinds.copies()>(temporary, out, scale);
    }
}

template <class T, class Arch, kernel::step_kinds Kinds>
void run_as_planned(const plan_view& plan, const T* const* operands, const destination<T>& out,
                    const kernel::scaling<lowerings::element_t<T>>& scale, std::byte* memory,
                    T* temporary, const parallel_for& parallel) {
    run_by<T, Arch, Kinds>([](const auto& executor) { executor.run(); }, plan,
                           {operands, temporary, memory, parallel}, out, scale);
}

template <class T, class Arch>
void run(const plan_view& plan, const T* const* operands, const destination<T>& out,
         const kernel::scaling<lowerings::element_t<T>>& scale, std::byte* memory, T* temporary,
         const parallel_for& parallel, const lowerings::actual_layouts* lies,
         const T* const* known) {
    run_by<T, Arch, kernel::all_steps>([&](const auto& executor) { executor.run(lies); }, plan,
                                       {operands, temporary, memory, parallel, known}, out, scale);
}

}  // namespace xeinsum::detail
