// Arrays of a task as xtensor sees them: view({2, 3}, p) is an operand "ij" that owns nothing.
#pragma once

#include "cases.hpp"

#include <xeinsum/array/xtensor.hpp>

#if __has_include(<xtensor/core/xnoalias.hpp>)
#include <xtensor/core/xnoalias.hpp>
#else
#include <xtensor/xnoalias.hpp>
#endif

#include <functional>
#include <numeric>

namespace bench {

template <class T>
[[nodiscard]] auto view(const shape& extents, T* elements) {
    const std::size_t size =
        std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>{});
    return xt::adapt(elements, size, xt::no_ownership(), extents);
}
template <class T>
using array_view = decltype(view<T>({}, nullptr));

}  // namespace bench
