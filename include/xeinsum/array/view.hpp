// Memory of somebody else's as an array: view{pointer, {2, 3}} and every std::mdspan are operands
// and outputs of "ij,jk->ik", and nothing of xtensor is needed.
#pragma once

#include <xeinsum/array/dense_array.hpp>
#include <xeinsum/array/overlap.hpp>
#include <xeinsum/array/traits.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace xeinsum {

namespace array {

/// One of a list of integers of several types: {1, columns}.
class whole_number {
public:
    template <std::integral N>
    constexpr whole_number(N number) noexcept : number_(static_cast<std::int64_t>(number)) {}
    explicit constexpr operator std::int64_t() const noexcept { return number_; }

private:
    std::int64_t number_;
};

}  // namespace array

/// Elements of T somewhere in memory, as an operand or an output of any call: a pointer to the
/// element with index 0 in every axis, and an extent and a stride in elements for each axis.
/// Strides may be 0 or negative. It owns nothing, and like a pointer it writes where it is const
/// itself, unless T is. A call with a negative extent, or whose elements lie further apart than 64
/// bits count, throws einsum_error; that they belong to memory is the caller's promise.
///
/// Of a rank known to the compiler, view{pointer, {2, 3}, {3, 1}}, it keeps copies of both.
template <class T, std::size_t Rank = array::dynamic_rank>
class view {
public:
    /// T, constant or not.
    using element_type = T;
    /// What it keeps extents and strides in.
    using axes = std::array<std::int64_t, Rank>;

    /// Of a single element.
    explicit constexpr view(T* first) noexcept requires(Rank == 0) : first_(first) {}
    /// Of elements that lie densely in row-major order.
    template <std::integral E>
    constexpr view(T* first, const E (&extents)[Rank]) noexcept : first_(first) {
        copy(extents, extents_);
        fill_strides();
    }
    /// The same with a std::array.
    template <std::integral E>
    constexpr view(T* first, const std::array<E, Rank>& extents) noexcept : first_(first) {
        copy(extents, extents_);
        fill_strides();
    }
    /// Of elements that lie at any strides.
    template <std::integral E, std::integral S>
    constexpr view(T* first, const E (&extents)[Rank], const S (&strides)[Rank]) noexcept
        : first_(first) {
        copy(extents, extents_);
        copy(strides, strides_);
    }
    /// In row-major order, with extents of several integer types.
    template <std::size_t N>
        requires(N == Rank)
    constexpr view(T* first, const array::whole_number (&extents)[N]) noexcept : first_(first) {
        copy(extents, extents_);
        fill_strides();
    }
    /// At any strides, with numbers of several integer types.
    template <std::size_t N>
        requires(N == Rank)
    constexpr view(T* first, const array::whole_number (&extents)[N],
                   const array::whole_number (&strides)[N]) noexcept
        : first_(first) {
        copy(extents, extents_);
        copy(strides, strides_);
    }
    /// The same with std::array.
    template <std::integral E, std::integral S>
    constexpr view(T* first, const std::array<E, Rank>& extents,
                   const std::array<S, Rank>& strides) noexcept
        : first_(first) {
        copy(extents, extents_);
        copy(strides, strides_);
    }

    /// Pointer to the element with index 0 in every axis.
    [[nodiscard]] constexpr T* data() const noexcept { return first_; }
    /// One for each axis.
    [[nodiscard]] constexpr const axes& extents() const noexcept { return extents_; }
    /// In elements, one for each axis.
    [[nodiscard]] constexpr const axes& strides() const noexcept { return strides_; }

private:
    template <class From>
    static constexpr void copy(const From& from, axes& to) noexcept {
        for (std::size_t a = 0; a < Rank; ++a) {
            to[a] = static_cast<std::int64_t>(from[a]);
        }
    }
    constexpr void fill_strides() noexcept {
        std::uint64_t stride = 1;
        for (std::size_t a = Rank; a-- > 0;) {
            strides_[a] = static_cast<std::int64_t>(stride);
            // Unsigned, as the extents may be wrong: a call checks them.
            stride *= static_cast<std::uint64_t>(extents_[a]);
        }
    }

    T* first_;
    axes extents_{};
    axes strides_{};
};

/// Of a rank that is known at run time: it refers to lists of 64-bit extents and strides, which
/// must outlive it, such as std::vector or std::span. Where their lengths differ, a call throws
/// einsum_error.
template <class T>
class view<T, array::dynamic_rank> {
public:
    /// T, constant or not.
    using element_type = T;
    /// What it refers to.
    using axes = list_view<const std::int64_t>;

    /// Of elements that lie at any strides.
    constexpr view(T* first, axes extents, axes strides) noexcept
        : first_(first), extents_(extents), strides_(strides) {}
    /// view{pointer, {2, 3}, {3, 1}} has a rank; a view<T> of it would refer to what is gone.
    template <class E, class S, std::size_t N, std::size_t M>
    view(T* first, E (&&extents)[N], S (&&strides)[M]) = delete;

