// Permute, reshape, matrix product: in "nkctv,kvw->nctw" the rows are n c t, the columns w and the
// depth k v. No permuted copy is written: packing reads the operands through their strides and the
// result goes to its place through the output's.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/gemm.hpp>
#include <xeinsum/lowering/nest.hpp>
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

    [[nodiscard]] static constexpr const char* refusal(const mode_table& table) noexcept {
        if (table.inputs() != 2) {
            return "a matrix product has two operands";
        }
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.kind(m) == index_class::lhs_only || table.kind(m) == index_class::rhs_only) {
                return "a label that only one operand has is summed beside the product";
            }
        }
        return nullptr;
    }

    [[nodiscard]] static constexpr double seconds(const mode_table& table,
                                                  const target& on) noexcept {
        if (is_degenerate(table)) {
            return nest_seconds(table, on);
        }
        const double batch = table.extent_of(index_class::batch);
        double m = table.extent_of(index_class::lhs_free);
        double n = table.extent_of(index_class::rhs_free);
        const double k = table.extent_of(index_class::contracted);
        if (output_lies_along_lhs(table)) {
            std::swap(m, n);
        }
        const auto whole = [](double x, std::size_t unit) {
            const auto u = static_cast<double>(unit);
            return static_cast<double>(static_cast<std::int64_t>((x + u - 1) / u)) * u;
        };
        const double lhs_packings = whole(n, on.nc) / static_cast<double>(on.nc);
        const double cycles =
            batch * whole(m, on.mr) * whole(n, on.nr) * k * on.flop_weight /
            (static_cast<double>(on.lanes) * on.core.fused_multiply_adds_per_cycle);
        const double packed = batch * (m * k * lhs_packings + k * n);
        return on.core.step_seconds * (1 + batch) +
               std::max(cycles / on.core.hertz + packed * on.core.pack_seconds,
                        transfer_seconds(bytes_moved(table, on), on));
    }

    /// groups: batch, m, n, k; a degenerate shape becomes one nest and is variant + 1 of it.
    [[nodiscard]] static constexpr recipe build(mode_table& table, const target& on) {
        if (is_degenerate(table)) {
            recipe how = build_nest(table, on);
            ++how.variant;
            return how;
        }
        recipe how;
        how.swapped = output_lies_along_lhs(table);
        if (how.swapped) {
            exchange_inputs(table);
        }
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
            // Long strides outside: of the output, and for the depth of lhs.
            sort_rows(table, begin, first, order[g] == index_class::contracted ? 1 : 0);
        }
        how.scratch_bytes = scratch_bytes(table, on);
        return how;
    }

    [[nodiscard]] static std::string describe(const recipe& how, const kernel::loops& rows) {
        using parsing::join;
        if (how.variant != 0) {
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
        const kernel::gemm_groups g = groups_of(how, rows);
        return join("batch ", g.batch.iterations(), ", m ", g.m.iterations(), ", n ",
                    g.n.iterations(), ", k ", g.k.iterations(),
                    how.swapped ? ", operands exchanged" : "");
    }

    template <class T, class Arch>
    static void run(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                    const T* const* from, T* out, const kernel::scaling<T>& scale,
                    std::byte* scratch) {
        if (how.variant != 0) {
            recipe nest = how;
            --nest.variant;
            run_nest<T, Arch>(nest, rows, inputs, from, out, scale, scratch);
            return;
        }
        kernel::gemm<T, Arch>(groups_of(how, rows), from[how.swapped ? 1 : 0],
                              from[how.swapped ? 0 : 1], out, scale, scratch);
    }

private:
    /// Matrix-vector and outer products, dot products, element-wise ones: no element is used twice
    /// by both sides, so that packing would cost more than it saves.
    [[nodiscard]] static constexpr bool is_degenerate(const mode_table& table) noexcept {
        const auto has = [&](index_class c) {
            for (std::size_t m = 0; m < table.size(); ++m) {
                if (table.kind(m) == c) {
                    return true;
                }
            }
            return false;
        };
        return !has(index_class::lhs_free) || !has(index_class::rhs_free) ||
               !has(index_class::contracted);
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

    static constexpr void sort_rows(mode_table& table, std::size_t begin, std::size_t end,
                                    std::size_t array) noexcept {
        for (std::size_t i = begin + 1; i < end; ++i) {
            for (std::size_t j = i; j > begin && kernel::magnitude(table.stride(j, array)) >
                                                     kernel::magnitude(table.stride(j - 1, array));
                 --j) {
                table.swap_rows(j, j - 1);
            }
        }
    }

    /// Enough for either order of the operands, so that a plan fits any strides of its output.
    [[nodiscard]] static constexpr std::size_t scratch_bytes(const mode_table& table,
                                                             const target& on) noexcept {
        const kernel::blocking b{.mr = on.mr, .nv = 1, .mc = on.mc, .kc = on.kc, .nc = on.nc};
        const auto m = static_cast<std::int64_t>(table.extent_of(index_class::lhs_free));
        const auto n = static_cast<std::int64_t>(table.extent_of(index_class::rhs_free));
        const auto k = static_cast<std::int64_t>(table.extent_of(index_class::contracted));
        return std::max(kernel::cut_memory(b, on.nr, on.element_bytes, m, n, k).bytes(),
                        kernel::cut_memory(b, on.nr, on.element_bytes, n, m, k).bytes());
    }

    [[nodiscard]] static kernel::gemm_groups groups_of(const recipe& how,
                                                       const kernel::loops& rows) noexcept {
        const std::size_t m = how.groups[0];
        const std::size_t n = m + how.groups[1];
        const std::size_t k = n + how.groups[2];
        return {rows.first(m), rows.from(m).first(how.groups[1]), rows.from(n).first(how.groups[2]),
                rows.from(k).first(how.groups[3])};
    }
};

}  // namespace xeinsum::lowerings
