// How far a correct result may be off: |einsum("ij,jk->ik", a, b) - reference| <= bound, element by
// element, whatever the order of the sums. No tolerance is guessed.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/reference/einsum.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

namespace xeinsum::reference {

/// gamma(n) = n u / (1 - n u): the relative error that n roundings can bring.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1, lemma 3.1.
[[nodiscard]] inline long double gamma(double roundings, long double unit) noexcept {
    const long double nu = static_cast<long double>(roundings) * unit;
    return nu < 1 ? nu / (1 - nu) : std::numeric_limits<long double>::infinity();
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

/// The bound for a list of copies; see bound below.
template <class T>
[[nodiscard]] xt::xarray<double> bound_of(const equation_argument& eq,
                                          const operand_copies<T>& operands) {
    using real = typename array::real_part<T>::type;
    using wide_real = typename array::real_part<wide_t<T>>::type;
    const walk terms = walk_over(eq, operands);
    auto result = xt::xarray<double>::from_shape(terms.result_shape());
    std::fill(result.storage().begin(), result.storage().end(), 0.0);
    if constexpr (std::is_floating_point_v<real>) {
        constexpr long double unit = std::numeric_limits<real>::epsilon() / 2;
        constexpr long double wide_unit = std::numeric_limits<wide_real>::epsilon() / 2;
        constexpr long double smallest = std::numeric_limits<real>::denorm_min();
        const double per_product = array::real_part<T>::complex ? 2 : 1;
        const double products = per_product * static_cast<double>(operands.size() - 1);
        const double roundings = products + terms.terms_per_element() - 1;

        const auto sums =
            sum_products<long double>(terms, operands, [](const T& x) { return magnitude(x); });
        const auto lifted = sum_products<long double>(
            terms, operands, [](const T& x) { return std::max(1.0L, magnitude(x)); });
        // The result's error, the reference's, the reference's last rounding to T, and what summing
        // the magnitudes above may have lost.
        const long double own = gamma(roundings, unit) + gamma(roundings, wide_unit) + 2 * unit;
        const long double factor = own / (1 - gamma(roundings + 1, wide_unit));
        for (std::size_t i = 0; i < result.size(); ++i) {
            const long double underflow = 2 * products * smallest * lifted.storage()[i];
            const long double bound = sums.storage()[i] * factor + underflow;
            result.storage()[i] =
                std::nextafter(static_cast<double>(bound), std::numeric_limits<double>::infinity());
        }
    }
    return result;
}

/// An elementwise bound on the distance between reference::einsum and any correct evaluation in T,
/// that is, one that forms every term with one multiplication less than there are operands (in any
/// order, fused or not) and adds the terms up in any order, with or without factors taken out of
/// the sums. 0 for integers.
///
/// Each real product that contributes passes through at most c (N - 1) + K - 1 roundings, N being
/// the number of operands, K the terms of an element and c 1, or 2 for complex types, whose product
/// rounds twice. Hence the error is at most gamma(c (N - 1) + K - 1) times the sum of the products
/// of magnitudes (Higham, section 3.1, lemma 3.1 and problem 3.7 for the inner product). A product
/// that underflows is off by half the smallest subnormal number at most, times the factors that
/// follow. Overflow is not covered: where it may happen the bound is infinite or NaN.
///
/// This is the worst case; usual errors are far below it, the more so the larger K is, and mistakes
/// of their size pass. Compare small integers, whose sums are exact, with == as well.
template <array::operand_like... Operands>
[[nodiscard]] xt::xarray<double> bound(const equation_argument& eq, const Operands&... operands) {
    using T = array::promoted_t<array::value_of_t<Operands>...>;
    return bound_of<T>(eq, copy_operands<T>(operands...));
}

/// The same with a list of operands.
template <array::operand_range Range>
[[nodiscard]] xt::xarray<double> bound(const equation_argument& eq, const Range& operands) {
    using T = array::value_of_t<array::listed_t<Range>>;
    operand_copies<T> copies;
    for (const auto& e : operands) {
        copies.push_back(copy_operand<T>(e));
    }
    return bound_of<T>(eq, copies);
}

/// The largest |result - expected| / bound over all elements: at most 1 for a correct result. Equal
/// elements, infinities and NaN included, count as 0; infinity where shapes differ.
template <class Result, class T>
[[nodiscard]] double worst_ratio(const Result& result, const xt::xarray<T>& expected,
                                 const xt::xarray<double>& bound) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!std::ranges::equal(result.shape(), expected.shape())) {
        return infinity;
    }
    double worst = 0;
    auto at = result.template begin<xt::layout_type::row_major>();
    auto want = expected.template begin<xt::layout_type::row_major>();
    auto limit = bound.template begin<xt::layout_type::row_major>();
    for (std::size_t i = 0; i < expected.size(); ++i, ++at, ++want, ++limit) {
        const T found = *at;
        const T wanted = *want;
        // NOLINTNEXTLINE(misc-redundant-expression): nothing but a NaN differs from itself.
        const bool both_nan = found != found && wanted != wanted;
        if (found == wanted || both_nan) {
            continue;
        }
        if constexpr (std::is_floating_point_v<typename array::real_part<T>::type>) {
            const auto distance = static_cast<double>(magnitude<T>(found - wanted));
            const double ratio = distance / *limit;
            worst = std::max(worst, ratio >= 0 ? ratio : infinity);
        } else {
            return infinity;
        }
    }
    return worst;
}

}  // namespace xeinsum::reference
