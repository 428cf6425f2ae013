// Arrays, views and expressions of xtensor, and the include paths of its releases: an operand of
// "ij,jk->ik" is read in place where it is strided, and an expression such as a + b evaluated once.
#pragma once

#include <xeinsum/array/traits.hpp>

#if __has_include(<xtensor/containers/xarray.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xarray.hpp>
#include <xtensor/containers/xfixed.hpp>
#include <xtensor/containers/xscalar.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/core/xoperation.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xoperation.hpp>
#include <xtensor/xscalar.hpp>
#include <xtensor/xtensor.hpp>
#endif

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::array {

/// What the type of a shape tells.
template <class Shape>
struct shape_traits {
    static constexpr std::size_t rank = dynamic_rank;
    static constexpr bool fixed = false;
};
template <class I, std::size_t N>
struct shape_traits<std::array<I, N>> {
    static constexpr std::size_t rank = N;
    static constexpr bool fixed = false;
};
template <std::size_t... X>
struct shape_traits<xt::fixed_shape<X...>> {
    static constexpr std::size_t rank = sizeof...(X);
    static constexpr bool fixed = true;
    static constexpr std::array<std::int64_t, sizeof...(X)> extents{
        static_cast<std::int64_t>(X)...};
};

/// The array that an expression is evaluated into.
template <class T, std::size_t Rank>
struct evaluated {
    using type = xt::xtensor<T, Rank, xt::layout_type::row_major>;
};
template <class T>
struct evaluated<T, dynamic_rank> {
    using type = xt::xarray<T, xt::layout_type::row_major>;
};

/// Of any expression.
template <class E>
struct expression_traits : shape_traits<std::remove_cvref_t<typename E::shape_type>> {
    using value_type = typename E::value_type;
    using in_shape = shape_traits<std::remove_cvref_t<typename E::shape_type>>;
    template <class T>
    using evaluated_t = typename evaluated<T, in_shape::rank>::type;

    template <class T>
    [[nodiscard]] static evaluated_t<T> evaluate(const E& e) {
        if constexpr (std::is_same_v<value_type, T>) {
            return evaluated_t<T>(e);
        } else {
            return evaluated_t<T>(xt::cast<T>(e));
        }
    }
    template <class T>
    [[nodiscard]] static evaluated_t<T> stand_in(const E& e) {
        evaluated_t<T> array;
        if constexpr (in_shape::rank != 0) {
            array.resize(e.shape());
        }
        return array;
    }
    template <class Array>
    static void assign(E& e, const Array& array) {
        if constexpr (std::is_same_v<value_type, typename Array::value_type>) {
            e = array;
        } else {
            e = xt::cast<value_type>(array);
        }
    }
};

/// Of those that have memory.
template <class E>
struct strided_traits : expression_traits<E> {
    static constexpr bool row_major = E::static_layout == xt::layout_type::row_major;

    template <class Array>
    [[nodiscard]] static auto* first(Array& e) {
        return e.data() + static_cast<std::ptrdiff_t>(e.data_offset());
    }
    [[nodiscard]] static const auto& shape(const E& e) { return e.shape(); }
    [[nodiscard]] static const auto& strides(const E& e) { return e.strides(); }
};

/// Of those of which the type tells all.
template <class E>
struct fixed_traits : strided_traits<E> {
    struct fixed_layout {
        static constexpr auto extents = fixed_traits::extents;
        static constexpr auto strides = dense_strides(extents, fixed_traits::row_major);
    };
};

template <class E>
concept xtensor_expression = xt::is_xexpression<E>::value;
template <class E>
concept xtensor_array = xtensor_expression<E> && requires(const E& e) {
    { e.data() } -> std::convertible_to<const typename E::value_type*>;
    e.strides();
    e.data_offset();
    e.shape();
};
template <class E>
concept xtensor_fixed_array = xtensor_array<E> &&
    shape_traits<std::remove_cvref_t<typename E::shape_type>>::fixed &&
    (E::static_layout == xt::layout_type::row_major ||
     E::static_layout == xt::layout_type::column_major);

template <xtensor_expression E>
struct traits<E> : expression_traits<E> {};
template <xtensor_array E>
struct traits<E> : strided_traits<E> {};
template <xtensor_fixed_array E>
struct traits<E> : fixed_traits<E> {};

template <class T, std::size_t Rank>
    requires(Rank != dynamic_rank)
struct new_array<T, Rank> {
    using type = xt::xtensor<T, Rank>;
};
template <class T>
struct new_array<T, dynamic_rank> {
    using type = xt::xarray<T>;
};

}  // namespace xeinsum::array
