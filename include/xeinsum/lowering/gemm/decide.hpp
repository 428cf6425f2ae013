// Permute, reshape, matrix product: "nkctv,kvw->nctw" as the one product of the rows n c t, the
// columns w and the depth k v that suits its extents and strides, without a permuted copy.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/lowering/gemm/blocked_product.hpp>
#include <xeinsum/lowering/gemm/interleaved_batch_product.hpp>
#include <xeinsum/lowering/gemm/product_packing.hpp>
#include <xeinsum/lowering/gemm/small_loops.hpp>
#include <xeinsum/lowering/gemm/small_product.hpp>
#include <xeinsum/lowering/gemm/small_product_cost.hpp>
#include <xeinsum/lowering/nest/build_nest.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
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

    /// Matrix-vector and outer products, dot products, element-wise ones: no element is used twice
    /// by both sides, so that packing would cost more than it saves.
    [[nodiscard]] static constexpr bool is_degenerate(const mode_table& table) noexcept {
        return !table.has_both(index_class::lhs_free, index_class::rhs_free) ||
               !table.has(index_class::contracted);
    }

    /// A degenerate shape is the nest that broadcast_multiply_reduce makes of it.
    [[nodiscard]] static constexpr bool never_wins(const mode_table& table) noexcept {
        return refusal(table) == nullptr && is_degenerate(table);
    }

    /// An input that is the same in all runs, counted from 1, is packed before them.
    [[nodiscard]] static constexpr double seconds(const mode_table& table, const target& on,
                                                  std::size_t constant = 0) noexcept {
        return is_degenerate(table) ? nest_seconds(table, on)
                                    : seconds_of_product(table, on, constant);
    }
    /// The same of what is not degenerate.
    [[nodiscard]] static constexpr double seconds_of_product(const mode_table& table,
                                                             const target& on,
                                                             std::size_t constant = 0) noexcept {
        if (const auto at = find_small(table, on, constant); at.found) {
            return small_product_cost::seconds(table, at, on);
        }
        const auto at = interleaved_batch_product::find(table, on);
        const double blocked = blocked_product::seconds(table, on, constant);
        return at.found ? std::min(blocked, interleaved_batch_product::seconds(table, at, on))
                        : blocked;
    }

    /// Small products and large ones: nothing is faster, whatever the others predict.
    [[nodiscard]] static constexpr bool obvious(const mode_table& table,
                                                const target& on) noexcept {
        return obvious_small(table, on).found || is_large(table, on) ||
               is_row_major_product(table, on);
    }
    [[nodiscard]] static constexpr bool build_obvious(mode_table& table, const target& on,
                                                      recipe& how) {
        if (build_small(table, obvious_small(table, on), how)) {
            return true;
        }
        if (is_large(table, on)) {
            how = build_product(table, on, 0);
        } else if (is_row_major_product(table, on)) {
            how = build_any_product(table, on);
        } else {
            return false;
        }
        how.chosen = id;
        return true;
    }
    [[nodiscard]] static constexpr bool precompute(mode_table& table, const target& on,
                                                   recipe& how) noexcept {
        return build_small(table, small_loops::find(table, on), how);
    }
    /// Inlined, as what follows for precomputed plans: then nothing of a table needs memory.
    [[nodiscard, gnu::always_inline]] static constexpr bool fits(const mode_table& table,
                                                                 const recipe& how,
                                                                 const target& on) noexcept {
        return one_thread_suffices(table) && small_product::fits(table, how, on);
    }

    /// The recipe's kind tells what is built; a degenerate shape becomes a nest. An input that is
    /// the same in all runs, counted from 1, is kept in panels if the product packs at all.
    [[nodiscard]] static constexpr recipe build(mode_table& table, const target& on,
                                                std::size_t constant = 0) {
        return is_degenerate(table) ? build_nest(table, on)
                                    : build_any_product(table, on, constant);
    }
    /// The same of what is not degenerate.
    [[nodiscard]] static constexpr recipe build_any_product(mode_table& table, const target& on,
                                                            std::size_t constant = 0) {
        recipe how;
        return build_small(table, find_small(table, on, constant), how)
                   ? how
                   : build_product(table, on, constant);
    }

    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, const mode_table& table,
                                                     std::size_t m, const target& on) noexcept {
        switch (kind_of(how)) {
            case product_kind::small: return small_product::unit(how, table, m, on);
            case product_kind::interleaved_batch:
                return interleaved_batch_product::unit(how, table, m, on);
            case product_kind::nest: return nest_unit(how, m, on);
            default: return blocked_product::unit(how, m, on);
        }
    }

    [[nodiscard]] static std::string describe(const recipe& how, const kernel::loops& rows) {
        using parsing::join;
        if (kind_of(how) == product_kind::small) {
            return small_product::describe(how, rows);
        }
        if (kind_of(how) == product_kind::interleaved_batch) {
            return interleaved_batch_product::describe(how, rows);
        }
        if (kind_of(how) == product_kind::nest) {
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
        return blocked_product::describe(how, rows);
    }

    /// Enough for any strides of the output, and for each piece that a thread may take.
    [[nodiscard]] static constexpr std::size_t scratch_bytes(const mode_table& table,
                                                             const target& on) noexcept {
        return std::max({blocked_product::scratch_bytes(table, on),
                         interleaved_batch_product::scratch_bytes(table, on),
                         nest_scratch_bytes(table, on)});
    }

private:
    /// A product that is small, unless its columns leave most lanes of a register empty and those
    /// of another loop would fill them in blocks, which are predicted to be faster.
    [[nodiscard]] static constexpr small_loops find_small(const mode_table& table, const target& on,
                                                          std::size_t constant = 0) noexcept {
        constexpr double worth_it = 0.8;
        small_loops at = small_product::find_small(table, on, constant != 0);
        at.found = at.found && !(small_product_cost::wastes_lanes(table, at, on) &&
                                 !one_thread_suffices(table) &&
                                 blocked_product::seconds(table, on, constant) <
                                     worth_it * small_product_cost::seconds(table, at, on));
        return at;
    }
    /// A small product that nothing else does faster.
    [[nodiscard]] static constexpr small_loops obvious_small(const mode_table& table,
                                                             const target& on) noexcept {
        small_loops at = find_small(table, on);
        at.found = at.found && small_product_cost::fills_registers(table, at, on) &&
                   !small_product_cost::waits_for_lhs(table, at, on);
        return at;
    }

    /// What build() does with a product that is neither degenerate nor small.
    [[nodiscard, gnu::cold]] static constexpr recipe build_product(mode_table& table,
                                                                   const target& on,
                                                                   std::size_t constant) {
        if (const auto at = interleaved_batch_product::find(table, on);
            at.found && interleaved_batch_product::seconds(table, at, on) <
                            blocked_product::seconds(table, on, constant)) {
            recipe how;
            interleaved_batch_product::build(table, at, how);
            set_kind(how, product_kind::interleaved_batch);
            how.scratch_bytes = interleaved_batch_product::scratch_bytes(table, on);
            return how;
        }
        return blocked_product::build(table, on, constant);
    }

    /// Steps with more iterations may be cut into pieces for several threads.
    [[nodiscard, gnu::always_inline]] static constexpr bool one_thread_suffices(
        const mode_table& table) noexcept {
        return table.has_at_most(1 << 18);
    }
    [[nodiscard]] static constexpr bool build_small(mode_table& table, const small_loops& at,
                                                    recipe& how) noexcept {
        if (at.found) {
            small_product::build(table, at, how);
            set_kind(how, product_kind::small);
        }
        return at.found;
    }

    /// Whether a product of two matrices has its columns side by side in rhs and in the output. Of
    /// 4900 sets of extents for each of float, double and int on SSE2, AVX2 and AVX-512, some 40
    /// were predicted to be faster as a nest, and none of them was.
    [[nodiscard]] static constexpr bool is_row_major_product(const mode_table& table,
                                                             const target& on) noexcept {
        if (!on.is_usual || !on.has_real_vectors() || !is_of_matrices(table) ||
            table.has_one_sided_sum() || is_degenerate(table)) {
            return false;
        }
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.kind(m) == index_class::rhs_free) {
                return table.stride(m, 0) == 1 && table.stride(m, 2) == 1;
            }
        }
        return false;
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
};

}  // namespace xeinsum::lowerings
