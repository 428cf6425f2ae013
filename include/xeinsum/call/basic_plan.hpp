// What plans and bound plans have in common: run(out, workspace, a, b) for "ij,jk->ik", figures of
// cost and memory, and the print.
#pragma once

#include <xeinsum/array/operand.hpp>
#include <xeinsum/call/arguments.hpp>
#include <xeinsum/call/plan_run.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/call/workspace.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/grouped_arrays.hpp>
#include <xeinsum/plan/path/record.hpp>
#include <xeinsum/plan/print.hpp>
#include <xeinsum/run/parallel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace xeinsum {

namespace detail {
struct run_access;
}

/// A contraction that is planned. Has no public constructor: see plan and bound_plan. Copies share
/// what they are made of, which nothing changes.
template <class T, class Arch>
class basic_plan {
public:
    // Without moves, which copies are as cheap as: a plan that was moved from stays what it was.
    basic_plan(const basic_plan&) noexcept = default;
    basic_plan& operator=(const basic_plan&) noexcept = default;
    ~basic_plan() = default;

    /// The equation that was planned.
    [[nodiscard]] const xeinsum::equation& equation() const noexcept { return state().equation; }
    /// The steps in the order in which they run.
    [[nodiscard]] list_view<const step> steps() const noexcept { return state().data.steps; }
    /// The result's extents, one for each axis.
    [[nodiscard]] list_view<const std::int64_t> output_extents() const noexcept {
        return state().output_extents;
    }

    /// Floating-point operations of a run; for each step, the product of the extents of all its
    /// labels times the multiplications, and one addition if it sums, that each term takes.
    [[nodiscard]] double flops() const noexcept { return of_all_slices(&step::flops); }
    /// Seconds that a run is predicted to take on one core.
    [[nodiscard]] double predicted_seconds() const noexcept {
        return of_all_slices(&step::seconds);
    }
    /// Labels that are cut so that intermediates stay within the memory limit. The steps, whose
    /// figures are those of one slice, run once for each combination of slices, but for those that
    /// are the same in all of them.
    [[nodiscard]] list_view<const label_slices> slices() const noexcept {
        return state().data.slices;
    }
    /// Combinations of slices, which run_slice() can compute one by one; 1 where nothing is cut.
    [[nodiscard]] std::int64_t slice_count() const noexcept {
        return state().data.view().slice_count();
    }
    /// Elements of the largest array between two steps; 0 where there is none.
    [[nodiscard]] std::int64_t largest_intermediate() const noexcept {
        std::int64_t largest = 0;
        for (const step& s : state().data.steps) {
            if (s.output != result_array) {
                largest = std::max(largest, state().data.view().array(s.output).elements);
            }
        }
        return largest;
    }

    /// Bytes that run() needs, whatever their alignment; 0 where it needs none.
    [[nodiscard]] std::size_t workspace_bytes() const noexcept { return state().workspace_bytes(); }
    /// Bytes that run() needs if the output shares elements with an operand; 2^63 - 1 where they
    /// are more.
    [[nodiscard]] std::size_t overlap_workspace_bytes() const noexcept {
        return state().overlap_workspace_bytes();
    }
    /// Memory of workspace_bytes() bytes.
    [[nodiscard]] workspace make_workspace() const { return workspace(workspace_bytes()); }
    /// Memory of overlap_workspace_bytes() bytes.
    [[nodiscard]] workspace make_workspace(may_overlap_t /*output*/) const {
        return workspace(overlap_workspace_bytes());
    }

    /// out = result. Operands, without those that are bound, one by one or as one list, and output
    /// have the planned shapes; they run fastest as they were planned to lie, but may lie
    /// otherwise. Allocates nothing, as long as the arrays are strided arrays of T, and no list.
    /// Throws einsum_error, out being untouched, where a shape is another or the workspace too
    /// small.
    template <array::expression Out, class... Operands>
        requires detail::operands_of_run<Operands...>
    void run(Out&& out, list_view<std::byte> memory, const Operands&... operands) const {
        run(out, scale{1, 0}, memory, operands...);
    }

    /// out = alpha * result + beta * out.
    template <array::expression Out, class A, class B, class... Operands>
        requires detail::operands_of_run<Operands...>
    void run(Out&& out, const scale<A, B>& by, list_view<std::byte> memory,
             const Operands&... operands) const {
        run(parallel_for{}, out, by, memory, operands...);
    }

