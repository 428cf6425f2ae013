// The elements of random calls: integers that are not 0, so that every term of "ij,jk->ik" counts,
// and so small that all sums are exact in the element type.
#pragma once

#include "label_loops.hpp"
#include "random_case.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace random_calls {

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

template <class T>
inline constexpr bool is_complex = !std::is_same_v<T, real_of_t<T>>;

/// Results, and what was in the output before, are below this: scaled by alpha and beta of a case
/// and added they are exact.
template <class T>
[[nodiscard]] constexpr double exact_limit() {
    constexpr int digits = std::numeric_limits<real_of_t<T>>::digits;
    return static_cast<double>(std::uint64_t{1} << static_cast<unsigned>(digits - 3));
}

/// How large elements may be for results below the limit.
template <class T>
[[nodiscard]] std::int64_t largest_element(const label_loops& loops) {
    const auto terms = static_cast<double>(std::max<std::size_t>(loops.terms_per_element(), 1));
    const double each =
        std::pow(exact_limit<T>() / terms, 1.0 / static_cast<double>(loops.operands));
    // |re| and |im| of a product are at most the product of |re| + |im|.
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(is_complex<T> ? each / 2 : each), 1,
                                    100000);
}

template <class T>
class element_source {
public:
    element_source(random_source& random, std::int64_t largest, const random_case& c)
        : random_(random),
          largest_(largest),
          special_(c.special_values),
          infinities_(c.infinities) {}

    T operator()() {
        if constexpr (std::is_integral_v<T>) {
            return static_cast<T>(random_.bits() | 1U);  // sums wrap, but products are not 0
        } else if constexpr (is_complex<T>) {
            const auto re = part();
            return {re, part()};
        } else {
            return part();
        }
    }

private:
    using real = real_of_t<T>;

    real part() {
        // Complex infinities have no one product.
        const bool infinities = infinities_ && !is_complex<T>;
        if (special_ && (infinities == infinities_) && random_.below(16) == 0) {
            constexpr real infinity = std::numeric_limits<real>::infinity();
            const real nan = std::numeric_limits<real>::quiet_NaN();
            return infinities ? random_.pick({nan, real(0), infinity, -infinity})
                              : random_.pick({nan, real(0)});
        }
        const std::int64_t x = random_.integer(1 - largest_, largest_);
        return static_cast<real>(x > 0 ? x : x - 1);
    }

    random_source& random_;
    std::int64_t largest_;
    bool special_;
    bool infinities_;
};

/// What lies between elements, and in an output that is not to be read.
template <class T>
[[nodiscard]] T poison() {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(0x5A5A5A5B);
    } else {
        return T(std::numeric_limits<real_of_t<T>>::quiet_NaN());
    }
}

}  // namespace random_calls
