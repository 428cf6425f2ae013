// What the planner is told of an element type: that "ij,jk->ik" of floats on AVX2 has 8 lanes and
// micro-tiles of 6 x 16.
#pragma once

#include <xeinsum/kernel/blocking.hpp>
#include <xeinsum/kernel/element.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <cstddef>

namespace xeinsum::lowerings {

using planning::target;

/// A core whose registers of 64 bytes are worked on in halves, as on Zen 4, where these figures
/// come from; where they are not, lowerings compare much the same.
[[nodiscard]] constexpr machine wide_machine() noexcept {
    machine core;
    core.fused_multiply_adds_per_cycle = 0.9;
    core.loads_per_cycle = 0.8;
    core.line_cycles = 16;
    core.near_cache_bytes = std::size_t{1} << 20U;
    core.input_cycles = 4.2;
    core.lone_sum_cycles = 40;
    core.window_line_cycles = 10;
    return core;
}

template <class T, class Arch>
[[nodiscard]] constexpr target target_of() noexcept {
    using compute = kernel::compute_t<T>;
    target t;
    t.element_bytes = sizeof(T);
    t.fused_only = !kernel::computes_in_place<T>;
    t.flop_weight = kernel::is_complex_v<compute> ? 4 : 1;
    if constexpr (kernel::computes_in_place<T>) {
        constexpr kernel::blocking b = kernel::blocking_of<compute, Arch>;
        t.lanes = kernel::simd<compute, Arch>::lanes;
        t.least_lanes = kernel::simd<compute, kernel::narrowest_t<Arch>>::lanes;
        if constexpr (sizeof(typename kernel::simd<compute, Arch>::type) == 64) {
            t.core = wide_machine();
        }
        t.mr = b.mr;
        t.nr = b.nv * t.lanes;
        t.mc = b.mc;
        t.nc = b.nc;
        t.kc = b.kc;
    }
    return t;
}

/// The same for building a step of a plan once more, as the plan was made.
template <class T, class Arch>
[[nodiscard]] constexpr target target_of(const plan_view& plan) noexcept {
    target t = target_of<T, Arch>();
    t.threads = plan.threads;
    if (plan.core != nullptr) {
        t.core = *plan.core;
    }
    return t;
}

}  // namespace xeinsum::lowerings
