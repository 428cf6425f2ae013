// An operand as pointer, extents and strides: the transposed view in "ij,jk->ik" is read in place,
// an expression such as a + b is evaluated once.
#pragma once

#include <xeinsum/array/xtensor.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::array {

/// Numbers, one for each axis; on the heap only where a rank known at run time is above 8.
template <std::size_t Rank>
struct axis_list {
    using type = std::array<std::int64_t, Rank>;
};
template <>
struct axis_list<dynamic_rank> {
    using type = xt::svector<std::int64_t, 8>;
};

/// Copies extents or strides, whatever integers they are, into 64-bit ones.
template <std::size_t Rank, class From>
[[nodiscard]] typename axis_list<Rank>::type copy_axes(const From& from) {
    typename axis_list<Rank>::type to{};
    if constexpr (Rank == dynamic_rank) {
        to.resize(from.size());
    }
    for (std::size_t a = 0; a < to.size(); ++a) {
        to[a] = static_cast<std::int64_t>(from[a]);
    }
    return to;
}

/// Pointer to the element with index 0 in every axis.
template <class E>
[[nodiscard]] auto* first_element(E& e) {
    return e.data() + static_cast<std::ptrdiff_t>(e.data_offset());
}

/// The array that an expression is evaluated into.
template <class T, std::size_t Rank>
struct evaluated {
    using type = xt::xtensor<T, Rank, xt::layout_type::row_major>;
};
template <class T>
struct evaluated<T, dynamic_rank> {
    using type = xt::xarray<T, xt::layout_type::row_major>;
};
template <class T, std::size_t Rank>
using evaluated_t = typename evaluated<T, Rank>::type;

/// Elements of T that can be read in place.
template <class E, class T>
concept readable_as = strided<E> && std::is_same_v<value_of_t<E>, T>;

/// Whether the type of an array tells that it is row-major.
template <class E>
inline constexpr bool is_row_major =
    std::remove_cvref_t<E>::static_layout == xt::layout_type::row_major;

/// An array that is read in place, in its own words; it must outlive this.
template <class E>
class in_place {
public:
    static constexpr bool row_major = is_row_major<E>;

    explicit in_place(E& e) : expression_(e) {}

    [[nodiscard]] auto* data() const { return first_element(expression_); }
    [[nodiscard]] decltype(auto) extents() const { return expression_.shape(); }
    [[nodiscard]] decltype(auto) strides() const { return expression_.strides(); }

private:
    E& expression_;
};

/// Reads an operand as elements of T. It refers to the expression, which must outlive it.
template <class T, class E>
class operand {
    static constexpr bool in_place = readable_as<E, T>;
    using held = std::conditional_t<in_place, const E&, const evaluated_t<T, rank_of<E>>>;

public:
    static constexpr std::size_t rank = rank_of<E>;
    static constexpr bool row_major = is_row_major<held>;
    using axes = typename axis_list<rank>::type;

    explicit operand(const E& e)
        : held_(hold(e)),
          extents_(copy_axes<rank>(held_.shape())),
          strides_(copy_axes<rank>(held_.strides())) {}

    operand(const operand&) = delete;
    operand& operator=(const operand&) = delete;

    [[nodiscard]] const T* data() const { return first_element(held_); }
    [[nodiscard]] const axes& extents() const { return extents_; }
    [[nodiscard]] const axes& strides() const { return strides_; }

private:
    [[nodiscard]] static held hold(const E& e) {
        if constexpr (in_place) {
            return e;
        } else if constexpr (scalar<E>) {
            evaluated_t<T, rank> value;
            value() = static_cast<T>(e);
            return value;
        } else if constexpr (std::is_same_v<value_of_t<E>, T>) {
            return evaluated_t<T, rank>(e);
        } else {
            return evaluated_t<T, rank>(xt::cast<T>(e));
        }
    }

    held held_;
    axes extents_;
    axes strides_;
};

}  // namespace xeinsum::array
