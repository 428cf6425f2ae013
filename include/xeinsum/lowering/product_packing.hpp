// Which operands of a product are packed: in "nkctv,kvw->nctw" on (8,3,64,150,25) and (3,25,24)
// both are read where they lie, n being a loop around products of 9600 rows.
#pragma once

#include <xeinsum/kernel/gemm/few_rows_gemm.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/staged_gemm.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/lowering/few_rows.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm, whose rows are grouped already: batch, m, n, k. The choice is kept as
/// the recipe's variant.
struct product_packing {
    static constexpr unsigned char variants = 11;
    /// lhs packed, rhs read where it lies, results staged.
    static constexpr unsigned char staged = 4;
    /// Few rows of lhs packed, rhs read where it lies across the depth, in the usual way.
    static constexpr unsigned char across = 5;
    /// Both.
    static constexpr unsigned char across_staged = 6;
    /// Few rows of lhs packed, rhs read where it lies along the depth.
    static constexpr unsigned char deep = 7;
    /// Both packed, runs of columns written in whole registers.
    static constexpr unsigned char interleaved = 8;
    /// As deep, in longer blocks of the depth. A kernel does not decide that, which may have a
    /// thread's part of the rows: results are the same for any number of threads.
    static constexpr unsigned char deep_in_pages = 9;
    /// As across, by updates where there are wide tiles.
    static constexpr unsigned char updated = 10;

    /// Decides what is read where it lies, a kept input never. Outer loops over rows may become
    /// loops around the product, so that the rows left have one stride.
    [[gnu::cold]] static constexpr void choose(recipe& how, const kernel::loops& rows,
                                               const target& on) {
        kernel::gemm_groups g = groups_of(how, rows);
        if (how.prepacked_input == 0 && suits_reading_across(g, on)) {
            how.variant = few_rows::way_across(g.m.iterations(), g.n.extent(0), elements_of_rhs(g),
                                               on) == kernel::usual_few_rows_way(on.mr)
                              ? across
                              : updated;
            return;
        }
        if (how.prepacked_input == 0 && suits_deep_tiles(g, on)) {
            how.variant =
                few_rows::deep_blocks_of(g.m.iterations(), on) == kernel::deep_blocks::pages
                    ? deep_in_pages
                    : deep;
            return;
        }
        const auto inner = [](const kernel::loops& over) { return over.from(over.count - 1); };
        const std::int64_t columns = g.n.iterations();
        const bool in_pieces = g.k.count > 1;
        if (!kernel::direct_depth(g.k, on.kc) ||
            (in_pieces && inner(g.k).extent(0) < direct_segment)) {
            return;
        }
        const auto nr = static_cast<std::int64_t>(on.nr);
        const bool one_row_stride = g.m.count == 1 || inner(g.m).extent(0) >= direct_rows;
        const bool reads_lines = inner(g.k).stride(0, 1) == 1;
        const std::int64_t most = in_pieces ? direct_columns_in_pieces : direct_columns;
        if (how.prepacked_input != 1 && one_row_stride &&
            (columns <= nr || (reads_lines && columns <= most))) {
            how.variant |= lhs_directly;
            const std::size_t outer = g.m.count - 1;
            how.groups[0] = static_cast<unsigned char>(how.groups[0] + outer);
            how.groups[1] = 1;
            g = groups_of(how, rows);
        }
        if (how.prepacked_input != 2 && g.n.count == 1 && g.n.stride(0, 2) == 1 &&
            columns >= static_cast<std::int64_t>(on.lanes) && rhs_stays(g, on)) {
            how.variant |= rhs_directly;
        }
    }

