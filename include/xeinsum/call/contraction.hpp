// One call, planned and run at once: einsum("ij,jk->ik", a, b) measures, makes the output, plans
// for its strides and runs.
#pragma once

#include <xeinsum/call/layouts.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/step_runner.hpp>
#include <xeinsum/call/workspace.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/parallel_for.hpp>
#include <xeinsum/plan/planner.hpp>
#include <xeinsum/plan/step/one_step.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace xeinsum::detail {

/// The operands of a call as the planner and the kernels want them.
template <class T>
struct operand_views {
    list_view<const layout_view> layouts{};
    const T* const* pointers = nullptr;
};

/// One call on operands that are in place.
template <class T, class Arch>
class contraction {
public:
    /// parallel runs the pieces of steps, whatever the options say.
    contraction(const network_view& net, const operand_views<T>& operands, const options& wanted,
                const parallel_for& parallel)
        : net_(net), operands_(operands), wanted_(wanted), parallel_(parallel) {
        extents_.resize(net.label_count);
    }

    /// Checks the extents; the first thing to call.
    [[nodiscard]] problem measure();

    /// The result's extents, one for each of its axes.
    template <class Extents>
    void copy_extents(Extents& to) const {
        for (std::size_t a = 0; a < net_.output.size(); ++a) {
            to[a] = static_cast<std::remove_cvref_t<decltype(to[a])>>(extent(net_.output[a]));
        }
    }

    /// What is wrong with an output of the given layout; the problem refers to both.
    [[nodiscard]] problem check_output(const layout_view& out);

    /// Whether an output is written by way of a temporary buffer: never a new one.
    [[nodiscard]] bool needs_temporary(const destination<T>& out) const {
        // Results of arithmetic that may throw go there too, so that out stays as it was.
        return !std::is_trivially_copyable_v<T> ||
               overlaps(out, operands_.layouts, operands_.pointers);
    }
    /// Plans and runs, by a runner for all steps that the network may have. Nothing is written
    /// where a problem is returned. buffered: by way of a temporary buffer.
    [[nodiscard]] problem run(const destination<T>& out,
                              const kernel::scaling<lowerings::element_t<T>>& scale, bool buffered,
                              const step_runner<T>& runner);
    /// The same with default options, of a network that is one step in any case: without what
    /// plans several.
    [[nodiscard]] problem run_one_step(const destination<T>& out,
                                       const kernel::scaling<lowerings::element_t<T>>& scale,
                                       bool buffered, const one_step_runner<T>& runner);

private:
    [[nodiscard]] std::int64_t extent(label id) const noexcept {
        return extents_[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] bool sums_nothing() const noexcept {
        for (const std::int64_t e : extents_) {
            if (e == 0) {
                return true;
            }
        }
        return false;
    }

    /// The strides of a temporary buffer, if there is one.
    [[nodiscard]] static std::vector<std::int64_t> temporary_strides(const destination<T>& out,
                                                                     bool buffered) {
        return buffered ? row_major({out.extents.begin(), out.extents.end()}).strides
                        : std::vector<std::int64_t>();
    }
    [[nodiscard, gnu::cold]] problem run_planned(
        const destination<T>& out, const kernel::scaling<lowerings::element_t<T>>& scale,
        bool buffered, const step_runner<T>& runner);

    network_view net_;
    operand_views<T> operands_;
    options wanted_;
    parallel_for parallel_;
    heap_storage::list<std::int64_t> extents_;
    heap_storage::list<std::int64_t> result_extents_{};
    std::int64_t elements_ = 0;  ///< of the result
};

// Not in the class, where they would be inline: a program may have them compiled elsewhere.

template <class T, class Arch>
problem contraction<T, Arch>::measure() {
    problem p = check_layouts(operands_.layouts);
    if (p.ok()) {
        p = planning::find_extents(net_, operands_.layouts, {extents_.data(), extents_.size()});
    }
    if (p.ok() &&
        !planning::count_elements(net_.output, {extents_.data(), extents_.size()}, elements_)) {
        p.code = error_code::extent_overflow;
    }
    return p;
}

template <class T, class Arch>
problem contraction<T, Arch>::check_output(const layout_view& out) {
    result_extents_.resize(net_.output.size());
    copy_extents(result_extents_);
    return detail::check_output({result_extents_.data(), result_extents_.size()}, out);
}

template <class T, class Arch>
problem contraction<T, Arch>::run(const destination<T>& out,
                                  const kernel::scaling<lowerings::element_t<T>>& scale,
                                  bool buffered, const step_runner<T>& runner) {
    const std::size_t count = operands_.layouts.size();
    const bool is_checked = count < 3 || check_options(wanted_, count).ok();
    if (!buffered && is_checked && leaves_choice(wanted_) && !sums_nothing()) {
        const planning::target& on = lowerings::call_target<T, Arch>();
        std::optional<planning::target> other;
        if (wanted_.threads > 1 || wanted_.machine != nullptr) {
            other = planning::adapted(on, wanted_);
        }
        planning::one_step plan = runner.begin();
        if (plan.make(net_, operands_.layouts, out.strides, other ? *other : on)) {
            runner.run(plan, count, operands_.pointers, out.first, scale, parallel_);
            return {};
        }
    }
    return run_planned(out, scale, buffered, runner);
}

template <class T, class Arch>
problem contraction<T, Arch>::run_one_step(const destination<T>& out,
                                           const kernel::scaling<lowerings::element_t<T>>& scale,
                                           bool buffered, const one_step_runner<T>& runner) {
    if (sums_nothing()) {
        runner.deliver(nullptr, out, scale);
        return {};
    }
    const std::vector<std::int64_t> strides = temporary_strides(out, buffered);
    planning::one_step plan = runner.begin();
    if (!plan.make(net_, operands_.layouts,
                   buffered ? list_view<const std::int64_t>(strides) : out.strides,
                   lowerings::call_target<T, Arch>())) {
        problem p;  // more iterations than can be counted
        p.code = error_code::extent_overflow;
        return p;
    }
    const std::size_t count = operands_.layouts.size();
    if (!buffered) {
        runner.run(plan, count, operands_.pointers, out.first, scale, parallel_);
        return {};
    }
    const auto temporary = std::make_unique<T[]>(static_cast<std::size_t>(elements_));
    runner.run(plan, count, operands_.pointers, temporary.get(), {}, parallel_);
    runner.deliver(temporary.get(), out, scale);
    return {};
}

template <class T, class Arch>
problem contraction<T, Arch>::run_planned(const destination<T>& out,
                                          const kernel::scaling<lowerings::element_t<T>>& scale,
                                          bool buffered, const step_runner<T>& runner) {
    const std::vector<std::int64_t> strides = temporary_strides(out, buffered);
    basic_plan_data<plan_storage> data;
    planning::planner<plan_storage, lowerings::all> planner(
        net_, operands_.layouts, wanted_, lowerings::call_target<T, Arch>(), data, runner.parts);
    static_cast<void>(planner.measure());  // it has succeeded here before
    const problem p = planner.make(buffered ? list_view<const std::int64_t>(strides) : out.strides);
    if (!p.ok()) {
        return p;
    }
    const plan_view plan = data.view();
    const auto temporary =
        buffered && !plan.sums_nothing
            ? std::make_unique<T[]>(static_cast<std::size_t>(plan.result_elements))
            : nullptr;
    run_memory memory;
    runner.plan(plan, operands_.pointers, out, scale, memory(plan.workspace_bytes).data(),
                temporary.get(), parallel_);
    return {};
}

}  // namespace xeinsum::detail
