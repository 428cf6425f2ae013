// Calls that the compiler plans whole: of einsum_to<"ij,jk->ik">(out, a, b) on xtensor_fixed<float,
// xshape<4, 4>> the run has only the loads, multiply-adds and stores left to do.
#pragma once

#include <xeinsum/array/operand.hpp>
#include <xeinsum/array/output.hpp>
#include <xeinsum/array/overlap.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/step_runner.hpp>
#include <xeinsum/call/workspace.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/kernel/inlined.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/plan/planner.hpp>
#include <xeinsum/plan/step/one_step.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::detail {

/// A step without choice, as small as it is: its recipe and the rows of its nest, if there is one.
struct fixed_step {
    bool found = false;
    bool is_few = false;  ///< a nest that runs without vectors set up
    recipe how{};
    std::size_t modes = 0;
    std::array<std::int64_t, planning::one_step::room> cells{};
};

/// The layouts of a call and its plan. Output and each of Operands have constants extents and
/// strides, as array::fixed_layout has; no extent is 0, and all fit the equation.
template <const auto& Network, class T, class Arch, class Output, class... Operands>
class fixed_plan {
public:
    static constexpr std::size_t inputs = sizeof...(Operands);
    static constexpr network_view net = Network.view();

private:
    using nest = lowerings::broadcast_multiply_reduce;
    static constexpr planning::target on = lowerings::target_of<T, Arch>();
    static constexpr std::array<layout_view, inputs> layouts{
        layout_view{Operands::extents, Operands::strides}...};

    static constexpr fixed_step obvious() {
        planning::one_step plan(lowerings::all::decide);
        fixed_step s;
        s.found = plan.make_obvious(net, layouts, Output::strides, on);
        if (s.found) {
            s.how = plan.how();
            s.modes = plan.modes();
            std::copy_n(plan.cells(), s.modes * mode_table::row_length(inputs), s.cells.begin());
            s.is_few = s.how.chosen == nest::id &&
                       nest::fits(mode_table(s.cells.data(), inputs, s.modes), s.how, on);
        }
        return s;
    }
    static constexpr auto chosen() {
        basic_plan_data<pair_storage> plan;
        planning::planner<pair_storage, lowerings::all> planner(net, layouts, {}, on, plan);
        static_cast<void>(planner.measure());
        static_cast<void>(planner.make(Output::strides));
        return plan;
    }

public:
    static constexpr fixed_step step = obvious();
    /// Whether the plan is one small step, step.
    static constexpr bool is_obvious = step.found;
    /// What the planner makes of any other call; of one or two operands.
    static constexpr auto data = [] {
        if constexpr (is_obvious) {
            return 0;
        } else {
            return chosen();
        }
    }();
};

/// One call on arrays whose types tell where their elements lie.
template <class Plan, class T, class Arch>
class fixed_call {
public:
    /// Runs. No operand overlaps the output.
    [[gnu::always_inline]] static inline void run(
        const T* const* operands, const destination<T>& out,
        const kernel::scaling<lowerings::element_t<T>>& scale) {
        if constexpr (Plan::is_obvious) {
            run_step(reinterpret_cast<const element* const*>(operands),
                     reinterpret_cast<element*>(out.first), scale);
        } else if constexpr (Plan::data.workspace_bytes <= small_workspace_bytes) {
            alignas(workspace_alignment)
                std::byte memory[std::max<std::size_t>(Plan::data.workspace_bytes, 1)];
            run_as_planned<T, Arch, kinds>(Plan::data.view(), operands, out, scale, memory,
                                           static_cast<T*>(nullptr), {});
        } else {
            workspace memory(Plan::data.workspace_bytes);
            run_as_planned<T, Arch, kinds>(Plan::data.view(), operands, out, scale, memory.data(),
                                           static_cast<T*>(nullptr), {});
        }
    }

private:
    using element = lowerings::element_t<T>;
    static constexpr kernel::step_kinds kinds = kinds_of(Plan::net, false);
    static constexpr const recipe& how = Plan::step.how;
    static constexpr kernel::loops rows{Plan::step.cells.data(),
                                        mode_table::row_length(Plan::inputs), Plan::step.modes};

    /// Of a small product.
    [[nodiscard]] static constexpr kernel::small_shape shape() {
        return lowerings::small_product::shape_of(how, rows);
    }
    /// Whether the step is one small product that needs nothing transposed.
    [[nodiscard]] static constexpr bool is_lone_product() {
        return how.chosen == lowering::gemm && how.groups[0] == 0 && shape().rhs_column == 1;
    }

