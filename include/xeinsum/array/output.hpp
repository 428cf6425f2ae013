// An output as pointer, extents and strides: "ij,jk->ik" writes into any strided array or view;
// into other assignable expressions by way of an array.
#pragma once

#include <xeinsum/array/operand.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::array {

/// Elements of T that can be written in place.
template <class E, class T>
concept writable_as = strided<E> && requires(std::remove_reference_t<E>& e) {
    { first_element(e) } -> std::same_as<T*>;
};

/// Writes an output as elements of T. Where the expression is no memory of T, an array stands in
/// for it, which keeps its elements if they are needed, and commit() assigns.
template <class T, class E>
class output {
public:
    static constexpr std::size_t rank = rank_of<E>;
    using axes = typename axis_list<rank>::type;

    /// read tells whether the old elements will be asked for.
    output(E& e, bool read)
        : expression_(e),
          held_(hold(e, read)),
          extents_(copy_axes<rank>(held_.shape())),
          strides_(copy_axes<rank>(held_.strides())) {}

    output(const output&) = delete;
    output& operator=(const output&) = delete;

    [[nodiscard]] T* data() { return first_element(held_); }
    [[nodiscard]] const axes& extents() const { return extents_; }
    [[nodiscard]] const axes& strides() const { return strides_; }

    void commit() {
        if constexpr (!in_place) {
            using to = value_of_t<E>;
            static_assert(!std::is_integral_v<to> || std::is_integral_v<T>,
                          "xeinsum: an output of integers cannot hold a result of another kind");
            if constexpr (std::is_same_v<to, T>) {
                expression_ = held_;
            } else {
                expression_ = xt::cast<to>(held_);
            }
        }
    }

private:
    static constexpr bool in_place = writable_as<E, T>;
    using held = std::conditional_t<in_place, E&, evaluated_t<T, rank>>;

    [[nodiscard]] static held hold(E& e, bool read) {
        if constexpr (in_place) {
            return e;
        } else if (read) {
            return evaluated_t<T, rank>(xt::cast<T>(e));
        } else {
            evaluated_t<T, rank> stand_in;
            if constexpr (rank != 0) {
                stand_in.resize(e.shape());
            }
            return stand_in;
        }
    }

    E& expression_;
    held held_;
    axes extents_;
    axes strides_;
};

}  // namespace xeinsum::array