    /// The same on threads of the user's, up to options::threads; see parallel_for.
    template <array::expression Out, class... Operands>
        requires detail::operands_of_run<Operands...>
    void run(const parallel_for& parallel, Out&& out, list_view<std::byte> memory,
             const Operands&... operands) const {
        run(parallel, out, scale{1, 0}, memory, operands...);
    }
    /// out = alpha * result + beta * out, on threads of the user's.
    template <array::expression Out, class A, class B, class... Operands>
        requires detail::operands_of_run<Operands...>
    void run(const parallel_for& parallel, Out&& out, const scale<A, B>& by,
             list_view<std::byte> memory, const Operands&... operands) const {
        const detail::plan_run<T, Arch> one(state(), parallel);
        if (one.as_planned(out, by, memory, operands...)) {
            return;
        }
        const auto held = one.hold(operands...);
        one.checked(out, by, one.given(memory), held.layouts(), held.pointers());
    }

    /// out += the slice of that number, counted from 0: a part of a sum, or of the result. All of
    /// them, in any order, with operands of the same values, add the result to out, which may be
    /// done by many threads or machines with an output each. Steps that are the same in all slices
    /// run every time; a plan with all of its operands bound has computed them. Throws as run()
    /// does, and where there is no such slice.
    template <array::expression Out, class... Operands>
        requires detail::operands_of_run<Operands...>
    void run_slice(std::int64_t slice, Out&& out, list_view<std::byte> memory,
                   const Operands&... operands) const {
        const detail::plan_run<T, Arch> one(state(), parallel_for{}, slice);
        const auto held = one.hold(operands...);
        one.checked(out, scale{1, 1}, one.given(memory), held.layouts(), held.pointers());
    }

    /// out * 2^e = result, and returns e: for results beyond the range of T, such as partition
    /// functions. Intermediates whose largest element is far from 1 are divided by a power of two,
    /// and slices are added up at the largest of their scales, so that elements are rounded as by
    /// run(). Log10 of a result is log10(out) + e * log10(2). What a step sums has to be in range
    /// if its intermediates are near 1, as has what bind() computes; paths other than automatic and
    /// fused have steps of two inputs only. For real and complex floating-point numbers. Throws as
    /// run() does.
    template <array::expression Out, class... Operands>
        requires(detail::scalable<T>&& detail::operands_of_run<Operands...>)
    [[nodiscard]] std::int64_t run_scaled(Out&& out, list_view<std::byte> memory,
                                          const Operands&... operands) const {
        const detail::plan_run<T, Arch> one(state(), parallel_for{});
        const auto held = one.hold(operands...);
        return one.scaled(out, one.given(memory), held.layouts(), held.pointers());
    }

    /// Prints every step: equation, classes, lowering, predicted costs, modes, memory.
    friend std::ostream& operator<<(std::ostream& out, const basic_plan& p) {
        const auto describe = [](const recipe& how, const mode_table& rows) {
            std::string text;
            lowerings::all::with(how.chosen, [&]<class Lowering>() {
                text = Lowering::describe(how, {rows.row(0), rows.pitch(), rows.size()});
            });
            return text;
        };
        const detail::plan_state<T, Arch>& s = p.state();
        planning::plan_printer(out, s.equation, s.network.view(), s.data.view(),
                               lowerings::has_threads)
            .print(s.equation.text(), p.workspace_bytes(), describe);
        return out;
    }

protected:
    basic_plan(xeinsum::equation&& eq, std::vector<layout>&& operands, const options& wanted,
               std::shared_ptr<const planning::grouped_arrays> groups = nullptr,
               std::shared_ptr<const planning::path_record> path = nullptr)
        : state_(std::make_shared<const detail::plan_state<T, Arch>>(
              std::move(eq), std::move(operands), wanted, std::move(groups), std::move(path))) {}
    explicit basic_plan(detail::plan_state<T, Arch> state)
        : state_(std::make_shared<const detail::plan_state<T, Arch>>(std::move(state))) {}
    explicit basic_plan(std::shared_ptr<const detail::plan_state<T, Arch>> state)
        : state_(std::move(state)) {}

    [[nodiscard]] const detail::plan_state<T, Arch>& state() const noexcept { return *state_; }
    [[nodiscard]] const std::shared_ptr<const detail::plan_state<T, Arch>>& shared_state()
        const noexcept {
        return state_;
    }

private:
    friend struct detail::run_access;

    [[nodiscard]] double of_all_slices(double step::*figure) const noexcept {
        const plan_view plan = state().data.view();
        double total = 0;
        for (const step& s : plan.steps) {
            total += s.*figure * plan.runs_of(s);
        }
        return total;
    }

    std::shared_ptr<const detail::plan_state<T, Arch>> state_;
};

namespace detail {

/// Runs a plan on operands that are held already.
struct run_access {
    template <class T, class Arch, class Out, class A, class B, class Memory>
    static void run(const basic_plan<T, Arch>& p, const parallel_for& parallel, Out& out,
                    const scale<A, B>& by, Memory give, list_view<const layout_view> layouts,
                    const T* const* pointers) {
        plan_run<T, Arch>(p.state(), parallel).checked(out, by, give, layouts, pointers);
    }
};

}  // namespace detail
}  // namespace xeinsum
