// The operands of the examples: values<4>({8, 64, 150, 25}, 1) is an array for "nctw,cd->ndtw", and
// what of xtensor the library itself does not include.
#pragma once

#include <xeinsum/array/xtensor.hpp>

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/core/xmath.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>
#endif

#include <array>
#include <cstddef>
#include <cstdint>

namespace example {

/// Numbers in [-1, 1), the same ones on every machine.
template <std::size_t Rank>
[[nodiscard]] xt::xtensor<float, Rank> values(const std::array<std::size_t, Rank>& shape,
                                              std::uint64_t seed) {
    auto a = xt::xtensor<float, Rank>::from_shape(shape);
    std::uint64_t state = seed;
    for (float& x : a.storage()) {
        // The linear congruential generator of Knuth's MMIX; its high bits are the good ones.
        state = state * 6364136223846793005U + 1442695040888963407U;
        x = static_cast<float>(state >> 40U) / 8388608.0F - 1.0F;
    }
    return a;
}

}  // namespace example
