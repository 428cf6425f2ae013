// Products of few rows, which read rhs once where it lies: across the depth, "ij,jk->ik" on
// (16,2048) and (2048,2048), or along it, "ij,kj->ik".
#pragma once

#include <xeinsum/kernel/gemm/few_rows_shapes.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm: which products suit kernels for few rows, and what they need.
struct few_rows {
    /// Whether rhs, with so many elements in all products and rows so many apart, is best read
    /// across the depth, if it and the output lie side by side along the columns.
    [[nodiscard, gnu::cold]] static constexpr bool suits_reading_across(
        std::int64_t rows, std::int64_t columns, std::int64_t depth, double rhs_elements,
        std::int64_t rhs_step, const target& on) noexcept {
        const auto element = static_cast<std::int64_t>(on.element_bytes);
        const double rhs_bytes = rhs_elements * static_cast<double>(on.element_bytes);
        const bool meet = on.tuned.packs_rows_of_one_set && kernel::share_a_set(rhs_step * element);
        const bool suits = kernel::has_wide_tiles(on.mr)
                               ? (rows <= (depth < crowded_depth ? 48 : 24) || !meet) &&
                                     suits_wide_tiles(rows, columns, rhs_bytes, on)
                               : suits_updates(rows, columns, rhs_bytes, on);
        return on.has_real_vectors() && suits && depth >= across_depth &&
               across_bytes(way_across(rows, columns, rhs_elements, on), rows, depth, on) > 0;
    }
    /// How such a product is computed: where there are wide tiles, rows that one update takes, or
    /// two of them if rhs is in DRAM, are updated all the same, as rows of rhs then pass as
    /// streams.
    [[nodiscard]] static constexpr kernel::few_rows_way way_across(std::int64_t rows,
                                                                   std::int64_t columns,
                                                                   double rhs_elements,
                                                                   const target& on) noexcept {
        const bool dram_resident =
            rhs_elements * static_cast<double>(on.element_bytes) >= streamed_rhs_bytes;
        return rows <= (dram_resident ? few_updated_rows : one_update) &&
                       columns >= static_cast<std::int64_t>(update_registers * on.lanes)
                   ? kernel::few_rows_way::updates
                   : kernel::usual_few_rows_way(on.mr);
    }

    /// The same of an rhs that lies along the depth, vector by vector. Transposing a cached one
    /// pays sooner where tiles are high.
    [[nodiscard]] static constexpr bool suits_deep_tiles(std::int64_t rows, std::int64_t columns,
                                                         std::int64_t depth, double rhs_elements,
                                                         const target& on) noexcept {
        const bool cached = rhs_elements * static_cast<double>(on.element_bytes) <
                            static_cast<double>(kernel::beyond_l2_bytes);
        const std::int64_t most = most_deep_rows(on);
        return on.has_real_vectors() &&
               rows <= (cached && kernel::has_wide_tiles(on.mr) ? most / 2 : most) &&
               depth >= least_depth(on) && columns >= static_cast<std::int64_t>(on.lanes);
    }

    /// Whether results that are staged come from rhs read across the depth. Columns follow each
    /// other in rhs.
    [[nodiscard]] static constexpr bool stages_across(std::int64_t rows, std::int64_t columns,
                                                      const target& on) noexcept {
        return on.has_real_vectors() &&
               (kernel::has_wide_tiles(on.mr)
                    ? rows <= most_wide_rows && columns >= wide_tile(on)
                    : rows <= most_staged_rows &&
                          columns >= staged_registers * static_cast<std::int64_t>(on.lanes));
    }

    /// Scratch for so many rows and an rhs read across the depth; 0 for more than suit that.
    [[nodiscard]] static constexpr std::size_t across_bytes(kernel::few_rows_way way,
                                                            std::int64_t rows, std::int64_t depth,
                                                            const target& on) noexcept {
        const std::int64_t deep = std::min(depth, static_cast<std::int64_t>(on.kc));
        const std::int64_t most = !kernel::has_wide_tiles(on.mr)            ? large_rhs_updated_rows
                                  : way == kernel::few_rows_way::wide_tiles ? large_rhs_wide_rows
                                                                            : few_updated_rows;
        return rows > most || rows * deep > lhs_bytes / static_cast<std::int64_t>(on.element_bytes)
                   ? 0
                   : kernel::few_rows_gemm_bytes(way, rows, depth, on.kc, on.element_bytes);
    }

    /// The most that either way needs.
    [[nodiscard, gnu::cold]] static constexpr std::size_t most_across_bytes(
        std::int64_t rows, std::int64_t depth, const target& on) noexcept {
        return std::max(across_bytes(kernel::few_rows_way::wide_tiles, rows, depth, on),
                        across_bytes(kernel::few_rows_way::updates, rows, depth, on));
    }

