// One run of a plan on arrays that were checked: straight into the output, or by way of a temporary
// buffer where the output of "j,ijk->ijk" overlaps an operand.
#pragma once

#include <xeinsum/array/overlap.hpp>
#include <xeinsum/call/scale.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/parallel_for.hpp>
#include <xeinsum/plan/step/one_step.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/run/rebind.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::detail {

/// The array that a run writes.
template <class T>
struct destination {
    T* first = nullptr;
    list_view<const std::int64_t> extents{};
    list_view<const std::int64_t> strides{};
};

/// The first operand that the output shares an element with, problem::nowhere if there is none.
template <class T>
[[nodiscard]] std::size_t overlapped_operand(const destination<T>& out,
                                             list_view<const layout_view> operands,
                                             const T* const* pointers) noexcept {
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (array::share_memory<T>(out.first, out.extents, out.strides, pointers[i],
                                   operands[i].extents, operands[i].strides)) {
            return i;
        }
    }
    return problem::nowhere;
}
template <class T>
[[nodiscard]] bool overlaps(const destination<T>& out, list_view<const layout_view> operands,
                            const T* const* pointers) noexcept {
    return overlapped_operand(out, operands, pointers) != problem::nowhere;
}

// Their bodies are in call/with_kernels: a program may have them compiled elsewhere.

/// Runs a plan of one step, in memory of its own.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_one_step(const planning::one_step& plan, std::size_t inputs, const T* const* operands,
                  T* out, const kernel::scaling<lowerings::element_t<T>>& scale,
                  const parallel_for& parallel);

/// Runs a plan whose steps are of the Kinds on arrays that lie as planned. temporary is null, or
/// row-major memory for the result, for which the plan was made.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_as_planned(const plan_view& plan, const T* const* operands, const destination<T>& out,
                    const kernel::scaling<lowerings::element_t<T>>& scale, std::byte* memory,
                    T* temporary, const parallel_for& parallel);

/// Runs any plan. lies is null, or tells how arrays lie otherwise than planned; temporary is memory
/// for a result as it or the plan has it. known is null, or the arrays that a run need not compute;
/// see run_arrays.
template <class T, class Arch>
void run(const plan_view& plan, const T* const* operands, const destination<T>& out,
         const kernel::scaling<lowerings::element_t<T>>& scale, std::byte* memory, T* temporary,
         const parallel_for& parallel, const lowerings::actual_layouts* lies,
         const T* const* known);

/// Copies a row-major result to where it belongs; from is null for a sum over nothing, zeros.
template <class T, class Arch, bool HasKernels = true>
void deliver(const T* from, const destination<T>& to,
             const kernel::scaling<lowerings::element_t<T>>& scale);

}  // namespace xeinsum::detail
