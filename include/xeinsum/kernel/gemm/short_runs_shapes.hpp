// How kernels for results that lie in short runs cut products, for planners as well: in
// "bk,cak->cba" a tile has as many runs of a as fit in three registers.
#pragma once

#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/memory/lines.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Rows of a tile, and registers of its columns, which are those of one run or of several.
inline constexpr std::size_t interleaved_rows = 8;
inline constexpr std::size_t interleaved_registers = 3;

/// Runs of so many columns that a tile has, if they fill most of it; else 0.
[[nodiscard]] constexpr std::size_t runs_of_tile(std::int64_t run, std::size_t lanes) noexcept {
    const auto width = static_cast<std::int64_t>(interleaved_registers * lanes);
    const std::int64_t runs = run > 0 ? width / run : 0;
    const bool fill = 4 * runs * run >= 3 * width && 2 * run >= static_cast<std::int64_t>(lanes);
    return fill ? static_cast<std::size_t>(runs) : 0;
}

/// Columns that packed runs take at most: they fill three quarters of each tile at least.
[[nodiscard]] constexpr std::size_t packed_run_columns(std::size_t columns,
                                                       std::size_t lanes) noexcept {
    return columns + columns / 3 + interleaved_registers * lanes;
}

/// Scratch for one product.
[[nodiscard]] constexpr std::size_t short_runs_gemm_bytes(std::int64_t rows, std::int64_t columns,
                                                          std::int64_t depth,
                                                          std::size_t element_bytes,
                                                          std::size_t lanes) noexcept {
    const auto m = static_cast<std::size_t>(rows);
    const auto n = static_cast<std::size_t>(columns);
    const auto k = static_cast<std::size_t>(depth);
    return packed_bytes(round_up(m, interleaved_rows) * k, element_bytes) +
           packed_bytes(packed_run_columns(n, lanes) * k, element_bytes) +
           line_table::width * (m + 2 * n + 2 * k) * sizeof(std::int64_t);
}

// Results by way of a temporary buffer.

/// What multiplies: the tiles of every product, for which the rows of lhs are packed, or what suits
/// few rows.
enum class staged_tiles : unsigned char { usual, few_rows };

// Measured with one core; see docs/kernels/gemm.md.
/// Room for the results of several products. More of them use more of each page of rhs and of the
/// output, which is worth more than the second-level cache.
[[nodiscard]] constexpr std::size_t staged_bytes(staged_tiles tiles) noexcept {
    return tiles == staged_tiles::few_rows ? std::size_t{1} << 20U : std::size_t{1280} << 10U;
}
/// Products whose results fill whole cache lines of the output.
inline constexpr std::int64_t staged_products = 48;

}  // namespace xeinsum::kernel
