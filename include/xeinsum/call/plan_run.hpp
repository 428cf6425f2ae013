// A run of a plan: checks that the arrays of "ij,jk->ik" are those that were planned for, and runs
// at once where they lie as planned, by way of new strides or a temporary buffer otherwise.
#pragma once

#include <xeinsum/array/operand.hpp>
#include <xeinsum/array/output.hpp>
#include <xeinsum/call/arguments.hpp>
#include <xeinsum/call/layouts.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/scaled_run.hpp>
#include <xeinsum/call/workspace.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/run/parallel.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

namespace xeinsum::detail {

/// One run.
template <class T, class Arch>
class plan_run {
public:
    plan_run(const plan_state<T, Arch>& plan, const parallel_for& parallel)
        : plan_(plan), parallel_(lowerings::of_this_file(parallel)) {}

    /// Of one slice. Throws where there is none of that number.
    plan_run(const plan_state<T, Arch>& plan, const parallel_for& parallel, std::int64_t slice)
        : plan_run(plan, parallel) {
        const std::int64_t count = plan.data.view().slice_count();
        problem p;
        p.code = slice < 0 || slice >= count ? error_code::no_such_slice : error_code::none;
        p.found = slice;
        p.expected = count;
        plan.check(p);
        slice_ = count > 1 ? slice : all_slices;
    }

    /// Runs without copying a shape if all arrays are in memory, lie as planned and do not
    /// overlap the output, and the memory is enough; false, nothing being written, otherwise.
    template <class Out, class A, class B, class... Operands>
    [[nodiscard]] bool as_planned(Out& out, const scale<A, B>& by, list_view<std::byte> memory,
                                  const Operands&... operands) const {
        if constexpr (array::writable_as<Out, T> && (array::readable_as<Operands, T> && ...)) {
            if (!holds_scale<T>(by)) {
                return false;
            }
            std::size_t i = 0;
            const planned_arrays<T>& planned = plan_.arrays;
            const bool fits = sizeof...(Operands) + 1 == planned.size() &&
                              memory.size() >= plan_.workspace_bytes() &&
                              planned.lies_as_planned(0, array::in_place(out)) &&
                              (planned.lies_as_planned(++i, array::in_place(operands)) && ...);
            if (!fits) {
                return false;
            }
            T* const to = array::first_element(out);
            const std::array<const T*, sizeof...(Operands)> from{array::first_element(operands)...};
            for (std::size_t o = 0; o < from.size(); ++o) {
                if (planned.meet(0, to, 1 + o, from[o])) {
                    return false;
                }
            }
            std::byte* const base = memory.empty() ? nullptr : aligned(memory.data());
            if (plan_.one_step) {
                if (plan_.known == nullptr) {
                    run_one_step(from.data(), to, to_scaling<T>(by), base);
                } else {
                    const all_operands all(plan_, plan_.known->prepared, from.data(), base);
                    run_one_step(all.pointers, to, to_scaling<T>(by), base);
                }
                return true;
            }
            const all_operands all(plan_, from.data(), base);
            detail::run<T, Arch>(plan_.data.view(), all.pointers,
                                 {to, plan_.output_extents, plan_.output_strides},
                                 to_scaling<T>(by), base, nullptr, parallel_, nullptr,
                                 plan_.known ? plan_.known->packed.data() : nullptr);
            return true;
        } else {
            return false;
        }
    }

    /// Runs as checked() does, but for a result that may be beyond the range of T: returns the
    /// exponent e of out * 2^e.
    template <class Out, class Memory>
    [[nodiscard]] std::int64_t scaled(Out& array, Memory give, list_view<const layout_view> layouts,
                                      const T* const* pointers) const {
        std::int64_t exponent = 0;
        checked(array, scale{1, 0}, give, layouts, pointers,
                [&](const auto& operands, const auto& to, const auto& scaling, std::byte* base,
                    T* temporary, const auto* lies, const T* const* known) {
                    destination<T> first = to;
                    if (temporary != nullptr) {
                        first = {temporary, plan_.output_extents, plan_.output_strides};
                    }
                    exponent = scaled_run<T, Arch>(plan_.data.view(), operands, first, base,
                                                   parallel_, lies, known)
                                   .run();
                    if (temporary != nullptr) {
                        deliver<T, Arch>(temporary, to, scaling);
                    }
                });
        return exponent;
    }

