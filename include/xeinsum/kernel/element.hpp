// How an element type is computed with: int32 as unsigned, so that "i,i->" wraps instead of being
// undefined; int8 in 32 bits; a user's type as the user says.
#pragma once

#include <xeinsum/kernel/simd.hpp>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace xeinsum {

/// The type in which sums and products of T are formed: T itself unless it is narrow. Specialise it
/// for a narrow type of your own, which must convert to and from it explicitly.
template <class T>
struct accumulator {
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

template <class T>
using accumulator_t = typename accumulator<T>::type;

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
