// What a matrix product in blocks costs: "bij,bkj->bik" of many small matrices spends its time
// beginning tiles and packing panels that are half empty, "ij,jk->ik" at 512 multiplying.
#pragma once

#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/lowering/gemm/direct_lhs.hpp>
#include <xeinsum/lowering/gemm/few_rows.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// Part of the lowering gemm: the cost of a table whose rows are not grouped yet, so that nothing
/// need be built to know it.
class product_cost {
public:
    /// The columns come from lhs if swapped. An input that is the same in all runs, counted from 1,
    /// is packed before them.
    constexpr product_cost(const mode_table& table, bool swapped, std::size_t constant,
                           const target& on) noexcept
        : table_(table),
          on_(on),
          lhs_(swapped ? 2 : 1),
          rhs_(swapped ? 1 : 2),
          rows_(swapped ? index_class::rhs_free : index_class::lhs_free),
          columns_(swapped ? index_class::lhs_free : index_class::rhs_free),
          constant_(constant),
          batch_(table.extent_of(index_class::batch)),
          m_(table.extent_of(rows_)),
          n_(table.extent_of(columns_)),
          k_(table.extent_of(index_class::contracted)) {}

    [[nodiscard, gnu::cold]] constexpr double seconds() const noexcept {
        const double cycles =
            multiply_cycles() + scatter_cycles() + wait_cycles() + stretch_cycles();
        return on_.core.step_seconds +
               batch_ * (on_.core.product_seconds + packed() * on_.core.pack_seconds) +
               std::max(batch_ * cycles / on_.core.hertz,
                        transfer_seconds(bytes_moved(table_, on_), on_));
    }

private:
    [[nodiscard]] static constexpr std::int64_t whole_number(double x) noexcept {
        return static_cast<std::int64_t>(x);
    }
    [[nodiscard]] static constexpr double whole(double x, double unit) noexcept {
        return static_cast<double>(static_cast<std::int64_t>((x + unit - 1) / unit));
    }

    /// Tiles of few rows or one register do not keep the multipliers busy: a sum waits some cycles
    /// for each multiply-add.
    [[nodiscard]] constexpr double tile_depth_cycles(double rows, double registers) const noexcept {
        return std::max(rows * registers * on_.flop_weight / on_.core.fused_multiply_adds_per_cycle,
                        rows == 0 || registers == 0 ? 0 : on_.core.sum_cycles);
    }

    [[nodiscard, gnu::cold]] constexpr double multiply_cycles() const noexcept {
        const auto mr = static_cast<double>(on_.mr), nr = static_cast<double>(on_.nr);
        const auto lanes = static_cast<double>(on_.lanes);
        const double high = static_cast<double>(static_cast<std::int64_t>(m_ / mr));
        const double wide = static_cast<double>(static_cast<std::int64_t>(n_ / nr));
        const double rows_left = m_ - high * mr;
        const double registers_left = whole(n_ - wide * nr, lanes);
        const auto along = [&](double rows) {
            return wide * tile_depth_cycles(rows, nr / lanes) +
                   tile_depth_cycles(rows, registers_left);
        };
        const double tiles = whole(m_, mr) * whole(n_, nr);
        return k_ * (high * along(mr) + along(rows_left)) +
               tiles * blocks_of_depth() * on_.core.tile_cycles;
    }

    [[nodiscard]] constexpr double blocks_of_depth() const noexcept {
        return whole(k_, static_cast<double>(on_.kc));
    }

    /// The row of a class whose stride in an array is 1; none() if there is none.
    [[nodiscard, gnu::noinline]] constexpr std::size_t unit_row_of(
        index_class c, std::size_t array) const noexcept {
        std::size_t m = 0;
        while (m < table_.size() && (table_.kind(m) != c || table_.stride(m, array) != 1)) {
            ++m;
        }
        return m;
    }
    [[nodiscard]] constexpr std::size_t none() const noexcept { return table_.size(); }
    [[nodiscard, gnu::noinline]] constexpr std::size_t rows_of(index_class c) const noexcept {
        std::size_t count = 0;
        for (std::size_t m = 0; m < table_.size(); ++m) {
            count += table_.kind(m) == c ? 1 : 0;
        }
        return count;
    }

    /// Results that do not lie side by side along columns are written one by one.
    [[nodiscard]] constexpr double scatter_cycles() const noexcept {
        const std::size_t along = unit_row_of(columns_, 0);
        const auto lanes = static_cast<double>(on_.lanes);
        double part = 1;
        if (along != none()) {
            const auto extent = static_cast<double>(table_.extent(along));
            const bool cut = rows_of(columns_) > 1 &&
                             table_.extent(along) % static_cast<std::int64_t>(on_.lanes) != 0;
            part = cut ? std::min(lanes / extent, 1.0) : 0;
        }
        const double wait = along == none() ? std::max(alone_wait(0, rows_, columns_), 0.0) : 0.0;
        return m_ * n_ * blocks_of_depth() *
               (part * (on_.core.scatter_cycles + wait) + short_run_cycles(along));
    }
    /// Where columns of less than a cache line lie side by side, rows of them wait for their lines;
    /// for each result.
    [[nodiscard]] constexpr double short_run_cycles(std::size_t along) const noexcept {
        if (along == none()) {
            return 0;
        }
        const auto run = static_cast<double>(table_.extent(along));
        const std::size_t row = closest_row_of(rows_, lhs_);
        const bool is_short = run * static_cast<double>(on_.element_bytes) < line_bytes;
        return is_short && row != none() ? lowerings::wait_cycles(table_, row, 0, on_) / run : 0;
    }
    /// The loop of a class with the shortest stride in an array.
    [[nodiscard, gnu::noinline]] constexpr std::size_t closest_row_of(
        index_class c, std::size_t array) const noexcept {
        std::size_t closest = none();
        for (std::size_t m = 0; m < table_.size(); ++m) {
            if (table_.kind(m) == c &&
                (closest == none() || kernel::magnitude(table_.stride(m, array)) <
                                          kernel::magnitude(table_.stride(closest, array)))) {
                closest = m;
            }
        }
        return closest;
    }

