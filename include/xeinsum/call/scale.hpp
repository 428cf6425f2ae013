// What a call makes of its result: einsum_to<"ij,jk->ik">(out, scale{2, 1}, a, b) adds twice the
// product to out.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/lowering/element_target.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace xeinsum {

/// out = alpha * result + beta * out. With beta 0 the output is not read: it may hold NaN.
template <class A, class B>
struct scale {
    /// Of the result.
    A alpha{1};
    /// Of what the output holds.
    B beta{0};
};
template <class A, class B>
scale(A, B) -> scale<A, B>;
template <class A>
scale(A) -> scale<A, A>;

namespace detail {

/// A number as the arithmetic of T has it.
template <class T, class X>
[[nodiscard]] kernel::compute_t<T> to_compute(const X& x) {
    using compute = kernel::compute_t<T>;
    if constexpr (kernel::is_complex_v<compute> && std::is_arithmetic_v<X>) {
        return compute(static_cast<typename compute::value_type>(x));
    } else if constexpr (std::is_integral_v<compute> && std::is_floating_point_v<X>) {
        // A negative number has no value as an unsigned one.
        return x < 0 ? compute(0) - static_cast<compute>(static_cast<std::uint64_t>(-x))
                     : static_cast<compute>(static_cast<std::uint64_t>(x));
    } else {
        return static_cast<compute>(static_cast<accumulator_t<T>>(x));
    }
}

/// Whether the type in which T is summed holds a number. Floating-point types do, rounded; integers
/// hold what they say, unsigned ones negative numbers, too, which wrap; truth values hold 0 and 1.
template <class T, class X>
[[nodiscard]] bool holds_number(const X& x) {
    using to = accumulator_t<T>;
    if constexpr (!std::is_arithmetic_v<X> || std::is_same_v<X, bool>) {
        return true;
    } else if constexpr (std::is_same_v<T, bool>) {
        return x == X(0) || x == X(1);
    } else if constexpr (std::is_integral_v<to>) {
        const bool negative = std::is_signed_v<X> && x < X(0);
        auto size = static_cast<std::uint64_t>(0);
        if constexpr (std::is_floating_point_v<X>) {
            constexpr X beyond = 18446744073709551616.0;  // 2^64
            const X distance = negative ? -x : x;
            if (!(distance < beyond)) {  // nor if it is NaN
                return false;
            }
            size = static_cast<std::uint64_t>(distance);
            if (static_cast<X>(size) != distance) {
                return false;
            }
        } else {
            size = negative ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
        }
        constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<to>::max());
        return size <= most || (negative && std::is_signed_v<to> && size == most + 1);
    } else {
        return true;
    }
}
template <class T, class A, class B>
[[nodiscard]] bool holds_scale(const scale<A, B>& s) {
    return holds_number<T>(s.alpha) && holds_number<T>(s.beta);
}

/// What is wrong with a scaling of elements of T.
template <class T, class A, class B>
[[nodiscard]] problem check_scale(const scale<A, B>& s) {
    problem p;
    if (!holds_scale<T>(s)) {
        p.code = error_code::scale_not_held;
        p.reason = holds_number<T>(s.alpha) ? "beta" : "alpha";
    }
    return p;
}

/// A kernel's scaling from numbers of any type that converts to the arithmetic of T, which holds
/// them.
template <class T, class A, class B>
[[nodiscard]] kernel::scaling<lowerings::element_t<T>> to_scaling(const scale<A, B>& s) {
    const auto alpha = to_compute<T>(s.alpha);
    const auto beta = to_compute<T>(s.beta);
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
        // Numbers that have just been converted are late: what still waits for multiplications of
        // the call before makes them wait too, and branches with them.
        return {alpha, beta, s.alpha != 1, s.beta != 0};
    } else {
        return {alpha, beta};
    }
}

}  // namespace detail
}  // namespace xeinsum
