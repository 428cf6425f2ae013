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
#include <xeinsum/lowering/lowerings_for.hpp>
#include <xeinsum/lowering/nest/build_nest.hpp>
#include <xeinsum/lowering/nest/matrix_vector.hpp>
#include <xeinsum/lowering/nest/run.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <cstddef>

namespace xeinsum::lowerings {

/// Calls f.operator()<Lowering>() with the lowering that was chosen for a step of arrays of T. Only
/// one serves every element type.
template <class T, class Arch, kernel::step_kinds Kinds, class F>
void with_lowering(lowering chosen, F f) {
    if constexpr (kernel::computes_in_place<T>) {
        all::with(chosen, [&]<class Lowering>() {
            constexpr bool competes = has_nests<element_t<T>, Arch, Kinds> ||
                                      Lowering::id == row_major_lowering<Kinds>::id;
            if constexpr (Lowering::least_inputs <= Kinds.most_inputs && competes) {
                f.template operator()<Lowering>();
            }
        });
    } else {
        f.template operator()<broadcast_multiply_reduce>();
    }
}

template <class T, class Arch, kernel::step_kinds Kinds>
    requires kernel::compiled_here<Arch>
void run_recipe(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                const element_t<T>* const* from, element_t<T>* out,
                const kernel::scaling<element_t<T>>& scale, std::byte* scratch) {
    with_lowering<T, Arch, Kinds>(how.chosen, [&]<class Lowering>() {
        run_lowering<element_t<T>, Arch, Kinds>(Lowering(), how, rows, inputs, from, out, scale,
                                                scratch);
    });
}

template <class T, class Arch, bool HasKernels>
void copy_scaled(mode_table& table, const T* in, T* out,
                 const kernel::scaling<element_t<T>>& scale) {
    using element = element_t<T>;
    auto* to = reinterpret_cast<element*>(out);
    const auto* from = reinterpret_cast<const element*>(in);
    if constexpr (HasKernels) {
        if (in != nullptr) {
            recipe how = build_nest(table, call_target<T, Arch>());
            how.chosen = lowering::broadcast_multiply_reduce;
            run_recipe<T, Arch, kernel::copy_steps>(
                how, {table.row(0), table.pitch(), table.size()}, 1, &from, to, scale, nullptr);
            return;
        }
    }
    using compute = kernel::compute_t<T>;
    kernel::odometer<2> position({table.row(0), table.pitch(), table.size()}, {0, 1});
    do {
        scale.template put<Arch>(to[position.offset(0)],
                                 in == nullptr ? compute(0) : compute(from[position.offset(1)]));
    } while (position.next());
}

}  // namespace xeinsum::lowerings
