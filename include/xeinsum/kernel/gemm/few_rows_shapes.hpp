// How kernels for few rows cut products, for planners as well: in "ij,jk->ik" on (16,2048) and
// (2048,2048) two wide tiles of eight rows read rhs, or four of four rows are updated.
#pragma once

#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Bytes of numbers for so many rows and blocks of at most so much depth.
[[nodiscard]] constexpr std::size_t few_rows_walk_bytes(std::size_t rows,
                                                        std::size_t depth) noexcept {
    return line_table::width * (2 * rows + depth) * sizeof(std::int64_t);
}

// Tiles that are wide instead of high.

/// Rows of a wide tile, and registers of its columns. With those of rhs they fill 32.
inline constexpr std::size_t wide_rows = 8;
inline constexpr std::size_t wide_registers = 3;

/// Scratch for products with so many rows, in blocks of depth kc.
[[nodiscard]] constexpr std::size_t wide_gemm_bytes(std::int64_t rows, std::int64_t depth,
                                                    std::size_t kc,
                                                    std::size_t element_bytes) noexcept {
    const auto m = static_cast<std::size_t>(rows);
    const std::size_t deep = least(kc, depth);
    return packed_bytes(round_up(m, wide_rows) * deep, element_bytes) +
           few_rows_walk_bytes(m, deep);
}

// Rank-k updates.

/// Rows of the output in an update, at most.
inline constexpr std::size_t most_update_rows = 6;
// Measured; see docs/kernels/gemm.md.
/// Depth of a block of lhs.
inline constexpr std::size_t update_block_depth = 1024;
/// Bytes of a row of results that are worked on at a time, and with 32 registers of rows that one
/// update takes.
inline constexpr std::size_t update_row_bytes = 1536;
inline constexpr std::size_t update_long_row_bytes = 2048;

/// Scratch for products with so many rows.
[[nodiscard]] constexpr std::size_t rank_k_updates_bytes(std::int64_t rows, std::int64_t depth,
                                                         std::size_t element_bytes) noexcept {
    const auto m = static_cast<std::size_t>(rows);
    const std::size_t deep = least(update_block_depth, depth);
    return packed_bytes(m * deep, element_bytes) + m * (update_long_row_bytes + line_bytes) +
           few_rows_walk_bytes(m, deep);
}

// One or the other.

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

// Dot products, of an rhs that lies along its depth.

/// Columns of a deep tile, and its rows where tiles of a usual product have so many: eight, or
/// twice as wide four for no more, and where there are only 16 registers.
inline constexpr std::size_t deep_width = 3;
inline constexpr std::size_t low_deep_height = 4;
[[nodiscard]] constexpr std::size_t deep_height(std::size_t mr) noexcept {
    return mr > 8 ? 2 * low_deep_height : low_deep_height;
}
/// How long blocks of the depth are: a tile's rows of one stay in the first-level cache.
enum class deep_blocks : unsigned char {
    usual,
    pages,  ///< of rhs, where one panel of rows passes over it and that cache has place
};
/// Bytes of a row in a block. Measured; see docs/kernels/gemm.md.
[[nodiscard]] constexpr std::size_t deep_row_bytes(deep_blocks blocks) noexcept {
    return blocks == deep_blocks::pages ? 4096 : 3072;
}
/// What suits so many rows in tiles of height on cores that cut at pages.
[[nodiscard]] constexpr deep_blocks deep_blocks_for(std::int64_t rows,
                                                    std::size_t height) noexcept {
    return rows <= static_cast<std::int64_t>(height) ? deep_blocks::pages : deep_blocks::usual;
}

/// Depth of a block: that of all blocks, whole registers.
[[nodiscard]] constexpr std::size_t deep_block(deep_blocks blocks, std::int64_t depth,
                                               std::size_t element_bytes,
                                               std::size_t lanes) noexcept {
    const std::size_t most = deep_row_bytes(blocks) / element_bytes;
    const auto k = static_cast<std::size_t>(depth);
    const std::size_t count = (k + most - 1) / most;
    return round_up((k + count - 1) / count, lanes);
}

/// Columns whose results are written together, by tiles of so many: whole lines.
[[nodiscard]] constexpr std::size_t deep_columns(std::size_t element_bytes,
                                                 std::size_t width = deep_width) noexcept {
    return width * std::max<std::size_t>(line_bytes / element_bytes, 1);
}

/// Scratch for products with so many rows, in tiles of height rows, and for those of less depth.
[[nodiscard]] constexpr std::size_t dot_gemm_bytes(deep_blocks blocks, std::int64_t rows,
                                                   std::int64_t depth, std::size_t height,
                                                   std::size_t element_bytes,
                                                   std::size_t lanes) noexcept {
    const std::size_t m = round_up(static_cast<std::size_t>(rows), height);
    const std::size_t deep = round_up(least(deep_row_bytes(blocks) / element_bytes, depth), lanes);
    return m * (deep + deep_columns(element_bytes)) * element_bytes + few_rows_walk_bytes(m, deep);
}

}  // namespace xeinsum::kernel
