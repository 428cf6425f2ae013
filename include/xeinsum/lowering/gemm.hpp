// Permute, reshape, matrix product: in "nkctv,kvw->nctw" the rows are n c t, the columns w and the
// depth k v. No permuted copy is written: operands are read through their strides, packed in blocks
// or directly, and the result goes to its place through the output's.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/gemm.hpp>
#include <xeinsum/kernel/interleaved_gemm.hpp>
#include <xeinsum/lowering/batched_product.hpp>
#include <xeinsum/lowering/few_rows.hpp>
#include <xeinsum/lowering/interleaved_product.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/lowering/nest.hpp>
#include <xeinsum/lowering/product_cost.hpp>
#include <xeinsum/lowering/product_loops.hpp>
#include <xeinsum/lowering/product_packing.hpp>
#include <xeinsum/lowering/small_product.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace xeinsum::lowerings {

struct gemm {
    static constexpr lowering id = lowering::gemm;
    static constexpr std::size_t least_inputs = 2;

    [[nodiscard]] static constexpr const char* refusal(const mode_table& table) noexcept {
        if (table.inputs() != 2) {
            return "a matrix product has two operands";
        }
        return table.has_one_sided_sum()
                   ? "a label that only one operand has is summed beside the product"
                   : nullptr;
    }

    /// A degenerate shape is the nest that broadcast_multiply_reduce makes of it.
    [[nodiscard]] static constexpr bool never_wins(const mode_table& table) noexcept {
        return refusal(table) == nullptr && is_degenerate(table);
    }

    /// An input that is the same in all runs, counted from 1, is packed before them.
    [[nodiscard]] static constexpr double seconds(const mode_table& table, const target& on,
                                                  std::size_t constant = 0) noexcept {
        if (is_degenerate(table)) {
            return nest_seconds(table, on);
        }
        if (const auto at = small_product::find_small(table, on); at.found) {
            return small_product::seconds(table, at, on);
        }
        const auto at = batched_product::find(table, on);
        const double blocked = blocked_seconds(table, on, constant);
        return at.found ? std::min(blocked, batched_product::seconds(table, at, on)) : blocked;
    }

    /// Small products and large ones: nothing is faster, whatever the others predict.
    [[nodiscard]] static constexpr bool obvious(const mode_table& table,
                                                const target& on) noexcept {
        return obvious_small(table, on).found || is_large(table, on);
    }
    [[nodiscard]] static constexpr bool build_obvious(mode_table& table, const target& on,
                                                      recipe& how) {
        if (build_small(table, obvious_small(table, on), how)) {
            return true;
        }
        const bool large = is_large(table, on);
        if (large) {
            how = build_product(table, on, 0);
            how.chosen = id;
        }
        return large;
    }
    [[nodiscard]] static constexpr bool outline(mode_table& table, const target& on,
                                                recipe& how) noexcept {
        return build_small(table, small_product::find(table, on), how);
    }
    /// Inlined, as what follows for outlines: then nothing of a table needs memory.
    [[nodiscard, gnu::always_inline]] static constexpr bool fits(const mode_table& table,
                                                                 const recipe& how,
                                                                 const target& on) noexcept {
        return one_thread_suffices(table) && small_product::fits(table, how, on);
    }

