// Axes moved, split, merged, dropped and added by name: rearrange<"b n (h d) -> b h n d">(x,
// axis<"h">(12)), reduce<"b c h w -> b c", reduction::max>(x), repeat<"h w -> h w 3">(x).
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/call/accepted.hpp>
#include <xeinsum/call/arguments.hpp>
#include <xeinsum/call/default_arch.hpp>
#include <xeinsum/call/grouped_call.hpp>
#include <xeinsum/call/grouped_check.hpp>
#include <xeinsum/call/grouped_contraction.hpp>
#include <xeinsum/call/has_kernels.hpp>
#include <xeinsum/call/kernels.hpp>
#include <xeinsum/call/reduction.hpp>
#include <xeinsum/equation/lengths.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace xeinsum {

namespace detail {

/// Nothing has no mean, minimum or maximum.
template <reduction Op, class Call>
void check_reduced(const Call& call) {
    if constexpr (Op == reduction::mean || Op == reduction::min || Op == reduction::max) {
        problem p;
        p.code = error_code::nothing_to_reduce;
        bool empty = false;
        for (const std::int64_t extent : call.shape()) {
            empty = empty || extent == 0;
        }
        if (!empty && terms_per_element(call) == 0) {
            call.check(p);
        }
    }
}

template <reduction Op, class T, class Arch, kernel::step_kinds Kinds, class Call>
void reduce_into(const Call& call, const T* const* operand, const destination<T>& out) {
    require_kernels<T>();
    constexpr bool sums = Op == reduction::sum || Op == reduction::mean;
    if (!sums || sums_short_lines(call.network(), call.layouts()[0], out)) {
        call.check(fold<Op, T, Arch>(call.network(), call.layouts()[0], *operand, out));
    } else if constexpr (sums) {
        contract_grouped<T, Arch, Kinds>(call, operand, no_options, out, {});
    }
    if constexpr (Op == reduction::mean) {
        divide(out, terms_per_element(call));
    }
}

/// Calls f.operator()<Op>() with the reduction as a constant.
template <class F>
decltype(auto) with_reduction(reduction op, F f) {
    switch (op) {
        case reduction::sum: break;
        case reduction::mean: return f.template operator()<reduction::mean>();
        case reduction::min: return f.template operator()<reduction::min>();
        case reduction::max: return f.template operator()<reduction::max>();
        case reduction::prod: return f.template operator()<reduction::prod>();
    }
    return f.template operator()<reduction::sum>();
}

/// The one function behind rearrange, reduce and repeat with a pattern known to the compiler, into
/// a new array.
template <fixed_string Pattern, call_kind Kind, reduction Op, class Arch, class Operand,
          class... Lengths>
[[nodiscard]] auto new_pattern(const Operand& operand, const Lengths&... lengths) {
    constexpr bool callable = check_pattern_call<Pattern, Kind, void(Lengths...), Operand>();
    using T = array::value_of_t<Operand>;
    static_assert(reduces<Op, T>, "xeinsum: this reduction has no meaning for these elements");
    if constexpr (callable && reduces<Op, T>) {
        using result = array::new_array_t<T, pattern_result_rank<Pattern, Kind, Operand>()>;
        const operand_pack<T, Operand> held(operand);
        return with_grouping<Pattern, Kind, Operand>(
            held.layouts(), views_of(lengths...), [&]<kernel::step_kinds Kinds>(const auto& call) {
                check_reduced<Op>(call);
                return make_result<result, T>(call, [&](const destination<T>& out) {
                    reduce_into<Op, T, Arch, Kinds>(call, held.pointers(), out);
                });
            });
    } else {
        return no_result<Operand>();
    }
}

/// The same into an array that exists.
template <fixed_string Pattern, call_kind Kind, reduction Op, class Arch, class Out, class Operand,
          class... Lengths>
void pattern_to(Out& out, const Operand& operand, const Lengths&... lengths) {
    constexpr bool callable =
        check_pattern_call_to<Pattern, Kind, void(Lengths...), Out, Operand>();
    if constexpr (callable) {
        using T = element_of_t<Out, Operand>;
        static_assert(reduces<Op, T>, "xeinsum: this reduction has no meaning for these elements");
        if constexpr (reduces<Op, T>) {
            const operand_pack<T, Operand> held(operand);
            with_grouping<Pattern, Kind, Operand>(
                held.layouts(), views_of(lengths...),
                [&]<kernel::step_kinds Kinds>(const auto& call) {
                    check_reduced<Op>(call);
                    write_result<T>(out, false, call, [&](const destination<T>& to) {
                        reduce_into<Op, T, Arch, Kinds>(call, held.pointers(), to);
                    });
                });
        }
    }
}

/// Both with a pattern known at run time; body(call, constant operation) does the work.
template <class T, class Operand, class Body>
decltype(auto) with_pattern(std::string_view pattern, call_kind kind, reduction op,
                            const operand_pack<T, Operand>& held,
                            list_view<const parsing::length_view> lengths, Body body) {
    const auto eq = parsing::parse_or_raise<heap_storage>(pattern, notation::grouped, kind);
    const grouped_call<heap_storage, heap_storage> call(
        eq, kind, planning::group<heap_storage>(eq, ranks_of(held.layouts()), kind), held.layouts(),
        lengths);
    if (op > reduction::prod) {
        problem p;
        p.code = error_code::unknown_reduction;
        call.raise(p);
    }
    return with_reduction(op, [&]<reduction Op>() {
        if constexpr (reduces<Op, T>) {
            check_reduced<Op>(call);
        } else {
            problem p;
            p.code = error_code::reduction_not_applicable;
            call.raise(p);
        }
        constexpr reduction applicable = reduces<Op, T> ? Op : reduction::sum;
        return body.template operator()<applicable>(call);
    });
}

template <class Arch, class Operand>
[[nodiscard]] auto new_pattern(std::string_view pattern, call_kind kind, reduction op,
                               const Operand& operand,
                               list_view<const parsing::length_view> lengths) {
    if constexpr (check_operands<Operand>()) {
        using T = array::value_of_t<Operand>;
        const operand_pack<T, Operand> held(operand);
        return with_pattern(pattern, kind, op, held, lengths, [&]<reduction Op>(const auto& call) {
            return make_result<array::new_array_t<T>, T>(call, [&](const destination<T>& out) {
                reduce_into<Op, T, Arch, decltype(held)::kinds>(call, held.pointers(), out);
            });
        });
    } else {
        return no_result<Operand>();
    }
}

template <class Arch, class Out, class Operand>
void pattern_to(std::string_view pattern, call_kind kind, reduction op, Out& out,
                const Operand& operand, list_view<const parsing::length_view> lengths) {
    if constexpr (check_output_and_operands<Out, Operand>()) {
        using T = element_of_t<Out, Operand>;
        const operand_pack<T, Operand> held(operand);
        with_pattern(pattern, kind, op, held, lengths, [&]<reduction Op>(const auto& call) {
            write_result<T>(out, false, call, [&](const destination<T>& to) {
                reduce_into<Op, T, Arch, decltype(held)::kinds>(call, held.pointers(), to);
            });
        });
    }
}

}  // namespace detail

