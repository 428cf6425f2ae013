// Operands for tests: numbers({2, 3}) has distinct small integers, so that sums are exact, and
// fractions({2, 3}, 1) has numbers whose sums depend on their order.
#pragma once

#include <xeinsum/array/xtensor.hpp>

#include "instances.hpp"

#include <cstddef>
#include <random>
#include <type_traits>
#include <vector>

namespace support {

template <class T = float>
[[nodiscard]] xt::xarray<T> numbers(const std::vector<std::size_t>& shape, std::size_t first = 0) {
    xt::xarray<T> a = xt::xarray<T>::from_shape(shape);
    for (T& x : a.storage()) {
        x = small_number<T>(first++);
    }
    return a;
}

/// The same elements, row by row, in another shape.
template <class E>
[[nodiscard]] xt::xarray<float> reshaped(const E& e, const std::vector<std::size_t>& shape) {
    xt::xarray<float> a = e;
    a.reshape(shape);
    return a;
}

/// Between -1 and 1; integers of all sizes.
template <class T = float>
[[nodiscard]] xt::xarray<T> fractions(const std::vector<std::size_t>& shape, unsigned seed) {
    std::mt19937 engine(seed);
    xt::xarray<T> a = xt::xarray<T>::from_shape(shape);
    for (T& x : a.storage()) {
        if constexpr (std::is_integral_v<T>) {
            x = static_cast<T>(engine());
        } else {
            std::uniform_real_distribution<double> uniform(-1, 1);
            if constexpr (std::is_arithmetic_v<T>) {
                x = static_cast<T>(uniform(engine));
            } else {
                const auto re = static_cast<typename T::value_type>(uniform(engine));
                x = T(re, static_cast<typename T::value_type>(uniform(engine)));
            }
        }
    }
    return a;
}

}  // namespace support
