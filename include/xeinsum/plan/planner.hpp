// From a network and layouts to a plan: "ij,jk,kl->il" becomes two pairwise steps in the cheaper
// order, each with the lowering that is predicted to be fastest.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/follow.hpp>
#include <xeinsum/plan/reorder/pair.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/step/step_emitter.hpp>
#include <xeinsum/plan/target.hpp>
#include <xeinsum/plan/workspace_layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::planning {

/// Parts of a planner that only some equations need: a program holds those that it names here.
template <class Storage, class Lowerings>
struct planner_parts {
    using emitter = step_emitter<Storage, Lowerings>;

    /// Emits the last pair of two operands with copies in another order, where these pay. Null
    /// where there is none.
    pair_emitter<emitter> last_pair = nullptr;
    /// Emits the pairs of more than two operands. Null where there are no more.
    void (*path)(emitter&) = nullptr;

    [[nodiscard]] static constexpr planner_parts all() noexcept {
        planner_parts parts{&emit_reordered<emitter>};
        if constexpr (std::is_same_v<Storage, plan_storage>) {
            parts.path = &emit_path<emitter>;
        }
        return parts;
    }
};

/// Makes one plan. Storage is plan_storage, or pair_storage for the compiler: of one or two
/// operands whose labels above extent 1 are at most max_modes.
template <class Storage, class Lowerings>
class planner {
public:
    using parts = planner_parts<Storage, Lowerings>;

    /// The plan goes to an empty one, which must live as long as this.
    constexpr planner(const network_view& net, list_view<const layout_view> operands,
                      const options& wanted, const target& on, basic_plan_data<Storage>& to,
                      const parts& needed = parts::all())
        : net_(net), operands_(operands), parts_(needed), emitter_(to, wanted, on) {}

    /// Follows the path of a record, if it is given, or writes to it what a search has found. The
    /// record must live as long as this.
    constexpr void keep_path(path_record& record) noexcept { emitter_.record = &record; }

    /// Finds the extent of every label and the result's size; the first thing to call.
    [[nodiscard]] constexpr const problem& measure() {
        emitter_.data.operand_count = operands_.size();
        emitter_.data.extents.resize(net_.label_count, 1);
        emitter_.fail(find_extents(net_, operands_,
                                   {emitter_.data.extents.data(), emitter_.data.extents.size()}));
        if (!emitter_.failed()) {
            measure_result();
        }
        return emitter_.data.error;
    }

    [[nodiscard]] constexpr std::int64_t extent(label id) const noexcept {
        return emitter_.extent(id);
    }

    /// After measure() found no problem: plans for an output with the given strides. Returns why
    /// there is no plan, if there is none.
    [[nodiscard]] constexpr const problem& make(list_view<const std::int64_t> output_strides) {
        emitter_.fail(check_options(emitter_.wanted(), operands_.size()));
        emitter_.add_terms(net_, operands_, output_strides);
        if (!emitter_.data.sums_nothing && !emitter_.failed()) {
            emit();
        }
        if (!emitter_.failed()) {
            lay_out_workspace(emitter_.data, emitter_.on().element_bytes);
        }
        return emitter_.data.error;
    }

private:
    /// Counts the result's elements and finds out whether an extent of 0 leaves nothing to sum.
    [[gnu::cold]] constexpr void measure_result() {
        auto& data = emitter_.data;
        data.sums_nothing = std::any_of(data.extents.begin(), data.extents.end(),
                                        [](std::int64_t e) { return e == 0; });
        if (!count_elements(net_.output, {data.extents.data(), data.extents.size()},
                            data.result_elements)) {
            emitter_.fail(error_code::extent_overflow);
        }
    }

    [[nodiscard]] constexpr bool one_pass() const {
        const options& wanted = emitter_.wanted();
        const std::size_t operands = operands_.size();
        if (!wanted.slices.empty()) {
            return false;  // what one pass speaks for is refused with the path
        }
        return emitter_.on().fused_only || operands == 1 ||
               (wanted.path == path_strategy::fused && operands > 2) ||
               (wanted.lowering == lowering::broadcast_multiply_reduce &&
                (wanted.path == path_strategy::automatic || operands == 2));
    }

