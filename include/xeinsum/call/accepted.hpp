// What calls take beside their equation: einsum<"ij,jk->ik">(vector, b) does not compile, and the
// diagnostic says how a vector becomes an operand.
#pragma once

#include <xeinsum/call/arrays.hpp>
#include <xeinsum/equation/lengths.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/plan/options.hpp>

#include <cstddef>
#include <type_traits>

namespace xeinsum {

/// Is named by the diagnostic of a call with an argument that is no operand: its number among the
/// operands, from 0, and its type.
template <std::size_t Operand, class Argument>
struct not_an_operand {
    static constexpr bool accepted = false;
};
/// The same of an output.
template <class Argument>
struct not_an_output {
    static constexpr bool accepted = false;
};

namespace detail {

/// Whatever stands where an operand is expected: all but what has another place in a call.
template <class A>
concept operand_argument =
    array::operand_like<A> || !(length_like<A> || std::is_convertible_v<const A&, const options&> ||
                                std::is_convertible_v<const A&, const axis_lengths&>);

/// The element type that operands are computed in.
template <class... Operands>
using element_of_t = array::promoted_t<array::value_of_t<Operands>...>;

template <class... Es>
concept have_common_element = requires {
    typename std::common_type<typename array::real_part<array::value_of_t<Es>>::type...>::type;
};

/// Refuses to compile elements that cannot be computed with.
template <class... Es>
[[nodiscard]] constexpr bool check_elements() {
    if constexpr (!have_common_element<Es...>) {
        static_assert(have_common_element<Es...>,
                      "xeinsum: the elements of these arrays have no common type");
        return false;
    } else {
        static_assert(element<element_of_t<Es...>>,
                      "xeinsum: arrays of this element type cannot be computed with; "
                      "xeinsum::element says what it must offer. A type that is narrow, or whose "
                      "sums are of another type, needs a specialisation of xeinsum::accumulator");
        return element<element_of_t<Es...>>;
    }
}

/// Refuses to compile the first argument that is no operand.
template <std::size_t Number, class First, class... Others>
constexpr void refuse_operands() {
    if constexpr (array::operand_like<First>) {
        refuse_operands<Number + 1, Others...>();
    } else if constexpr (array::operand_range<First>) {
        static_assert(not_an_operand<Number, First>::accepted,
                      "xeinsum: a list of operands is taken by calls whose equation is known at "
                      "run time, einsum(\"ij,jk->ik\", list)");
    } else {
        static_assert(
            not_an_operand<Number, First>::accepted,
            "xeinsum: an operand is an xtensor array, view or expression, a std::mdspan, a "
            "number, or memory in place: xeinsum::view{pointer, {2, 3}}");
    }
}

template <class... Operands>
[[nodiscard]] constexpr bool check_operands() {
    if constexpr ((array::operand_like<Operands> && ...)) {
        if constexpr (sizeof...(Operands) > 0) {
            return check_elements<Operands...>();
        } else {
            return true;
        }
    } else {
        refuse_operands<0, Operands...>();
        return false;
    }
}

template <class Out, class... Operands>
[[nodiscard]] constexpr bool check_output_and_operands() {
    if constexpr (!array::expression<Out>) {
        static_assert(not_an_output<Out>::accepted,
                      "xeinsum: an output is an xtensor array or view, a std::mdspan, or "
                      "memory in place: xeinsum::view{pointer, {2, 3}}");
        return false;
    } else if constexpr ((array::operand_like<Operands> && ...)) {
        return check_elements<Out, Operands...>();
    } else {
        return check_operands<Operands...>();
    }
}

/// What a call that does not compile returns, so that it alone is complained about.
template <class Call>
using no_result = array::new_array_t<std::conditional_t<true, double, Call>>;

}  // namespace detail
}  // namespace xeinsum
