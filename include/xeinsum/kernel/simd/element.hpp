// How an element type is computed with: int32 as unsigned, so that "i,i->" wraps instead of being
// undefined; int8 in 32 bits; a user's type as the user says.
#pragma once

#include <cstdint>
#include <type_traits>

namespace xeinsum {

/// The type in which sums and products of T are formed: T itself unless it is narrow. Specialise it
/// for a narrow type of your own, which must convert to and from it explicitly.
template <class T>
struct accumulator {
    /// Where sums and products are formed.
    using type = std::conditional_t<std::is_integral_v<T> && sizeof(T) < sizeof(std::int32_t),
                                    std::int32_t, T>;
};

/// Truth values: einsum over them is "or" of "and".
template <>
struct accumulator<bool> {
    class type {
    public:
        constexpr type() = default;
        constexpr explicit type(bool b) : value_(b) {}
        [[nodiscard]] constexpr explicit operator bool() const { return value_; }
        [[nodiscard]] friend constexpr type operator+(type a, type b) {
            return type(a.value_ || b.value_);
        }
        [[nodiscard]] friend constexpr type operator*(type a, type b) {
            return type(a.value_ && b.value_);
        }

    private:
        bool value_ = false;
    };
};

/// The type in which sums and products of T are formed.
template <class T>
using accumulator_t = typename accumulator<T>::type;

namespace detail {

/// Whether a sum or a product of accumulators A has a type that will do: A, or one that only
/// converts to it, such as an expression template.
template <class R, class A>
concept computed_as = std::is_same_v<R, A> ||
    (std::is_convertible_v<R, A> && !std::is_convertible_v<A, R>);

}  // namespace detail

/// What an element type must offer: a value that can be copied; conversions with static_cast to its
/// accumulator_t, here A, and back; A() and A(0), which are zero, and A(1); sums and products of A,
/// which are of A; and ==, or a truth value. Numbers and std::complex have it all; a class such as
/// a bfloat16 whose sums are floats says so by a specialisation of accumulator.
template <class T>
concept element = std::is_default_constructible_v<T> && std::is_copy_constructible_v<T> &&
    std::is_copy_assignable_v<T> && std::is_default_constructible_v<accumulator_t<T>> &&
    requires(const T& x, const accumulator_t<T>& a) {
    static_cast<accumulator_t<T>>(x);
    static_cast<T>(a);
    accumulator_t<T>(0);
    accumulator_t<T>(1);
    { a + a } -> detail::computed_as<accumulator_t<T>>;
    { a* a } -> detail::computed_as<accumulator_t<T>>;
} &&(
    requires(const accumulator_t<T>& a) { static_cast<bool>(a == a); } ||
    requires(const accumulator_t<T>& a) { static_cast<bool>(a); });

namespace kernel {

/// Signed integers overflow without meaning, unsigned ones wrap; their bits are the same.
template <class T>
struct wrapping {
    using type = T;
};
template <class T>
    requires(std::is_integral_v<T>&& std::is_signed_v<T>)
struct wrapping<T> {
    using type = std::make_unsigned_t<T>;
};
template <class T>
using wrapping_t = typename wrapping<T>::type;

/// The type in which kernels compute on T.
template <class T>
using compute_t = wrapping_t<accumulator_t<T>>;

/// Whether arrays of T can be computed on in place as arrays of compute_t<T>, with intermediates in
/// raw memory. Other types take part in one pass of scalar loops only.
template <class T>
inline constexpr bool computes_in_place = std::is_trivially_copyable_v<T> &&
                                          (std::is_same_v<T, compute_t<T>> ||
                                           std::is_same_v<wrapping_t<T>, compute_t<T>>);

}  // namespace kernel
}  // namespace xeinsum
