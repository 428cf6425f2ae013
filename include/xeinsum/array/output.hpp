// An output as pointer, extents and strides: "ij,jk->ik" writes into any strided array or view;
// into other assignable expressions by way of an array.
#pragma once

#include <xeinsum/array/operand.hpp>
#include <xeinsum/array/traits.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace xeinsum::array {

/// Writes an output as elements of T. Where the expression is no memory of T, an array stands in
/// for it, which keeps its elements if they are needed, and commit() assigns.
template <class T, class E>
class output {
    template <class A>
    struct stand_in_of {
        using type = decltype(traits_of_t<A>::template stand_in<T>(std::declval<const A&>()));
    };
    static constexpr bool in_place = writable_as<E, T>;
    using array = typename std::conditional_t<in_place, std::type_identity<E>,
                                              stand_in_of<std::remove_cvref_t<E>>>::type;
    using held = std::conditional_t<in_place, E&, array>;
    using words = traits_of_t<array>;

public:
    static constexpr std::size_t rank = rank_of<E>;
    using axes = axes_of_t<array>;

    /// read tells whether the old elements will be asked for.
    output(E& e, bool read)
        : expression_(e),
          held_(hold(e, read)),
          extents_(copy_axes<rank_of<array>>(words::shape(held_))),
          strides_(copy_axes<rank_of<array>>(words::strides(held_))) {}

    output(const output&) = delete;
    output& operator=(const output&) = delete;

    [[nodiscard]] T* data() { return first_element(held_); }
    [[nodiscard]] const axes& extents() const { return extents_; }
    [[nodiscard]] const axes& strides() const { return strides_; }

    void commit() {
        if constexpr (!in_place) {
            static_assert(!std::is_integral_v<value_of_t<E>> || std::is_integral_v<T>,
                          "xeinsum: an output of integers cannot hold a result of another kind");
            traits_of_t<E>::assign(expression_, held_);
        }
    }

private:
    [[nodiscard]] static held hold(E& e, bool read) {
        if constexpr (in_place) {
            return e;
        } else if (read) {
            return traits_of_t<E>::template evaluate<T>(e);
        } else {
            return traits_of_t<E>::template stand_in<T>(e);
        }
    }

    E& expression_;
    held held_;
    axes extents_;
    axes strides_;
};

}  // namespace xeinsum::array
