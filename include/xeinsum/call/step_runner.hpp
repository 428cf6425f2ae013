// The functions that run the steps of a call, chosen by its labels: those for "ij,jk->ik" hold no
// kernel for batches.
#pragma once

#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/lowering/lowerings_for.hpp>
#include <xeinsum/plan/parallel_for.hpp>
#include <xeinsum/plan/planner.hpp>
#include <xeinsum/plan/reorder/hints.hpp>
#include <xeinsum/plan/reorder/pair.hpp>
#include <xeinsum/plan/step/one_step.hpp>

#include <algorithm>
#include <cstddef>

namespace xeinsum::detail {

using plan_parts = planning::planner_parts<plan_storage, lowerings::all>;

/// What plans and runs one step of some kinds, for callers that do not depend on them.
template <class T>
struct one_step_runner {
    using scaling = kernel::scaling<lowerings::element_t<T>>;

    void (*run)(const planning::one_step&, std::size_t, const T* const*, T*, const scaling&,
                const parallel_for&);
    void (*deliver)(const T*, const destination<T>&, const scaling&);
    planning::one_step (*begin)();  ///< an empty plan, of the lowerings that there may be
};

/// The same of any number of steps.
template <class T>
struct step_runner : one_step_runner<T> {
    void (*plan)(const plan_view&, const T* const*, const destination<T>&,
                 const kernel::scaling<lowerings::element_t<T>>&, std::byte*, T*,
                 const parallel_for&);
    plan_parts parts;  ///< that plans with such steps may need
};
// Of T and Arch, so that a program may have them compiled with all else for them.
template <class T, class Arch>
void emit_last_pair(plan_parts::emitter& emitter, array_id lhs, array_id rhs) {
    planning::emit_reordered(emitter, lhs, rhs);
}
template <class T, class Arch>
void emit_plain_pair(plan_parts::emitter& emitter, array_id lhs, array_id rhs) {
    planning::emit_plain_pair(emitter, lhs, rhs);
}
template <class T, class Arch>
void emit_path(plan_parts::emitter& emitter) {
    planning::emit_path(emitter);
}
template <class T, class Arch, kernel::step_kinds Kinds>
[[nodiscard]] constexpr plan_parts parts_of() noexcept {
    plan_parts parts;
    if constexpr (Kinds.most_inputs > 1) {
        parts.last_pair = Kinds.copies() ? &emit_last_pair<T, Arch> : &emit_plain_pair<T, Arch>;
    }
    if constexpr (Kinds.most_inputs > 2) {
        parts.path = &emit_path<T, Arch>;
    }
    return parts;
}

/// Whether a call of the Kinds with default options is one step, whatever its arrays are.
template <class T, kernel::step_kinds Kinds>
inline constexpr bool is_one_step = kernel::computes_in_place<T> && !Kinds.several;

template <class T, class Arch, kernel::step_kinds Kinds>
[[nodiscard]] planning::one_step begin_one_step() {
    return planning::one_step(lowerings::lowerings_for<lowerings::element_t<T>, Arch, Kinds>(),
                              Kinds.copies() ? &planning::may_reorder : nullptr);
}
template <class T, class Arch, kernel::step_kinds Kinds>
inline constexpr one_step_runner<T> one_step_runner_of{&run_one_step<T, Arch, Kinds>,
                                                       &deliver<T, Arch, Kinds.copies()>,
                                                       &begin_one_step<T, Arch, Kinds>};
template <class T, class Arch, kernel::step_kinds Kinds>
inline constexpr step_runner<T> runner_of{one_step_runner_of<T, Arch, Kinds>,
                                          &run_as_planned<T, Arch, Kinds>,
                                          parts_of<T, Arch, Kinds>()};
// Whoever does not compile the kernels need not be spared any.
template <class T, kernel::step_kinds Kinds>
    requires(Kinds != kernel::all_steps)
inline constexpr one_step_runner<T> one_step_runner_of<T, kernel::any_cpu, Kinds> =
    one_step_runner_of<T, kernel::any_cpu, kernel::all_steps>;
template <class T, kernel::step_kinds Kinds>
    requires(Kinds != kernel::all_steps)
inline constexpr step_runner<T> runner_of<T, kernel::any_cpu, Kinds> =
    runner_of<T, kernel::any_cpu, kernel::all_steps>;

/// The steps that plans of a network may have; of arrays that are row_major all, or may lie as they
/// like.
[[nodiscard]] constexpr kernel::step_kinds kinds_of(const network_view& net,
                                                    bool row_major) noexcept {
    kernel::step_kinds kinds = kernel::step_kinds::of_inputs(net.operand_count());
    if (kinds.most_inputs == kernel::any) {
        return kinds;
    }
    const planning::label_counts counts(net);
    kinds.sums = counts.sums();
    kinds.batch = counts.of(index_class::batch) > 0;
    const bool ordered = row_major && planning::is_ordered_product(net);
    const bool copies = planning::may_need_copies(net) && !ordered;
    kinds.reorders =
        copies || !(ordered || net.operand_count() == 1 || planning::is_product_of_matrices(net));
    kinds.several =
        net.label_count > planning::one_step_labels || (kinds.most_inputs == 2 && copies);
    kinds.products = counts.of(index_class::lhs_free) > 0 && counts.of(index_class::rhs_free) > 0 &&
                     counts.of(index_class::contracted) > 0;
    kinds.nests = kinds.several || !row_major || !planning::is_row_major_product(net);
    return kinds;
}

}  // namespace xeinsum::detail