    /// How results are computed that are staged.
    [[nodiscard]] static constexpr unsigned char staged_variant(const kernel::gemm_groups& g,
                                                                const target& on) noexcept {
        return few_rows::stages_across(g.m.iterations(), g.n.iterations(), on) ? across_staged
                                                                               : staged;
    }
    [[nodiscard]] static constexpr kernel::staged_tiles staged_tiles_of(
        const recipe& how) noexcept {
        return how.variant == across_staged ? kernel::staged_tiles::few_rows
                                            : kernel::staged_tiles::usual;
    }
    [[nodiscard]] static constexpr bool reads_across(const recipe& how) noexcept {
        return how.variant == across || how.variant == across_staged || how.variant == updated;
    }
    /// How rhs is read across the depth, if it is.
    [[nodiscard]] static constexpr kernel::few_rows_way way_of(const recipe& how,
                                                               std::size_t mr) noexcept {
        return how.variant == updated ? kernel::few_rows_way::updates
                                      : kernel::usual_few_rows_way(mr);
    }

    [[nodiscard]] static constexpr bool reads_along(const recipe& how) noexcept {
        return how.variant == deep || how.variant == deep_in_pages;
    }

    [[nodiscard]] static constexpr kernel::gemm_packing of(const recipe& how) noexcept {
        const bool by_bits = how.variant < staged;
        return {.lhs = !by_bits || (how.variant & lhs_directly) == 0,
                .rhs = by_bits ? (how.variant & rhs_directly) == 0 : how.variant == interleaved,
                .lhs_prepacked = how.prepacked_input == 1,
                .rhs_prepacked = how.prepacked_input == 2};
    }
    [[nodiscard]] static constexpr const char* words_of(const recipe& how) noexcept {
        return words[how.prepacked_input][how.variant];
    }

    [[nodiscard]] static constexpr kernel::gemm_groups groups_of(
        const recipe& how, const kernel::loops& rows) noexcept {
        const std::size_t m = how.groups[0];
        const std::size_t n = m + how.groups[1];
        const std::size_t k = n + how.groups[2];
        return {rows.first(m), rows.from(m).first(how.groups[1]), rows.from(n).first(how.groups[2]),
                rows.from(k).first(how.groups[3])};
    }

private:
    static constexpr unsigned char lhs_directly = 1;
    static constexpr unsigned char rhs_directly = 2;
    static constexpr std::array<std::array<const char*, variants>, 3> words{
        {{", packed", ", lhs read directly", ", rhs read directly", ", both read directly",
          ", rhs read directly, results staged", ", rhs read directly across the depth",
          ", rhs read directly across the depth, results staged",
          ", rhs read directly along the depth", ", packed, runs of columns in whole registers",
          ", rhs read directly along the depth",
          ", rhs read directly across the depth, by updates"},
         {", lhs prepacked", "", ", lhs prepacked, rhs read directly", "", "", "", "", "", "", "",
          ""},
         {", rhs prepacked", ", rhs prepacked, lhs read directly", "", "", "", "", "", "", "", "",
          ""}}};

    // Measured on AVX2 with one core; see docs/kernels/gemm.md.
    /// More columns than these use a row of lhs so often that packing it pays.
    static constexpr std::int64_t direct_columns = 4096;
    /// The same where its depth lies in pieces, which do not stay in the caches.
    static constexpr std::int64_t direct_columns_in_pieces = 128;
    /// Where a block of rhs is larger, it is packed, so that its panels do not fight for places in
    /// the first-level cache.
    static constexpr std::size_t direct_rhs_bytes = std::size_t{160} << 10U;
    /// So many rows pay for packing any rhs whose panels the first-level cache does not hold.
    static constexpr std::int64_t packing_rows = 320;
    static constexpr std::size_t near_rhs_bytes = std::size_t{48} << 10U;
    /// Fewer rows pay for packing an rhs whose rows lie far apart, on a page each or nearly so.
    static constexpr std::int64_t packing_rows_apart = 96;
    static constexpr std::int64_t apart_bytes = 2048;
    /// So few rows never pay for it, in micro-tiles.
    static constexpr std::int64_t direct_tiles = 4;
    /// Tiles that pay for packing an rhs of which few sets of the first-level cache hold a panel,
    /// as its rows are a quarter of a way apart or more, and of which one set does.
    static constexpr std::int64_t packing_tiles_few_sets = 16;
    static constexpr std::int64_t packing_tiles_one_set = 8;
    /// Inner rows that are worth a pass of their own over the columns.
    static constexpr std::int64_t direct_rows = 48;
    /// Depth in one piece that is worth a start of its own.
    static constexpr std::int64_t direct_segment = 8;