    [[gnu::always_inline]] static inline void run_step(const element* const* from, element* to,
                                                       const kernel::scaling<element>& scale) {
        if constexpr (Plan::step.is_few) {
            kernel::small_nest<element, Arch, Plan::inputs, how.groups[0], how.groups[1]>::run(
                Plan::step.cells.data(), from, to, scale);
        } else if constexpr (is_lone_product()) {
            kernel::fixed_gemm<element, Arch, shape()>(from[how.swapped ? 1 : 0],
                                                       from[how.swapped ? 0 : 1], to, scale);
        } else {
            lowerings::run_recipe<T, Arch, kinds>(how, rows, Plan::inputs, from, to, scale,
                                                  nullptr);
        }
    }
};

/// Where the result of a network lies that is stored row-major.
template <const auto& Network, class... Operands>
struct fixed_result {
    static constexpr auto extents = [] {
        constexpr network_view net = Network.view();
        const std::array<layout_view, sizeof...(Operands)> layouts{
            layout_view{array::fixed_layout<Operands>::extents, {}}...};
        std::array<std::int64_t, net.label_count + 1> of_labels{};
        static_cast<void>(
            planning::find_extents(net, layouts, {of_labels.data(), net.label_count}));
        std::array<std::int64_t, net.output.size()> found{};
        for (std::size_t a = 0; a < found.size(); ++a) {
            found[a] = of_labels[static_cast<std::size_t>(net.output[a])];
        }
        return found;
    }();
    static constexpr auto strides = array::dense_strides(extents, true);
};

/// Whether types tell all about a call on operands of T. Its kernels are inlined, so not where they
/// are in another file.
template <class T, class Arch, class... Operands>
[[nodiscard]] constexpr bool are_fixed() {
    if constexpr (((array::is_dense_fixed<Operands> &&
                    array::readable_as<std::remove_cvref_t<Operands>, T>)&&...)) {
        const auto has_elements = [](const auto& extents) {
            return std::find(extents.begin(), extents.end(), 0) == extents.end();
        };
        return !kernel::chosen_at_run_time<Arch> && std::is_trivially_copyable_v<T> &&
               kernel::computes_in_place<T> &&
               (has_elements(array::fixed_layout<Operands>::extents) && ...);
    } else {
        return false;
    }
}

/// Whether a call leaves to the planner what it may leave.
[[nodiscard]] constexpr bool asks_nothing(const options& wanted) noexcept {
    return leaves_choice(wanted) && wanted.threads <= 1 &&
           wanted.memory_limit == options{}.memory_limit && wanted.machine == nullptr;
}

template <class T, class Layout>
[[nodiscard, gnu::always_inline]] inline array::memory_range memory_of(const T* first,
                                                                       Layout) noexcept {
    constexpr array::element_range covered = array::elements_of(Layout::extents, Layout::strides);
    return array::range_of(first, covered);
}

/// Runs a call that the compiler has planned; false where it must go the general way, which finds
/// out what is wrong with it if anything is.
template <const auto& Network, class T, class Arch, class Out, class A, class B, class... Operands>
[[nodiscard, gnu::always_inline]] inline bool run_fixed(Out& array, const scale<A, B>& by,
                                                        const options& wanted,
                                                        const Operands&... operands) {
    if constexpr (array::writable_as<Out, T> && are_fixed<T, Arch, Out, Operands...>()) {
        using output = array::fixed_layout<Out>;
        if constexpr (std::ranges::equal(output::extents,
                                         fixed_result<Network, Operands...>::extents)) {
            using plan = fixed_plan<Network, T, Arch, output, array::fixed_layout<Operands>...>;
            const std::array<const T*, sizeof...(Operands)> from{array::first_element(operands)...};
            T* const to = array::first_element(array);
            const bool overlaps = (memory_of(to, output())
                                       .meets(memory_of(array::first_element(operands),
                                                        array::fixed_layout<Operands>())) ||
                                   ...);
            if (overlaps || !asks_nothing(wanted) || !holds_scale<T>(by)) {
                return false;
            }
            fixed_call<plan, T, Arch>::run(from.data(), {to, output::extents, output::strides},
                                           to_scaling<T>(by));
            return true;
        }
    }
    return false;
}

/// Contracts arrays of which types tell all into a new row-major array.
template <class Result, const auto& Network, class T, class Arch, class... Operands>
[[nodiscard]] Result contract_fixed(const Operands&... operands) {
    using output = fixed_result<Network, Operands...>;
    using plan = fixed_plan<Network, T, Arch, output, array::fixed_layout<Operands>...>;
    typename Result::shape_type shape{};
    std::copy(output::extents.begin(), output::extents.end(), shape.begin());
    Result result = Result::from_shape(shape);
    const std::array<const T*, sizeof...(Operands)> from{array::first_element(operands)...};
    fixed_call<plan, T, Arch>::run(from.data(), {result.data(), output::extents, output::strides},
                                   {});
    return result;
}

}  // namespace xeinsum::detail