    /// Elements that are packed for one product; missing lines of panels count.
    [[nodiscard, gnu::cold]] constexpr double packed() const noexcept {
        double elements = 0;
        if (constant_ != lhs_ && packs_lhs()) {
            elements += whole(m_, static_cast<double>(on_.mr)) * static_cast<double>(on_.mr) * k_ *
                        whole(n_, static_cast<double>(on_.nc));
        }
        if (constant_ != rhs_ && packs_rhs()) {
            elements += whole(n_, static_cast<double>(on_.nr)) * static_cast<double>(on_.nr) * k_;
        }
        return elements;
    }

    // In round figures what product_packing decides.
    [[nodiscard]] constexpr bool packs_lhs() const noexcept {
        const std::size_t line = unit_row_of(index_class::contracted, lhs_);
        const bool lines = line != none();
        const bool in_pieces = rows_of(index_class::contracted) > 1;
        const std::size_t row = closest_row_of(rows_, lhs_);
        if (lines && in_pieces && table_.extent(line) < direct_lhs::least_segment) {
            return true;
        }
        if (rows_of(rows_) > 1 && table_.extent(row) < direct_lhs::least_rows) {
            return true;
        }
        return !direct_lhs{
            .rows = whole_number(m_),
            .columns = whole_number(n_),
            .depth = whole_number(k_),
            .in_pieces = in_pieces,
            .lies_along = lines,
            .rows_adjoin = table_.stride(row, lhs_) == 1,
            .step = table_.stride(closest_row_of(index_class::contracted, lhs_), lhs_)}
                    .pays(on_);
    }
    [[nodiscard]] constexpr bool packs_rhs() const noexcept {
        constexpr double direct_bytes = 160 << 10U;
        constexpr double direct_tiles = 4;
        if (suits_few_rows()) {
            return false;
        }
        if (rows_of(columns_) != 1 || unit_row_of(columns_, rhs_) == none() ||
            n_ < static_cast<double>(on_.lanes)) {
            return true;
        }
        return m_ > direct_tiles * static_cast<double>(on_.mr) &&
               n_ * k_ * static_cast<double>(on_.element_bytes) > direct_bytes;
    }

    [[nodiscard, gnu::cold]] constexpr bool suits_few_rows() const noexcept {
        const std::size_t along = unit_row_of(columns_, 0);
        if (rows_of(index_class::contracted) != 1 || (along == none() && rows_of(columns_) != 1)) {
            return false;
        }
        const std::int64_t columns = along == none() ? whole_number(n_) : table_.extent(along);
        return unit_row_of(index_class::contracted, rhs_) != none()
                   ? few_rows::suits_deep_tiles(whole_number(m_), columns, whole_number(k_),
                                                table_.elements(rhs_), on_)
                   : along != none() && table_.stride(along, rhs_) == 1 &&
                         few_rows::suits_reading_across(
                             whole_number(m_), columns, whole_number(k_), table_.elements(rhs_),
                             table_.stride(closest_row_of(index_class::contracted, rhs_), rhs_),
                             on_);
    }

    /// Where a side of lhs is several loops, what is packed of it lies in short stretches, each of
    /// which has to be begun.
    [[nodiscard]] constexpr double stretch_cycles() const noexcept {
        if (constant_ == lhs_ || !packs_lhs()) {
            return 0;
        }
        for (const index_class c : {index_class::contracted, rows_}) {
            const std::size_t row = unit_row_of(c, lhs_);
            if (row != none() && rows_of(c) > 1) {
                return on_.core.term_line_cycles * m_ * k_ /
                       static_cast<double>(table_.extent(row));
            }
        }
        return 0;
    }

    /// Operands that lie side by side along neither side of their matrix bring a cache line for
    /// each element, which takes about two more to pack.
    [[nodiscard]] constexpr double wait_cycles() const noexcept {
        const auto alone = [&](std::size_t array, index_class lines) {
            const double wait = alone_wait(array, lines, index_class::contracted);
            return wait < 0 ? 0 : wait + 2 * on_.core.pack_seconds * on_.core.hertz;
        };
        return m_ * k_ * alone(lhs_, rows_) + n_ * k_ * alone(rhs_, columns_);
    }
    /// Cycles that an element of a matrix waits for its cache line; negative where elements lie
    /// side by side.
    [[nodiscard]] constexpr double alone_wait(std::size_t array, index_class one,
                                              index_class other) const noexcept {
        std::size_t closest = none();
        for (std::size_t m = 0; m < table_.size(); ++m) {
            const std::int64_t step = kernel::magnitude(table_.stride(m, array));
            const bool here = (table_.kind(m) == one || table_.kind(m) == other) && step > 0;
            closest = here && (closest == none() ||
                               step < kernel::magnitude(table_.stride(closest, array)))
                          ? m
                          : closest;
        }
        return closest == none() || table_.stride(closest, array) == 1
                   ? -1
                   : lowerings::wait_cycles(table_, closest, array, on_);
    }

    const mode_table& table_;
    const target& on_;
    std::size_t lhs_;
    std::size_t rhs_;
    index_class rows_;
    index_class columns_;
    std::size_t constant_;
    double batch_;
    double m_;
    double n_;
    double k_;
};

}  // namespace xeinsum::lowerings
