// A call of the reference, ("ij,jk->ik", a, b): its equation, copies of its operands in one element
// type, and the lengths of axes behind them, such as axis<"h">(12).
#pragma once

#include <xeinsum/array/dense_array.hpp>
#include <xeinsum/array/overlap.hpp>
#include <xeinsum/array/traits.hpp>
#include <xeinsum/array/view.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/equation/axis_length.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/lengths.hpp>
#include <xeinsum/reference/walk.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace xeinsum::reference {

template <class A>
inline constexpr bool is_length_list = false;
template <detail::length_like L>
inline constexpr bool is_length_list<std::vector<L>> = true;

/// An operand, a list of operands, the length of an axis or a list of lengths.
template <class A>
concept argument = array::operand_like<A> || array::operand_range<A> || detail::length_like<A> ||
    is_length_list<A>;

template <class...>
struct types {};
template <class... As, class... Bs>
types<As..., Bs...> operator+(types<As...>, types<Bs...>);
template <class... Ts>
array::promoted_t<Ts...> promote(types<Ts...>);

template <class A>
[[nodiscard]] auto element_types() {
    if constexpr (array::operand_like<A>) {
        return types<array::value_of_t<A>>();
    } else if constexpr (array::operand_range<A>) {
        return types<array::value_of_t<array::listed_t<A>>>();
    } else {
        return types<>();
    }
}
template <class... As>
struct element {
    using type = decltype(promote((types<>() + ... + element_types<As>())));
};
/// The type in which a call with these arguments is computed.
template <class... As>
using element_t = typename element<As...>::type;

/// A row-major copy of an operand.
template <class T, class E>
[[nodiscard]] array::dense_array<T> copy_operand(const E& e) {
    using axes = typename array::axis_list<array::dynamic_rank>::type;
    if constexpr (array::scalar<E>) {
        array::dense_array<T> one{axes()};
        *one.data() = static_cast<T>(e);
        return one;
    } else if constexpr (array::strided<E>) {
        using traits = array::traits_of_t<E>;
        const auto extents = array::copy_axes<array::dynamic_rank>(traits::shape(e));
        const auto strides = array::copy_axes<array::dynamic_rank>(traits::strides(e));
        if (!array::fits_memory(extents, strides)) {
            constexpr auto code = error_code::layout_overflow;
            refuse_call(code, 0, std::string(describe(code)));
        }
        array::dense_array<T> copy(extents);
        copy.take(traits::first(e), strides);
        return copy;
    } else {
        return copy_operand<T>(array::traits_of_t<E>::template evaluate<T>(e));
    }
}

template <class T>
struct arguments {
    std::vector<array::dense_array<T>> operands{};
    axis_lengths lengths{};
    bool grouped = false;  ///< whether there are lengths, or an empty list of them

    template <argument... As>
    explicit arguments(const As&... as) {
        (add(as), ...);
    }

private:
    template <class A>
    void add(const A& a) {
        if constexpr (array::operand_like<A>) {
            operands.push_back(copy_operand<T>(a));
        } else if constexpr (array::operand_range<A>) {
            for (const auto& operand : a) {
                operands.push_back(copy_operand<T>(operand));
            }
        } else if constexpr (is_length_list<A>) {
            grouped = true;
            for (const auto& length : a) {
                add(length);
            }
        } else {
            grouped = true;
            const parsing::length_view length = detail::view_of(a);
            lengths.push_back({length.name, length.extent});
        }
    }
};

/// An equation and copies of its operands.
template <class T>
struct call {
    template <argument... As>
    explicit call(const equation_argument& eq, const As&... as) : call(eq, arguments<T>(as...)) {}
    call(const equation_argument& eq, arguments<T> given)
        : terms(eq.get(given.grouped ? notation::grouped : notation::automatic),
                shapes_of(given.operands), given.grouped ? &given.lengths : nullptr),
          operands(std::move(given.operands)) {}

    [[nodiscard]] static std::vector<shape> shapes_of(
        const std::vector<array::dense_array<T>>& operands) {
        std::vector<shape> shapes;
        for (const auto& o : operands) {
            shapes.emplace_back(o.extents().begin(), o.extents().end());
        }
        return shapes;
    }

    walk terms;
    std::vector<array::dense_array<T>> operands;
};

}  // namespace xeinsum::reference