    /// Pointer to the element with index 0 in every axis.
    [[nodiscard]] constexpr T* data() const noexcept { return first_; }
    /// One for each axis.
    [[nodiscard]] constexpr axes extents() const noexcept { return extents_; }
    /// In elements, one for each axis.
    [[nodiscard]] constexpr axes strides() const noexcept { return strides_; }

private:
    T* first_;
    axes extents_;
    axes strides_;
};

template <class T>
view(T*) -> view<T, 0>;
template <class T, class E, std::size_t Rank>
view(T*, const E (&)[Rank]) -> view<T, Rank>;
template <class T, std::size_t Rank>
view(T*, const array::whole_number (&)[Rank]) -> view<T, Rank>;
template <class T, std::size_t Rank>
view(T*, const array::whole_number (&)[Rank], const array::whole_number (&)[Rank]) -> view<T, Rank>;
template <class T, class E, std::size_t Rank>
view(T*, const std::array<E, Rank>&) -> view<T, Rank>;
template <class T, class E, class S, std::size_t Rank>
view(T*, const E (&)[Rank], const S (&)[Rank]) -> view<T, Rank>;
template <class T, class E, class S, std::size_t Rank>
view(T*, const std::array<E, Rank>&, const std::array<S, Rank>&) -> view<T, Rank>;
template <class T, class Extents, class Strides>
view(T*, const Extents&, const Strides&) -> view<T>;

namespace array {

/// Whether the handle of an mdspan is a pointer to its elements.
template <class M>
inline constexpr bool has_pointer =
    std::is_same_v<std::remove_cvref_t<decltype(std::declval<const M&>().data_handle())>,
                   typename M::element_type*>;

/// std::mdspan, or another with its interface, whose elements lie in memory at fixed strides.
template <class M>
concept mdspan_like = requires(const M& m) {
    typename M::mapping_type;
    requires has_pointer<M>;
    requires std::same_as<typename M::reference, typename M::element_type&>;
    requires M::is_always_strided();
    { M::rank() } -> std::convertible_to<std::size_t>;
    m.extent(std::size_t{});
};

/// Of what is a pointer, extents and strides; Self tells which.
template <class Self, class E>
struct memory_traits {
    static constexpr bool fixed = false;
    static constexpr bool row_major = false;

    template <class T>
    [[nodiscard]] static dense_array<T> stand_in(const E& e) {
        return fits_memory(Self::shape(e), Self::strides(e))
                   ? dense_array<T>(Self::shape(e))
                   : dense_array<T>(Self::shape(e), Self::strides(e));
    }
    template <class T>
    [[nodiscard]] static dense_array<T> evaluate(const E& e) {
        auto array = stand_in<T>(e);
        if (array.data() != nullptr) {
            array.take(Self::first(e), Self::strides(e));
        }
        return array;
    }
    template <class T>
    static void assign(const E& e, const dense_array<T>& array) {
        constexpr bool writable = !std::is_const_v<typename E::element_type>;
        static_assert(writable, "xeinsum: an output of constant elements cannot be written");
        if constexpr (writable) {
            array.give(Self::first(e), Self::strides(e));
        }
    }
};

template <class T, std::size_t Rank>
struct traits<view<T, Rank>> : memory_traits<traits<view<T, Rank>>, view<T, Rank>> {
    using value_type = std::remove_const_t<T>;
    static constexpr std::size_t rank = Rank;

    [[nodiscard]] static T* first(const view<T, Rank>& v) { return v.data(); }
    [[nodiscard]] static decltype(auto) shape(const view<T, Rank>& v) { return v.extents(); }
    [[nodiscard]] static decltype(auto) strides(const view<T, Rank>& v) { return v.strides(); }
};

template <mdspan_like M>
struct traits<M> : memory_traits<traits<M>, M> {
    using value_type = typename M::value_type;
    static constexpr std::size_t rank = M::rank();
    using axes = std::array<std::int64_t, rank>;

    [[nodiscard]] static typename M::element_type* first(const M& m) { return m.data_handle(); }
    [[nodiscard]] static axes shape(const M& m) {
        axes extents{};
        for (std::size_t a = 0; a < rank; ++a) {
            extents[a] = static_cast<std::int64_t>(m.extent(a));
        }
        return extents;
    }
    [[nodiscard]] static axes strides(const M& m) {
        axes of_m{};
        if constexpr (rank > 0) {
            for (std::size_t a = 0; a < rank; ++a) {
                of_m[a] = static_cast<std::int64_t>(m.stride(a));
            }
        }
        return of_m;
    }
};

}  // namespace array
}  // namespace xeinsum
