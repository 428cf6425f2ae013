// The public calls: auto y = einsum<"nctw,cd->ndtw">(x, w) with an equation that the compiler
// checks, einsum("nctw,cd->ndtw", x, w) with one that is known at run time.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/array/operand.hpp>
#include <xeinsum/call/accepted.hpp>
#include <xeinsum/call/arguments.hpp>
#include <xeinsum/call/check.hpp>
#include <xeinsum/call/contract.hpp>
#include <xeinsum/call/default_arch.hpp>
#include <xeinsum/call/fixed_call.hpp>
#include <xeinsum/call/kernels.hpp>
#include <xeinsum/call/precomputed_call.hpp>
#include <xeinsum/call/raise.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/plan/options.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

/// Calls, plans and what they take.
namespace xeinsum {

namespace detail {

/// Whether operands are arrays of T that are read in place.
template <class T, class... Operands>
inline constexpr bool are_in_place = (array::readable_as<Operands, T> && ...);

/// What einsum does with operands whose plan is not precomputed, or that are no arrays yet.
template <fixed_string Equation, notation Notation, class Result, class T, class Arch,
          class Options, class... Operands>
[[nodiscard, gnu::noinline]] Result contract_held_new(const Options& wanted,
                                                      const Operands&... operands) {
    const operand_pack<T, Operands...> held(operands...);
    if constexpr (ranks_are_known<Equation, Notation, Operands...>() &&
                  !are_in_place<T, Operands...>) {
        constexpr const auto& network = static_network<Equation, Notation, Operands...>;
        if constexpr (may_precompute_new<network, T, Arch, Result>()) {
            precomputed_call<network, T, Arch> call;
            if (std::apply([&](const auto&... arrays) { return call.begin_new(wanted, arrays...); },
                           held.arrays())) {
                return run_precomputed<Result>(call);
            }
        }
    }
    const raiser raise = raiser::of<parsed<Equation, Notation>>(held.layouts());
    return with_network<Equation, Notation,
                        array::are_row_major<Result, array::operand<T, Operands>...>(),
                        Operands...>(held.layouts(), raise,
                                     [&]<kernel::step_kinds Kinds>(const network_view& net) {
                                         return contract_new<Result, T, Arch, Kinds>(
                                             net, {held.layouts(), held.pointers()}, wanted, raise);
                                     });
}

/// What einsum does with any operands.
template <fixed_string Equation, notation Notation, class Result, class T, class Arch,
          class Options, class... Operands>
[[nodiscard]] Result contract_any_new(const Options& wanted, const Operands&... operands) {
    if constexpr (ranks_are_known<Equation, Notation, Operands...>() &&
                  are_in_place<T, Operands...>) {
        constexpr const auto& network = static_network<Equation, Notation, Operands...>;
        if constexpr (may_precompute_new<network, T, Arch, Result>()) {
            precomputed_call<network, T, Arch> call;
            if (call.begin_new(wanted, array::in_place(operands)...)) {
                return run_precomputed<Result>(call);
            }
        }
    }
    return contract_held_new<Equation, Notation, Result, T, Arch>(wanted, operands...);
}

/// What einsum_to does with operands whose plan is not precomputed, or that are no arrays yet.
template <fixed_string Equation, notation Notation, class T, class Arch, class Out, class A,
          class B, class Options, class... Operands>
[[gnu::noinline]] void contract_held_to(Out& out, const scale<A, B>& by, const Options& wanted,
                                        const Operands&... operands) {
    const operand_pack<T, Operands...> held(operands...);
    if constexpr (ranks_are_known<Equation, Notation, Operands...>() &&
                  !are_in_place<T, Operands...>) {
        if (std::apply(
                [&](const auto&... arrays) {
                    return run_precomputed_to<static_network<Equation, Notation, Operands...>, T,
                                              Arch>(out, by, wanted, arrays...);
                },
                held.arrays())) {
            return;
        }
    }
    const raiser raise = raiser::of<parsed<Equation, Notation>>(held.layouts());
    with_network<
        Equation, Notation, array::are_row_major<Out, array::operand<T, Operands>...>(),
        Operands...>(held.layouts(), raise, [&]<kernel::step_kinds Kinds>(const network_view& net) {
        contract_to<T, Arch, Kinds>(out, by, net, {held.layouts(), held.pointers()}, wanted, raise);
    });
}

/// What einsum_to does with any operands. A function of its own, so that calls which the compiler
/// has planned are not held up by its frame.
template <fixed_string Equation, notation Notation, class T, class Arch, class Out, class A,
          class B, class Options, class... Operands>
[[gnu::noinline]] void contract_any_to(Out& out, const scale<A, B>& by, const Options& wanted,
                                       const Operands&... operands) {
    if constexpr (ranks_are_known<Equation, Notation, Operands...>() &&
                  are_in_place<T, Operands...>) {
        if (run_precomputed_to<static_network<Equation, Notation, Operands...>, T, Arch>(
                out, by, wanted, array::in_place(operands)...)) {
            return;
        }
    }
    contract_held_to<Equation, Notation, T, Arch>(out, by, wanted, operands...);
}

/// What einsum does with an equation that is known at run time, and operands that are held already.
template <class T, class Arch, class Held>
[[nodiscard]] array::new_array_t<T> evaluate_held(const equation& eq, const Held& held,
                                                  const options& wanted) {
    return with_network(eq, held.layouts(), [&](const network_view& net, const raiser& raise) {
        return contract_new<array::new_array_t<T>, T, Arch, Held::kinds>(
            net, {held.layouts(), held.pointers()}, wanted, raise);
    });
}

/// The same of einsum_to.
template <class T, class Arch, class Held, class Out, class A, class B>
void evaluate_held_to(const equation& eq, const Held& held, Out& out, const scale<A, B>& by,
                      const options& wanted) {
    with_network(eq, held.layouts(), [&](const network_view& net, const raiser& raise) {
        contract_to<T, Arch, Held::kinds>(out, by, net, {held.layouts(), held.pointers()}, wanted,
                                          raise);
    });
}

/// What einsum does.
template <fixed_string Equation, notation Notation, class Arch, class Options, class... Operands>
[[nodiscard]] auto evaluate(const Options& wanted, const Operands&... operands) {
    constexpr bool callable = check_call<Equation, Notation, Operands...>();
    if constexpr (callable) {
        using T = element_of_t<Operands...>;
        using result = array::new_array_t<T, result_rank<Equation, Notation, Operands...>()>;
        if constexpr (are_fixed<T, Arch, Operands...>()) {
            if (asks_nothing(wanted)) {
                return contract_fixed<result, static_network<Equation, Notation, Operands...>, T,
                                      Arch>(operands...);
            }
        }
        return contract_any_new<Equation, Notation, result, T, Arch>(wanted, operands...);
    } else {
        return no_result<void(Operands...)>();
    }
}

/// What einsum_to does. Inlined, so that of a call which the compiler has planned the constants are
/// known where it is.
template <fixed_string Equation, notation Notation, class Arch, class Out, class A, class B,
          class Options, class... Operands>
[[gnu::always_inline]] inline void evaluate_to(Out&& out, const scale<A, B>& by,
                                               const Options& wanted, const Operands&... operands) {
    constexpr bool callable = check_call_to<Equation, Notation, Out, Operands...>();
    if constexpr (callable) {
        using T = element_of_t<Out, Operands...>;
        if constexpr (are_fixed<T, Arch, Out, Operands...>()) {
            if (run_fixed<static_network<Equation, Notation, Operands...>, T, Arch>(out, by, wanted,
                                                                                    operands...)) {
                return;
            }
        }
        contract_any_to<Equation, Notation, T, Arch>(out, by, wanted, operands...);
    }
}

}  // namespace detail

/// Evaluates an equation that is known to the compiler. Operands are arrays, views, unevaluated
/// expressions (evaluated once) and numbers (rank 0) of any element types that have a common one,
/// T; strided ones of T are read in place.
///
/// Returns xt::xtensor<T, rank>, or xt::xarray<T> where an ellipsis over operands of unknown rank
/// leaves the rank open. A malformed equation, a wrong number of operands, a static rank that does
/// not fit and clashing extents of xtensor_fixed operands do not compile. Throws einsum_error for
/// what only the run can know: ranks of xarray and extents.
template <fixed_string Equation, notation Notation = notation::automatic,
          class Arch = detail::default_arch, detail::operand_argument... Operands>
[[nodiscard]] auto einsum(const options& wanted, const Operands&... operands) {
    return detail::evaluate<Equation, Notation, Arch>(wanted, operands...);
}

/// The same with default options.
template <fixed_string Equation, notation Notation = notation::automatic,
          class Arch = detail::default_arch, detail::operand_argument... Operands>
[[nodiscard]] auto einsum(const Operands&... operands) {
    return detail::evaluate<Equation, Notation, Arch>(detail::no_options, operands...);
}

/// Evaluates an equation that is known to the compiler into an array, view or other assignable
/// expression of the result's shape: out = alpha * result + beta * out. Out may overlap operands.
/// Whatever is thrown, out stays as it was.
template <fixed_string Equation, notation Notation = notation::automatic,
          class Arch = detail::default_arch, class Out, class A, class B,
          detail::operand_argument... Operands>
[[gnu::always_inline]] inline void einsum_to(Out&& out, const scale<A, B>& by,
                                             const options& wanted, const Operands&... operands) {
    detail::evaluate_to<Equation, Notation, Arch>(out, by, wanted, operands...);
}

/// The same with default options.
template <fixed_string Equation, notation Notation = notation::automatic,
          class Arch = detail::default_arch, class Out, class A, class B,
          detail::operand_argument... Operands>
void einsum_to(Out&& out, const scale<A, B>& by, const Operands&... operands) {
    detail::evaluate_to<Equation, Notation, Arch>(out, by, detail::no_options, operands...);
}

/// out = result.
template <fixed_string Equation, notation Notation = notation::automatic,
          class Arch = detail::default_arch, class Out, detail::operand_argument... Operands>
void einsum_to(Out&& out, const options& wanted, const Operands&... operands) {
    einsum_to<Equation, Notation, Arch>(out, scale{1, 0}, wanted, operands...);
}

/// out = result, with default options.
template <fixed_string Equation, notation Notation = notation::automatic,
          class Arch = detail::default_arch, class Out, detail::operand_argument... Operands>
void einsum_to(Out&& out, const Operands&... operands) {
    detail::evaluate_to<Equation, Notation, Arch>(out, scale{1, 0}, detail::no_options,
                                                  operands...);
}

/// Evaluates an equation that is known at run time: text in options::notation, or a parsed
/// equation. Throws einsum_error.
template <class Arch = detail::default_arch, detail::operand_argument... Operands>
[[nodiscard]] auto einsum(const equation_argument& eq, const options& wanted,
                          const Operands&... operands) {
    if constexpr (detail::check_operands<Operands...>()) {
        using T = detail::element_of_t<Operands...>;
        const equation parsed = eq.get(wanted.notation);
        const detail::operand_pack<T, Operands...> held(operands...);
        return detail::evaluate_held<T, Arch>(parsed, held, wanted);
    } else {
        return detail::no_result<void(Operands...)>();
    }
}

/// The same with default options.
template <class Arch = detail::default_arch, detail::operand_argument... Operands>
[[nodiscard]] auto einsum(const equation_argument& eq, const Operands&... operands) {
    return einsum<Arch>(eq, options{}, operands...);
}

/// The same with a list of operands, such as std::vector<xt::xarray<double>>.
template <class Arch = detail::default_arch, array::operand_range Range>
[[nodiscard]] auto einsum(const equation_argument& eq, const Range& operands,
                          const options& wanted = {}) {
    if constexpr (detail::check_elements<array::listed_t<Range>>()) {
        using T = array::value_of_t<array::listed_t<Range>>;
        const equation parsed = eq.get(wanted.notation);
        const detail::operand_list<T, Range> held(operands);
        return detail::evaluate_held<T, Arch>(parsed, held, wanted);
    } else {
        return detail::no_result<Range>();
    }
}

/// Evaluates an equation that is known at run time into an existing array; see einsum_to above.
template <class Arch = detail::default_arch, class Out, class A, class B,
          detail::operand_argument... Operands>
void einsum_to(const equation_argument& eq, Out&& out, const scale<A, B>& by, const options& wanted,
               const Operands&... operands) {
    if constexpr (detail::check_output_and_operands<Out, Operands...>()) {
        using T = detail::element_of_t<Out, Operands...>;
        const equation parsed = eq.get(wanted.notation);
        const detail::operand_pack<T, Operands...> held(operands...);
        detail::evaluate_held_to<T, Arch>(parsed, held, out, by, wanted);
    }
}

/// The same with default options.
template <class Arch = detail::default_arch, class Out, class A, class B,
          detail::operand_argument... Operands>
void einsum_to(const equation_argument& eq, Out&& out, const scale<A, B>& by,
               const Operands&... operands) {
    einsum_to<Arch>(eq, out, by, options{}, operands...);
}

/// out = result.
template <class Arch = detail::default_arch, class Out, detail::operand_argument... Operands>
void einsum_to(const equation_argument& eq, Out&& out, const options& wanted,
               const Operands&... operands) {
    einsum_to<Arch>(eq, out, scale{1, 0}, wanted, operands...);
}

/// out = result, with default options.
template <class Arch = detail::default_arch, class Out, detail::operand_argument... Operands>
void einsum_to(const equation_argument& eq, Out&& out, const Operands&... operands) {
    einsum_to<Arch>(eq, out, scale{1, 0}, options{}, operands...);
}

/// The same with a list of operands.
template <class Arch = detail::default_arch, class Out, class A, class B,
          array::operand_range Range>
void einsum_to(const equation_argument& eq, Out&& out, const scale<A, B>& by, const Range& operands,
               const options& wanted = {}) {
    if constexpr (detail::check_output_and_operands<Out, array::listed_t<Range>>()) {
        using T = detail::element_of_t<Out, array::listed_t<Range>>;
        const equation parsed = eq.get(wanted.notation);
        const detail::operand_list<T, Range> held(operands);
        detail::evaluate_held_to<T, Arch>(parsed, held, out, by, wanted);
    }
}

/// out = result, of a list of operands.
template <class Arch = detail::default_arch, class Out, array::operand_range Range>
void einsum_to(const equation_argument& eq, Out&& out, const Range& operands,
               const options& wanted = {}) {
    einsum_to<Arch>(eq, out, scale{1, 0}, operands, wanted);
}

}  // namespace xeinsum
