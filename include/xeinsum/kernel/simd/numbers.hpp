// Real and complex numbers, and how a lone element of "i,i->" is multiplied and added so that it
// rounds as those in vectors do.
#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

namespace xeinsum::kernel {

template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<std::complex<T>> : std::true_type {};
template <class T>
inline constexpr bool is_complex_v = is_complex<T>::value;

template <class T>
struct real_of {
    using type = T;
};
template <class T>
struct real_of<std::complex<T>> {
    using type = T;
};
template <class T>
using real_of_t = typename real_of<T>::type;

/// a * b + c in the one way that Arch has, so that the ends of a loop round as its middle does.
template <class Arch, class T>
[[nodiscard]] constexpr T scalar_mul_add(const T& a, const T& b, const T& c) {
    if constexpr (std::is_floating_point_v<T> && Arch::fuses) {
        return std::fma(a, b, c);
    } else if constexpr (is_complex_v<T>) {
        // The textbook product, as BLAS has it: no recovery of infinities from NaN.
        return T(scalar_mul_add<Arch>(a.real(), b.real(),
                                      scalar_mul_add<Arch>(-a.imag(), b.imag(), c.real())),
                 scalar_mul_add<Arch>(a.real(), b.imag(),
                                      scalar_mul_add<Arch>(a.imag(), b.real(), c.imag())));
    } else {
        return static_cast<T>(a * b + c);
    }
}

template <class T>
[[nodiscard]] constexpr T scalar_mul(const T& a, const T& b) {
    if constexpr (is_complex_v<T>) {
        return T(a.real() * b.real() - a.imag() * b.imag(),
                 a.real() * b.imag() + a.imag() * b.real());
    } else {
        return static_cast<T>(a * b);
    }
}

}  // namespace xeinsum::kernel