    /// groups: batch, m, n, k; variant: which operands are read directly. A degenerate shape
    /// becomes one nest, whose variant lies above those of products. An input that is the same in
    /// all runs, counted from 1, is kept in panels if the product packs at all; see kept_operand.
    [[nodiscard]] static constexpr recipe build(mode_table& table, const target& on,
                                                std::size_t constant = 0) {
        if (is_degenerate(table)) {
            recipe how = build_nest(table, on);
            how.variant = static_cast<unsigned char>(how.variant + products);
            return how;
        }
        recipe how;
        return build_small(table, small_product::find_small(table, on), how)
                   ? how
                   : build_product(table, on, constant);
    }

    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, const mode_table& table,
                                                     std::size_t m, const target& on) noexcept {
        if (how.variant == small) {
            return m < how.groups[0] ? 1 : 0;
        }
        if (how.variant == batched) {
            return batched_product::unit(how, table, m, on);
        }
        if (how.variant >= products) {
            recipe nest = how;
            nest.variant = static_cast<unsigned char>(nest.variant - products);
            return nest_unit(nest, m, on);
        }
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
        using parsing::join;
        if (how.variant == small) {
            return small_product::describe(how, rows);
        }
        if (how.variant == batched) {
            return batched_product::describe(how, rows);
        }
        if (how.variant >= products) {
            std::int64_t sums = rows.from(how.groups[0]).iterations();
            std::int64_t free = 1;
            bool lhs = false;
            bool rhs = false;
            for (std::size_t m = 0; m < how.groups[0]; ++m) {
                const bool in_lhs = rows.stride(m, 1) != 0;
                const bool in_rhs = rows.stride(m, 2) != 0;
                free *= rows.extent(m);
                lhs = lhs || (in_lhs && !in_rhs);
                rhs = rhs || (in_rhs && !in_lhs);
            }
            const char* shape = sums == 1    ? (lhs && rhs ? "outer product" : "scaling")
                                : lhs || rhs ? "matrix-vector product"
                                             : "dot product";
            return join(shape, ", ", free, " results of ", sums, " terms");
        }
        const kernel::gemm_groups g = product_packing::groups_of(how, rows);
        return join("batch ", g.batch.iterations(), ", m ", g.m.iterations(), ", n ",
                    g.n.iterations(), ", k ", g.k.iterations(),
                    how.swapped ? ", operands exchanged" : "", product_packing::words_of(how));
    }

    template <class T, class Arch, std::size_t MostInputs>
    static void run(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                    const T* const* from, T* out, const kernel::scaling<T>& scale,
                    std::byte* scratch) {
        if (how.variant == small) {
            small_product::run<T, Arch>(how, rows, from, out, scale);
            return;
        }
        if (how.variant == batched) {
            batched_product::run<T, Arch>(how, rows, from, out, scale, scratch);
            return;
        }
        if (how.variant >= products) {
            recipe nest = how;
            nest.variant = static_cast<unsigned char>(nest.variant - products);
            run_nest<T, Arch, MostInputs>(nest, rows, inputs, from, out, scale, scratch);
            return;
        }
        const kernel::gemm_groups groups = product_packing::groups_of(how, rows);
        const T* const lhs = from[how.swapped ? 1 : 0];
        const T* const rhs = from[how.swapped ? 0 : 1];
        switch (how.variant) {
            case product_packing::across:
                kernel::few_rows_gemm<T, Arch>(groups, lhs, rhs, out, scale, scratch);
                return;
            case product_packing::deep:
                kernel::deep_gemm<T, Arch>(groups, kernel::deep_blocks::usual, lhs, rhs, out, scale,
                                           scratch);
                return;
            case product_packing::deep_in_pages:
                kernel::deep_gemm<T, Arch>(groups, kernel::deep_blocks::pages, lhs, rhs, out, scale,
                                           scratch);
                return;
            case product_packing::interleaved:
                kernel::interleaved_gemm<T, Arch>(groups, lhs, rhs, out, scale, scratch);
                return;
            case product_packing::staged:
            case product_packing::across_staged:
                kernel::staged_gemm<T, Arch>(groups, product_packing::staged_tiles_of(how), lhs,
                                             rhs, out, scale, scratch);
                return;
            default:
                kernel::gemm<T, Arch>(groups, product_packing::of(how), lhs, rhs, out, scale,
                                      scratch);
        }
    }

    /// The same for what outline() has made.
    template <class T, class Arch>
    [[gnu::always_inline]] static void run_outlined(const recipe& how, const kernel::loops& rows,
                                                    const T* const* from, T* out,
                                                    const kernel::scaling<T>& scale) {
        small_product::run<T, Arch>(how, rows, from, out, scale);
    }

    /// Elements of the panels of the kept input, for one product; rows are those of its strides.
    template <class T, class Arch>
    [[nodiscard]] static std::int64_t kept_elements(const recipe& how, const kernel::loops& rows,
                                                    std::byte* scratch) {
        const kernel::gemm_run<T, Arch> product(product_packing::groups_of(how, rows),
                                                product_packing::of(how), {}, scratch);
        return (how.kept_input == 1 ? product.lhs_panels() : product.rhs_panels()).elements();
    }
    /// Writes them, and up to pack_slack bytes more.
    template <class T, class Arch>
    static void keep(const recipe& how, const kernel::loops& rows, const T* from, T* to,
                     std::byte* scratch) {
        kernel::gemm_run<T, Arch> product(product_packing::groups_of(how, rows),
                                          product_packing::of(how), {}, scratch);
        if (how.kept_input == 1) {
            product.keep_lhs(from, to);
        } else {
            product.keep_rhs(from, to);
        }
    }

    /// Enough for either order of the operands, so that a plan fits any strides of its output, and
    /// for each piece that a thread may take.
    [[nodiscard]] static constexpr std::size_t scratch_bytes(const mode_table& table,
                                                             const target& on) noexcept {
        const double m = table.extent_of(index_class::lhs_free);
        const double n = table.extent_of(index_class::rhs_free);
        const double k = table.extent_of(index_class::contracted);
        const auto bytes = [&](double rows, double columns) {
            const auto depth = static_cast<std::int64_t>(k);
            const bool stages = product_loops::may_stage(rows, columns, k, on);
            const auto staged = [&](kernel::staged_tiles tiles) {
                return stages ? kernel::staged_bytes(tiles) : 0;
            };
            const auto lines = static_cast<std::int64_t>(rows);
            return std::max(
                {blocks_bytes(lines, static_cast<std::int64_t>(columns), depth, on) +
                     staged(kernel::staged_tiles::usual),
                 few_rows::across_bytes(lines, depth, on) + staged(kernel::staged_tiles::few_rows),
                 few_rows::deep_bytes(lines, depth, on),
                 interleaved_product::most_bytes(rows, columns, k, on)});
        };
        return std::max({bytes(m, n), bytes(n, m), batched_product::scratch_bytes(table, on),
                         nest_scratch_bytes(table, on)});
    }

