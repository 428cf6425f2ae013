// Products of few rows, "ij,jk->ik" on (16,2048) and (2048,2048), either way: in wide tiles, if the
// registers suffice for them, or by updates of the results.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/few_rows_shapes.hpp>
#include <xeinsum/kernel/gemm/gemm.hpp>
#include <xeinsum/kernel/gemm/rank_k_updates.hpp>
#include <xeinsum/kernel/gemm/wide_gemm.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <cstddef>

namespace xeinsum::kernel {

/// Registers of columns that the usual way multiplies together.
template <class T, class Arch>
inline constexpr std::size_t few_rows_registers = has_wide_tiles(blocking_of<T, Arch>.mr)
                                                      ? wide_registers
                                                      : 1;

/// out = scale(product of lhs and rhs, summed over k) for every batch. The columns are one loop,
/// side by side in rhs and in the output, and the depth is one loop. No array overlaps out. Scratch
/// has few_rows_gemm_bytes(...), aligned to 64. Without wide tiles, all are updates.
template <class T, class Arch>
void few_rows_gemm(const gemm_groups& groups, few_rows_way way, const T* lhs, const T* rhs, T* out,
                   const scaling<T>& scale, std::byte* scratch) {
    if constexpr (has_wide_tiles(blocking_of<T, Arch>.mr)) {
        if (way == few_rows_way::wide_tiles) {
            wide_gemm<T, Arch>(groups, lhs, rhs, out, scale, scratch);
            return;
        }
    }
    rank_k_updates<T, Arch>(groups, lhs, rhs, out, scale, scratch);
}

}  // namespace xeinsum::kernel
