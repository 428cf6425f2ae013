// A product in blocks that stay in the caches, one of the batch after the other: in
// "nkctv,kvw->nctw" the rows are n c t, the columns w and the depth k v.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/lowering/gemm/few_rows.hpp>
#include <xeinsum/lowering/gemm/product_cost.hpp>
#include <xeinsum/lowering/gemm/product_loops.hpp>
#include <xeinsum/lowering/gemm/product_packing.hpp>
#include <xeinsum/lowering/gemm/short_runs_product.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm: products of any strides, with free labels on both sides and a sum.
/// No permuted copy is written: operands are packed in blocks or read where they lie, and the
/// result goes to its place.
struct blocked_product {
    /// An input that is the same in all runs, counted from 1, is packed before them.
    [[nodiscard, gnu::cold]] static constexpr double seconds(const mode_table& table,
                                                             const target& on,
                                                             std::size_t constant) noexcept {
        return product_cost(table, output_lies_along_lhs(table), constant, on).seconds();
    }

    /// groups: batch, m, n, k; kind: which operands are read where they lie, see
    /// product_packing. A constant input is kept in panels if the product packs at all; see
    /// prepacked_operand.
    [[nodiscard, gnu::cold]] static constexpr recipe build(mode_table& table, const target& on,
                                                           std::size_t constant) {
        recipe how;
        set_kind(how, product_kind::packed);
        how.swapped = output_lies_along_lhs(table);
        if (how.swapped) {
            exchange_inputs(table);
        }
        how.prepacked_input =
            static_cast<unsigned char>(how.swapped && constant > 0 ? 3 - constant : constant);
        const bool lhs_is_kept = how.prepacked_input == 1;
        constexpr std::array order{index_class::batch, index_class::lhs_free, index_class::rhs_free,
                                   index_class::contracted};
        std::size_t first = 0;
        for (std::size_t g = 0; g < order.size(); ++g) {
            const std::size_t begin = first;
            for (std::size_t m = first; m < table.size(); ++m) {
                if (table.kind(m) == order[g]) {
                    table.swap_rows(first++, m);
                }
            }
            how.groups[g] = static_cast<unsigned char>(first - begin);
            // Long strides outside: of lhs, unless it is in panels, for its rows and the depth,
            // else of the output.
            const bool by_lhs =
                order[g] == index_class::lhs_free && unit_row(table, begin, first, 1) < first;
            const std::size_t by = order[g] == index_class::contracted ? (lhs_is_kept ? 2U : 1U)
                                   : by_lhs && !lhs_is_kept            ? 1U
                                                                       : 0U;
            sort_rows(table, begin, first, by);
        }
        if (product_loops::stage(table, how, on)) {
            // What is packed anew is small.
            const kernel::gemm_groups g = product_packing::groups_of(
                how, kernel::loops{table.row(0), table.pitch(), table.size()});
            set_kind(how, product_packing::staged_kind(g, on));
            how.prepacked_input = 0;
            how.scratch_bytes = product_bytes(how, g, on) +
                                kernel::staged_bytes(product_packing::staged_tiles_of(how));
            return how;
        }
        if (how.prepacked_input == 0) {
            product_loops::choose(table, how, on);
        }
        const bool in_registers = kind_of(how) == product_kind::short_runs;
        if (!in_registers && how.prepacked_input != 2 && !fits_cache(table, on)) {
            const std::size_t k = first - how.groups[3];
            how.groups[3] =
                static_cast<unsigned char>(how.groups[3] + tile_rows(table, k, first, 1, on.kc));
            const std::size_t n = k - how.groups[2];
            how.groups[2] =
                static_cast<unsigned char>(how.groups[2] + tile_rows(table, n, k, 0, on.nc));
        }
        const kernel::loops rows{table.row(0), table.pitch(), table.size()};
        if (!in_registers) {
            product_packing::choose(how, rows, on);
        }
        const kernel::gemm_groups g = product_packing::groups_of(how, rows);
        how.scratch_bytes = product_bytes(how, g, on);
        return how;
    }

    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, std::size_t m,
                                                     const target& on) noexcept {
        // Micro-tiles stay whole, and pieces of the depth long.
        const std::array<std::size_t, 4> inner{1, on.mr, on.nr, 64};
        std::size_t end = 0;
        for (std::size_t g = 0; g < inner.size(); ++g) {
            end += how.groups[g];
            if (m < end) {
                return m + 1 == end ? static_cast<std::int64_t>(inner[g]) : 1;
            }
        }
        return 0;
    }

    [[nodiscard]] static std::string describe(const recipe& how, const kernel::loops& rows) {
        const kernel::gemm_groups g = product_packing::groups_of(how, rows);
        return parsing::join("batch ", g.batch.iterations(), ", m ", g.m.iterations(), ", n ",
                             g.n.iterations(), ", k ", g.k.iterations(),
                             how.swapped ? ", operands exchanged" : "",
                             product_packing::words_of(how));
    }

    /// Enough for either order of the operands, so that a plan fits any strides of its output, and
    /// for each piece that a thread may take.
    [[nodiscard, gnu::cold]] static constexpr std::size_t scratch_bytes(const mode_table& table,
                                                                        const target& on) noexcept {
        const double m = table.extent_of(index_class::lhs_free);
        const double n = table.extent_of(index_class::rhs_free);
        const double k = table.extent_of(index_class::contracted);
        return std::max(bytes_in_order(m, n, k, on), bytes_in_order(n, m, k, on));
    }