private:
    // Variants of nests lie above those of products, and below these.
    static constexpr unsigned char products = product_packing::variants;
    static constexpr unsigned char batched = 254;
    static constexpr unsigned char small = 255;

    /// A small product that nothing else does faster.
    [[nodiscard]] static constexpr small_product::places obvious_small(const mode_table& table,
                                                                       const target& on) noexcept {
        small_product::places at = small_product::find_small(table, on);
        at.found = at.found && !small_product::waits_for_lhs(table, at, on);
        return at;
    }

    /// Of products in blocks, one of the batch after the other.
    [[nodiscard]] static constexpr double blocked_seconds(const mode_table& table, const target& on,
                                                          std::size_t constant) noexcept {
        return product_cost(table, output_lies_along_lhs(table), constant, on).seconds();
    }

    /// What build() does with a product that is neither degenerate nor small.
    [[nodiscard]] static constexpr recipe build_product(mode_table& table, const target& on,
                                                        std::size_t constant) {
        recipe how;
        if (const auto at = batched_product::find(table, on);
            at.found &&
            batched_product::seconds(table, at, on) < blocked_seconds(table, on, constant)) {
            batched_product::build(table, at, how);
            how.variant = batched;
            how.scratch_bytes = batched_product::scratch_bytes(table, on);
            return how;
        }
        how.swapped = output_lies_along_lhs(table);
        if (how.swapped) {
            exchange_inputs(table);
        }
        how.kept_input =
            static_cast<unsigned char>(how.swapped && constant > 0 ? 3 - constant : constant);
        const bool lhs_is_kept = how.kept_input == 1;
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
            how.variant = product_packing::staged_variant(g, on);
            how.kept_input = 0;
            how.scratch_bytes = product_bytes(how, g, on) +
                                kernel::staged_bytes(product_packing::staged_tiles_of(how));
            return how;
        }
        if (how.kept_input == 0) {
            product_loops::choose(table, how, on);
        }
        const bool in_registers = how.variant == product_packing::interleaved;
        if (!in_registers && how.kept_input != 2 && !fits_cache(table, on)) {
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

    /// Blocks of both operands of a product.
    [[nodiscard]] static constexpr std::size_t blocks_bytes(std::int64_t rows, std::int64_t columns,
                                                            std::int64_t depth,
                                                            const target& on) noexcept {
        return kernel::memory_of_parts(
            {.mr = on.mr, .nv = 1, .mc = on.mc, .kc = on.kc, .nc = on.nc}, on.nr, on.element_bytes,
            rows, columns, depth);
    }
    /// What one product needs of what a recipe describes.
    [[nodiscard]] static constexpr std::size_t product_bytes(const recipe& how,
                                                             const kernel::gemm_groups& g,
                                                             const target& on) noexcept {
        const std::int64_t rows = g.m.iterations();
        const std::int64_t depth = g.k.iterations();
        return product_packing::reads_across(how) ? few_rows::across_bytes(rows, depth, on)
               : product_packing::reads_along(how)
                   ? few_rows::deep_bytes(rows, depth, on)
                   : std::max(blocks_bytes(rows, g.n.iterations(), depth, on),
                              how.variant == product_packing::interleaved
                                  ? kernel::interleaved_gemm_bytes(rows, g.n.iterations(), depth,
                                                                   on.element_bytes, on.lanes)
                                  : 0);
    }

    /// Steps with more iterations may be cut into pieces for several threads.
    [[nodiscard, gnu::always_inline]] static constexpr bool one_thread_suffices(
        const mode_table& table) noexcept {
        return table.has_at_most(1 << 18);
    }
    [[nodiscard]] static constexpr bool build_small(mode_table& table,
                                                    const small_product::places& at,
                                                    recipe& how) noexcept {
        if (at.found) {
            small_product::build(table, at, how);
            how.variant = small;
        }
        return at.found;
    }

    /// Whether blocks of all arrays are used often, and none of them is read or written element by
    /// element. Of some 30000 such tables drawn at random, in each of float and double on SSE2,
    /// AVX2 and AVX-512, no other lowering was predicted to be faster for one on the usual machine.
    [[nodiscard]] static constexpr bool is_large(const mode_table& table,
                                                 const target& on) noexcept {
        if (!on.is_usual || refusal(table) != nullptr) {
            return false;
        }
        constexpr double enough = 48;
        const auto is_long = [&](index_class c) { return table.extent_of(c) >= enough; };
        const auto lies_side_by_side = [&](std::size_t array) {
            for (std::size_t m = 0; m < table.size(); ++m) {
                if (table.stride(m, array) == 1 && table.kind(m) != index_class::batch) {
                    return true;
                }
            }
            return false;
        };
        return is_long(index_class::lhs_free) && is_long(index_class::rhs_free) &&
               is_long(index_class::contracted) && lies_side_by_side(0) && lies_side_by_side(1) &&
               lies_side_by_side(2);
    }

    /// Matrix-vector and outer products, dot products, element-wise ones: no element is used twice
    /// by both sides, so that packing would cost more than it saves.
    [[nodiscard]] static constexpr bool is_degenerate(const mode_table& table) noexcept {
        return !table.has_both(index_class::lhs_free, index_class::rhs_free) ||
               !table.has(index_class::contracted);
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
