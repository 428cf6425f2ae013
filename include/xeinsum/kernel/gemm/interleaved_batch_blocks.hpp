// How many products at once are cut: of "ijb,jkb->ikb" with matrices of 32 x 32 floats, tiles of 4
// i by 3 k are computed for 64 b, whose j and k are copied side by side before.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/simd/arch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>

namespace xeinsum::kernel {

/// The loops of a product besides the batch, and their strides in elements.
struct batched_shape {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t depth = 1;
    std::int64_t lhs_row = 0, lhs_depth = 0;
    std::int64_t rhs_column = 0, rhs_depth = 0;
    std::int64_t out_row = 0, out_column = 0;
};

/// Rows and columns of tiles.
struct batched_limits {
    std::int64_t least = 1;
    std::int64_t rows = 2;
    std::int64_t columns = 2;
    /// Registers of the batch that the first-level cache holds of a tile's rows, if these are as
    /// deep as they may be.
    std::int64_t registers = 4;

    template <class T, class Arch>
    [[nodiscard]] static constexpr batched_limits of() noexcept {
        // 12 sums, 3 columns and 1 row of 16 registers, 24 sums of 32; without multiply-add, or
        // with two registers for each, they do not suffice. What is cut into threes leaves no
        // single ones.
        if constexpr (std::is_floating_point_v<T> && has_fused_multiply_add<Arch>) {
            return Arch::register_bytes == line_bytes ? batched_limits{2, 6, 3, 1}
                                                      : batched_limits{2, 4, 3};
        } else {
            return {1, 2, 2};
        }
    }
};

/// How a product is cut: registers along the batch, columns and depth that are worked on at a time.
/// Where it packs, a tile's rows stay in the first-level cache and the columns in the second.
struct interleaved_batch_blocks {
    bool packs = false;
    std::int64_t rows = 1;  ///< of a tile, at most
    std::int64_t registers = 1;
    std::int64_t at_once = 1;  ///< registers that a tile passes over before its columns move on
    std::int64_t columns = 1;
    std::int64_t depth = 1;  ///< at most; the same however threads share the other loops

    /// whole is how many registers the batch fills; bytes of an element and of a register.
    [[nodiscard]] static constexpr interleaved_batch_blocks of(
        const batched_shape& s, std::int64_t whole, const batched_limits& tile,
        std::int64_t element_bytes, std::int64_t register_bytes) noexcept {
        const bool lines = register_bytes == static_cast<std::int64_t>(line_bytes);
        const std::int64_t most = cached_bytes / register_bytes;
        const std::int64_t most_first = first_bytes / register_bytes;
        interleaved_batch_blocks b;
        b.depth = most_first / (tile.registers * tile.rows);
        const std::int64_t depth = std::min(s.depth, b.depth);
        const std::int64_t operands = (s.rows + s.columns) * depth;
        const bool once = s.rows <= tile.rows && s.columns <= tile.columns;
        const bool twice = s.rows <= 2 * tile.rows && s.columns <= 2 * tile.columns;
        const std::int64_t together =
            std::clamp(whole, std::int64_t{1}, std::int64_t{few_registers});
        const bool fits = operands * together <= most_first;
        // Lines are read from the second-level cache as fast as they are copied, if they find
        // place.
        const bool fits_next =
            lines && operands * together <= in_place_bytes / register_bytes &&
            !crowded(s, std::min(together, std::int64_t{2}) * operands, element_bytes);
        b.packs = whole == 0 ||
                  !(once || fits_next || ((twice || fits) && !crowded(s, operands, element_bytes)));
        // The lines behind a tile's results come into the cache in advance: those of half the
        // height may stay until they are written.
        const bool results_meet =
            lines &&
            !sets_hold(tile.rows * tile.columns, std::gcd(s.out_row, s.out_column) * element_bytes);
        b.rows = results_meet ? tile.rows / 2 : tile.rows;
        if (b.packs) {
            const std::int64_t rows = std::min(s.rows, b.rows) * depth;
            b.columns = std::min(s.columns, most / (together * depth));
            b.registers = std::min((lines ? rows_bytes / register_bytes : most_first) / rows,
                                   most / (b.columns * depth));
            b.at_once = lines ? most_first / 2 / rows : few_registers;
        } else {
            b.columns = s.columns;
            b.registers = std::max(most_first / operands, lines ? few_registers : std::int64_t{2});
            b.at_once = most_registers;
        }
        b.registers =
            std::clamp(std::min(b.registers, whole), std::int64_t{1}, std::int64_t{most_registers});
        b.at_once = std::clamp(b.at_once, std::int64_t{1}, b.registers);
        return b;
    }

    /// Bytes of panels, for any strides and any batch.
    [[nodiscard]] static constexpr std::size_t memory_bytes(double columns, double depth,
                                                            double register_bytes) noexcept {
        const bool lines = register_bytes == double{line_bytes};
        const double line = depth * register_bytes * static_cast<double>(most_registers);
        const double rows = lines ? 6 : 4;
        const auto most_rows = static_cast<double>(lines ? rows_bytes : first_bytes);
        return static_cast<std::size_t>(std::min(rows * line, most_rows) +
                                        std::min(columns * line, double{cached_bytes}));
    }

private:
    static constexpr std::int64_t first_bytes = 32 << 10;
    static constexpr std::int64_t cached_bytes = 512 << 10;
    // Measured; see docs/kernels/batched.md. For registers that are cache lines:
    /// Rows of a tile that are copied together, for the second-level cache.
    static constexpr std::int64_t rows_bytes = 128 << 10;
    /// Operands of so many bytes, some registers of the batch, are read where they lie.
    static constexpr std::int64_t in_place_bytes = 192 << 10;
    /// Registers of the batch at least, so that memory is read in pieces of some cache lines.
    static constexpr std::int64_t few_registers = 4;
    static constexpr std::int64_t most_registers = 8;

    /// Whether distances are multiples of such powers of two that the operands' lines share a few
    /// sets of the first-level cache, and drive each other out.
    [[nodiscard]] static constexpr bool crowded(const batched_shape& s, std::int64_t lines,
                                                std::int64_t element_bytes) noexcept {
        constexpr std::int64_t line = 64;
        constexpr std::int64_t sets = 64;
        constexpr std::int64_t lines_of_set = 24;  // its eight, thrice
        std::int64_t apart = sets * line;
        for (const std::int64_t stride : {s.lhs_row, s.lhs_depth, s.rhs_column, s.rhs_depth}) {
            apart = std::gcd(apart, stride * element_bytes);
        }
        return lines > sets * line / std::max(apart, line) * lines_of_set;
    }
};

}  // namespace xeinsum::kernel