private:
    /// Of the way that needs the most, the operands being in this order.
    [[nodiscard, gnu::cold]] static constexpr std::size_t bytes_in_order(
        double rows, double columns, double k, const target& on) noexcept {
        const auto depth = static_cast<std::int64_t>(k);
        const auto lines = static_cast<std::int64_t>(rows);
        const bool stages = product_loops::may_stage(rows, columns, k, on);
        const auto staged = [&](kernel::staged_tiles tiles) {
            return stages ? kernel::staged_bytes(tiles) : 0;
        };
        return std::max(
            {blocks_bytes(lines, static_cast<std::int64_t>(columns), depth, on) +
                 staged(kernel::staged_tiles::usual),
             few_rows::most_across_bytes(lines, depth, on) + staged(kernel::staged_tiles::few_rows),
             few_rows::deep_bytes(lines, depth, on),
             short_runs_product::most_bytes(rows, columns, k, on)});
    }

    /// Blocks of both operands of a product.
    [[nodiscard]] static constexpr std::size_t blocks_bytes(std::int64_t rows, std::int64_t columns,
                                                            std::int64_t depth,
                                                            const target& on) noexcept {
        return kernel::memory_of_parts(
            {.mr = on.mr, .nv = 1, .mc = on.mc, .kc = on.kc, .nc = on.nc}, on.nr, on.element_bytes,
            rows, columns, depth);
    }
    /// What one product needs of what a recipe describes.
    [[nodiscard, gnu::cold]] static constexpr std::size_t product_bytes(
        const recipe& how, const kernel::gemm_groups& g, const target& on) noexcept {
        const std::int64_t rows = g.m.iterations();
        const std::int64_t depth = g.k.iterations();
        return product_packing::reads_across(how)
                   ? few_rows::across_bytes(product_packing::way_of(how, on.mr), rows, depth, on)
               : product_packing::reads_along(how)
                   ? few_rows::deep_bytes(rows, depth, on)
                   : std::max(blocks_bytes(rows, g.n.iterations(), depth, on),
                              kind_of(how) == product_kind::short_runs
                                  ? kernel::short_runs_gemm_bytes(rows, g.n.iterations(), depth,
                                                                  on.element_bytes, on.lanes)
                                  : 0);
    }

    /// Whether the output lies side by side along a free label of lhs: then lhs gives the columns,
    /// which the kernel writes as vectors.
    [[nodiscard]] static constexpr bool output_lies_along_lhs(const mode_table& table) noexcept {
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.stride(m, 0) == 1 && table.kind(m) == index_class::lhs_free) {
                return true;
            }
        }
        return false;
    }

    static constexpr void exchange_inputs(mode_table& table) noexcept {
        table.swap_inputs(0, 1);
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.kind(m) == index_class::lhs_free) {
                table.set_kind(m, index_class::rhs_free);
            } else if (table.kind(m) == index_class::rhs_free) {
                table.set_kind(m, index_class::lhs_free);
            }
        }
    }

    /// Whether rhs is so small that the order of reading it does not matter.
    [[nodiscard]] static constexpr bool fits_cache(const mode_table& table,
                                                   const target& on) noexcept {
        return table.elements(2) * static_cast<double>(on.element_bytes) <=
               static_cast<double>(on.core.near_cache_bytes);
    }
};

}  // namespace xeinsum::lowerings