    /// Throws unless a run is given as many operands as it takes.
    void check_count(std::size_t found) const {
        problem p;
        p.code = found == plan_.given.size() ? error_code::none : error_code::operand_count;
        p.expected = static_cast<std::int64_t>(plan_.given.size());
        p.found = static_cast<std::int64_t>(found);
        p.reason = plan_.known ? " not bound" : nullptr;
        plan_.check(p);
    }

    /// The operands of a run, one by one or as a list, held for its time. Throws unless there are
    /// as many as it takes.
    template <class... Operands>
    [[nodiscard]] typename held_operands<T, Operands...>::type hold(
        const Operands&... operands) const {
        if constexpr ((array::operand_range<Operands> || ...)) {
            check_count((static_cast<std::size_t>(std::size(operands)) + ...));
        } else {
            check_count(sizeof...(Operands));
        }
        return typename held_operands<T, Operands...>::type(operands...);
    }

    /// Memory of the caller's, which must be large enough.
    [[nodiscard]] auto given(list_view<std::byte> memory) const {
        return [this, memory](std::size_t needed, std::size_t overlapped) {
            problem p;
            p.code = memory.size() < needed ? error_code::workspace_too_small : error_code::none;
            p.first.array = overlapped;
            p.expected = static_cast<std::int64_t>(needed);
            p.found = static_cast<std::int64_t>(memory.size());
            plan_.check(p);
            return memory;
        };
    }

    /// Runs on any arrays of the right number. give(bytes, operand) gives memory of so many bytes,
    /// or throws; they are for an output that overlaps the operand, unless that is
    /// problem::nowhere. Throws, nothing being written, where a shape is wrong.
    template <class Out, class A, class B, class Memory>
    void checked(Out& array, const scale<A, B>& by, Memory give,
                 list_view<const layout_view> layouts, const T* const* pointers) const {
        checked(array, by, give, layouts, pointers,
                [this](const auto& operands, const auto& to, const auto& scaling, std::byte* base,
                       T* temporary, const auto* lies, const T* const* known) {
                    plan_view plan = plan_.data.view();
                    plan.only_slice = slice_;
                    detail::run<T, Arch>(plan, operands, to, scaling, base, temporary, parallel_,
                                         lies, known);
                });
    }
    /// The same; execute(operands, destination, scaling, memory, temporary, layouts, known) takes
    /// the place of detail::run.
    template <class Out, class A, class B, class Memory, class Execute>
    void checked(Out& array, const scale<A, B>& by, Memory give,
                 list_view<const layout_view> layouts, const T* const* pointers,
                 Execute execute) const {
        bool as_planned = true;
        for (std::size_t i = 0; i < layouts.size(); ++i) {
            const layout& planned = plan_.operands()[plan_.given[i]];
            problem p =
                check_extents(planned.extents, layouts[i].extents, error_code::operand_shape);
            p.second.array = plan_.given[i];
            plan_.check(p);
            p = check_layout(layouts[i], plan_.given[i]);
            plan_.check(p);
            as_planned = as_planned && lie_alike(planned, layouts[i]);
        }
        plan_.check(check_scale<T>(by));
        const auto scaling = to_scaling<T>(by);
        array::output<T, Out> out(array, scaling.adds());
        plan_.check(check_output(plan_.output_extents, {out.extents(), out.strides()}));
        const destination<T> to{out.data(), out.extents(), out.strides()};
        const std::size_t overlapped = overlapped_operand(to, layouts, pointers);
        const bool buffered = overlapped != problem::nowhere;
        const list_view<std::byte> memory =
            give(buffered ? plan_.overlap_workspace_bytes() : plan_.workspace_bytes(),
                 buffered ? plan_.given[overlapped] : overlapped);
        std::byte* base = memory.empty() ? nullptr : aligned(memory.data());
        as_planned =
            as_planned && (buffered || lie_alike(plan_.output(), {out.extents(), out.strides()}));
        const all_operands all(plan_, pointers, base);
        const temporary_output d(
            buffered && !plan_.data.sums_nothing ? base + plan_.temporary_offset() : nullptr,
            static_cast<std::size_t>(plan_.data.result_elements));
        const auto run = [&](const lowerings::actual_layouts* lies, const T* const* known) {
            execute(all.pointers, to, scaling, base, d.elements, lies, known);
        };
        if (as_planned) {
            run(nullptr, plan_.known ? plan_.known->packed.data() : nullptr);
        } else {
            run_rebound(
                run, layouts,
                buffered ? list_view<const std::int64_t>(plan_.output_strides) : out.strides(),
                base);
        }
        out.commit();
    }

private:
    /// Pointers to what is given and what is known, by operand.
    struct all_operands {
        all_operands(const plan_state<T, Arch>& plan, const T* const* given, std::byte* base)
            : pointers(given) {
            if (plan.known) {
                fill(plan, plan.known->operands, given, base);
            }
        }
        all_operands(const plan_state<T, Arch>& plan, const std::vector<const T*>& known,
                     const T* const* given, std::byte* base) {
            fill(plan, known, given, base);
        }
        all_operands(const all_operands&) = delete;
        all_operands& operator=(const all_operands&) = delete;