/// Moves, splits and merges axes: rearrange<"b n (h d) -> b h n d">(x, axis<"h">(12)). Every axis
/// of the operand is in the result. Of a group in the operand the length of one axis may be left
/// out. Elements are copied once, whatever moves.
///
/// Returns xt::xtensor<T, rank>, or xt::xarray<T> where "..." over an operand of unknown rank
/// leaves the rank open. A wrong pattern, a rank that does not fit and a length that is missing or
/// names no axis do not compile. Throws einsum_error for what only the run can know.
template <fixed_string Pattern, class Arch = detail::default_arch, class X,
          detail::static_length... Lengths>
[[nodiscard]] auto rearrange(const X& x, const Lengths&... lengths) {
    return detail::new_pattern<Pattern, call_kind::rearrange, reduction::sum, Arch>(x, lengths...);
}

/// The same into an array, view or other assignable expression of the result's shape, which may
/// overlap x. Whatever is thrown, out stays as it was.
template <fixed_string Pattern, class Arch = detail::default_arch, class Out, class X,
          detail::static_length... Lengths>
void rearrange_to(Out&& out, const X& x, const Lengths&... lengths) {
    detail::pattern_to<Pattern, call_kind::rearrange, reduction::sum, Arch>(out, x, lengths...);
}

/// Joins elements along the axes that the result lacks:
/// reduce<"b c (h h2) (w w2) -> b c h w", reduction::max>(x, axis<"h2">(2), axis<"w2">(2)).
/// Lengths, results and errors are as for rearrange.
template <fixed_string Pattern, reduction Op, class Arch = detail::default_arch, class X,
          detail::static_length... Lengths>
[[nodiscard]] auto reduce(const X& x, const Lengths&... lengths) {
    return detail::new_pattern<Pattern, call_kind::reduce, Op, Arch>(x, lengths...);
}
/// The same into an array, as rearrange_to.
template <fixed_string Pattern, reduction Op, class Arch = detail::default_arch, class Out, class X,
          detail::static_length... Lengths>
void reduce_to(Out&& out, const X& x, const Lengths&... lengths) {
    detail::pattern_to<Pattern, call_kind::reduce, Op, Arch>(out, x, lengths...);
}

/// Repeats elements along the axes that the result adds: repeat<"h w -> h w c">(x, axis<"c">(3)),
/// repeat<"h w -> h w 3">(x). Lengths, results and errors are as for rearrange.
template <fixed_string Pattern, class Arch = detail::default_arch, class X,
          detail::static_length... Lengths>
