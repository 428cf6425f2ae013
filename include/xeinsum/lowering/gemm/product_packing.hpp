// Which operands of a product are packed: in "nkctv,kvw->nctw" on (8,3,64,150,25) and (3,25,24)
// both are read where they lie, n being a loop around products of 9600 rows.
#pragma once

#include <xeinsum/kernel/gemm/few_rows_shapes.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/lowering/gemm/direct_lhs.hpp>
#include <xeinsum/lowering/gemm/few_rows.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::lowerings {

using planning::target;

/// How the lowering gemm computes a product: the variant of its recipes.
enum class product_kind : unsigned char {
    nest,               ///< a degenerate shape, as one loop nest
    packed,             ///< both operands packed
    lhs_direct,         ///< lhs read where it lies, rhs packed
    rhs_direct,         ///< lhs packed, rhs read where it lies
    both_direct,        ///< both read where they lie
    staged,             ///< as rhs_direct, results by way of a temporary buffer
    across,             ///< few rows of lhs packed, rhs read across the depth, in the usual way
    across_staged,      ///< the same, results by way of a temporary buffer
    rank_k,             ///< as across, by rank-k updates where there are wide tiles
    dot,                ///< few rows of lhs packed, rhs read along the depth
    dot_in_pages,       ///< the same in longer blocks of the depth
    short_runs,         ///< both packed, short runs of columns written in whole registers
    small,              ///< in registers, nothing packed
    interleaved_batch,  ///< lanes are products of a batch
};
[[nodiscard]] constexpr product_kind kind_of(const recipe& how) noexcept {
    return static_cast<product_kind>(how.variant);
}
constexpr void set_kind(recipe& how, product_kind kind) noexcept {
    how.variant = static_cast<unsigned char>(kind);
}

/// Part of the lowering gemm, whose rows are grouped already: batch, m, n, k. The choice is kept as
/// the recipe's kind. Kernels do not decide between dot and dot_in_pages, which may have a thread's
/// part of the rows: results are the same for any number of threads.
struct product_packing {
    /// Decides what is read where it lies, a kept input never. Outer loops over rows may become
    /// loops around the product, so that the rows left have one stride.
    [[gnu::cold]] static constexpr void choose(recipe& how, const kernel::loops& rows,
                                               const target& on) {
        kernel::gemm_groups g = groups_of(how, rows);
        if (how.prepacked_input == 0 && suits_reading_across(g, on)) {
            const bool is_usual =
                few_rows::way_across(g.m.iterations(), g.n.extent(0), elements_of_rhs(g), on) ==
                kernel::usual_few_rows_way(on.mr);
            set_kind(how, is_usual ? product_kind::across : product_kind::rank_k);
            return;
        }
        if (how.prepacked_input == 0 && suits_deep_tiles(g, on)) {
            const bool in_pages =
                few_rows::deep_blocks_of(g.m.iterations(), on) == kernel::deep_blocks::pages;
            set_kind(how, in_pages ? product_kind::dot_in_pages : product_kind::dot);
            return;
        }
        set_kind(how, product_kind::packed);
        const auto inner = [](const kernel::loops& over) { return over.from(over.count - 1); };
        const std::int64_t columns = g.n.iterations();
        const bool in_pieces = g.k.count > 1;
        if (!kernel::direct_depth(g.k, on.kc) ||
            (in_pieces && inner(g.k).extent(0) < direct_lhs::least_segment)) {
            return;
        }
        const bool one_row_stride =
            g.m.count == 1 || inner(g.m).extent(0) >= direct_lhs::least_rows;
        const bool lhs_direct = how.prepacked_input != 1 && one_row_stride && lhs_of(g).pays(on);
        if (lhs_direct) {
            const std::size_t outer = g.m.count - 1;
            how.groups[0] = static_cast<unsigned char>(how.groups[0] + outer);
            how.groups[1] = 1;
            g = groups_of(how, rows);
        }
        const bool rhs_direct = how.prepacked_input != 2 && g.n.count == 1 &&
                                g.n.stride(0, 2) == 1 &&
                                columns >= static_cast<std::int64_t>(on.lanes) && rhs_stays(g, on);
        set_kind(how, lhs_direct && rhs_direct ? product_kind::both_direct
                      : lhs_direct             ? product_kind::lhs_direct
                      : rhs_direct             ? product_kind::rhs_direct
                                               : product_kind::packed);
    }

