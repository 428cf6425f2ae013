// The include paths of xtensor's releases, and what an operand of "ij,jk->ik" is called in them.
#pragma once

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
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

namespace xeinsum::array {

template <class T>
struct real_part {
    using type = T;
    static constexpr bool complex = false;
};
template <class T>
struct real_part<std::complex<T>> {
    using type = T;
    static constexpr bool complex = true;
};

/// An array, a view or an unevaluated expression.
template <class E>
concept expression = xt::is_xexpression<std::remove_cvref_t<E>>::value;

/// A number or another element that stands for an operand without axes.
template <class E>
concept scalar = !expression<E> && (std::is_arithmetic_v<std::remove_cvref_t<E>> ||
                                    real_part<std::remove_cvref_t<E>>::complex);

template <class E>
concept operand_like = expression<E> || scalar<E>;

/// What a list holds.
template <class R>
using listed_t = std::remove_cvref_t<decltype(std::begin(std::declval<const R&>())[0])>;

/// A list of arrays: std::vector<xt::xarray<double>> and the like.
template <class R>
concept operand_range = !expression<R> && requires(const R& list) {
    std::size(list);
    requires expression<listed_t<R>>;
};

/// Elements that lie in memory at fixed strides and can be read in place.
template <class E>
concept strided = expression<E> && requires(const E& e) {
    { e.data() } -> std::convertible_to<const typename E::value_type*>;
    e.strides();
    e.data_offset();
    e.shape();
};

template <class E>
struct value_of {
    using type = E;
};
template <expression E>
struct value_of<E> {
    using type = typename E::value_type;
};
/// The element type of an operand.
template <class E>
using value_of_t = typename value_of<std::remove_cvref_t<E>>::type;

/// The type in which operands of several types are computed: complex if any is, and as wide as the
/// widest. std::common_type would narrow std::complex<float> with double.
template <class... Ts>
struct promoted {
    using real = std::common_type_t<typename real_part<Ts>::type...>;
    static constexpr bool complex = (real_part<Ts>::complex || ...);
    using type = typename std::conditional_t<complex, std::type_identity<std::complex<real>>,
                                             std::type_identity<real>>::type;
};
template <class... Ts>
using promoted_t = typename promoted<Ts...>::type;

inline constexpr std::size_t dynamic_rank = std::numeric_limits<std::size_t>::max();

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

template <class E>
struct traits_of {
    using type = shape_traits<std::array<std::size_t, 0>>;
};
template <expression E>
struct traits_of<E> {
    using type = shape_traits<std::remove_cvref_t<typename E::shape_type>>;
};
template <class E>
using traits_of_t = typename traits_of<std::remove_cvref_t<E>>::type;

/// The number of axes where the type tells it, else dynamic_rank.
template <class E>
inline constexpr std::size_t rank_of = traits_of_t<E>::rank;

/// Whether the type tells every extent.
template <class E>
inline constexpr bool is_fixed = traits_of_t<E>::fixed;

/// Whether the type tells every stride too: elements lie densely, row- or column-major.
template <class E>
inline constexpr bool is_dense_fixed = false;
template <class E>
    requires(strided<std::remove_cvref_t<E>>&& is_fixed<E>)
inline constexpr bool is_dense_fixed<E> =
    std::remove_cvref_t<E>::static_layout == xt::layout_type::row_major ||
    std::remove_cvref_t<E>::static_layout == xt::layout_type::column_major;

/// Strides of dense elements in one of the two orders.
template <std::size_t Rank>
[[nodiscard]] constexpr std::array<std::int64_t, Rank> dense_strides(
    const std::array<std::int64_t, Rank>& extents, bool row_major) noexcept {
    std::array<std::int64_t, Rank> strides{};
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < Rank; ++i) {
        const std::size_t axis = row_major ? Rank - 1 - i : i;
        strides[axis] = stride;
        stride *= extents[axis];
    }
    return strides;
}

/// Extents and strides of an array for which is_dense_fixed.
template <class E>
struct fixed_layout {
    static constexpr auto extents = traits_of_t<E>::extents;
    static constexpr auto strides =
        dense_strides(extents, std::remove_cvref_t<E>::static_layout == xt::layout_type::row_major);
};

}  // namespace xeinsum::array
