// An operand as pointer, extents and strides: the transposed view in "ij,jk->ik" is read in place,
// an expression such as a + b is evaluated once.
#pragma once

#include <xeinsum/array/traits.hpp>
#include <xeinsum/array/view.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace xeinsum::array {

/// What copy_axes makes of the extents of a strided array.
template <class E>
using axes_of_t = decltype(copy_axes<rank_of<E>>(traits_of_t<E>::shape(std::declval<const E&>())));

/// Reads an operand as elements of T. It refers to the expression, which must outlive it.
template <class T, class E>
class operand {
    template <class A>
    struct evaluated_of {
        using type = decltype(traits_of_t<A>::template evaluate<T>(std::declval<const A&>()));
    };
    static constexpr bool in_place = readable_as<E, T>;
    using array =
        typename std::conditional_t<in_place, std::type_identity<E>, evaluated_of<E>>::type;
    using held = std::conditional_t<in_place, const E&, const array>;
    using words = traits_of_t<array>;

public:
    static constexpr std::size_t rank = rank_of<E>;
    static constexpr bool row_major = is_row_major<array>;
    using axes = axes_of_t<array>;

    explicit operand(const E& e)
        : held_(hold(e)),
          extents_(copy_axes<rank_of<array>>(words::shape(held_))),
          strides_(copy_axes<rank_of<array>>(words::strides(held_))) {}

    operand(const operand&) = delete;
    operand& operator=(const operand&) = delete;

    [[nodiscard]] const T* data() const { return first_element(held_); }
    [[nodiscard]] const axes& extents() const { return extents_; }
    [[nodiscard]] const axes& strides() const { return strides_; }

private:
    [[nodiscard]] static held hold(const E& e) {
        if constexpr (in_place) {
            return e;
        } else {
            return traits_of_t<E>::template evaluate<T>(e);
        }
    }

    held held_;
    axes extents_;
    axes strides_;
};

/// A number.
template <class T, scalar E>
class operand<T, E> {
public:
    static constexpr std::size_t rank = 0;
    static constexpr bool row_major = true;
    using axes = std::array<std::int64_t, 0>;

    explicit operand(const E& e) : value_(static_cast<T>(e)) {}

    operand(const operand&) = delete;
    operand& operator=(const operand&) = delete;

    [[nodiscard]] const T* data() const { return &value_; }
    [[nodiscard]] axes extents() const { return {}; }
    [[nodiscard]] axes strides() const { return {}; }

private:
    T value_;
};

}  // namespace xeinsum::array
