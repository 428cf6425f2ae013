// Calls as contractions with an output: einsum<"ij,jk->ik">(a, b) resolves the equation for the
// ranks of a and b, measures both, makes an array of i k and runs into it.
#pragma once

#include <xeinsum/array/output.hpp>
#include <xeinsum/array/traits.hpp>
#include <xeinsum/call/arguments.hpp>
#include <xeinsum/call/check.hpp>
#include <xeinsum/call/contraction.hpp>
#include <xeinsum/call/has_kernels.hpp>
#include <xeinsum/call/raise.hpp>
#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/run/parallel.hpp>

#include <cstddef>
#include <type_traits>

namespace xeinsum::detail {

/// Options of calls without any: a type of its own, so that such calls are spared what only options
/// need. One for all, so that short calls need not make it.
struct no_options_t : options {};
inline constexpr no_options_t no_options{};

/// Makes the output with make(contraction, run) and runs into it: run(destination, scaling,
/// buffered) returns a problem. Steps are of the Kinds. raise(problem) throws.
template <class T, class Arch, kernel::step_kinds Kinds, class Options, class Make, class Raise>
auto contract(const network_view& net, const operand_views<T>& operands, const Options& wanted,
              Make make, Raise raise) {
    require_kernels<T>();
    contraction<T, Arch> call(net, operands, wanted, lowerings::of_this_file(wanted.parallel));
    if (const problem p = call.measure(); !p.ok()) {
        raise(p);
    }
    return make(call, [&](const auto& out, const auto& scale_by, bool buffered) {
        // Whoever does not compile the kernels plans for all kinds, whose steps may be several.
        if constexpr (std::is_same_v<Options, no_options_t> && is_one_step<T, Kinds> &&
                      !kernel::chosen_at_run_time<Arch>) {
            return call.run_one_step(out, scale_by, buffered, one_step_runner_of<T, Arch, Kinds>);
        } else {
            return call.run(out, scale_by, buffered, runner_of<T, Arch, Kinds.with_nests()>);
        }
    });
}

/// Contracts into a new array.
template <class Result, class T, class Arch, kernel::step_kinds Kinds, class Options>
[[nodiscard]] Result contract_new(const network_view& net, const operand_views<T>& operands,
                                  const Options& wanted, const raiser& raise) {
    return contract<T, Arch, Kinds>(
        net, operands, wanted,
        [&](auto& c, auto run) {
            typename Result::shape_type shape{};
            if constexpr (array::rank_of<Result> == array::dynamic_rank) {
                shape.resize(net.output.size());
            }
            c.copy_extents(shape);
            auto result = Result::from_shape(shape);
            array::output<T, Result> out(result, false);
            const problem p = run(destination<T>{out.data(), out.extents(), out.strides()},
                                  kernel::scaling<lowerings::element_t<T>>(), false);
            if (!p.ok()) {
                raise(p);
            }
            return result;
        },
        raise);
}

/// Contracts into an array that exists.
template <class T, class Arch, kernel::step_kinds Kinds, class Out, class A, class B, class Options>
void contract_to(Out& array, const scale<A, B>& scale_by, const network_view& net,
                 const operand_views<T>& operands, const Options& wanted, const raiser& raise) {
    if (const problem p = check_scale<T>(scale_by); !p.ok()) {
        raise(p);
    }
    const auto scaling = to_scaling<T>(scale_by);
    contract<T, Arch, Kinds>(
        net, operands, wanted,
        [&](auto& c, auto run) {
            array::output<T, Out> out(array, scaling.adds());
            problem p = c.check_output({out.extents(), out.strides()});
            if (p.ok()) {
                const destination<T> to{out.data(), out.extents(), out.strides()};
                p = run(to, scaling, c.needs_temporary(to));
            }
            if (!p.ok()) {
                raise(p);
            }
            out.commit();
        },
        raise);
}

/// Why the ranks of operands do not fit an equation.
template <class EquationStorage>
[[gnu::cold, nodiscard]] problem problem_with_ranks(const basic_equation<EquationStorage>& eq,
                                                    list_view<const layout_view> layouts) {
    return resolve<heap_storage>(eq, ranks_of(layouts)).error;
}

/// Calls f.operator()<kinds>(network) with the network of an equation that is known to the
/// compiler, of arrays that are RowMajor all or may lie as they like.
template <fixed_string Equation, notation Notation, bool RowMajor, class... Operands, class F>
decltype(auto) with_network(list_view<const layout_view> layouts, const raiser& raise, F f) {
    if constexpr (ranks_are_known<Equation, Notation, Operands...>()) {
        constexpr network_view net = static_network<Equation, Notation, Operands...>.view();
        for (std::size_t i = 0; i < layouts.size(); ++i) {
            if (layouts[i].extents.size() != net.operand(i).size()) {
                raise(problem_with_ranks(parsed<Equation, Notation>.equation, layouts));
            }
        }
        return f.template operator()<kinds_of(net, RowMajor)>(net);
    } else {
        const auto net =
            resolve<heap_storage>(parsed<Equation, Notation>.equation, ranks_of(layouts));
        if (!net.error.ok()) {
            raise(net.error);
        }
        return f.template operator()<kernel::step_kinds::of_inputs(sizeof...(Operands))>(
            net.view());
    }
}

/// Calls f(network, raise) with the network of an equation that is known at run time only.
template <class F>
decltype(auto) with_network(const equation& eq, list_view<const layout_view> layouts, F f) {
    const raiser raise(eq, layouts);
    const auto net = resolve<heap_storage>(eq, ranks_of(layouts));
    if (!net.error.ok()) {
        raise(net.error);
    }
    return f(net.view(), raise);
}

}  // namespace xeinsum::detail
