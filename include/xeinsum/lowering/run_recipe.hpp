// Runs one step by the lowering that was chosen for it: "ij,jk->ik" as a matrix product, or as a
// loop nest where that is predicted to be faster.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/depthwise/run.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/gemm/run.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/lowering/nest/run.hpp>
#include <xeinsum/plan/step.hpp>

#include <cstddef>

namespace xeinsum::lowerings {

/// Calls f.operator()<Lowering>() with the lowering that was chosen for a step of arrays of T. Only
/// one serves every element type.
template <class T, kernel::step_kinds Kinds, class F>
void with_lowering(lowering chosen, F f) {
    if constexpr (kernel::computes_in_place<T>) {
        all::with(chosen, [&]<class Lowering>() {
            if constexpr (Lowering::least_inputs <= Kinds.most_inputs) {
                f.template operator()<Lowering>();
            }
        });
    } else {
        f.template operator()<broadcast_multiply_reduce>();
    }
}

/// Runs one step: its recipe on the rows that the recipe was made for. The step is of one of
/// the Kinds.
template <class T, class Arch, kernel::step_kinds Kinds = kernel::all_steps>
void run_recipe(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                const element_t<T>* const* from, element_t<T>* out,
                const kernel::scaling<element_t<T>>& scale, std::byte* scratch) {
    with_lowering<T, Kinds>(how.chosen, [&]<class Lowering>() {
        run_lowering<element_t<T>, Arch, Kinds>(Lowering(), how, rows, inputs, from, out, scale,
                                                scratch);
    });
}

}  // namespace xeinsum::lowerings
