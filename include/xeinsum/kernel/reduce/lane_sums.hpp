// The sums of many registers' lanes: eight results of "ij,j->i" at once, as one register.
#pragma once

#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
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

    /// Lane l is the sum of group l, of Group lanes each: those of registers[0], registers[1] and
    /// so on, Group of them. Three, or a power of two below lanes.
    template <std::size_t Group>
    [[nodiscard]] static reg of_groups(const reg* registers) {
        constexpr auto all = std::make_index_sequence<lanes>();
        if constexpr (Group == 3) {
            const reg first =
                simd_type::add(of_threes<0>(registers, all), of_threes<1>(registers, all));
            return simd_type::add(first, of_threes<2>(registers, all));
        } else {
            return in_order<Group>(fold<Group>(registers), all);
        }
    }

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

    /// For each lane of fold<Count> the first of those that it adds up, counted from that of the
    /// first register.
    template <std::size_t Count>
    [[nodiscard]] static constexpr std::array<std::size_t, lanes> first_terms(
        std::size_t registers = 0) {
        std::array<std::size_t, lanes> first{};
        if constexpr (Count == 1) {
            for (std::size_t l = 0; l < lanes; ++l) {
                first[l] = registers * lanes + l;
            }
        } else {
            const auto low = first_terms<Count / 2>(registers);
            const auto high = first_terms<Count / 2>(registers + Count / 2);
            using order = std::conditional_t<Count <= part, neighbours, parts<Count / 2>>;
            for (std::size_t l = 0; l < lanes; ++l) {
                const std::size_t from = order::at(l);
                first[l] = from < lanes ? low[from] : high[from - lanes];
            }
        }
        return first;
    }
    /// The lane of fold<Group> that is the sum of a group.
    template <std::size_t Group>
    [[nodiscard]] static constexpr std::size_t lane_of(std::size_t group) {
        constexpr auto first = first_terms<Group>();
        std::size_t l = 0;
        while (first[l] != group * Group) {
            ++l;
        }
        return l;
    }
    /// As a constant: g++ 16 does not run a loop to find an argument of a builtin function.
    template <std::size_t Group, std::size_t L>
    static constexpr std::size_t lane_at = lane_of<Group>(L);

    template <std::size_t Group, std::size_t... L>
    [[nodiscard]] static reg in_order(const reg& sums, std::index_sequence<L...>) {
        return reg(__builtin_shufflevector(sums.data, sums.data, lane_at<Group, L>...));
    }

    /// Lane l is one of the lanes of group l of three.
    template <std::size_t Which, std::size_t... L>
    [[nodiscard]] static reg of_threes(const reg* r, std::index_sequence<L...>) {
        constexpr auto at = [](std::size_t l) { return 3 * l + Which; };
        const reg two(
            __builtin_shufflevector(r[0].data, r[1].data, (at(L) < 2 * lanes ? at(L) : 0)...));
        return reg(__builtin_shufflevector(two.data, r[2].data,
                                           (at(L) < 2 * lanes ? L : at(L) - lanes)...));
    }

    template <class Order, std::size_t... L>
    [[nodiscard]] static reg combine(const reg& a, const reg& b, std::index_sequence<L...>) {
        return simd_type::add(
            reg(__builtin_shufflevector(a.data, b.data, Order::at(L)...)),
            reg(__builtin_shufflevector(a.data, b.data, (Order::at(L) + Order::apart)...)));
    }
};

/// Puts the first lanes of a register to elements that are step from each other. Not inlined, as it
/// would take registers from the sums.
template <class T, class Arch>
[[gnu::noinline]] void put_lanes(const typename simd<T, Arch>::type& sums, std::size_t count, T* to,
                                 std::int64_t step, const scaling<T>& scale) {
    using simd_type = simd<T, Arch>;
    if (step == 1 && count == simd_type::lanes) {
        scale.template put_register<simd_type>(to, sums);
        return;
    }
    T lane[simd_type::lanes];
    simd_type::store(lane, sums);
    for (std::size_t l = 0; l < count; ++l, to += step) {
        scale.template put<Arch>(*to, lane[l]);
    }
}