[[nodiscard]] auto repeat(const X& x, const Lengths&... lengths) {
    return detail::new_pattern<Pattern, call_kind::repeat, reduction::sum, Arch>(x, lengths...);
}
/// The same into an array, as rearrange_to.
template <fixed_string Pattern, class Arch = detail::default_arch, class Out, class X,
          detail::static_length... Lengths>
void repeat_to(Out&& out, const X& x, const Lengths&... lengths) {
    detail::pattern_to<Pattern, call_kind::repeat, reduction::sum, Arch>(out, x, lengths...);
}

/// The same with patterns that are known at run time. Lengths come as a list, {{"h", 12}}, or one
/// by one, axis("h", 12). The result is an xt::xarray<T>. Throws einsum_error.
template <class Arch = detail::default_arch, class X>
[[nodiscard]] auto rearrange(std::string_view pattern, const X& x, const axis_lengths& lengths) {
    return detail::new_pattern<Arch>(pattern, call_kind::rearrange, reduction::sum, x,
                                     detail::views_of(lengths));
}
/// The same with lengths one by one.
template <class Arch = detail::default_arch, class X, detail::length_like... Lengths>
[[nodiscard]] auto rearrange(std::string_view pattern, const X& x, const Lengths&... lengths) {
    return detail::new_pattern<Arch>(pattern, call_kind::rearrange, reduction::sum, x,
                                     detail::views_of(lengths...));
}
/// Writes into an array, as rearrange_to above.
template <class Arch = detail::default_arch, class Out, class X>
void rearrange_to(std::string_view pattern, Out&& out, const X& x, const axis_lengths& lengths) {
    detail::pattern_to<Arch>(pattern, call_kind::rearrange, reduction::sum, out, x,
                             detail::views_of(lengths));
}
/// The same with lengths one by one.
template <class Arch = detail::default_arch, class Out, class X, detail::length_like... Lengths>
void rearrange_to(std::string_view pattern, Out&& out, const X& x, const Lengths&... lengths) {
    detail::pattern_to<Arch>(pattern, call_kind::rearrange, reduction::sum, out, x,
                             detail::views_of(lengths...));
}

/// op may be a reduction or its name.
template <class Arch = detail::default_arch, class X>
[[nodiscard]] auto reduce(std::string_view pattern, reduction_argument op, const X& x,
                          const axis_lengths& lengths) {
    return detail::new_pattern<Arch>(pattern, call_kind::reduce, op.get(), x,
                                     detail::views_of(lengths));
}
/// The same with lengths one by one.
template <class Arch = detail::default_arch, class X, detail::length_like... Lengths>
[[nodiscard]] auto reduce(std::string_view pattern, reduction_argument op, const X& x,
                          const Lengths&... lengths) {
    return detail::new_pattern<Arch>(pattern, call_kind::reduce, op.get(), x,
                                     detail::views_of(lengths...));
}
/// Writes into an array, as rearrange_to above.
template <class Arch = detail::default_arch, class Out, class X>
void reduce_to(std::string_view pattern, reduction_argument op, Out&& out, const X& x,
               const axis_lengths& lengths) {
    detail::pattern_to<Arch>(pattern, call_kind::reduce, op.get(), out, x,
                             detail::views_of(lengths));
}
/// The same with lengths one by one.
template <class Arch = detail::default_arch, class Out, class X, detail::length_like... Lengths>
void reduce_to(std::string_view pattern, reduction_argument op, Out&& out, const X& x,
               const Lengths&... lengths) {
    detail::pattern_to<Arch>(pattern, call_kind::reduce, op.get(), out, x,
                             detail::views_of(lengths...));
}

/// repeat with a pattern that is known at run time. Throws einsum_error.
template <class Arch = detail::default_arch, class X>
[[nodiscard]] auto repeat(std::string_view pattern, const X& x, const axis_lengths& lengths) {
    return detail::new_pattern<Arch>(pattern, call_kind::repeat, reduction::sum, x,
                                     detail::views_of(lengths));
}
/// The same with lengths one by one.
template <class Arch = detail::default_arch, class X, detail::length_like... Lengths>
[[nodiscard]] auto repeat(std::string_view pattern, const X& x, const Lengths&... lengths) {
    return detail::new_pattern<Arch>(pattern, call_kind::repeat, reduction::sum, x,
                                     detail::views_of(lengths...));
}
/// Writes into an array, as rearrange_to above.
template <class Arch = detail::default_arch, class Out, class X>
void repeat_to(std::string_view pattern, Out&& out, const X& x, const axis_lengths& lengths) {
    detail::pattern_to<Arch>(pattern, call_kind::repeat, reduction::sum, out, x,
                             detail::views_of(lengths));
}
/// The same with lengths one by one.
template <class Arch = detail::default_arch, class Out, class X, detail::length_like... Lengths>
void repeat_to(std::string_view pattern, Out&& out, const X& x, const Lengths&... lengths) {
    detail::pattern_to<Arch>(pattern, call_kind::repeat, reduction::sum, out, x,
                             detail::views_of(lengths...));
}

}  // namespace xeinsum
