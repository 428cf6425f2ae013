// Runs a depthwise convolution that was decided on: "bchw,bchw->bc" along w, window after window.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/reduce/depthwise.hpp>
#include <xeinsum/kernel/reduce/multiply_reduce.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/depthwise/decide.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <cstddef>

namespace xeinsum::lowerings {

/// Without groups or vectors it is a nest as any other: a file whose labels make no groups is
/// spared the kernel.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_lowering(depthwise_convolution, const recipe& how, const kernel::loops& rows, std::size_t,
                  const T* const* from, T* out, const kernel::scaling<T>& scale,
                  std::byte* scratch) {
    const auto vectors = static_cast<kernel::depthwise_vectors>(how.variant);
    if (how.groups[0] == 0 || vectors == kernel::depthwise_vectors::none) {
        const std::size_t results = how.groups[0] + how.groups[1];
        const T* const planned[]{from[how.swapped ? 1 : 0], from[how.swapped ? 0 : 1]};
        kernel::multiply_reduce<T, Arch, Kinds.of_nests()>(
            {rows.first(results), rows.from(results), 2}, kernel::vector_loop::none, planned, out,
            scale, scratch);
    } else if constexpr (Kinds.batch) {
        kernel::depthwise_convolution<T, Arch>(depthwise_convolution::loops_of(how, rows), vectors,
                                               from[how.swapped ? 1 : 0], from[how.swapped ? 0 : 1],
                                               out, scale);
    }
}

}  // namespace xeinsum::lowerings