    /// The same in deep tiles.
    [[nodiscard, gnu::cold]] static constexpr std::size_t deep_bytes(std::int64_t rows,
                                                                     std::int64_t depth,
                                                                     const target& on) noexcept {
        return rows > most_deep_rows(on)
                   ? 0
                   : kernel::dot_gemm_bytes(deep_blocks_of(rows, on), rows, depth,
                                            kernel::deep_height(on.mr), on.element_bytes, on.lanes);
    }
    [[nodiscard]] static constexpr kernel::deep_blocks deep_blocks_of(std::int64_t rows,
                                                                      const target& on) noexcept {
        return on.tuned.cuts_dots_at_pages
                   ? kernel::deep_blocks_for(rows, kernel::deep_height(on.mr))
                   : kernel::deep_blocks::usual;
    }

    /// Depth that is worth adding up lanes.
    [[nodiscard]] static constexpr std::int64_t least_depth(const target& on) noexcept {
        return static_cast<std::int64_t>(deep_steps * on.lanes);
    }

private:
    // Measured; see docs/kernels/gemm.md.
    /// Depth that is worth packing lhs, and bytes of its blocks.
    static constexpr std::int64_t across_depth = 64;
    static constexpr std::int64_t lhs_bytes = 1 << 20U;
    /// An rhs of so many bytes does not stay in the second-level cache.
    static constexpr double large_bytes = 1 << 20U;

    /// Rows whose panels read rhs in wide tiles sooner than packing it would pay, and the same of a
    /// large rhs.
    static constexpr std::int64_t most_wide_rows = 64;
    static constexpr std::int64_t large_rhs_wide_rows = 512;
    /// Rows of rhs that the second-level cache does not hold if they share sets of it.
    static constexpr std::int64_t crowded_depth = 1024;
    /// Wide tiles of columns that pay for packing lhs.
    static constexpr std::int64_t wide_columns = 4;
    [[nodiscard]] static constexpr std::int64_t wide_tile(const target& on) noexcept {
        return static_cast<std::int64_t>(kernel::wide_registers * on.lanes);
    }
    [[nodiscard]] static constexpr bool suits_wide_tiles(std::int64_t rows, std::int64_t columns,
                                                         double rhs_bytes,
                                                         const target& on) noexcept {
        const bool many =
            rows <= large_rhs_wide_rows && columns >= 2 * rows && rhs_bytes >= large_bytes;
        return (rows <= most_wide_rows || many) && columns >= wide_columns * wide_tile(on);
    }

    /// Rows that are updated while a row of rhs passes by, and the same of a large rhs.
    static constexpr std::int64_t most_updated_rows = 20;
    static constexpr std::int64_t large_rhs_updated_rows = 64;
    /// The same where there are wide tiles, and where an rhs of so many bytes is in DRAM.
    static constexpr auto one_update = static_cast<std::int64_t>(kernel::most_update_rows);
    static constexpr std::int64_t few_updated_rows = 16;
    static constexpr double streamed_rhs_bytes = 8 << 20U;
    /// Registers of columns that pay for setting up an update, and for four of its rows.
    static constexpr std::int64_t update_registers = 16;
    static constexpr std::int64_t registers_of_four_rows = 5;
    /// So many usual tiles, if all are full or nearly so, read a cached rhs as fast.
    static constexpr std::int64_t full_tiles = 4;
    [[nodiscard]] static constexpr bool suits_updates(std::int64_t rows, std::int64_t columns,
                                                      double rhs_bytes, const target& on) noexcept {
        const auto mr = static_cast<std::int64_t>(on.mr);
        const std::int64_t registers = columns / static_cast<std::int64_t>(on.lanes);
        const bool fills_tiles = (rows + 1) % mr < 2 && rows <= full_tiles * mr &&
                                 rhs_bytes < static_cast<double>(kernel::beyond_l2_bytes);
        return rows <= (rhs_bytes < large_bytes ? most_updated_rows : large_rhs_updated_rows) &&
               !fills_tiles && registers >= update_registers &&
               4 * registers >= registers_of_four_rows * rows;
    }
    /// Rows, and registers of columns, of products whose results are staged.
    static constexpr std::int64_t most_staged_rows = 8;
    static constexpr std::int64_t staged_registers = 8;

    /// Rows that deep tiles multiply sooner than rhs is transposed for others.
    [[nodiscard]] static constexpr std::int64_t most_deep_rows(const target& on) noexcept {
        return static_cast<std::int64_t>(kernel::deep_height(on.mr) * deep_panels);
    }
    static constexpr std::size_t deep_panels = 8;
    static constexpr std::size_t deep_steps = 6;
};

}  // namespace xeinsum::lowerings
