// Einsum on axes that are products of labels: einsum<"b n (h d), b m (h d) -> b h n m">(q, k,
// axis<"h">(12)) reads the heads where they lie, and copies nothing.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/call/accepted.hpp>
#include <xeinsum/call/arguments.hpp>
#include <xeinsum/call/default_arch.hpp>
#include <xeinsum/call/grouped_call.hpp>
#include <xeinsum/call/grouped_check.hpp>
#include <xeinsum/call/grouped_contraction.hpp>
#include <xeinsum/call/kernels.hpp>
#include <xeinsum/einsum.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/equation/lengths.hpp>

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace xeinsum {

namespace detail {

template <class... Args>
[[nodiscard]] constexpr bool are_operands_then_lengths(bool known) {
    bool right = true;
    std::size_t lengths = 0;
    [[maybe_unused]] const auto see = [&](bool operand, bool length, bool named) {
        right = right && (operand ? lengths == 0 : length && (named || !known));
        lengths += length ? 1 : 0;
    };
    (see(operand_argument<Args>, length_like<Args>, static_length<Args>), ...);
    return right && lengths > 0;
}

/// Operands, and behind them at least one length.
template <class... Args>
concept grouped_arguments = are_operands_then_lengths<Args...>(false);

/// The same, the names of whose axes the compiler knows.
template <class... Args>
concept named_grouped_arguments = are_operands_then_lengths<Args...>(true);

/// Calls f(operands, lengths) with two tuples of references.
template <class F, class... Args>
decltype(auto) split_arguments(F f, const Args&... args) {
    constexpr std::size_t operands = (std::size_t{operand_argument<Args>} + ...);
    const auto all = std::tie(args...);
    return [&]<std::size_t... O, std::size_t... L>(std::index_sequence<O...>,
                                                   std::index_sequence<L...>)
        ->decltype(auto) {
        return f(std::tie(std::get<O>(all)...), std::tie(std::get<operands + L>(all)...));
    }
    (std::make_index_sequence<operands>(), std::make_index_sequence<sizeof...(Args) - operands>());
}

/// Calls f.operator()<room>(call, operands' pointers) for an equation known to the compiler.
template <class T, fixed_string Equation, class F, class... Operands, class... Lengths>
decltype(auto) with_grouped_einsum(const std::tuple<const Operands&...>& operands,
                                   const std::tuple<const Lengths&...>& lengths, F f) {
    const auto held = std::make_from_tuple<operand_pack<T, Operands...>>(operands);
    const auto given = std::apply([](const auto&... l) { return views_of(l...); }, lengths);
    return with_grouping<Equation, call_kind::einsum, Operands...>(
        held.layouts(), given, [&]<kernel::step_kinds Kinds>(const auto& call) {
            return f.template operator()<Kinds>(call, held.pointers());
        });
}

template <fixed_string Equation, class Arch, class... Operands, class... Lengths>
[[nodiscard]] auto grouped_einsum(const options& wanted,
                                  const std::tuple<const Operands&...>& operands,
                                  const std::tuple<const Lengths&...>& lengths) {
    constexpr bool callable =
        check_pattern_call<Equation, call_kind::einsum, void(Lengths...), Operands...>();
    if constexpr (callable) {
        using T = element_of_t<Operands...>;
        using result =
            array::new_array_t<T, pattern_result_rank<Equation, call_kind::einsum, Operands...>()>;
        return with_grouped_einsum<T, Equation>(
            operands, lengths,
            [&]<kernel::step_kinds Kinds>(const auto& call, const T* const* pointers) {
                return make_result<result, T>(call, [&](const destination<T>& out) {
                    contract_grouped<T, Arch, Kinds>(call, pointers, wanted, out, {});
                });
            });
    } else {
        return no_result<void(Operands...)>();
    }
}

template <fixed_string Equation, class Arch, class Out, class A, class B, class... Operands,
          class... Lengths>
void grouped_einsum_to(Out& out, const scale<A, B>& by, const options& wanted,
                       const std::tuple<const Operands&...>& operands,
                       const std::tuple<const Lengths&...>& lengths) {
    constexpr bool callable =
        check_pattern_call_to<Equation, call_kind::einsum, void(Lengths...), Out, Operands...>();
    if constexpr (callable) {
        using T = element_of_t<Out, Operands...>;
        with_grouped_einsum<T, Equation>(
            operands, lengths,
            [&]<kernel::step_kinds Kinds>(const auto& call, const T* const* pointers) {
                call.check(check_scale<T>(by));
                const auto scaling = to_scaling<T>(by);
                write_result<T>(out, scaling.adds(), call, [&](const destination<T>& to) {
                    contract_grouped<T, Arch, Kinds>(call, pointers, wanted, to, scaling);
                });
            });
    }
}

/// An equation that is known at run time, with operands that are held already.
template <class T, class Held, class Lengths, class F>
decltype(auto) with_grouped_einsum(const equation_argument& text, const Held& held,
                                   const Lengths& lengths, F f) {
    const equation eq = text.get(notation::grouped);
    const grouped_call<heap_storage, heap_storage> call(
        eq, call_kind::einsum,
        planning::group<heap_storage>(eq, ranks_of(held.layouts()), call_kind::einsum),
        held.layouts(), lengths);
    return f(call, held.pointers());
}

template <class Arch, class T, class Held, class Lengths>
[[nodiscard]] array::new_array_t<T> grouped_einsum(const equation_argument& eq,
                                                   const options& wanted, const Held& held,
                                                   const Lengths& lengths) {
    return with_grouped_einsum<T>(eq, held, lengths, [&](const auto& call, auto pointers) {
        return make_result<array::new_array_t<T>, T>(call, [&](const destination<T>& out) {
            contract_grouped<T, Arch, Held::kinds>(call, pointers, wanted, out, {});
        });
    });
}

template <class Arch, class T, class Out, class A, class B, class Held, class Lengths>
void grouped_einsum_to(const equation_argument& eq, Out& out, const scale<A, B>& by,
                       const options& wanted, const Held& held, const Lengths& lengths) {
    with_grouped_einsum<T>(eq, held, lengths, [&](const auto& call, auto pointers) {
        call.check(check_scale<T>(by));
        const auto scaling = to_scaling<T>(by);
        write_result<T>(out, scaling.adds(), call, [&](const destination<T>& to) {
            contract_grouped<T, Arch, Held::kinds>(call, pointers, wanted, to, scaling);
        });
    });
}

}  // namespace detail

/// Evaluates an equation with groups, or with axes whose lengths are to be checked: the operands,
/// and behind them at least one length, axis<"h">(12). Labels are names, and "->" is needed. Of a
/// group one length may be left out; so may those that other groups or operands tell. Groups of the
/// operands and of the output become strides. Otherwise as einsum without lengths.
template <fixed_string Equation, class Arch = detail::default_arch, class... Args>
    requires detail::named_grouped_arguments<Args...>
[[nodiscard]] auto einsum(const options& wanted, const Args&... args) {
    return detail::split_arguments(
        [&](const auto& operands, const auto& lengths) {
            return detail::grouped_einsum<Equation, Arch>(wanted, operands, lengths);
        },
        args...);
}
/// The same with default options.
template <fixed_string Equation, class Arch = detail::default_arch, class... Args>
    requires detail::named_grouped_arguments<Args...>
[[nodiscard]] auto einsum(const Args&... args) {
    return einsum<Equation, Arch>(options{}, args...);
}

/// The same into an array that exists: out = alpha * result + beta * out.
template <fixed_string Equation, class Arch = detail::default_arch, class Out, class A, class B,
          class... Args>
    requires detail::named_grouped_arguments<Args...>
void einsum_to(Out&& out, const scale<A, B>& by, const options& wanted, const Args&... args) {
    detail::split_arguments(
        [&](const auto& operands, const auto& lengths) {
            detail::grouped_einsum_to<Equation, Arch>(out, by, wanted, operands, lengths);
        },
        args...);
}
/// The same with default options.
template <fixed_string Equation, class Arch = detail::default_arch, class Out, class A, class B,
          class... Args>
    requires detail::named_grouped_arguments<Args...>
void einsum_to(Out&& out, const scale<A, B>& by, const Args&... args) {
    einsum_to<Equation, Arch>(out, by, options{}, args...);
}
/// out = result, with default options.
template <fixed_string Equation, class Arch = detail::default_arch, class Out, class... Args>
    requires detail::named_grouped_arguments<Args...>
void einsum_to(Out&& out, const Args&... args) {
    einsum_to<Equation, Arch>(out, scale{1, 0}, options{}, args...);
}

/// The same with an equation that is known at run time; lengths are axis<"h">(12) or axis("h", 12).
/// Throws einsum_error.
template <class Arch = detail::default_arch, class... Args>
    requires detail::grouped_arguments<Args...>
[[nodiscard]] auto einsum(const equation_argument& eq, const options& wanted, const Args&... args) {
    return detail::split_arguments(
        [&]<class... Operands>(const std::tuple<const Operands&...>& operands,
                               const auto& lengths) {
            if constexpr (detail::check_operands<Operands...>()) {
                using T = detail::element_of_t<Operands...>;
                const auto held =
                    std::make_from_tuple<detail::operand_pack<T, Operands...>>(operands);
                return detail::grouped_einsum<Arch, T>(
                    eq, wanted, held,
                    std::apply([](const auto&... l) { return detail::views_of(l...); }, lengths));
            } else {
                return detail::no_result<void(Operands...)>();
            }
        },
        args...);
}
/// The same with default options.
template <class Arch = detail::default_arch, class... Args>
    requires detail::grouped_arguments<Args...>
[[nodiscard]] auto einsum(const equation_argument& eq, const Args&... args) {
    return einsum<Arch>(eq, options{}, args...);
}

/// out = alpha * result + beta * out, with an equation that is known at run time. Throws
/// einsum_error.
template <class Arch = detail::default_arch, class Out, class A, class B, class... Args>
    requires detail::grouped_arguments<Args...>
void einsum_to(const equation_argument& eq, Out&& out, const scale<A, B>& by, const options& wanted,
               const Args&... args) {
    detail::split_arguments(
        [&]<class... Operands>(const std::tuple<const Operands&...>& operands,
                               const auto& lengths) {
            if constexpr (detail::check_output_and_operands<Out, Operands...>()) {
                using T = detail::element_of_t<Out, Operands...>;
                const auto held =
                    std::make_from_tuple<detail::operand_pack<T, Operands...>>(operands);
                detail::grouped_einsum_to<Arch, T>(
                    eq, out, by, wanted, held,
                    std::apply([](const auto&... l) { return detail::views_of(l...); }, lengths));
            }
        },
        args...);
}
/// The same with default options.
template <class Arch = detail::default_arch, class Out, class A, class B, class... Args>
    requires detail::grouped_arguments<Args...>
void einsum_to(const equation_argument& eq, Out&& out, const scale<A, B>& by, const Args&... args) {
    einsum_to<Arch>(eq, out, by, options{}, args...);
}
/// out = result, with default options.
template <class Arch = detail::default_arch, class Out, class... Args>
    requires detail::grouped_arguments<Args...>
void einsum_to(const equation_argument& eq, Out&& out, const Args&... args) {
    einsum_to<Arch>(eq, out, scale{1, 0}, options{}, args...);
}

/// The same with a list of operands and one of lengths: in braces, {{"h", 12}}, or a vector, which
/// may be empty. Braces without lengths, such as {.threads = 2}, are options.
template <class Arch = detail::default_arch, array::operand_range Range, detail::length_like Length>
[[nodiscard]] auto einsum(const equation_argument& eq, const Range& operands,
                          const std::vector<Length>& lengths, const options& wanted = {}) {
    using T = array::value_of_t<array::listed_t<Range>>;
    const detail::operand_list<T, Range> held(operands);
    return detail::grouped_einsum<Arch, T>(eq, wanted, held, detail::views_of(lengths));
}
/// The same with lengths in braces, {{"h", 12}}.
template <class Arch = detail::default_arch, array::operand_range Range, std::size_t N>
[[nodiscard]] auto einsum(const equation_argument& eq, const Range& operands,
                          const axis_length (&lengths)[N], const options& wanted = {}) {
    return einsum<Arch>(eq, operands, axis_lengths(lengths, lengths + N), wanted);
}
/// out = alpha * result + beta * out, of a list of operands and one of lengths.
template <class Arch = detail::default_arch, array::expression Out, class A, class B,
          array::operand_range Range, detail::length_like Length>
void einsum_to(const equation_argument& eq, Out&& out, const scale<A, B>& by, const Range& operands,
               const std::vector<Length>& lengths, const options& wanted = {}) {
    using T = detail::element_of_t<Out, array::listed_t<Range>>;
    const detail::operand_list<T, Range> held(operands);
    detail::grouped_einsum_to<Arch, T>(eq, out, by, wanted, held, detail::views_of(lengths));
}
/// The same with lengths in braces.
template <class Arch = detail::default_arch, array::expression Out, class A, class B,
          array::operand_range Range, std::size_t N>
void einsum_to(const equation_argument& eq, Out&& out, const scale<A, B>& by, const Range& operands,
               const axis_length (&lengths)[N], const options& wanted = {}) {
    einsum_to<Arch>(eq, out, by, operands, axis_lengths(lengths, lengths + N), wanted);
}
/// out = result, of a list of operands and one of lengths.
template <class Arch = detail::default_arch, array::expression Out, array::operand_range Range,
          detail::length_like Length>
void einsum_to(const equation_argument& eq, Out&& out, const Range& operands,
               const std::vector<Length>& lengths, const options& wanted = {}) {
    einsum_to<Arch>(eq, out, scale{1, 0}, operands, lengths, wanted);
}
/// The same with lengths in braces.
template <class Arch = detail::default_arch, array::expression Out, array::operand_range Range,
          std::size_t N>
void einsum_to(const equation_argument& eq, Out&& out, const Range& operands,
               const axis_length (&lengths)[N], const options& wanted = {}) {
    einsum_to<Arch>(eq, out, scale{1, 0}, operands, axis_lengths(lengths, lengths + N), wanted);
}

}  // namespace xeinsum
