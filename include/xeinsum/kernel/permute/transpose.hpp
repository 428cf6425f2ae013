// A square of elements transposed in registers: eight rows of eight floats for the permute "ij->ji"
// and for packing the rows of "ij,jk->ik" into panels.
#pragma once

#include <xeinsum/kernel/simd/simd.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace xeinsum::kernel {

/// The type whose registers move elements of T: bits of the same size. void where none do.
template <class T, class Arch>
struct moved_as {
private:
    template <class Real>
    using if_vectors = std::conditional_t<has_vectors<Real, Arch>(), Real, void>;

public:
    using type =
        std::conditional_t<!std::is_trivially_copyable_v<T>, void,
                           std::conditional_t<sizeof(T) == sizeof(float), if_vectors<float>,
                                              std::conditional_t<sizeof(T) == sizeof(double),
                                                                 if_vectors<double>, void>>>;
};
template <class T, class Arch>
using moved_as_t = typename moved_as<T, Arch>::type;

/// Registers of 64 bytes are transposed as halves: twice as fast on Zen 4, where they would go
/// through the shuffle unit in two passes, and lines of half the length fill a square.
template <class T, class Arch>
using transposing_arch_t =
    std::conditional_t<(sizeof(typename simd<T, Arch>::type) > 32), narrower_t<Arch>, Arch>;

/// Transposes a square of registers of a real type: element j of register i becomes element i of
/// register j.
template <class T, class Arch, class Registers = transposing_arch_t<T, Arch>>
class square {
public:
    using element = T;
    using simd_type = simd<T, Registers>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;

    /// Elements that one instruction can put anywhere in a register.
    static constexpr std::size_t part = 16 / sizeof(T);

    // Inlined always: a call would store all registers and load them again.
    [[gnu::always_inline]] static inline void transpose(reg (&rows)[lanes]) noexcept {
        // Inside parts of 16 bytes instructions interleave as they like it; whole parts move after.
#pragma GCC unroll 32
        for (std::size_t i = 0; i < lanes / part; ++i) {
            transpose_parts(rows + i * part);
        }
        exchange_parts<part>(rows);
    }

    /// Loads elements that lie side by side from the first count of lanes lines, zeros for the
    /// others, and transposes them: element j of line i becomes element i of rows[j]. Element is T
    /// or what moves as T.
    template <class Element>
    static void load_transposed(const Element* from, const std::int64_t* lines, std::size_t count,
                                reg (&rows)[lanes]) noexcept {
        static_assert(sizeof(Element) == sizeof(T));
#pragma GCC unroll 32
        for (std::size_t i = 0; i < lanes; ++i) {
            rows[i] = i < count ? simd_type::load(reinterpret_cast<const T*>(from + lines[i]))
                                : simd_type::zero();
        }
        transpose(rows);
    }

    /// Columns of rows in memory: lane i of register j is element j of row(i). Elements are read,
    /// and registers set, up to the multiple of part that holds columns. Faster than to load rows
    /// and transpose them, since parts come from memory to where they belong.
    template <class Row>
    static void load_columns(const Row& row, std::size_t columns, reg (&to)[lanes]) noexcept {
        for (std::size_t j = 0; j < lanes; j += part) {
            if (j >= columns) {
                break;
            }
            for (std::size_t i = 0; i < part; ++i) {
                to[j + i] = load_parts([&](std::size_t p) { return row(p * part + i) + j; });
            }
            transpose_parts(to + j);
        }
    }

    /// Transposes the squares in the parts of as many registers as a part has elements.
    static void transpose_parts(reg* rows) noexcept {
        if constexpr (part == 4) {
            const reg t0 = mix<interleave_low>(rows[0], rows[1]);
            const reg t1 = mix<interleave_high>(rows[0], rows[1]);
            const reg t2 = mix<interleave_low>(rows[2], rows[3]);
            const reg t3 = mix<interleave_high>(rows[2], rows[3]);
            rows[0] = mix<halves_low>(t0, t2);
            rows[1] = mix<halves_high>(t0, t2);
            rows[2] = mix<halves_low>(t1, t3);
            rows[3] = mix<halves_high>(t1, t3);
        } else {
            const reg low = mix<interleave_low>(rows[0], rows[1]);
            rows[1] = mix<interleave_high>(rows[0], rows[1]);
            rows[0] = low;
        }
    }

