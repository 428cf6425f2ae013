// Counts through the slices of a plan: with j of "ij,jk,kl->il" in two slices, the operands that
// hold j are entered twice, and the second time the result is added to.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/step/build_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/run/rebind.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// All combinations of slices, those of the first label changing fastest.
class slice_counter {
public:
    explicit slice_counter(list_view<const label_slices> slices) noexcept : slices_(slices) {}

    /// Whether no slice before wrote the part of the result that this one belongs to.
    [[nodiscard]] bool writes_first() const noexcept {
        std::int64_t rest = number_;
        for (const label_slices& s : slices_) {
            if (!s.kept && rest % s.count != 0) {
                return false;
            }
            rest /= s.count;
        }
        return true;
    }

    /// Goes from the first combination to another, by move as next() does.
    template <class Move>
    void go_to(std::int64_t number, Move move) {
        number_ = number;
        for (const label_slices& s : slices_) {
            move(s.id, s.extent * (number % s.count));
            number /= s.count;
        }
    }

    /// Goes on to the next combination and calls move(label, by) for each label that goes `by`
    /// positions forward, or back. False after the last one.
    template <class Move>
    [[nodiscard]] bool next(Move move) {
        std::int64_t rest = number_++;
        for (const label_slices& s : slices_) {
            if (rest % s.count + 1 < s.count) {
                move(s.id, s.extent);
                return true;
            }
            move(s.id, -s.extent * (s.count - 1));
            rest /= s.count;
        }
        return false;
    }

private:
    list_view<const label_slices> slices_;
    std::int64_t number_ = 0;
};

/// Elements from one position of a label to the next, in an operand or the result; lies is null
/// where every array lies as planned.
[[nodiscard]] inline std::int64_t stride_in_run(const plan_view& plan, const actual_layouts* lies,
                                                array_id id, label of) noexcept {
    if (lies == nullptr) {
        return planning::stride_of(plan.term(id), of);
    }
    std::int64_t stride = 0;
    if (id == result_array) {
#pragma GCC unroll 1
        for (std::size_t a = 0; a < lies->network.output.size(); ++a) {
            stride += lies->network.output[a] == of ? lies->output_strides[a] : 0;
        }
        return stride;
    }
    const auto operand = static_cast<std::size_t>(id);
    const layout_view* layout = lies->of(operand);
    if (layout == nullptr) {
        return planning::stride_of(plan.term(id), of);
    }
    const auto axes = lies->network.operand(operand);
    for (std::size_t a = 0; a < axes.size(); ++a) {
        stride += axes[a] == of && layout->extents[a] > 1 ? layout->strides[a] : 0;
    }
    return stride;
}

}  // namespace xeinsum::lowerings