        void fill(const plan_state<T, Arch>& plan, const std::vector<const T*>& known,
                  const T* const* given, std::byte* base) {
            const T** list = plan.pointers_in_workspace > 0
                                 ? reinterpret_cast<const T**>(base + plan.pointers_offset())
                                 : few.data();
            for (std::size_t i = 0; i < known.size(); ++i) {
                list[i] = known[i];
            }
            for (std::size_t i = 0; i < plan.given.size(); ++i) {
                list[plan.given[i]] = given[i];
            }
            pointers = list;
        }

        const T* const* pointers = nullptr;
        std::array<const T*, plan_state<T, Arch>::stack_operands> few;
    };

    /// Runs a plan that is one step over all operands in their order, on one thread: what takes as
    /// long as a small product is left out.
    void run_one_step(const T* const* from, T* to,
                      const kernel::scaling<lowerings::element_t<T>>& scale,
                      std::byte* base) const {
        using element = lowerings::element_t<T>;
        const step& s = plan_.data.steps.front();
        lowerings::run_recipe<T, Arch>(s.how,
                                       {plan_.data.cells.data() + s.cells_begin,
                                        mode_table::row_length(s.input_count), s.mode_count},
                                       s.input_count, reinterpret_cast<const element* const*>(from),
                                       reinterpret_cast<element*>(to), scale,
                                       base + plan_.data.scratch_offset);
    }

    /// Elements in raw memory for the time of a run.
    struct temporary_output {
        T* elements = nullptr;
        std::size_t count = 0;

        temporary_output(std::byte* memory, std::size_t n)
            : elements(reinterpret_cast<T*>(memory)), count(n) {
            if (elements != nullptr) {
                std::uninitialized_default_construct_n(elements, count);
            }
        }
        ~temporary_output() {
            if (elements != nullptr) {
                std::destroy_n(elements, count);
            }
        }
        temporary_output(const temporary_output&) = delete;
        temporary_output& operator=(const temporary_output&) = delete;
    };

    /// Runs with the strides that the arrays have; bound operands lie as planned.
    template <class Run>
    void run_rebound(Run run, list_view<const layout_view> layouts,
                     list_view<const std::int64_t> output_strides, std::byte* base) const {
        alignas(std::max_align_t) std::array<std::byte, plan_state<T, Arch>::stack_bytes> small;
        lowerings::actual_layouts lies{plan_.network.view(), layouts, output_strides, small,
                                       plan_.given};
        if (plan_.rebind_in_workspace > 0) {
            lies.memory = {base + plan_.rebind_offset(), plan_.rebind_in_workspace};
        }
        if (plan_.groups) {
            const auto split =
                plan_.groups->split(layouts, plan_.given, output_strides, lies.memory);
            lies.operands = split.operands;
            lies.output_strides = split.output_strides;
            lies.memory = split.rest;
        }
        run(&lies, plan_.known ? plan_.known->stored.data() : nullptr);
    }

    static constexpr std::int64_t all_slices = -1;

    const plan_state<T, Arch>& plan_;
    const parallel_for parallel_;
    std::int64_t slice_ = all_slices;
};

}  // namespace xeinsum::detail
