// The functions that run the steps of a call, chosen by its labels: those for "ij,jk->ik" hold no
// kernel for batches.
#pragma once

#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/plan/planner.hpp>
#include <xeinsum/plan/reorder_hints.hpp>
#include <xeinsum/plan/reordered_pair.hpp>

#include <algorithm>
#include <cstddef>

namespace xeinsum::detail {

using plan_parts = planning::planner_parts<plan_storage, lowerings::all>;

/// What runs steps of some kinds, for callers that do not depend on them.
template <class T>
struct step_runner {
    using scaling = kernel::scaling<lowerings::element_t<T>>;

    void (*one_step)(const planning::one_step<lowerings::all>&, std::size_t, const T* const*, T*,
                     const scaling&);
    void (*plan)(const plan_view&, const T* const*, const destination<T>&, const scaling&,
                 std::byte*, T*, const parallel_for&);
    plan_parts parts;  ///< that plans with such steps may need
};
// Of T and Arch, so that a program may have them compiled with all else for them.
template <class T, class Arch>
void emit_last_pair(plan_parts::emitter& emitter, array_id lhs, array_id rhs) {
    planning::emit_reordered(emitter, lhs, rhs);
}
template <class T, class Arch>
void emit_path(plan_parts::emitter& emitter) {
    planning::emit_path(emitter);
}
template <class T, class Arch, kernel::step_kinds Kinds>
[[nodiscard]] constexpr plan_parts parts_of() noexcept {
    plan_parts parts;
    if constexpr (Kinds.most_inputs > 1 && Kinds.reorders) {
        parts.last_pair = &emit_last_pair<T, Arch>;
    }
    if constexpr (Kinds.most_inputs > 2) {
        parts.path = &emit_path<T, Arch>;
    }
    return parts;
}
template <class T, class Arch, kernel::step_kinds Kinds>
inline constexpr step_runner<T> runner_of{
    &run_one_step<T, Arch, Kinds>, &run_as_planned<T, Arch, Kinds>, parts_of<T, Arch, Kinds>()};
// Whoever does not compile the kernels need not be spared any.
template <class T, kernel::step_kinds Kinds>
    requires(Kinds != kernel::all_steps)
inline constexpr step_runner<T> runner_of<T, kernel::any_cpu, Kinds> =
    runner_of<T, kernel::any_cpu, kernel::all_steps>;

/// The steps that plans of a network may have.
[[nodiscard]] constexpr kernel::step_kinds kinds_of(const network_view& net) noexcept {
    kernel::step_kinds kinds = kernel::step_kinds::of_inputs(net.operand_count());
    if (kinds.most_inputs == kernel::any) {
        return kinds;
    }
    kinds.sums = kinds.batch = false;
    for (const label l : net.axes) {
        kinds.sums = kinds.sums || !holds(net.output, l);
    }
    for (const label l : net.output) {
        kinds.batch = kinds.batch || (net.operand_count() == 2 && holds(net.operand(0), l) &&
                                      holds(net.operand(1), l));
    }
    kinds.reorders = planning::may_need_copies(net);
    return kinds;
}

}  // namespace xeinsum::detail
