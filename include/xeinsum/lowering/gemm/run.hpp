// Runs the matrix products that were decided on: of "nkctv,kvw->nctw" the blocks of its one
// product, by the kernels that its recipe names.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/dot_gemm.hpp>
#include <xeinsum/kernel/gemm/few_rows_gemm.hpp>
#include <xeinsum/kernel/gemm/gemm.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/interleaved_batch_gemm.hpp>
#include <xeinsum/kernel/gemm/short_runs_gemm.hpp>
#include <xeinsum/kernel/gemm/small_gemm.hpp>
#include <xeinsum/kernel/gemm/staged_gemm.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/gemm/decide.hpp>
#include <xeinsum/lowering/gemm/product_packing.hpp>
#include <xeinsum/lowering/gemm/small_product.hpp>
#include <xeinsum/lowering/nest/run.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

template <class T, class Arch>
    requires kernel::compiled_here<Arch>
[[gnu::always_inline]] inline void run_small(const recipe& how, const kernel::loops& rows,
                                             const element_t<T>* const* from, element_t<T>* out,
                                             const kernel::scaling<element_t<T>>& scale) {
    using element = element_t<T>;
    // No others are found.
    if constexpr (kernel::has_vectors<element, Arch>() && !kernel::is_complex_v<element>) {
        const element* const lhs = from[how.swapped ? 1 : 0];
        const element* const rhs = from[how.swapped ? 0 : 1];
        if (how.groups[0] == 0) {
            kernel::small_gemm<element, Arch>(small_product::shape_of(how, rows), lhs, rhs, out,
                                              scale);
        } else {
            kernel::small_gemm<element, Arch>(rows.first(how.groups[0]),
                                              small_product::shape_of(how, rows), lhs, rhs, out,
                                              scale);
        }
    }
}

/// Runs what interleaved_batch_product has built.
template <class T, class Arch>
void run_interleaved_batch(const recipe& how, const kernel::loops& rows, const T* const* from,
                           T* out, const kernel::scaling<T>& scale, std::byte* scratch) {
    // No others are found.
    if constexpr (kernel::has_vectors<T, Arch>()) {
        const std::size_t first = how.groups[0];
        const std::size_t depth = rows.count - 1;
        const kernel::batched_shape s{.rows = rows.extent(first),
                                      .columns = rows.extent(first + 1),
                                      .depth = rows.extent(depth),
                                      .lhs_row = rows.stride(first, 1),
                                      .lhs_depth = rows.stride(depth, 1),
                                      .rhs_column = rows.stride(first + 1, 2),
                                      .rhs_depth = rows.stride(depth, 2),
                                      .out_row = rows.stride(first, 0),
                                      .out_column = rows.stride(first + 1, 0)};
        kernel::interleaved_batch_gemm<T, Arch>(
            rows.first(first), rows.from(first + 3).first(how.groups[3] - 1U), s,
            rows.extent(first + 2), from[0], from[1], out, scale, scratch);
    }
}

/// Runs what blocked_product has built.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_blocks(const recipe& how, const kernel::loops& rows, const T* const* from, T* out,
                const kernel::scaling<T>& scale, std::byte* scratch) {
    const kernel::gemm_groups groups = product_packing::groups_of(how, rows);
    const T* const lhs = from[how.swapped ? 1 : 0];
    const T* const rhs = from[how.swapped ? 0 : 1];
    switch (kind_of(how)) {
        case product_kind::across:
        case product_kind::rank_k:
            kernel::few_rows_gemm<T, Arch>(
                groups, product_packing::way_of(how, kernel::blocking_of<T, Arch>.mr), lhs, rhs,
                out, scale, scratch);
            return;
        case product_kind::dot:
            kernel::dot_gemm<T, Arch>(groups, kernel::deep_blocks::usual, lhs, rhs, out, scale,
                                      scratch);
            return;
        case product_kind::dot_in_pages:
            kernel::dot_gemm<T, Arch>(groups, kernel::deep_blocks::pages, lhs, rhs, out, scale,
                                      scratch);
            return;
        // The next three are for columns that are more than one loop.
        case product_kind::short_runs:
            if constexpr (Kinds.reorders) {
                kernel::short_runs_gemm<T, Arch>(groups, lhs, rhs, out, scale, scratch);
            }
            return;
        case product_kind::staged:
        case product_kind::across_staged:
            if constexpr (Kinds.reorders) {
                kernel::staged_gemm<T, Arch>(groups, product_packing::staged_tiles_of(how), lhs,
                                             rhs, out, scale, scratch);
            }
            return;
        default:
            kernel::gemm<T, Arch>(groups, product_packing::of(how), lhs, rhs, out, scale, scratch);
    }
}

template <class T, class Arch>
    requires kernel::compiled_here<Arch> std::int64_t prepacked_elements(const recipe& how,
                                                                         const kernel::loops& rows,
                                                                         std::byte* scratch) {
        const kernel::gemm_run<element_t<T>, Arch> product(product_packing::groups_of(how, rows),
                                                           product_packing::of(how), {}, scratch);
        return (how.prepacked_input == 1 ? product.lhs_panels() : product.rhs_panels()).elements();
    }
template <class T, class Arch>
    requires kernel::compiled_here<Arch>
void prepack(const recipe& how, const kernel::loops& rows, const element_t<T>* from,
             element_t<T>* to, std::byte* scratch) {
    kernel::gemm_run<element_t<T>, Arch> product(product_packing::groups_of(how, rows),
                                                 product_packing::of(how), {}, scratch);
    if (how.prepacked_input == 1) {
        product.prepack_lhs(from, to);
    } else {
        product.prepack_rhs(from, to);
    }
}

/// Runs what gemm has built. The step is of one of the Kinds.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_lowering(gemm, const recipe& how, const kernel::loops& rows, std::size_t inputs,
                  const T* const* from, T* out, const kernel::scaling<T>& scale,
                  std::byte* scratch) {
    // Degenerate shapes are nests.
    if constexpr (Kinds.sums && Kinds.products) {
        if (kind_of(how) == product_kind::small) {
            run_small<T, Arch>(how, rows, from, out, scale);
            return;
        }
        if constexpr (Kinds.batch) {
            if (kind_of(how) == product_kind::interleaved_batch) {
                run_interleaved_batch<T, Arch>(how, rows, from, out, scale, scratch);
                return;
            }
        }
        if (kind_of(how) != product_kind::nest) {
            run_blocks<T, Arch, Kinds>(how, rows, from, out, scale, scratch);
            return;
        }
    }
    run_nest<T, Arch, Kinds>(how, rows, inputs, from, out, scale, scratch);
}

}  // namespace xeinsum::lowerings
