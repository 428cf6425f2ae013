// Operands for calls such as einsum("ij,jk->ik", a, b): small numbers whose sums stay small.
#pragma once

#include <xeinsum/array/xtensor.hpp>

#include <cstddef>
#include <vector>

namespace bench {

using shape = std::vector<std::size_t>;

[[nodiscard]] inline xt::xarray<float> numbers(const shape& extents, float least = -1.0F,
                                               float most = 0.9F) {
    xt::xarray<float> a = xt::xarray<float>::from_shape(extents);
    float x = 0;
    for (float& element : a.storage()) {
        x = x > most ? least : x + 0.07F;
        element = x;
    }
    return a;
}

}  // namespace bench
