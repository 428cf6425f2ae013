// The value of an equation and the largest error of a correct one, in plain arrays: for
// "ij,jk->ik" every sum of products, and a bound on the error of each.
#pragma once

#include <xeinsum/array/dense_array.hpp>
#include <xeinsum/array/traits.hpp>
#include <xeinsum/reference/call.hpp>
#include <xeinsum/reference/sums.hpp>
#include <xeinsum/reference/wide.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace xeinsum::reference {

template <class T>
[[nodiscard]] array::dense_array<T> evaluate(const call<T>& c) {
    using W = wide_t<T>;
    const auto total = sum_products<W>(c, [](const T& x) { return static_cast<W>(x); });
    array::dense_array<T> result(c.terms.result_shape());
    std::transform(total.data(), total.data() + c.terms.result_size(), result.data(),
                   [](const W& x) { return static_cast<T>(x); });
    return result;
}

/// gamma(n) = n u / (1 - n u): the relative error that n roundings can bring.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1, lemma 3.1.
[[nodiscard]] inline long double gamma(double roundings, long double unit) noexcept {
    const long double nu = static_cast<long double>(roundings) * unit;
    return nu < 1 ? nu / (1 - nu) : std::numeric_limits<long double>::infinity();
}

/// How roundings are taken to add up.
enum class roundings : unsigned char {
    worst,  ///< all of them at their largest, in the same direction: nothing is assumed
    random  ///< as independent random numbers of mean 0
};

/// Under roundings::random, the probability that some element of a correct result exceeds its
/// bound.
inline constexpr double accepted_risk = 1e-6;

/// exp(lambda sqrt(n) u + n u^2 / (1 - u)) - 1: what n roundings bring at most, each factor of a
/// product with a probability of 1 - 2 exp(-lambda^2 (1 - u)^2 / 2), if they are independent and of
/// mean 0. lambda is such that this holds for all products of a call but with accepted_risk.
/// Source: Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, SIAM Journal
/// on Scientific Computing 41(5), 2019, theorem 2.4, and theorem 3.1 for inner products.
[[nodiscard]] inline long double random_gamma(double roundings, long double unit,
                                              double products) noexcept {
    const double lambda = std::sqrt(2 * std::log(2 * std::max(products, 1.0) / accepted_risk));
    return std::expm1(lambda / (1 - unit) * std::sqrt(roundings) * unit +
                      roundings * unit * unit / (1 - unit));
}

/// |re| + |im|, which for products of complex numbers is at most the product of the factors' ones.
template <class T>
[[nodiscard]] long double magnitude(const T& x) {
    if constexpr (array::real_part<T>::complex) {
        return std::abs(static_cast<long double>(x.real())) +
               std::abs(static_cast<long double>(x.imag()));
    } else {
        return std::abs(static_cast<long double>(x));
    }
}

/// The distance of two elements; 0 for equal ones, infinities and NaN included, infinity where only
/// one is a number.
template <class T>
[[nodiscard]] double distance(const T& mine, const T& expected) {
    // NOLINTNEXTLINE(misc-redundant-expression): nothing but a NaN differs from itself.
    if (mine == expected || (mine != mine && expected != expected)) {
        return 0;
    }
    double apart = 1;
    if constexpr (std::is_floating_point_v<typename array::real_part<T>::type>) {
        apart = static_cast<double>(magnitude<T>(mine - expected));
    } else if constexpr (std::is_arithmetic_v<T>) {
        // Large ones that differ may be equal as double.
        apart = std::max(1.0, std::abs(static_cast<double>(mine) - static_cast<double>(expected)));
    }
    return apart == apart ? apart : std::numeric_limits<double>::infinity();
}

/// The largest distance of a correct result from evaluate(c), element by element; see
/// reference::bound.
template <class T>
[[nodiscard]] array::dense_array<double> bound_of(const call<T>& c,
                                                  roundings assumed = roundings::worst) {
    using real = typename array::real_part<T>::type;
    array::dense_array<double> result(c.terms.result_shape());
    std::fill_n(result.data(), c.terms.result_size(), 0.0);
    if constexpr (std::is_floating_point_v<real>) {
        using wide_real = typename array::real_part<wide_t<T>>::type;
        constexpr long double unit = std::numeric_limits<real>::epsilon() / 2;
        constexpr long double wide_unit = std::numeric_limits<wide_real>::epsilon() / 2;
        constexpr long double smallest = std::numeric_limits<real>::denorm_min();
        const auto factors = static_cast<double>(c.operands.size());
        const double terms = c.terms.terms_per_element();
        const double per_product = array::real_part<T>::complex ? 2 : 1;
        const double products = per_product * (factors - 1);
        const double roundings = products + terms - 1;

        const auto sums = sum_products<long double>(c, [](const T& x) { return magnitude(x); });
        const auto lifted =
            sum_products<long double>(c, [](const T& x) { return std::max(1.0L, magnitude(x)); });
        long double of_result = gamma(roundings, unit);
        if (assumed == roundings::random) {
            const double all =
                terms * static_cast<double>(c.terms.result_size()) * std::pow(per_product, factors);
            of_result = std::min(of_result, random_gamma(roundings, unit, all));
        }
        // The result's error, the reference's, the reference's last rounding to T, and what summing
        // the magnitudes above may have lost.
        const long double own = of_result + gamma(roundings, wide_unit) + 2 * unit;
        const long double factor = own / (1 - gamma(roundings + 1, wide_unit));
        for (std::size_t i = 0; i < c.terms.result_size(); ++i) {
            const long double underflow = 2 * products * smallest * lifted.data()[i];
            const long double bound = sums.data()[i] * factor + underflow;
            result.data()[i] =
                std::nextafter(static_cast<double>(bound), std::numeric_limits<double>::infinity());
        }
    }
    return result;
}

}  // namespace xeinsum::reference
