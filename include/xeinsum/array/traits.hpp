// What calls ask of arrays, whatever library they come from: where the elements of a and b lie in
// einsum<"ij,jk->ik">(a, b), and what the types tell of them.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/short_vector.hpp>

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

inline constexpr std::size_t dynamic_rank = std::numeric_limits<std::size_t>::max();

/// What the type of an array, a view or an unevaluated expression tells. Specialised for the types
/// that calls take, with
///   value_type          the elements' type
///   rank                the number of axes, or dynamic_rank
///   fixed               whether the type tells every extent: then extents, an array
///   evaluate<T>(e)      a strided array with the elements as T
///   stand_in<T>(e)      one of the same shape with any elements
///   assign(e, array)    copies such an array to e
/// and, where the elements lie in memory at fixed strides,
///   first(e)            pointer to the element with index 0 in every axis
///   shape(e), strides(e)   integers, strides in elements
///   row_major           whether the type tells that they lie densely in this order
///   fixed_layout        extents and strides, where the type tells them
template <class E>
struct traits {};
template <class E>
using traits_of_t = traits<std::remove_cvref_t<E>>;

/// An array, a view or an unevaluated expression.
template <class E>
concept expression = requires {
    typename traits_of_t<E>::value_type;
};

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
concept strided = expression<E> && requires {
    traits_of_t<E>::row_major;
};

template <class E>
struct value_of {
    using type = E;
};
template <expression E>
struct value_of<E> {
    using type = typename traits<E>::value_type;
};
/// The element type of an operand.
template <class E>
using value_of_t = typename value_of<std::remove_cvref_t<E>>::type;

/// Elements of T that can be read in place.
template <class E, class T>
concept readable_as = strided<E> && std::is_same_v<value_of_t<E>, T>;

/// Elements of T that can be written in place.
template <class E, class T>
concept writable_as = strided<E> && requires(std::remove_reference_t<E>& e) {
    { traits_of_t<E>::first(e) } -> std::same_as<T*>;
};

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

/// The number of axes where the type tells it, else dynamic_rank; 0 of a number.
template <class E>
inline constexpr std::size_t rank_of = 0;
template <expression E>
inline constexpr std::size_t rank_of<E> = traits_of_t<E>::rank;

/// Whether the type tells every extent.
template <class E>
inline constexpr bool is_fixed = false;
template <expression E>
inline constexpr bool is_fixed<E> = traits_of_t<E>::fixed;

/// Whether the type tells every stride too: elements lie densely, row- or column-major.
template <class E>
inline constexpr bool is_dense_fixed = requires {
    typename traits_of_t<E>::fixed_layout;
};

/// Extents and strides of an array for which is_dense_fixed.
template <class E>
using fixed_layout = typename traits_of_t<E>::fixed_layout;

/// Whether the type of an array tells that it is row-major.
template <class E>
inline constexpr bool is_row_major = traits_of_t<E>::row_major;

/// Whether types tell that an output is row-major, and the operands that Held reads, in place or
/// from values of expressions.
template <class Out, class... Held>
[[nodiscard]] constexpr bool are_row_major() noexcept {
    if constexpr (strided<Out>) {
        return is_row_major<Out> && (Held::row_major && ...);
    } else {
        return false;
    }
}

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

/// Pointer to the element with index 0 in every axis.
template <strided E>
[[nodiscard]] auto* first_element(E& e) {
    return traits_of_t<E>::first(e);
}

/// Numbers, one for each axis; on the heap only where a rank known at run time is above 8.
template <std::size_t Rank>
struct axis_list {
    using type = std::array<std::int64_t, Rank>;
};
template <>
struct axis_list<dynamic_rank> {
    using type = short_vector<std::int64_t, 8>;
};

/// Extents or strides, whatever integers they are, as 64-bit ones.
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
/// Those that somebody holds as such are not copied.
template <std::size_t Rank>
[[nodiscard]] list_view<const std::int64_t> copy_axes(list_view<const std::int64_t> from) {
    return from;
}

/// An array that is read in place, in its own words; it must outlive this.
template <class E>
class in_place {
public:
    static constexpr bool row_major = is_row_major<E>;

    explicit in_place(E& e) : expression_(e) {}

    [[nodiscard]] auto* data() const { return first_element(expression_); }
    [[nodiscard]] decltype(auto) extents() const { return traits_of_t<E>::shape(expression_); }
    [[nodiscard]] decltype(auto) strides() const { return traits_of_t<E>::strides(expression_); }

private:
    E& expression_;
};

/// A new array of a result of so many axes. Specialised by a library of arrays.
template <class T, std::size_t Rank>
struct new_array {
    static_assert(sizeof(T) == 0,
                  "xeinsum: a call that returns an array returns one of xtensor, which this file "
                  "does without; einsum_to and the like write into a view");
};
template <class T, std::size_t Rank = dynamic_rank>
using new_array_t = typename new_array<T, Rank>::type;

}  // namespace xeinsum::array
