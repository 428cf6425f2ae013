// What a plan is made of: for "ij,jk->ik" the equation, how the operands lie, the steps, and where
// each part of a run's workspace begins.
#pragma once

#include <xeinsum/call/arguments.hpp>
#include <xeinsum/call/constants.hpp>
#include <xeinsum/call/has_kernels.hpp>
#include <xeinsum/call/layouts.hpp>
#include <xeinsum/call/planned_arrays.hpp>
#include <xeinsum/call/raise.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/grouped_arrays.hpp>
#include <xeinsum/plan/key.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/path/record.hpp>
#include <xeinsum/plan/planner.hpp>
#include <xeinsum/run/rebind.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::detail {

/// A plan as data, a value. Throws einsum_error where there is none.
template <class T, class Arch>
struct plan_state {
    plan_state(xeinsum::equation&& eq, std::vector<layout>&& lie, const options& wanted,
               std::shared_ptr<const planning::grouped_arrays> grouped = nullptr,
               std::shared_ptr<const planning::path_record> known_path = nullptr);

    /// How they were planned to lie.
    [[nodiscard]] list_view<const layout> operands() const noexcept { return key.operands(); }

    [[nodiscard]] layout_view output() const noexcept { return {output_extents, output_strides}; }

    /// Throws a problem of this equation, if it is one.
    void check(problem p) const {
        if (!p.ok()) {
            if (groups) {
                groups->locate(p);
            }
            raise_located(p, equation, views());
        }
    }

    /// Finds out what follows from steps and operands: to be called when these have changed.
    void measure() {
        const std::size_t rebind =
            lowerings::rebind_bytes(data.view()) + (groups ? groups->split_bytes() : 0);
        rebind_in_workspace = rebind > stack_bytes ? planning::align_up(rebind) : 0;
        pointers_in_workspace = known && operands().size() > stack_operands
                                    ? planning::align_up(operands().size() * sizeof(const T*))
                                    : 0;
        one_step = is_one_step();
        needed_bytes = temporary_offset() == 0 ? 0 : temporary_offset() + workspace_alignment - 1;
        arrays.clear();
        arrays.push(output());
        for (const std::size_t i : given) {
            arrays.push(operands()[i]);
        }
    }

    // The workspace: intermediates and scratch, memory for other layouts, pointers to operands, a
    // temporary buffer for the result.
    static constexpr std::size_t stack_bytes = 8192;
    static constexpr std::size_t stack_operands = 16;

    [[nodiscard]] std::size_t rebind_offset() const noexcept { return data.workspace_bytes; }
    [[nodiscard]] std::size_t pointers_offset() const noexcept {
        return rebind_offset() + rebind_in_workspace;
    }
    [[nodiscard]] std::size_t temporary_offset() const noexcept {
        return pointers_offset() + pointers_in_workspace;
    }
    /// Bytes of a run whose memory need not be aligned.
    [[nodiscard]] std::size_t workspace_bytes() const noexcept { return needed_bytes; }
    /// Of a run that has a temporary buffer, too; 2^63 - 1 where they are more.
    [[nodiscard]] std::size_t overlap_workspace_bytes() const noexcept {
        constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
        const std::size_t others = temporary_offset() + workspace_alignment - 1;
        const auto elements = static_cast<std::size_t>(data.result_elements);
        return others > most || elements > (most - others) / sizeof(T)
                   ? most
                   : others + elements * sizeof(T);
    }

    xeinsum::equation equation;
    /// Of an equation with groups, for which network and steps have an axis for each label. All
    /// else that tells layouts and extents is about the arrays as they are.
    std::shared_ptr<const planning::grouped_arrays> groups;
    plan_key key;
    heap_storage::list<std::int64_t> output_extents{};
    heap_storage::list<std::int64_t> output_strides{};  ///< as planned, row-major
    basic_network<heap_storage> network{};
    basic_plan_data<plan_storage> data{};
    std::shared_ptr<const planning::path_record> path{};  ///< null for less than three operands
    heap_storage::list<std::size_t> given;        ///< the operands that a run takes, in order
    std::shared_ptr<const constants<T>> known{};  ///< the others; null where there are none
    planned_arrays<T> arrays{};                   ///< the output and what is given
    std::size_t rebind_in_workspace = 0;
    std::size_t pointers_in_workspace = 0;
    std::size_t needed_bytes = 0;
    bool one_step = false;  ///< over all operands in their order, on one thread

private:
    void set_output(list_view<const std::int64_t> extents) {
        output_extents = {extents.begin(), extents.end()};
        output_strides.resize(extents.size());
        lay_row_major(output_extents, output_strides);
    }

    using layout_views = heap_storage::list<layout_view>;
    [[nodiscard]] layout_views views() const { return {operands().begin(), operands().end()}; }

    [[nodiscard]] bool is_one_step() const {
        if (data.sums_nothing || data.steps.size() != 1 || !data.slices.empty()) {
            return false;
        }
        const step& s = data.steps.front();
        const auto ids = data.view().inputs_of(s);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (static_cast<std::size_t>(ids[i]) != i) {
                return false;
            }
        }
        return !s.how.split.is_cut();
    }
};

// Not in the class, where it would be inline: a program may have it compiled elsewhere.
template <class T, class Arch>
plan_state<T, Arch>::plan_state(xeinsum::equation&& eq, std::vector<layout>&& lie,
                                const options& wanted,
                                std::shared_ptr<const planning::grouped_arrays> grouped,
                                std::shared_ptr<const planning::path_record> known_path)
    : equation(std::move(eq)),
      groups(std::move(grouped)),
      key(equation.text(), equation.notation(), std::move(lie), wanted,
          groups ? groups->lengths : std::vector<std::int64_t>()),
      network(groups ? groups->grouping.network
                     : resolve<heap_storage>(equation, ranks_of(views()))),
      given(operands().size()) {
    require_kernels<T>();
    check(check_layouts(views()));
    check(network.error);
    std::iota(given.begin(), given.end(), std::size_t{0});
    layout_views lie_so = views();
    std::vector<std::byte> memory;
    list_view<const std::int64_t> result_strides;
    if (groups) {
        set_output(groups->shape);
        memory.resize(groups->split_bytes());
        const auto split = groups->split(lie_so, given, output_strides, memory);
        lie_so = {split.operands.begin(), split.operands.end()};
        result_strides = split.output_strides;
    }
    // The key's machine lives as long as the plan.
    planning::planner<plan_storage, lowerings::all> planner(
        network.view(), lie_so, key.wanted(), lowerings::call_target<T, Arch>(), data);
    if (operands().size() > 2) {
        auto record = known_path ? std::make_shared<planning::path_record>(*known_path)
                                 : std::make_shared<planning::path_record>();
        planner.keep_path(*record);
        path = std::move(record);
    }
    check(planner.measure());
    if (!groups) {
        heap_storage::list<std::int64_t> extents;
        for (const label l : network.output) {
            extents.push_back(planner.extent(l));
        }
        set_output(extents);
        result_strides = output_strides;
    }
    check(planner.make(result_strides));
    measure();
}

}  // namespace xeinsum::detail
