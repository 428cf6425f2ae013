// The matrix products that need neither packing nor blocks: in "nctw,cd->ndtw" on (2,3,4,5) and
// (3,6), n is a loop around products of 6 rows d, 20 columns t w and depth c.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/arrange.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/small_gemm.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/plan/mode_table.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace xeinsum::lowerings {

using planning::target;

/// Part of the lowering gemm. Operands and output are read and written where they lie: the columns
/// side by side in the output and in one operand, which is turned first where it lies along its
/// depth, the rows at one stride, the depth in one or two loops. All other labels are loops around
/// the product.
struct small_product {
    /// Where the loops of a product stand in a table.
    struct places {
        bool found = false;
        bool swapped = false;  ///< the columns come from lhs
        bool turned = false;   ///< their operand lies along its depth
        std::size_t columns = 0;
        std::size_t rows = 0;
        std::size_t depth = 0;
        std::size_t pieces = none;  ///< the second loop of depth
    };

    [[nodiscard]] static constexpr places find(const mode_table& table, const target& on) noexcept {
        places at;
        if (table.inputs() != 2 || on.lanes < 2 || on.flop_weight > 1) {
            return at;
        }
        at.columns = at.rows = at.depth = none;
        for (std::size_t m = 0; m < table.size(); ++m) {
            const index_class c = table.kind(m);
            const bool free = c == index_class::lhs_free || c == index_class::rhs_free;
            if (free && table.stride(m, 0) == 1) {
                at.columns = m;
                at.swapped = c == index_class::lhs_free;
            } else if (table.is_one_sided(m)) {
                return {};
            }
        }
        if (at.columns == none) {
            return {};
        }
        const std::size_t rhs = at.swapped ? 1 : 2;
        at.turned = table.stride(at.columns, rhs) != 1;
        const index_class row_class = at.swapped ? index_class::rhs_free : index_class::lhs_free;
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.kind(m) == row_class) {
                at.rows = longer(table, at.rows, m);
            } else if (table.kind(m) == index_class::contracted) {
                if (at.pieces != none) {
                    return {};
                }
                at.pieces = at.depth;
                at.depth = m;
            }
        }
        if (at.rows == none || at.depth == none) {
            return {};
        }
        // Sums must not depend on what is known when: the order comes from strides of one array.
        if (at.pieces != none && kernel::magnitude(table.stride(at.pieces, 1)) <
                                     kernel::magnitude(table.stride(at.depth, 1))) {
            const std::size_t inner = at.pieces;
            at.pieces = at.depth;
            at.depth = inner;
        }
        if (at.turned && table.stride(at.depth, rhs) != 1) {
            return {};
        }
        at.found = true;
        return at;
    }

    /// The same of a product that is small enough.
    [[nodiscard]] static constexpr places find_small(const mode_table& table,
                                                     const target& on) noexcept {
        places at = find(table, on);
        at.found = at.found && is_small(table, at, on) &&
                   (!at.turned || table.extent(at.rows) >= turned_rows) &&
                   !writes_far_apart(table, at, on);
        return at;
    }
    /// Where build() has put them.
    [[nodiscard, gnu::always_inline]] static constexpr places places_of(
        const recipe& how) noexcept {
        const std::size_t first = how.groups[0];
        const bool two = how.groups[3] == 2;
        return {.found = true,
                .swapped = how.swapped,
                .columns = first + 1,
                .rows = first,
                .depth = first + (two ? 3U : 2U),
                .pieces = two ? first + 2 : none};
    }

    [[nodiscard, gnu::always_inline]] static constexpr bool is_small(const mode_table& table,
                                                                     const places& at,
                                                                     const target& on) noexcept {
        const auto most = most_bytes / static_cast<std::int64_t>(on.element_bytes);
        std::int64_t depth = table.extent(at.depth);
        if (at.pieces != none && depth <= most) {
            depth *= table.extent(at.pieces);
        }
        const std::int64_t columns = table.extent(at.columns);
        const std::int64_t rows = table.extent(at.rows);
        return depth <= most && columns <= most && rows <= 2 * most && depth * columns <= most &&
               rows * depth <= 2 * most && rows * columns <= 2 * most &&
               (columns >= static_cast<std::int64_t>(std::min(on.lanes / 2, on.least_lanes)) ||
                table.has_at_most(few_iterations));
    }

    [[nodiscard]] static constexpr double seconds(const mode_table& table, const places& at,
                                                  const target& on) noexcept {
        const auto lanes = static_cast<double>(on.lanes);
        const double columns = static_cast<double>(table.extent(at.columns));
        const double registers = columns <= lanes ? 1 : columns / lanes + 0.5;
        const double others = table.iterations() / columns;
        const double rows = static_cast<double>(table.extent(at.rows));
        const double products = table.elements(0) / columns / rows;
        const double cycles = others * registers / on.core.fused_multiply_adds_per_cycle +
                              8 * products * (rows / 6 + 1) * (registers / 2 + 0.5);
        const double turning = at.turned ? table.elements(at.swapped ? 1 : 2) : 0;
        return on.core.step_seconds + (cycles + turning) / on.core.hertz;
    }

    /// groups: loops around the product, 1, 1, loops of depth, the inner one last.
    static constexpr void build(mode_table& table, places at, recipe& how) noexcept {
        how.swapped = at.swapped;
        if (at.swapped) {
            table.swap_inputs(0, 1);
        }
        std::size_t end = table.size();
        const auto move_to_end = [&](std::size_t& place) {
            table.swap_rows(place, --end);
            for (std::size_t* other : {&at.columns, &at.rows, &at.depth, &at.pieces}) {
                if (other != &place && *other == end) {
                    *other = place;
                }
            }
            place = end;
        };
        move_to_end(at.depth);
        if (at.pieces != none) {
            move_to_end(at.pieces);
        }
        move_to_end(at.columns);
        move_to_end(at.rows);
        how.groups = {static_cast<unsigned char>(end), 1, 1,
                      static_cast<unsigned char>(at.pieces == none ? 1 : 2)};
        // Far apart in the output, far outside.
        sort_rows(table, 0, end, 0);
    }

    [[nodiscard, gnu::always_inline]] static constexpr kernel::small_shape shape_of(
        const recipe& how, const kernel::loops& rows) noexcept {
        const std::size_t first = how.groups[0];
        const std::size_t depth = rows.count - 1;
        kernel::small_shape s{.rows = rows.extent(first),
                              .columns = rows.extent(first + 1),
                              .depth = rows.extent(depth),
                              .lhs_row = rows.stride(first, 1),
                              .lhs_depth = rows.stride(depth, 1),
                              .rhs_depth = rows.stride(depth, 2),
                              .rhs_column = rows.stride(first + 1, 2),
                              .out_row = rows.stride(first, 0)};
        if (how.groups[3] == 2) {
            s.pieces = rows.extent(depth - 1);
            s.lhs_piece = rows.stride(depth - 1, 1);
            s.rhs_piece = rows.stride(depth - 1, 2);
        }
        return s;
    }

    [[nodiscard]] static std::string describe(const recipe& how, const kernel::loops& rows) {
        const kernel::small_shape s = shape_of(how, rows);
        return parsing::join(rows.first(how.groups[0]).iterations(), " small products, m ", s.rows,
                             ", n ", s.columns, ", k ", s.depth * s.pieces,
                             how.swapped ? ", operands exchanged" : "",
                             s.rhs_column == 1 ? ", nothing packed" : ", rhs turned");
    }

    template <class T, class Arch>
    [[gnu::always_inline]] static void run(const recipe& how, const kernel::loops& rows,
                                           const T* const* from, T* out,
                                           const kernel::scaling<T>& scale) {
        // No others are found.
        if constexpr (kernel::has_vectors<T, Arch>() && !kernel::is_complex_v<T>) {
            const T* const lhs = from[how.swapped ? 1 : 0];
            const T* const rhs = from[how.swapped ? 0 : 1];
            if (how.groups[0] == 0) {
                kernel::small_gemm<T, Arch>(shape_of(how, rows), lhs, rhs, out, scale);
            } else {
                kernel::small_gemm<T, Arch>(rows.first(how.groups[0]), shape_of(how, rows), lhs,
                                            rhs, out, scale);
            }
        }
    }

