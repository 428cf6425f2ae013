// The plan of a call that is one step: "ij,jk->ik" goes from axes to a loop nest without lists of
// labels, arrays and steps, because setting those up would take longer than a product of 8 x 8.
#pragma once

#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/reorder/hints.hpp>
#include <xeinsum/plan/step/choose.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::planning {

/// Calls with more operands or labels are planned the general way.
inline constexpr std::size_t one_step_operands = 4;
inline constexpr std::size_t one_step_labels = 16;

/// Fills an empty table with the modes of all operands, as build_table does for their terms. There
/// are at most one_step_labels labels. False where the nest has more than 2^63 - 1 iterations.
[[nodiscard]] constexpr bool fill_table(mode_table& table, const network_view& net,
                                        list_view<const layout_view> operands,
                                        list_view<const std::int64_t> output_strides) noexcept {
    std::array<signed char, one_step_labels> row_of{};  // from 1; 0 is none
    std::array<unsigned char, one_step_labels> held{};  // by row: where the label occurs
    std::int64_t iterations = 1;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto axes = net.operand(i);
        for (std::size_t a = 0; a < axes.size(); ++a) {
            const std::int64_t extent = operands[i].extents[a];
            if (extent == 1) {
                continue;
            }
            signed char& row = row_of[static_cast<std::size_t>(axes[a])];
            if (row == 0) {
                if (!multiply(iterations, extent, iterations)) {
                    return false;
                }
                row = static_cast<signed char>(table.push<one_step_operands>(extent) + 1);
            }
            const auto m = static_cast<std::size_t>(row - 1);
            table.stride(m, 1 + i) += operands[i].strides[a];
            held[m] |= in_input(i);
        }
    }
    for (std::size_t a = 0; a < net.output.size(); ++a) {
        const signed char row = row_of[static_cast<std::size_t>(net.output[a])];
        if (row > 0) {
            const auto m = static_cast<std::size_t>(row - 1);
            table.stride(m, 0) = output_strides[a];
            held[m] |= in_output;
        }
    }
    classify_and_fuse(table, held.data());
    return true;
}

/// A plan of one step for all operands at once, with everything it needs inside.
class one_step {
public:
    /// Whether the general way may copy arrays in another order first; null where it never does.
    using reorder_check = bool (*)(const mode_table&, const target&);

    /// Of lowerings that compete.
    constexpr explicit one_step(const contest& lowerings,
                                reorder_check reorders = &may_reorder) noexcept
        : lowerings_(lowerings), reorders_(reorders) {}

    /// Makes the plan if it is one step: false where the general way must decide. The extents fit
    /// each other and none is 0.
    [[nodiscard]] constexpr bool make(const network_view& net,
                                      list_view<const layout_view> operands,
                                      list_view<const std::int64_t> output_strides,
                                      const target& on) {
        return fill(net, operands, output_strides, on) && !may_copy(on) &&
               build(on, is_one_step(table()));
    }
    /// The same for at most one_step_operands operands and one_step_labels labels, whose table
    /// fill_rows(table) fills as fill_table does; it may return false as well.
    template <class F>
    [[nodiscard]] constexpr bool make_filled(std::size_t inputs, F fill_rows, const target& on) {
        inputs_ = inputs;
        mode_table rows = table();
        const bool fits = fill_rows(rows);
        modes_ = rows.size();
        return fits && !may_copy(on) && build(on, is_one_step(rows));
    }
    /// Makes it if it is obvious what to do, and no memory is needed for it.
    [[nodiscard]] constexpr bool make_obvious(const network_view& net,
                                              list_view<const layout_view> operands,
                                              list_view<const std::int64_t> output_strides,
                                              const target& on) {
        return fill(net, operands, output_strides, on) && build(on, false) &&
               how_.memory_bytes() == 0 && !how_.split.is_cut();
    }

    [[nodiscard]] constexpr const recipe& how() const noexcept { return how_; }
    /// The rows of the nest, one after the other.
    [[nodiscard]] constexpr const std::int64_t* cells() const noexcept { return cells_.data(); }
    [[nodiscard]] constexpr std::size_t modes() const noexcept { return modes_; }

    /// Numbers that the rows of any such nest take. One more row than labels, because rows are
    /// cleared as if there were four operands.
    static constexpr std::size_t room =
        (one_step_labels + 1) * mode_table::row_length(one_step_operands);
    static_assert(room >= (one_step_labels + spare_modes) * mode_table::row_length(2));

private:
    [[nodiscard]] constexpr mode_table table() noexcept {
        return mode_table(cells_.data(), inputs_, modes_);
    }

    [[nodiscard]] constexpr bool fill(const network_view& net,
                                      list_view<const layout_view> operands,
                                      list_view<const std::int64_t> output_strides,
                                      const target& on) noexcept {
        if (operands.size() > one_step_operands || net.label_count > one_step_labels ||
            on.fused_only) {
            return false;
        }
        inputs_ = operands.size();
        mode_table rows = table();
        const bool fits = fill_table(rows, net, operands, output_strides);
        modes_ = rows.size();
        return fits;
    }

    [[nodiscard]] constexpr bool may_copy(const target& on) noexcept {
        return reorders_ != nullptr && reorders_(table(), on);
    }
    [[nodiscard]] constexpr bool build(const target& on, bool compares) {
        mode_table rows = table();
        if (compares) {
            lowerings_.build_best(rows, on, how_);
        } else {
            lowerings_.build_obvious(rows, on, how_);
        }
        modes_ = rows.size();
        return how_.chosen != lowering::automatic;
    }

    /// Whether the general way makes one step, too: of one array, or of two without labels that are
    /// summed beforehand.
    [[nodiscard]] static constexpr bool is_one_step(const mode_table& t) noexcept {
        return t.inputs() == 1 || (t.inputs() == 2 && !t.has_one_sided_sum());
    }

    contest lowerings_;
    reorder_check reorders_;
    recipe how_{};
    std::size_t inputs_ = 0;
    std::size_t modes_ = 0;
    std::array<std::int64_t, room> cells_;
};

}  // namespace xeinsum::planning
