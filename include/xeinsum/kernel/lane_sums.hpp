// The sums of many registers' lanes: eight results of "ij,j->i" at once, as one register.
#pragma once

#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace xeinsum::kernel {

/// For real types. Each step lays halves of two registers side by side and adds them, so that a
/// register holds partial sums of twice as many:
///
///     a0 a1 a2 a3, b0 b1 b2 b3  ->  a01 a23 b01 b23  ->  a0123 b0123 c0123 d0123
template <class T, class Arch>
class lane_sums {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;

    /// Lane l is the sum of the lanes of registers[l].
    [[nodiscard]] static reg of(const reg* registers) { return fold<lanes>(registers); }

private:
    static constexpr std::size_t part = 16 / sizeof(T);  // instructions work in parts of 16 bytes

    /// Which lanes of two registers, laid end to end, come first of two neighbours in a part.
    struct neighbours {
        static constexpr std::size_t apart = 1;
        static constexpr std::size_t at(std::size_t l) {
            return l / part * part + (l % part < part / 2 ? 0 : lanes) + l * 2 % part;
        }
    };
    template <std::size_t Span>
    struct parts {
        static constexpr std::size_t apart = Span;
        static constexpr std::size_t at(std::size_t l) {
            return (l & Span) == 0 ? l : l - Span + lanes;
        }
    };

    template <std::size_t Count>
    [[nodiscard]] static reg fold(const reg* registers) {
        if constexpr (Count == 1) {
            return *registers;
        } else {
            const reg low = fold<Count / 2>(registers);
            const reg high = fold<Count / 2>(registers + Count / 2);
            constexpr auto all = std::make_index_sequence<lanes>();
            if constexpr (Count <= part) {
                return combine<neighbours>(low, high, all);
            } else {
                return combine<parts<Count / 2>>(low, high, all);
            }
        }
    }

    template <class Order, std::size_t... L>
    [[nodiscard]] static reg combine(const reg& a, const reg& b, std::index_sequence<L...>) {
        return simd_type::add(
            reg(__builtin_shufflevector(a.data, b.data, Order::at(L)...)),
            reg(__builtin_shufflevector(a.data, b.data, (Order::at(L) + Order::apart)...)));
    }
};

/// Puts the sums of some registers' lanes to elements that are step from each other; as many
/// registers as there are lanes are added up together, if most of them count.
template <class T, class Arch>
[[gnu::noinline]] void put_lane_sums(const typename simd<T, Arch>::type* registers,
                                     std::int64_t count, T* to, std::int64_t step,
                                     const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    constexpr std::size_t lanes = simd_type::lanes;
    constexpr auto width = static_cast<std::int64_t>(lanes);
    const auto put = [&](const reg& sums, std::size_t some) {
        T lane[lanes];
        simd_type::store(lane, sums);
        for (std::size_t l = 0; l < some; ++l, to += step) {
            scale.template put<Arch>(*to, lane[l]);
        }
    };
    if constexpr (std::is_floating_point_v<T>) {
        for (; count >= width; count -= width, registers += lanes) {
            const reg sums = lane_sums<T, Arch>::of(registers);
            if (step == 1) {
                scale.template put_register<simd_type>(to, sums);
                to += width;
            } else {
                put(sums, lanes);
            }
        }
        if (4 * count >= 3 * width) {
            // What belongs to no result is a sum of its own, which nobody reads.
            reg rest[lanes];
            for (std::size_t l = 0; l < lanes; ++l) {
                rest[l] = registers[l < static_cast<std::size_t>(count) ? l : 0];
            }
            put(lane_sums<T, Arch>::of(rest), static_cast<std::size_t>(count));
            return;
        }
    }
    for (; count > 0; --count, ++registers, to += step) {
        scale.template put<Arch>(*to, simd_type::sum(*registers));
    }
}

}  // namespace xeinsum::kernel