    /// Stores part p of a register.
    static void store_part(T* to, const reg& x, std::size_t p) noexcept {
        std::memcpy(to, reinterpret_cast<const T*>(&x.data) + p * part, 16);
    }

    /// Lane l from lane Order::at(l) of two registers laid end to end.
    template <class Order>
    [[nodiscard]] static reg mix(const reg& a, const reg& b) noexcept {
        return mix<Order>(a, b, std::make_index_sequence<lanes>());
    }

private:
    // A part in a register, and in memory, wherever it begins.
    typedef T piece __attribute__((vector_size(16)));
    typedef T placed_piece __attribute__((vector_size(16), aligned(alignof(T)), may_alias));

    /// A register whose part p comes from at(p).
    template <class At>
    [[nodiscard]] static reg load_parts(const At& at) noexcept {
        const auto load = [&](std::size_t p) {
            const piece loaded = *reinterpret_cast<const placed_piece*>(at(p));
            return loaded;
        };
        if constexpr (lanes == part) {
            return reg(load(0));
        } else {
            const auto low = join(load(0), load(1), std::make_index_sequence<2 * part>());
            if constexpr (lanes == 2 * part) {
                return reg(low);
            } else {
                const auto high = join(load(2), load(3), std::make_index_sequence<2 * part>());
                return reg(join(low, high, std::make_index_sequence<lanes>()));
            }
        }
    }
    template <class Piece, std::size_t... L>
    [[nodiscard]] static auto join(const Piece low, const Piece high,
                                   std::index_sequence<L...>) noexcept {
        return __builtin_shufflevector(low, high, L...);
    }

    // Which lane of two registers, laid end to end, goes to lane l.
    struct interleave_low {
        static constexpr std::size_t at(std::size_t l) {
            return l / part * part + l % part / 2 + l % 2 * lanes;
        }
    };
    struct interleave_high {
        static constexpr std::size_t at(std::size_t l) { return interleave_low::at(l) + part / 2; }
    };
    struct halves_low {
        static constexpr std::size_t at(std::size_t l) {
            return l / part * part + l % 2 + l % part / 2 * lanes;
        }
    };
    struct halves_high {
        static constexpr std::size_t at(std::size_t l) { return halves_low::at(l) + 2; }
    };
    template <std::size_t Span>
    struct parts_low {
        static constexpr std::size_t at(std::size_t l) {
            return (l & Span) == 0 ? l : l - Span + lanes;
        }
    };
    template <std::size_t Span>
    struct parts_high {
        static constexpr std::size_t at(std::size_t l) { return parts_low<Span>::at(l) + Span; }
    };

    template <std::size_t Span>
    static void exchange_parts(reg (&rows)[lanes]) noexcept {
        if constexpr (Span < lanes) {
#pragma GCC unroll 32
            for (std::size_t i = 0; i < lanes; ++i) {
                if ((i & Span) == 0) {
                    const reg low = mix<parts_low<Span>>(rows[i], rows[i + Span]);
                    rows[i + Span] = mix<parts_high<Span>>(rows[i], rows[i + Span]);
                    rows[i] = low;
                }
            }
            exchange_parts<2 * Span>(rows);
        }
    }

    template <class Order, std::size_t... L>
    [[nodiscard]] static reg mix(const reg& a, const reg& b, std::index_sequence<L...>) noexcept {
        return reg(__builtin_shufflevector(a.data, b.data, Order::at(L)...));
    }
};

}  // namespace xeinsum::kernel