/// The same where it is often to be known that whole registers are stored as they are: plain tells
/// that results are side by side and not scaled.
template <class T, class Arch>
[[gnu::always_inline]] inline void put_lanes(bool plain, const typename simd<T, Arch>::type& sums,
                                             std::size_t count, T* to, std::int64_t step,
                                             const scaling<T>& scale) {
    if (plain && count == simd<T, Arch>::lanes) {
        simd<T, Arch>::store(to, sums);
    } else {
        put_lanes<T, Arch>(sums, count, to, step, scale);
    }
}

/// Puts so many sums, a register of them after the other.
template <class T, class Arch>
[[gnu::noinline]] void put_sums(const typename simd<T, Arch>::type* registers, std::int64_t count,
                                T* to, std::int64_t step, const scaling<T>& scale) {
    constexpr auto width = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    const bool plain = step == 1 && scale.is_identity();
    for (; count > 0; count -= width, to += width * step, ++registers) {
        put_lanes<T, Arch>(plain, *registers, static_cast<std::size_t>(std::min(width, count)), to,
                           step, scale);
    }
}

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
    if constexpr (std::is_floating_point_v<T>) {
        const bool plain = step == 1 && scale.is_identity();
        for (; 4 * count >= 3 * width; count -= width, registers += lanes, to += width * step) {
            const reg* all = registers;
            reg some[lanes];
            const auto left = static_cast<std::size_t>(std::min(count, width));
            if (left < lanes) {
                // What belongs to no result is a sum of its own, which nobody reads.
                for (std::size_t l = 0; l < lanes; ++l) {
                    some[l] = registers[l < left ? l : 0];
                }
                all = some;
            }
            put_lanes<T, Arch>(plain, lane_sums<T, Arch>::of(all), left, to, step, scale);
        }
    }
    for (; count > 0; --count, ++registers, to += step) {
        scale.template put<Arch>(*to, simd_type::sum(*registers));
    }
}

/// Calls f.operator()<Group>() for such a number of terms.
template <std::size_t Lanes, class F>
void with_group(std::int64_t terms, F f) {
    const auto call = [&]<std::size_t Group>() {
        if constexpr (2 * Group <= Lanes) {
            f.template operator()<Group>();
        }
    };
    switch (terms) {
        case 2: call.template operator()<2>(); break;
        case 3: call.template operator()<3>(); break;
        case 4: call.template operator()<4>(); break;
        default: call.template operator()<8>(); break;
    }
}

/// Puts the sums of groups of lanes, such as is_group() names, to elements that are step from each
/// other. Groups follow each other in the registers.
template <class T, class Arch>
[[gnu::noinline]] void put_group_sums(
    const typename simd<T, Arch>::type* registers, std::int64_t count, std::int64_t group, T* to,
    std::int64_t step, const scaling<T>& scale) requires(std::is_floating_point_v<T>) {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    constexpr std::size_t lanes = simd_type::lanes;
    constexpr auto width = static_cast<std::int64_t>(lanes);
    const bool plain = step == 1 && scale.is_identity();
    with_group<lanes>(group, [&]<std::size_t Group>() {
        for (; count >= width; count -= width, registers += Group, to += width * step) {
            put_lanes<T, Arch>(plain, lane_sums<T, Arch>::template of_groups<Group>(registers),
                               lanes, to, step, scale);
        }
        if (count > 0) {
            const auto left = static_cast<std::size_t>(count);
            reg rest[Group];
            for (std::size_t r = 0; r < Group; ++r) {
                rest[r] = r * lanes < left * Group ? registers[r] : simd_type::zero();
            }
            put_lanes<T, Arch>(lane_sums<T, Arch>::template of_groups<Group>(rest), left, to, step,
                               scale);
        }
    });
}

}  // namespace xeinsum::kernel
