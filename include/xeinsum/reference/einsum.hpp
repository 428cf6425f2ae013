// The naive evaluator: reference::einsum("ij,jk->ik", a, b) adds up every product in a wider type,
// term by term, and shares no loop with the library that it judges.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/array/dense_array.hpp>
#include <xeinsum/array/xtensor.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/reference/call.hpp>
#include <xeinsum/reference/evaluate.hpp>

#include <algorithm>
#include <vector>

/// An evaluator to test against, and a bound on rounding errors.
namespace xeinsum::reference {

/// The same elements as an array of xtensor.
template <class T>
[[nodiscard]] xt::xarray<T> to_xarray(const array::dense_array<T>& from) {
    const shape extents(from.extents().begin(), from.extents().end());
    auto to = xt::xarray<T>::from_shape(extents);
    std::copy_n(from.data(), to.size(), to.storage().begin());
    return to;
}

/// The value of an equation, evaluated term by term: time is the product of all extents. Accepts
/// and refuses what xeinsum::einsum does: operands or a list of them, and behind them lengths of
/// axes where the equation has groups. Throws einsum_error.
template <argument... Args>
[[nodiscard]] auto einsum(const equation_argument& eq, const Args&... args) {
    return to_xarray(evaluate(call<element_t<Args...>>(eq, args...)));
}

}  // namespace xeinsum::reference
