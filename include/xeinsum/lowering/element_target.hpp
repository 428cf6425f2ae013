// What the planner is told of an element type: that "ij,jk->ik" of floats on AVX2 has 8 lanes and
// micro-tiles of 6 x 16.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <type_traits>

namespace xeinsum::lowerings {

using planning::target;

/// The element type that kernels see for arrays of T.
template <class T>
using element_t = std::conditional_t<kernel::computes_in_place<T>, kernel::compute_t<T>, T>;

template <class T, class Arch>
[[nodiscard]] constexpr target target_of() noexcept {
    using compute = kernel::compute_t<T>;
    target t;
    t.element_bytes = sizeof(T);
    t.fused_only = !kernel::computes_in_place<T>;
    t.flop_weight = kernel::is_complex_v<compute> ? 4 : 1;
    if constexpr (kernel::computes_in_place<T>) {
        constexpr kernel::blocking b = kernel::blocking_of<compute, Arch>;
        t.lanes = kernel::lanes_of<compute, Arch>;
        t.least_lanes = kernel::lanes_of<compute, kernel::narrowest_t<Arch>>;
        t.mr = b.mr;
        t.nr = b.nv * t.lanes;
        t.mc = b.mc;
        t.nc = b.nc;
        t.kc = b.kc;
        if constexpr (kernel::cores<Arch>::are_known) {
            t.tuned = kernel::cores<Arch>::measured();
        }
    }
    return t;
}

/// That of the kernels which xeinsum::compiled has chosen for the processor.
template <class T>
[[nodiscard]] const target& target_of_cpu();

template <class T, class Arch>
inline constexpr target known_target = target_of<T, Arch>();

/// The target of calls: a constant, unless it is found out when the program runs.
template <class T, class Arch>
[[nodiscard]] const target& call_target() {
    if constexpr (kernel::chosen_at_run_time<Arch>) {
        return target_of_cpu<T>();
    } else {
        return known_target<T, Arch>;
    }
}

/// The same for building a step of a plan once more, as the plan was made.
template <class T, class Arch>
[[nodiscard]] target call_target(const plan_view& plan) {
    target t = call_target<T, Arch>();
    t.threads = plan.threads;
    if (plan.core != nullptr) {
        t.use(*plan.core);
    }
    return t;
}

}  // namespace xeinsum::lowerings
