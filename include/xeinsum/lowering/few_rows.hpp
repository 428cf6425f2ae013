// Products of few rows, which read rhs where it lies in tiles of their own: across the depth in
// wide ones, "ij,jk->ik" on (16,2048) and (2048,2048), along it in deep ones, "ij,kj->ik".
#pragma once

#include <xeinsum/kernel/deep_gemm.hpp>
#include <xeinsum/kernel/wide_gemm.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm: which products suit such tiles, and what they need.
struct few_rows {
    /// Whether rhs, with so many elements in all products, is best read where it lies in wide
    /// tiles, if it and the output can be.
    [[nodiscard]] static constexpr bool suits_wide_tiles(std::int64_t rows, std::int64_t columns,
                                                         std::int64_t depth, double rhs_elements,
                                                         const target& on) noexcept {
        const auto registers = static_cast<std::int64_t>(wide_columns * kernel::wide_registers);
        const bool many = rows <= far_wide_rows(on) && columns >= 2 * rows &&
                          rhs_elements * static_cast<double>(on.element_bytes) >= far_wide_bytes;
        return has_tiles(on) && (rows <= most_wide_rows(on) || many) && depth >= wide_depth &&
               columns >= registers * static_cast<std::int64_t>(on.lanes) &&
               wide_bytes(rows, depth, on) > 0;
    }

    /// The same of an rhs that lies along the depth, vector by vector.
    [[nodiscard]] static constexpr bool suits_deep_tiles(std::int64_t rows, std::int64_t columns,
                                                         std::int64_t depth,
                                                         const target& on) noexcept {
        return has_tiles(on) && rows <= most_deep_rows(on) && depth >= least_depth(on) &&
               columns >= static_cast<std::int64_t>(on.lanes);
    }

    /// Whether results that are staged come from wide tiles. Columns follow each other in rhs.
    [[nodiscard]] static constexpr bool stages_in_wide_tiles(std::int64_t rows,
                                                             std::int64_t columns,
                                                             const target& on) noexcept {
        return has_tiles(on) && rows <= most_wide_rows(on) &&
               columns >= static_cast<std::int64_t>(kernel::wide_registers * on.lanes);
    }

    /// Scratch for so many rows in wide tiles; 0 for more than suit them.
    [[nodiscard]] static constexpr std::size_t wide_bytes(std::int64_t rows, std::int64_t depth,
                                                          const target& on) noexcept {
        const std::int64_t deep = std::min(depth, static_cast<std::int64_t>(on.kc));
        return rows > std::max(most_wide_rows(on), far_wide_rows(on)) ||
                       rows * deep > wide_lhs_bytes / static_cast<std::int64_t>(on.element_bytes)
                   ? 0
                   : kernel::wide_gemm_bytes(rows, depth, kernel::few_rows_height(on.mr), on.kc,
                                             on.element_bytes);
    }

    /// The same in deep tiles.
    [[nodiscard]] static constexpr std::size_t deep_bytes(std::int64_t rows, std::int64_t depth,
                                                          const target& on) noexcept {
        return rows > most_deep_rows(on)
                   ? 0
                   : kernel::deep_gemm_bytes(rows, depth, kernel::few_rows_height(on.mr),
                                             on.element_bytes, on.lanes);
    }

private:
    [[nodiscard]] static constexpr bool has_tiles(const target& on) noexcept {
        return on.lanes > 1 && on.flop_weight <= 1;
    }

    /// Those of 16 are half as high.
    [[nodiscard]] static constexpr bool has_tiles_of_32_registers(const target& on) noexcept {
        return kernel::few_rows_height(on.mr) == 8;
    }

    // Measured; see docs/performance.md.
    /// Rows whose panels read rhs sooner than packing it would pay.
    [[nodiscard]] static constexpr std::int64_t most_wide_rows(const target& on) noexcept {
        return has_tiles_of_32_registers(on) ? 64 : 8;
    }
    /// The same of an rhs that comes from behind the near caches, and that has so many bytes.
    [[nodiscard]] static constexpr std::int64_t far_wide_rows(const target& on) noexcept {
        return has_tiles_of_32_registers(on) ? 512 : 0;
    }
    static constexpr double far_wide_bytes = 1 << 20U;
    /// Wide tiles of columns that pay for packing lhs.
    static constexpr std::size_t wide_columns = 4;
    /// The least depth of a wide tile that is far ahead of the next one.
    static constexpr std::int64_t wide_depth = 64;
    /// The largest block of lhs in wide tiles.
    static constexpr std::int64_t wide_lhs_bytes = 1 << 20U;

    /// Rows that deep tiles multiply sooner than rhs is turned for others.
    [[nodiscard]] static constexpr std::int64_t most_deep_rows(const target& on) noexcept {
        return static_cast<std::int64_t>(kernel::few_rows_height(on.mr) * deep_panels);
    }
    static constexpr std::size_t deep_panels = 8;
    /// Depth that is worth adding up lanes.
    [[nodiscard]] static constexpr std::int64_t least_depth(const target& on) noexcept {
        return static_cast<std::int64_t>(deep_steps * on.lanes);
    }
    static constexpr std::size_t deep_steps = 6;
};

}  // namespace xeinsum::lowerings
