// The type in which sums are formed here: "i->" of float in double, of double in long double, so
// that the rounding of the reference is far below that of what it judges.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

namespace xeinsum::reference {

/// The type in which sums of T are formed here. Specialise it for a type of your own; convert()
/// goes both ways with static_cast.
template <class T>
struct wide {
    /// T, where nothing wider is known.
    using type = T;
};
template <>
struct wide<float> {
    using type = double;
};
template <>
struct wide<double> {
    using type = long double;
};
template <class T>
struct wide<std::complex<T>> {
    using type = std::complex<typename wide<T>::type>;
};
// Unsigned numbers wrap; narrowed to T the sum is what T would have wrapped to.
template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct wide<T> {
    using type = std::uint64_t;
};
/// The type in which sums of T are formed here.
template <class T>
using wide_t = typename wide<T>::type;

/// Their sum; "or" of truth values.
template <class W>
[[nodiscard]] W plus(const W& a, const W& b) {
    if constexpr (std::is_same_v<W, bool>) {
        return a || b;
    } else {
        return a + b;
    }
}

/// Their product; "and" of truth values.
template <class W>
[[nodiscard]] W times(const W& a, const W& b) {
    if constexpr (std::is_same_v<W, bool>) {
        return a && b;
    } else {
        return a * b;
    }
}

}  // namespace xeinsum::reference