    /// How results are computed that are staged.
    [[nodiscard]] static constexpr product_kind staged_kind(const kernel::gemm_groups& g,
                                                            const target& on) noexcept {
        return few_rows::stages_across(g.m.iterations(), g.n.iterations(), on)
                   ? product_kind::across_staged
                   : product_kind::staged;
    }
    [[nodiscard]] static constexpr kernel::staged_tiles staged_tiles_of(
        const recipe& how) noexcept {
        return kind_of(how) == product_kind::across_staged ? kernel::staged_tiles::few_rows
                                                           : kernel::staged_tiles::usual;
    }
    [[nodiscard]] static constexpr bool reads_across(const recipe& how) noexcept {
        const product_kind kind = kind_of(how);
        return kind == product_kind::across || kind == product_kind::across_staged ||
               kind == product_kind::rank_k;
    }
    /// How rhs is read across the depth, if it is.
    [[nodiscard]] static constexpr kernel::few_rows_way way_of(const recipe& how,
                                                               std::size_t mr) noexcept {
        return kind_of(how) == product_kind::rank_k ? kernel::few_rows_way::updates
                                                    : kernel::usual_few_rows_way(mr);
    }

    [[nodiscard]] static constexpr bool reads_along(const recipe& how) noexcept {
        return kind_of(how) == product_kind::dot || kind_of(how) == product_kind::dot_in_pages;
    }

    [[nodiscard]] static constexpr kernel::gemm_packing of(const recipe& how) noexcept {
        const product_kind kind = kind_of(how);
        return {.lhs = kind != product_kind::lhs_direct && kind != product_kind::both_direct,
                .rhs = kind == product_kind::packed || kind == product_kind::lhs_direct ||
                       kind == product_kind::short_runs,
                .lhs_prepacked = how.prepacked_input == 1,
                .rhs_prepacked = how.prepacked_input == 2};
    }
    [[nodiscard]] static constexpr const char* words_of(const recipe& how) noexcept {
        const bool lhs = how.prepacked_input == 1;
        const bool rhs = how.prepacked_input == 2;
        switch (kind_of(how)) {
            case product_kind::packed:
                return lhs ? ", lhs prepacked" : rhs ? ", rhs prepacked" : ", packed";
            case product_kind::lhs_direct:
                return rhs ? ", rhs prepacked, lhs read directly" : ", lhs read directly";
            case product_kind::rhs_direct:
                return lhs ? ", lhs prepacked, rhs read directly" : ", rhs read directly";
            case product_kind::both_direct: return ", both read directly";
            case product_kind::staged: return ", rhs read directly, results staged";
            case product_kind::across: return ", rhs read directly across the depth";
            case product_kind::across_staged:
                return ", rhs read directly across the depth, results staged";
            case product_kind::rank_k:
                return ", rhs read directly across the depth, by rank-k updates";
            case product_kind::dot:
            case product_kind::dot_in_pages: return ", rhs read directly along the depth";
            case product_kind::short_runs: return ", packed, runs of columns in whole registers";
            case product_kind::nest:
            case product_kind::small:
            case product_kind::interleaved_batch: break;
        }
        return "";
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
    // Measured on AVX2 with one core; see docs/kernels/gemm.md.
    /// Where a block of rhs is larger, it is packed, so that its panels do not fight for places in
    /// the first-level cache.
    static constexpr std::size_t direct_rhs_bytes = std::size_t{160} << 10U;
    /// So many rows pay for packing any rhs whose panels the first-level cache does not hold.
    static constexpr std::int64_t packing_rows = 320;
    static constexpr std::size_t l1_rhs_bytes = std::size_t{48} << 10U;
    /// Fewer rows pay for packing an rhs whose rows lie far apart, on a page each or nearly so.
    static constexpr std::int64_t packing_rows_apart = 96;
    static constexpr std::int64_t apart_bytes = 2048;
    /// So few rows never pay for it, in micro-tiles.
    static constexpr std::int64_t direct_tiles = 4;
    /// Tiles that pay for packing an rhs of which few sets of the first-level cache hold a panel,
    /// as its rows are a quarter of a way apart or more, and of which one set does.
    static constexpr std::int64_t packing_tiles_few_sets = 16;
    static constexpr std::int64_t packing_tiles_one_set = 8;

    [[nodiscard]] static constexpr direct_lhs lhs_of(const kernel::gemm_groups& g) noexcept {
        const std::int64_t step = g.k.stride(g.k.count - 1, 1);
        return {.rows = g.m.iterations(),
                .columns = g.n.iterations(),
                .depth = g.k.iterations(),
                .in_pieces = g.k.count > 1,
                .lies_along = step == 1,
                .rows_adjoin = g.m.stride(g.m.count - 1, 1) == 1,
                .step = step};
    }
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
                                              elements_of_rhs(g), g.k.stride(0, 2), on);
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
            row_bytes * depth >= static_cast<double>(kernel::beyond_l2_bytes)) {
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
        return row_bytes * depth <= static_cast<double>(l1_rhs_bytes) &&
               step % static_cast<std::int64_t>(on.lanes) == 0;
    }
};

}  // namespace xeinsum::lowerings
