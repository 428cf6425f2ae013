// Products of few rows, "ij,jk->ik" on (16,2048) and (2048,2048), either way: in wide tiles, if the
// registers suffice for them, or by updates of the results.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/gemm.hpp>
#include <xeinsum/kernel/gemm/rank_k_updates.hpp>
#include <xeinsum/kernel/gemm/wide_gemm.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

enum class few_rows_way : unsigned char { wide_tiles, updates };

/// Whether there are wide tiles where tiles of a usual product have mr rows.
[[nodiscard]] constexpr bool has_wide_tiles(std::size_t mr) noexcept {
    return mr > wide_rows;
}
/// The way of most products.
[[nodiscard]] constexpr few_rows_way usual_few_rows_way(std::size_t mr) noexcept {
    return has_wide_tiles(mr) ? few_rows_way::wide_tiles : few_rows_way::updates;
}

/// Scratch for products with so many rows; kc is that of the blocking table.
[[nodiscard]] constexpr std::size_t few_rows_gemm_bytes(few_rows_way way, std::int64_t rows,
                                                        std::int64_t depth, std::size_t kc,
                                                        std::size_t element_bytes) noexcept {
    return way == few_rows_way::wide_tiles ? wide_gemm_bytes(rows, depth, kc, element_bytes)
                                           : rank_k_updates_bytes(rows, depth, element_bytes);
}

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