private:
    static constexpr std::size_t none = max_modes;
    /// What is read again and again should leave room in the first-level cache.
    static constexpr std::int64_t most_bytes = std::int64_t{32} << 10U;
    static_assert(most_bytes <= kernel::turned_bytes);
    /// Fewer rows do not pay for turning what they are multiplied with.
    static constexpr std::int64_t turned_rows = 8;
    /// Columns that do not fill the narrowest register, or half of the only one, only pay where
    /// there is little to do.
    static constexpr std::int64_t few_iterations = 4096;

    /// Whether blocks, which may have rows of several loops, write a far output in better order: if
    /// each row here has a page of its own, and other rows lie closer.
    [[nodiscard]] static constexpr bool writes_far_apart(const mode_table& table, const places& at,
                                                         const target& on) noexcept {
        const auto bytes = static_cast<std::int64_t>(on.element_bytes);
        const std::int64_t row = kernel::magnitude(table.stride(at.rows, 0));
        if (table.elements(0) * static_cast<double>(bytes) < far_output_bytes ||
            row * bytes < page_bytes) {
            return false;
        }
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.kind(m) == table.kind(at.rows) &&
                kernel::magnitude(table.stride(m, 0)) < row) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] static constexpr std::size_t longer(const mode_table& table, std::size_t a,
                                                      std::size_t b) noexcept {
        return a == none || table.extent(b) > table.extent(a) ? b : a;
    }
};

}  // namespace xeinsum::lowerings
