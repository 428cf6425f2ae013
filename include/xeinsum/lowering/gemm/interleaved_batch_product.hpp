// Batches that lie side by side: in "ijcb,jkcb->ikcb" the matrices of eight b are multiplied at
// once, each in its lane, for one c after the other.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/gemm/interleaved_batch_blocks.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
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

/// Part of the lowering gemm: products with a batch label that is the closest in both operands and
/// in the output.
struct interleaved_batch_product {
    /// The loops of the product: the longest of each class. All others go around it.
    struct places {
        bool found = false;
        std::size_t lanes = none;
        std::size_t rows = none;
        std::size_t columns = none;
        std::size_t depth = none;
    };

    [[nodiscard]] static constexpr places find(const mode_table& table, const target& on) noexcept {
        places at;
        if (on.lanes < 2) {
            return at;
        }
#pragma GCC unroll 1
        for (std::size_t m = 0; m < table.size(); ++m) {
            const auto longer = [&](std::size_t& place) {
                place = place == none || table.extent(m) > table.extent(place) ? m : place;
            };
            switch (table.kind(m)) {
                case index_class::lhs_free: longer(at.rows); break;
                case index_class::rhs_free: longer(at.columns); break;
                case index_class::contracted: longer(at.depth); break;
                case index_class::batch:
                    if (table.stride(m, 0) == 1 && table.stride(m, 1) == 1 &&
                        table.stride(m, 2) == 1) {
                        longer(at.lanes);
                    }
                    break;
                default: break;
            }
        }
        at.found = at.lanes != none && at.rows != none && at.columns != none && at.depth != none;
        return at;
    }

    [[nodiscard, gnu::cold]] static constexpr double seconds(const mode_table& table,
                                                             const places& at,
                                                             const target& on) noexcept {
        const auto width = static_cast<std::int64_t>(on.lanes);
        const auto registers = static_cast<double>((table.extent(at.lanes) + width - 1) / width);
        const double count = static_cast<double>(table.extent(at.lanes));
        const auto of = [&](std::size_t array) {
            return table.elements(array) / count * registers;
        };
        const double products = table.iterations() / count * registers;
        // Lanes that are left out are loaded and stored under masks.
        const double masked = table.extent(at.lanes) < width ? masked_cycles : 0;
        const double cycles =
            products * on.flop_weight * tile_steps / on.core.fused_multiply_adds_per_cycle +
            (of(1) + of(2)) * (operand_cycles + masked) + of(0) * (result_cycles + masked);
        return on.core.step_seconds +
               overlapped(cycles, transfer_seconds(bytes_moved(table, on), on), on);
    }

    /// groups: loops around the product, 1, 1, loops of depth, the product's the last one; behind
    /// the first three the lanes.
    [[gnu::cold]] static constexpr void build(mode_table& table, const places& at,
                                              recipe& how) noexcept {
        std::array<unsigned char, max_modes> order{};
        for (std::size_t m = 0; m < table.size(); ++m) {
            const bool sums = table.kind(m) == index_class::contracted;
            order[m] = m == at.rows      ? 1
                       : m == at.columns ? 2
                       : m == at.lanes   ? 3
                       : m == at.depth   ? 5
                       : sums            ? 4
                                         : 0;
            ++how.groups[sums ? 3 : 0];
        }
        how.groups[0] = static_cast<unsigned char>(how.groups[0] - 3);
        how.groups[1] = how.groups[2] = 1;
        for (std::size_t i = 1; i < table.size(); ++i) {
            for (std::size_t j = i; j > 0 && order[j] < order[j - 1]; --j) {
                std::swap(order[j], order[j - 1]);
                table.swap_rows(j, j - 1);
            }
        }
        // Far apart in the output, or in lhs, far outside.
        sort_rows(table, 0, how.groups[0], 0);
        sort_rows(table, how.groups[0] + std::size_t{3}, table.size() - 1, 1);
    }

    /// Iterations of row m that threads do not share. A row or a column is never left alone.
    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, const mode_table& table,
                                                     std::size_t m, const target& on) noexcept {
        const std::size_t first = how.groups[0];
        if (m == first || m == first + 1) {
            constexpr std::int64_t tile = 12;
            return table.extent(m) % tile == 1 ? 0 : tile;
        }
        constexpr std::size_t registers = 8;
        return m < first ? 1 : m == first + 2 ? static_cast<std::int64_t>(registers * on.lanes) : 0;
    }

    [[nodiscard]] static std::string describe(const recipe& how, const kernel::loops& rows) {
        const std::size_t first = how.groups[0];
        const std::int64_t times = rows.first(first).iterations();
        std::string text = times == 1 ? "" : parsing::join(times, " times ");
        text += parsing::join("batch ", rows.extent(first + 2), " interleaved, m ",
                              rows.extent(first), ", n ", rows.extent(first + 1), ", k ",
                              rows.from(first + 3).iterations());
        return text;
    }

    /// Memory for panels, for any layouts of operands with these extents.
    [[nodiscard]] static constexpr std::size_t scratch_bytes(const mode_table& table,
                                                             const target& on) noexcept {
        if (on.lanes < 2 || table.extent_of(index_class::batch) == 1) {
            return 0;
        }
        const double columns = std::max(table.extent_of(index_class::lhs_free),
                                        table.extent_of(index_class::rhs_free));
        return kernel::interleaved_batch_blocks::memory_bytes(
            columns, table.extent_of(index_class::contracted),
            static_cast<double>(on.lanes * on.element_bytes));
    }

private:
    static constexpr std::size_t none = max_modes;
    // Measured on AVX2; see docs/kernels/batched.md.
    /// Multiply-adds that take as long as one of a tile.
    static constexpr double tile_steps = 1.2;
    /// Reading or packing a register of an operand, and writing one of results.
    static constexpr double operand_cycles = 0.2;
    static constexpr double result_cycles = 0.4;
    /// More for one of which some lanes are left out.
    static constexpr double masked_cycles = 8;
};

}  // namespace xeinsum::lowerings
