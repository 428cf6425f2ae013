// One loop nest over any number of inputs: "bld,bln,bld->bldn" multiplies three arrays and
// "ij,ij->i" sums products, and no product is ever stored.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/reduce/contracted_vectors.hpp>
#include <xeinsum/kernel/reduce/line_kernels.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/reduce/output_vectors.hpp>
#include <xeinsum/kernel/reduce/scalar_nest.hpp>
#include <xeinsum/kernel/reduce/sum_lines.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Whether a nest is one sum of the products of two lines, which needs no cursors.
[[nodiscard]] inline bool is_dot(const loop_nest& nest) noexcept {
    const loops& terms = nest.contracted;
    return nest.inputs == 2 && nest.output.count == 0 && terms.count == 1 &&
           terms.stride(0, 1) == 1 && terms.stride(0, 2) == 1;
}

/// How many inputs step side by side along the last of some loops, or stay in place.
[[nodiscard]] inline input_counts counts_along(const loops& over, std::size_t inputs) noexcept {
    input_counts counts;
    for (std::size_t i = 1; i <= inputs; ++i) {
        const std::int64_t stride = over.stride(over.count - 1, i);
        ++(stride == 1 ? counts.units : stride == 0 ? counts.fixed : counts.gathered);
    }
    return counts;
}

/// Whether a factor that is not there may be a 1: x * 1 is x, unless it is complex and infinite;
/// integers take their time.
template <class T>
inline constexpr bool factors_of_one = std::is_floating_point_v<T>;

/// The kernels for lines of a nest of one of the Kinds.
template <class T, class Arch, step_kinds Kinds>
[[nodiscard]] const line_kernels<T, Arch>& line_kernels_for(const loop_nest& nest) noexcept {
    const input_counts counts = counts_along(nest.contracted, nest.inputs);
    if constexpr (Kinds.least_inputs() < 2) {
        if (counts.are(1, 0)) {
            return line_kernels_of<T, Arch, 1, 0>::all;
        }
    }
    if constexpr (Kinds.most_inputs > 1) {
        if (counts.are(2, 0)) {
            // Without a label of all three arrays no output loop moves both.
            constexpr bool apart = Kinds.batch || Kinds.several;
            return line_kernels_of<T, Arch, 2, 0, Kinds.batch, apart>::all;
        }
        constexpr std::size_t fixed = Kinds.most_inputs > 2 && factors_of_one<T> ? 2 : 1;
        if (counts.are(1, 1) || counts.are(1, fixed)) {
            return line_kernels_of<T, Arch, 1, fixed>::all;
        }
    }
    if constexpr (Kinds.most_inputs > 2) {
        if (counts.are(3, 0)) {
            return line_kernels_of<T, Arch, 3, 0>::all;
        }
        if (counts.are(2, 1)) {
            return line_kernels_of<T, Arch, 2, 1>::all;
        }
    }
    return line_kernels_of<T, Arch, any, any>::all;
}

/// The kernels for lines of results of a nest of one of the Kinds, along its last output loop. Two
/// inputs move along it only where they share a label with it.
template <class T, class Arch, step_kinds Kinds>
[[nodiscard]] const output_kernels<T, Arch>& output_kernels_for(const loop_nest& nest) noexcept {
    constexpr std::size_t one = factors_of_one<T> ? 1 : 0;
    const input_counts counts = counts_along(nest.output, nest.inputs);
    if constexpr (Kinds.least_inputs() < 2) {
        if (counts.are(1, 0)) {
            return output_kernels_of<T, Arch, 1, one, Kinds.sums>::all;
        }
    }
    if constexpr (Kinds.most_inputs > 1) {
        if (counts.are(1, 1)) {
            return output_kernels_of<T, Arch, 1, 1, Kinds.sums>::all;
        }
        if constexpr (Kinds.batch) {
            if (counts.are(2, 0)) {
                return output_kernels_of<T, Arch, 2, 0, Kinds.sums>::all;
            }
        }
    }
    if constexpr (Kinds.most_inputs > 2) {
        if (counts.are(1, 2)) {
            return output_kernels_of<T, Arch, 1, 2, Kinds.sums>::all;
        }
        if constexpr (Kinds.batch) {
            if (counts.are(3, 0)) {
                return output_kernels_of<T, Arch, 3, 0, Kinds.sums>::all;
            }
            if (counts.are(2, 1)) {
                return output_kernels_of<T, Arch, 2, 1, Kinds.sums>::all;
            }
        }
    }
    return output_kernels_of<T, Arch, any, any, Kinds.sums>::all;
}

/// out = scale(sum over the contracted loops of the product of the inputs). The loops are in the
/// order that arrange() gave them, with its answer in along. No array overlaps out. Scratch has
/// multiply_reduce_scratch_bytes(...) bytes, aligned to 64. The nest is of one of the Kinds.
template <class T, class Arch, step_kinds Kinds = all_steps>
void multiply_reduce(const loop_nest& nest, vector_loop along, const T* const* from, T* out,
                     const scaling<T>& scale, std::byte* scratch) {
    if constexpr (std::is_same_v<T, compute_t<T>> && has_vectors<T, Arch>()) {
        if constexpr (Kinds.sums && Kinds.most_inputs > 1) {
            if (is_dot(nest) && along == vector_loop::contracted) {
                scale.template put<Arch>(*out,
                                         dot<T, Arch>(from[0], from[1], nest.contracted.extent(0)));
                return;
            }
        }
    }
    cursor<T> few[few_inputs];
    const bool fits = nest.inputs <= few_inputs;
    const std::size_t panels = panel_scratch_bytes(
        sums_in_scratch(along, nest.contracted.count, nest.output.count > 0, nest.dram_resident));
    cursors<T> inputs(fits ? few : reinterpret_cast<cursor<T>*>(scratch + panels), nest.inputs);
    if constexpr (std::is_same_v<T, compute_t<T>> && has_vectors<T, Arch>()) {
        if (along == vector_loop::output) {
            output_vectors<T, Arch> lines(nest, output_kernels_for<T, Arch, Kinds>(nest), inputs,
                                          from, out, scale, scratch);
            if constexpr (Kinds.sums) {
                lines.run();
            } else {
                lines.run_products();
            }
            return;
        }
        if constexpr (Kinds.sums) {
            if (along == vector_loop::contracted) {
                line_nest<T, Arch, Kinds.several_sums()>(
                    nest, line_kernels_for<T, Arch, Kinds>(nest), inputs, from, out, scale, scratch)
                    .run();
                return;
            }
        }
    }
    const auto run = [&]<std::size_t Inputs>() {
        if constexpr (Kinds.least_inputs() <= Inputs && Inputs <= Kinds.most_inputs) {
            scalar_nest<T, Arch, Inputs>(nest, inputs, from, out, scale).run();
        }
    };
    switch (nest.inputs) {
        case 1: run.template operator()<1>(); break;
        case 2: run.template operator()<2>(); break;
        case 3: run.template operator()<3>(); break;
        default: run.template operator()<any>(); break;
    }
}

}  // namespace xeinsum::kernel