    /// Whether one pass over all operands is the obvious way, if the caller leaves it open.
    [[nodiscard, gnu::cold]] constexpr bool one_pass_is_obvious() {
        if (!leaves_choice(emitter_.wanted())) {
            return false;
        }
        const problem before = emitter_.data.error;
        const auto start = emitter_.mark();
        emitter_.data.error = {};
        emitter_.fused();
        const bool obvious = !emitter_.failed() && emitter_.was_obvious();
        emitter_.rewind(start);
        emitter_.data.error = before;
        return obvious;
    }

    [[gnu::cold]] constexpr void emit() {
        if (one_pass()) {
            emitter_.fused();
            return;
        }
        if (operands_.size() > 2 && one_pass_is_obvious()) {
            emitter_.fused();
            return;
        }
        const auto start = emitter_.mark();
        const bool one_pair = emit_pairs();
        const bool may_fuse =
            emitter_.wanted().lowering == lowering::automatic && emitter_.wanted().slices.empty() &&
            (operands_.size() == 2 || emitter_.wanted().path == path_strategy::automatic);
        if (!may_fuse || (!emitter_.failed() && one_pair)) {
            return;
        }
        if (operands_.size() == 2 && one_pass_is_obvious()) {
            emitter_.data.error = {};
            emitter_.rewind(start);
            emitter_.fused();
            return;
        }
        // The fused pass needs no intermediate: it is the way out of a memory limit, and often
        // moves fewer bytes.
        const problem why_not_pairs = emitter_.data.error;
        if (!emitter_.failed() || why_not_pairs.code == error_code::memory_limit) {
            compare_with_fused(start, why_not_pairs);
        }
    }

    template <class Marks>
    [[gnu::cold]] constexpr void compare_with_fused(const Marks& start,
                                                    const problem& why_not_pairs) {
        double pairs = 0;
        for (std::size_t i = start.steps; i < emitter_.data.steps.size(); ++i) {
            const step& s = emitter_.data.steps[i];
            pairs += s.seconds * emitter_.data.view().runs_of(s);
        }
        const auto after_pairs = emitter_.mark();
        const auto slices = emitter_.data.slices;
        emitter_.unslice();
        emitter_.data.error = {};
        emitter_.fused();
        const bool fused_wins =
            !emitter_.failed() &&
            (!why_not_pairs.ok() || emitter_.seconds_since(after_pairs.steps) < pairs);
        emitter_.data.error = {};
        emitter_.rewind(fused_wins ? start : after_pairs);
        if (fused_wins) {
            emitter_.fused();
        } else {
            emitter_.slice(slices);
            emitter_.fail(why_not_pairs);
        }
    }

    /// Whether it is one pair, perhaps with copies, which is then compared with one pass already.
    [[gnu::cold]] constexpr bool emit_pairs() {
        if (operands_.size() > 2) {
            parts_.path(emitter_);
            return emitter_.data.steps.size() == 1;
        }
        const array_id lhs = presum(0, 1);
        const array_id rhs = presum(1, 0);
        const bool one_pair = emitter_.data.steps.empty();
        if (may_need_copies(net_)) {
            parts_.last_pair(emitter_, lhs, rhs);
        } else {
            emit_plain_pair(emitter_, lhs, rhs);
        }
        return one_pair;
    }

    /// Sums the labels that only one of two operands has and the output lacks.
    constexpr array_id presum(array_id id, array_id other) {
        return emitter_.presum(id, [&](label l) {
            return emitter_.term(other).holds(l) || emitter_.term(result_array).holds(l);
        });
    }

    network_view net_;
    list_view<const layout_view> operands_;
    parts parts_;
    step_emitter<Storage, Lowerings> emitter_;
};

}  // namespace xeinsum::planning
