// The naive evaluator: reference::einsum("ij,jk->ik", a, b) adds up every product in a wider type,
// in the order of the labels, and shares no loop with the library that it judges.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/array/view.hpp>
#include <xeinsum/array/xtensor.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/reference/walk.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// An evaluator to test against, and a bound on rounding errors.
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

/// Operands copied into plain arrays of T, through xtensor's own indexing.
template <class T>
using operand_copies = std::vector<xt::xarray<T>>;

/// One operand.
template <class T, class E>
[[nodiscard]] xt::xarray<T> copy_operand(const E& e) {
    if constexpr (array::scalar<E>) {
        xt::xarray<T> one = xt::xarray<T>::from_shape(std::vector<std::size_t>{});
        one() = static_cast<T>(e);
        return one;
    } else if constexpr (!array::xtensor_expression<E>) {
        const auto own = array::traits_of_t<E>::template evaluate<T>(e);
        if (own.data() == nullptr) {
            constexpr auto code = error_code::layout_overflow;
            refuse_call(code, 0, std::string(describe(code)));
        }
        auto copy = xt::xarray<T>::from_shape(shape(own.extents().begin(), own.extents().end()));
        std::copy_n(own.data(), copy.size(), copy.storage().begin());
        return copy;
    } else if constexpr (std::is_same_v<array::value_of_t<E>, T>) {
        return xt::xarray<T>(e);
    } else {
        return xt::xarray<T>(xt::cast<T>(e));
    }
}

/// All of them.
template <class T, class... Es>
[[nodiscard]] operand_copies<T> copy_operands(const Es&... es) {
    operand_copies<T> copies;
    (copies.push_back(copy_operand<T>(es)), ...);
    return copies;
}

/// The loops over every term. Throws einsum_error.
template <class T>
[[nodiscard]] walk walk_over(const equation_argument& eq, const operand_copies<T>& operands) {
    std::vector<shape> shapes;
    for (const auto& o : operands) {
        shapes.emplace_back(o.shape().begin(), o.shape().end());
    }
    return {eq.get(), std::move(shapes)};
}

/// Sums over every term of the product over operands of map(element), in W.
template <class W, class T, class Map>
[[nodiscard]] xt::xarray<W> sum_products(const walk& terms, const operand_copies<T>& operands,
                                         Map map) {
    auto total = xt::xarray<W>::from_shape(terms.result_shape());
    for (W& element : total.storage()) {
        element = W(0);
    }
    terms.run([&](const shape& at, const std::vector<shape>& from) {
        W product = map(operands[0].element(from[0].begin(), from[0].end()));
        for (std::size_t i = 1; i < operands.size(); ++i) {
            product = times<W>(product, map(operands[i].element(from[i].begin(), from[i].end())));
        }
        W& element = total.element(at.begin(), at.end());
        element = plus<W>(element, product);
    });
    return total;
}

/// Evaluates any equation on a list of copies; see einsum below.
template <class T>
[[nodiscard]] xt::xarray<T> evaluate(const equation_argument& eq,
                                     const operand_copies<T>& operands) {
    using W = wide_t<T>;
    const xt::xarray<W> total = sum_products<W>(walk_over(eq, operands), operands,
                                                [](const T& x) { return static_cast<W>(x); });
    auto result = xt::xarray<T>::from_shape(total.shape());
    for (std::size_t i = 0; i < result.size(); ++i) {
        result.storage()[i] = static_cast<T>(total.storage()[i]);
    }
    return result;
}

/// The value of an equation, evaluated term by term: time is the product of all extents. Accepts
/// and refuses what xeinsum::einsum does. Throws einsum_error.
template <array::operand_like... Operands>
[[nodiscard]] auto einsum(const equation_argument& eq, const Operands&... operands) {
    using T = array::promoted_t<array::value_of_t<Operands>...>;
    return evaluate<T>(eq, copy_operands<T>(operands...));
}

/// The same with a list of operands.
template <array::operand_range Range>
[[nodiscard]] auto einsum(const equation_argument& eq, const Range& operands) {
    using T = array::value_of_t<array::listed_t<Range>>;
    operand_copies<T> copies;
    for (const auto& e : operands) {
        copies.push_back(copy_operand<T>(e));
    }
    return evaluate<T>(eq, copies);
}

}  // namespace xeinsum::reference
