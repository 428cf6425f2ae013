// How far a correct result may be off: |einsum("ij,jk->ik", a, b) - reference| <= bound, element by
// element, whatever the order of the sums. No tolerance is guessed.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/reference/einsum.hpp>
#include <xeinsum/reference/evaluate.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

namespace xeinsum::reference {

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
template <argument... Args>
[[nodiscard]] xt::xarray<double> bound(const equation_argument& eq, const Args&... args) {
    return to_xarray(bound_of(call<element_t<Args...>>(eq, args...)));
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
        const double apart = distance(found, wanted);
        if (apart == 0) {
            continue;
        }
        if constexpr (std::is_floating_point_v<typename array::real_part<T>::type>) {
            const double ratio = apart / *limit;
            worst = std::max(worst, ratio >= 0 ? ratio : infinity);
        } else {
            return infinity;
        }
    }
    return worst;
}

}  // namespace xeinsum::reference
