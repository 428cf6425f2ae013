// Depthwise convolution: groups are the batch labels, the window the contracted ones, positions the
// free labels of the one operand that has some: in "zabcde,zabcdef->zcdef" z c d e, a b and f.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/lowering/nest/build_nest.hpp>
#include <xeinsum/lowering/nest/nest_cost.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace xeinsum::lowerings {

struct depthwise_convolution {
    static constexpr lowering id = lowering::depthwise_convolution;
    static constexpr std::size_t least_inputs = 2;

    [[nodiscard]] static constexpr const char* refusal(const mode_table& table) noexcept {
        if (table.inputs() != 2) {
            return "a convolution has two operands, data and weights";
        }
        if (table.has_one_sided_sum()) {
            return "a label that only one operand has is summed beside the convolution";
        }
        return table.has_both(index_class::lhs_free, index_class::rhs_free)
                   ? "both operands have free labels; positions may be in one only"
                   : nullptr;
    }

    /// Without groups it is a loop nest; without a window that has less to begin, where it is one
    /// line it takes eight positions at once, and where no loop suits vectors and taps lie far
    /// apart it finds another order.
    [[nodiscard]] static constexpr bool never_wins(const mode_table& table) noexcept {
        return table.output_count() == table.size() || is_left_to_nest(table);
    }

    [[nodiscard, gnu::cold]] static constexpr double seconds(const mode_table& table,
                                                             const target& on) noexcept {
        const double own = seconds_within(table, on, std::numeric_limits<double>::infinity());
        return is_left_to_nest(table) ? std::max(own, nest_seconds(table, on)) : own;
    }
    /// The same if it is less than most, otherwise no less: where computing alone takes so long,
    /// memory need not be looked at.
    [[nodiscard, gnu::cold]] static constexpr double seconds_within(const mode_table& table,
                                                                    const target& on,
                                                                    double most) noexcept {
        const choice vectors = choose_vectors(table, weights_are_lhs(table));
        const double cycles =
            vectors.along == kernel::depthwise_vectors::none
                ? table.iterations() * (on.core.scalar_window_cycles * on.flop_weight +
                                        scalar_wait_cycles(table, on)) +
                      table.elements(0) * on.core.line_cycles
                : vector_cycles(table, vectors, on);
        const double computing = on.core.step_seconds + cycles / on.core.hertz;
        if (computing >= most) {
            return computing;
        }
        const double transfer = transfer_seconds(bytes_moved(table, on), on);
        return on.core.step_seconds +
               overlapped(cycles, stream_factor(table, vectors, on) * transfer, on);
    }

    /// groups: groups, positions, window; variant: the vector loop.
    [[nodiscard, gnu::cold]] static constexpr recipe build(mode_table& table, const target&) {
        recipe how;
        how.swapped = weights_are_lhs(table);
        if (how.swapped) {
            table.swap_inputs(0, 1);
        }
        std::size_t first = 0;
        for (std::size_t g = 0; g < 3; ++g) {
            const std::size_t begin = first;
            for (std::size_t m = first; m < table.size(); ++m) {
                if (group_of(table.kind(m)) == g) {
                    table.swap_rows(first++, m);
                }
            }
            how.groups[g] = static_cast<unsigned char>(first - begin);
        }
        const choice vectors = choose_vectors(table, false);
        how.variant = static_cast<unsigned char>(vectors.along);
        kernel::arrangement rows{table.row(0), table.pitch(), 2, table.size(), table.size()};
        std::size_t begin = 0;
        for (std::size_t g = 0; g < 3; ++g) {
            const std::size_t end = begin + how.groups[g];
            const bool here = vectors.along != kernel::depthwise_vectors::none &&
                              vectors.row >= begin && vectors.row < end;
            if (here) {
                table.swap_rows(vectors.row, end - 1);
            }
            kernel::sort_by_reach(rows, begin, here ? end - 1 : end, kernel::no_array);
            begin = end;
        }
        return how;
    }

    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, const mode_table&,
                                                     std::size_t m, const target& on) noexcept {
        constexpr std::size_t registers = 8;
        const std::size_t groups = how.groups[0];
        const std::size_t positions = groups + how.groups[1];
        const std::size_t window = positions + how.groups[2];
        std::size_t end = 0;  // of the rows whose last one runs in vectors
        switch (static_cast<kernel::depthwise_vectors>(how.variant)) {
            case kernel::depthwise_vectors::none: break;
            case kernel::depthwise_vectors::groups: end = groups; break;
            case kernel::depthwise_vectors::positions: end = positions; break;
            case kernel::depthwise_vectors::window: end = window; break;
        }
        return m + 1 == end ? static_cast<std::int64_t>(registers * on.lanes) : 1;
    }

    [[nodiscard]] static kernel::depthwise_loops loops_of(const recipe& how,
                                                          const kernel::loops& rows) noexcept {
        const std::size_t positions = how.groups[0];
        const std::size_t window = positions + how.groups[1];
        return {rows.first(positions), rows.from(positions).first(how.groups[1]),
                rows.from(window)};
    }

    [[nodiscard]] static std::string describe(const recipe& how, const kernel::loops& rows) {
        const kernel::depthwise_loops nest = loops_of(how, rows);
        const char* vectors = "scalar";
        switch (static_cast<kernel::depthwise_vectors>(how.variant)) {
            case kernel::depthwise_vectors::none: break;
            case kernel::depthwise_vectors::groups: vectors = "vectors along groups"; break;
            case kernel::depthwise_vectors::positions: vectors = "vectors along positions"; break;
            case kernel::depthwise_vectors::window: vectors = "vectors along the window"; break;
        }
        return parsing::join("groups ", nest.groups.iterations(), ", positions ",
                             nest.positions.iterations(), ", window ", nest.window.iterations(),
                             ", ", vectors, how.swapped ? ", weights are the first operand" : "");
    }