    [[nodiscard]] static constexpr double elements_of_rhs(const kernel::gemm_groups& g) noexcept {
        double elements =
            static_cast<double>(g.n.iterations()) * static_cast<double>(g.k.iterations());
        for (std::size_t m = 0; m < g.batch.count; ++m) {
            elements *= g.batch.stride(m, 2) == 0 ? 1 : static_cast<double>(g.batch.extent(m));
        }
        return elements;
    }
    [[nodiscard]] static constexpr bool suits_reading_across(const kernel::gemm_groups& g,
                                                             const target& on) noexcept {
        return g.n.count == 1 && g.n.stride(0, 2) == 1 && g.n.stride(0, 0) == 1 && g.k.count == 1 &&
               few_rows::suits_reading_across(g.m.iterations(), g.n.extent(0), g.k.extent(0),
                                              elements_of_rhs(g), on);
    }
    [[nodiscard]] static constexpr bool suits_deep_tiles(const kernel::gemm_groups& g,
                                                         const target& on) noexcept {
        return g.n.count == 1 && g.k.count == 1 && g.k.stride(0, 2) == 1 &&
               few_rows::suits_deep_tiles(g.m.iterations(), g.n.extent(0), g.k.extent(0),
                                          elements_of_rhs(g), on);
    }

    /// Rows that pay for packing rhs because of the distance of its own rows alone.
    [[nodiscard]] static constexpr std::int64_t rows_worth_packing(std::int64_t bytes_apart,
                                                                   bool has_gaps,
                                                                   const target& on) noexcept {
        const auto mr = static_cast<std::int64_t>(on.mr);
        std::int64_t rows = std::numeric_limits<std::int64_t>::max();
        if (bytes_apart >= kernel::cache_way_bytes) {
            rows = packing_tiles_one_set * mr;
        } else if (bytes_apart >= kernel::cache_way_bytes / 4) {
            rows = packing_tiles_few_sets * mr;
        }
        return has_gaps && bytes_apart >= apart_bytes ? std::min(rows, packing_rows_apart) : rows;
    }

    /// Whether packing rhs, whose columns lie side by side, would take longer than it saves. Far
    /// rows that push each other out of the caches would come from far away again for every few
    /// columns.
    [[nodiscard, gnu::cold]] static constexpr bool rhs_stays(const kernel::gemm_groups& g,
                                                             const target& on) noexcept {
        const std::int64_t rows = g.m.iterations();
        const double row_bytes =
            static_cast<double>(g.n.iterations()) * static_cast<double>(on.element_bytes);
        const auto depth = static_cast<double>(g.k.iterations());
        const std::int64_t step = g.k.count == 0 ? 0 : g.k.stride(g.k.count - 1, 2);
        const std::int64_t step_bytes = step * static_cast<std::int64_t>(on.element_bytes);
        if (kernel::share_a_set(step_bytes) &&
            row_bytes * depth >= static_cast<double>(kernel::far_bytes)) {
            return false;
        }
        if (rows <= direct_tiles * static_cast<std::int64_t>(on.mr)) {
            return true;
        }
        const bool has_gaps = kernel::magnitude(step) >= 2 * g.n.iterations();
        if (rows >= rows_worth_packing(kernel::magnitude(step_bytes), has_gaps, on)) {
            return false;
        }
        if (rows < packing_rows) {
            return row_bytes * std::min(depth, static_cast<double>(on.kc)) <=
                   static_cast<double>(direct_rhs_bytes);
        }
        // Registers that cross cache lines cost two loads each.
        return row_bytes * depth <= static_cast<double>(near_rhs_bytes) &&
               step % static_cast<std::int64_t>(on.lanes) == 0;
    }
};

}  // namespace xeinsum::lowerings
