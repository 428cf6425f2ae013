// Computes beforehand what follows from constant operands: with b and c of "ij,jk,kl->il" bound, a
// path that begins with jk,kl->jl has one step left.
#pragma once

#include <xeinsum/call/constants.hpp>
#include <xeinsum/call/layouts.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/path/record.hpp>
#include <xeinsum/plan/step/build_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace xeinsum::detail {

/// Makes the state of a plan some of whose operands are known, from that of the plan.
template <class T, class Arch>
class binding {
public:
    /// known holds copies of the operands that are known already; null where there are none.
    binding(const plan_state<T, Arch>& unbound, const constants<T>* known)
        : unbound_(unbound), bound_(unbound.operands().size()) {
        if (known != nullptr) {
            bound_ = known->bound;
        }
    }

    /// Throws einsum_error where the operand is unknown to the plan, bound or of another shape.
    void add(std::size_t operand, const layout_view& lies, const T* from) {
        problem p;
        p.code = error_code::operand_not_open;
        p.found = static_cast<std::int64_t>(operand);
        if (operand >= bound_.size()) {
            p.expected = static_cast<std::int64_t>(bound_.size());
            p.reason = " does not exist";
            unbound_.check(p);
        }
        if (bound_[operand] != nullptr) {
            p.reason = " is bound already";
            unbound_.check(p);
        }
        p = check_extents(unbound_.operands()[operand].extents, lies.extents,
                          error_code::operand_shape);
        p.second.array = operand;
        unbound_.check(p);
        unbound_.check(check_layout(lies, operand));
        bound_[operand] = copied<T, Arch>(lies, from);
    }

    /// Its body is in call/with_kernels, as a program may have it compiled elsewhere.
    [[nodiscard]] plan_state<T, Arch> state() const;

private:
    /// The same plan for constants that lie row-major, as their copies do.
    [[nodiscard]] plan_state<T, Arch> replanned() const {
        std::vector<layout> lie(unbound_.operands().begin(), unbound_.operands().end());
        bool same = true;
        for (std::size_t i = 0; i < lie.size(); ++i) {
            if (bound_[i]) {
                lie[i] = row_major(std::move(lie[i].extents));
                same = same && lie_alike(lie[i], unbound_.operands()[i]);
            }
        }
        if (same) {
            return unbound_;
        }
        std::shared_ptr<planning::path_record> path;
        if (unbound_.path) {
            path = std::make_shared<planning::path_record>(*unbound_.path);
            path->given = true;  // whatever a search would find now
        }
        return plan_state<T, Arch>(xeinsum::equation(unbound_.equation), std::move(lie),
                                   unbound_.key.wanted(), unbound_.groups, std::move(path));
    }

    /// Runs and removes the steps that read nothing but constants and are the same in all slices.
    void fold(basic_plan_data<plan_storage>& data, constants<T>& known) const;

    /// Packs what products would pack in every run.
    void pack(basic_plan_data<plan_storage>& data, constants<T>& known) const;

    /// The loop nest, in cells, of a step of two inputs of which one, counted from 1, is constant.
    [[nodiscard]] mode_table built_for(const basic_plan_data<plan_storage>& data, const step& s,
                                       std::size_t constant, std::vector<std::int64_t>& cells,
                                       recipe& how) const {
        const lowering forced = unbound_.key.wanted().lowering;
        const plan_view plan = data.view();
        const auto ids = plan.inputs_of(s);
        const std::array terms{plan.term(ids[0]), plan.term(ids[1])};
        const std::size_t labels = terms[0].labels.size() + terms[1].labels.size();
        cells.resize(std::min(labels + spare_modes, max_modes) * mode_table::row_length(2));
        mode_table table(cells.data(), 2);
        // It fitted 64 bits when it was planned.
        static_cast<void>(planning::build_table(table, plan.term(s.output), terms, plan.extents));
        const planning::target on = lowerings::call_target<T, Arch>(plan);
        const lowering chosen = forced == lowering::automatic
                                    ? lowerings::all::decide.choose_with_constant(
                                          s.how.chosen, s.seconds, table, on, constant)
                                    : s.how.chosen;
        // Runs may be on layouts that it was not planned for.
        const std::size_t scratch = lowerings::all::decide.scratch_bytes(chosen, table, on);
        lowerings::all::decide.build(chosen, table, on, 0, how, constant);
        how.scratch_bytes = std::max(how.scratch_bytes, scratch);
        return table;
    }

    /// Whether an array is known and the same in all slices.
    [[nodiscard]] static bool is_constant(const basic_plan_data<plan_storage>& data, array_id id) {
        const plan_view plan = data.view();
        return plan.array(id).constant &&
               std::none_of(plan.slices.begin(), plan.slices.end(),
                            [&](const label_slices& l) { return plan.term(id).holds(l.id); });
    }
    [[nodiscard]] static bool depends_on_constants_only(const basic_plan_data<plan_storage>& data,
                                                        const step& s) {
        const auto ids = data.view().inputs_of(s);
        return std::all_of(ids.begin(), ids.end(),
                           [&](array_id id) { return is_constant(data, id); });
    }

    [[nodiscard]] static bool is_read(const basic_plan_data<plan_storage>& data, array_id id) {
        const plan_view plan = data.view();
        return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const step& s) {
            const auto ids = plan.inputs_of(s);
            return std::find(ids.begin(), ids.end(), id) != ids.end();
        });
    }

    const plan_state<T, Arch>& unbound_;
    std::vector<shared_array<T>> bound_;
};

}  // namespace xeinsum::detail