private:
    struct choice {
        kernel::depthwise_vectors along = kernel::depthwise_vectors::none;
        std::size_t row = 0;
    };

    [[nodiscard]] static constexpr bool is_left_to_nest(const mode_table& table) noexcept {
        return !has_groups(table) || window_is_line(table) ||
               (choose_vectors(table, weights_are_lhs(table)).along ==
                    kernel::depthwise_vectors::none &&
                window_is_far(table));
    }

    /// Whether each tap of some loop of the window lies far from the one before it in both
    /// operands, where no hardware prefetches it: scalars wait for every tap.
    [[nodiscard]] static constexpr bool window_is_far(const mode_table& table) noexcept {
        constexpr std::int64_t far = 512;
        bool is_far = false;
        for (std::size_t m = 0; m < table.size(); ++m) {
            is_far =
                is_far || (!table.survives(m) && kernel::magnitude(table.stride(m, 1)) >= far &&
                           kernel::magnitude(table.stride(m, 2)) >= far);
        }
        return is_far;
    }

    [[nodiscard]] static constexpr bool has_groups(const mode_table& table) noexcept {
        bool found = false;
        for (std::size_t m = 0; m < table.size(); ++m) {
            found = found || table.kind(m) == index_class::batch;
        }
        return found;
    }

    /// Whether sums are over one loop along which both operands lie side by side, and no other
    /// does.
    [[nodiscard]] static constexpr bool window_is_line(const mode_table& table) noexcept {
        constexpr std::int64_t vectors_pay = 16;
        bool is_line = table.inputs() == 2 && table.output_count() + 1 == table.size();
        for (std::size_t m = 0; is_line && m < table.size(); ++m) {
            const bool first = table.stride(m, 1) == 1;
            const bool second = table.stride(m, 2) == 1;
            is_line = table.survives(m) ? !first && !second
                                        : first && second && table.extent(m) >= vectors_pay;
        }
        return is_line;
    }

    /// Registers of results, or runs of positions, that are summed at once.
    static constexpr double tile = 4;

    /// Those that do not fill a tile are summed alone.
    [[nodiscard, gnu::cold]] static constexpr double vector_cycles(const mode_table& table,
                                                                   const choice& vectors,
                                                                   const target& on) noexcept {
        const auto whole = [](double x, double unit) {
            return static_cast<double>(static_cast<std::int64_t>((x + unit - 1) / unit));
        };
        const auto lanes = static_cast<double>(on.lanes);
        const auto extent = static_cast<double>(table.extent(vectors.row));
        const double window = table.extent_of(index_class::contracted);
        const double results = table.elements(0);
        const double wait = std::max(on.core.sum_cycles, on.flop_weight);
        const double full = std::max(
            {on.core.sum_cycles, tile * on.flop_weight, (tile + 1) / on.core.loads_per_cycle});
        const double distant = tap_wait_cycles(table, vectors, on);
        // A part of a register is read through a mask.
        const double parts = whole(extent, lanes) > extent / lanes ? 1.5 : 0;
        // The taps of four registers hide what beginning and writing them takes, but not one tap.
        const double begin = on.core.window_cycles;
        const double begin_four = window > 1 ? begin : tile * begin;
        if (vectors.along == kernel::depthwise_vectors::positions) {
            const double tiles =
                static_cast<double>(static_cast<std::int64_t>(extent / (tile * lanes)));
            const double left = whole(extent - tiles * tile * lanes, lanes) + parts;
            const double runs = results / extent;
            return runs * (tiles * (window * (full + tile * distant) + begin_four) +
                           left * (window * (wait + distant) + begin));
        }
        // Runs of positions along the closest of their loops.
        const auto positions = static_cast<double>(closest_positions(table));
        const double in_tiles =
            tile * static_cast<double>(static_cast<std::int64_t>(positions / tile));
        const double tiles = in_tiles / tile, left = positions - in_tiles;
        if (vectors.along == kernel::depthwise_vectors::groups) {
            const double registers = results / extent / positions * (whole(extent, lanes) + parts);
            return registers * (tiles * (window * (full + tile * distant) + begin_four) +
                                left * (window * (wait + distant) + begin));
        }
        const double runs = results / positions, lines = window / extent;
        const double registers = whole(extent, lanes) + parts;
        const auto run = [&](double rows, double step) {
            return lines * (registers * step + on.core.window_line_cycles) + begin +
                   rows * on.core.window_sum_cycles;
        };
        return runs * (tiles * run(tile, full) + left * run(1, wait));
    }

    /// How much longer bytes take than in a stream where the windows of four positions are read at
    /// once: prefetchers lose short ones, and find long ones late.
    [[nodiscard, gnu::cold]] static constexpr double stream_factor(const mode_table& table,
                                                                   const choice& vectors,
                                                                   const target& on) noexcept {
        if (vectors.along != kernel::depthwise_vectors::window ||
            static_cast<double>(closest_positions(table)) < tile) {
            return 1;
        }
        const std::int64_t bytes =
            table.extent(vectors.row) * static_cast<std::int64_t>(on.element_bytes);
        return bytes < page_bytes ? 1.5 : 1.1;
    }

    /// The extent of the loop over positions whose runs are summed at once.
    [[nodiscard, gnu::cold]] static constexpr std::int64_t closest_positions(
        const mode_table& table) noexcept {
        const kernel::arrangement a = arrangement_of(table);
        std::size_t closest = table.size();
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (group_of(table.kind(m)) == 1 &&
                (closest == table.size() ||
                 kernel::reach(a, m, 1) < kernel::reach(a, closest, 1))) {
                closest = m;
            }
        }
        return closest == table.size() ? 1 : table.extent(closest);
    }

    /// Cycles that a register of results waits for data, if the taps of its window lie apart.
    [[nodiscard, gnu::cold]] static constexpr double tap_wait_cycles(const mode_table& table,
                                                                     const choice& vectors,
                                                                     const target& on) noexcept {
        if (vectors.along == kernel::depthwise_vectors::none ||
            vectors.along == kernel::depthwise_vectors::window) {
            return 0;
        }
        const std::size_t data = weights_are_lhs(table) ? 2 : 1;
        std::size_t tap = table.size();
        for (std::size_t m = 0; m < table.size(); ++m) {
            const bool closer =
                tap == table.size() || kernel::magnitude(table.stride(m, data)) <
                                           kernel::magnitude(table.stride(tap, data));
            tap = group_of(table.kind(m)) == 2 && closer ? m : tap;
        }
        return tap == table.size() || kernel::magnitude(table.stride(tap, data)) <=
                                          4 * static_cast<std::int64_t>(on.lanes)
                   ? 0
                   : wait_cycles(table, tap, data, on, false);
    }

    [[nodiscard]] static constexpr std::size_t group_of(index_class c) noexcept {
        return c == index_class::batch ? 0 : c == index_class::contracted ? 2 : 1;
    }

    [[nodiscard]] static constexpr bool weights_are_lhs(const mode_table& table) noexcept {
        for (std::size_t m = 0; m < table.size(); ++m) {
            if (table.kind(m) == index_class::rhs_free) {
                return true;
            }
        }
        return false;
    }

    /// The longest loop along which every array that it changes lies side by side; among equals
    /// positions before groups before the window, which must be added up across lanes.
    [[nodiscard, gnu::cold]] static constexpr choice choose_vectors(const mode_table& table,
                                                                    bool swapped) noexcept {
        constexpr kernel::depthwise_vectors by_group[]{kernel::depthwise_vectors::groups,
                                                       kernel::depthwise_vectors::positions,
                                                       kernel::depthwise_vectors::window};
        constexpr std::int64_t rank[]{2, 3, 1};
        choice best;
        std::int64_t best_score = 0;
        for (std::size_t m = 0; m < table.size(); ++m) {
            const std::size_t g = group_of(table.kind(m));
            const std::int64_t data = table.stride(m, swapped ? 2 : 1);
            const std::int64_t weights = table.stride(m, swapped ? 1 : 2);
            const bool fits =
                data == 1 && (g == 1 || weights == 1) && (g == 2 || table.stride(m, 0) == 1);
            // Beyond some registers a longer loop brings nothing more.
            const std::int64_t score = std::min<std::int64_t>(table.extent(m), 64) * 4 + rank[g];
            if (fits && score > best_score) {
                best = {by_group[g], m};
                best_score = score;
            }
        }
        return best;
    }
};

}  // namespace xeinsum::lowerings
