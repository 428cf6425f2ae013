// A narrow float of 8 significant bits, as neural networks use it: sums of it, such as "i->", must
// not be formed in it.
#pragma once

#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <bit>
#include <cstdint>

namespace support {

/// The upper half of a float.
class brain_float {
public:
    constexpr brain_float() = default;
    constexpr explicit brain_float(float x)
        : bits_(static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(x) + 0x8000U) >> 16U)) {}
    constexpr explicit brain_float(int x) : brain_float(static_cast<float>(x)) {}
    [[nodiscard]] constexpr explicit operator float() const {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16U);
    }
    [[nodiscard]] friend constexpr brain_float operator+(brain_float a, brain_float b) {
        return brain_float(static_cast<float>(a) + static_cast<float>(b));
    }
    [[nodiscard]] friend constexpr brain_float operator*(brain_float a, brain_float b) {
        return brain_float(static_cast<float>(a) * static_cast<float>(b));
    }
    [[nodiscard]] friend constexpr bool operator==(brain_float a, brain_float b) {
        return static_cast<float>(a) == static_cast<float>(b);
    }

private:
    std::uint16_t bits_ = 0;
};

}  // namespace support

template <>
struct xeinsum::accumulator<support::brain_float> {
    using type = float;
};
template <>
struct xeinsum::reference::wide<support::brain_float> {
    using type = float;
};
