// A square of whole cache lines transposed in registers of 64 bytes: for "ij->ji" 16 lines of in,
// of 16 floats each, become 16 lines of out, which are written at once.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/transpose.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <cstddef>
#include <type_traits>

namespace xeinsum::kernel {

/// Whether a register holds a line.
template <class T, class Arch>
inline constexpr bool has_line_registers = sizeof(typename simd<T, Arch>::type) == line_bytes;

/// Whether elements of T move in such registers.
template <class T, class Arch>
inline constexpr bool moves_in_lines = [] {
    using moved = moved_as_t<T, Arch>;
    if constexpr (std::is_void_v<moved>) {
        return false;
    } else {
        return has_line_registers<moved, Arch>;
    }
}();

/// T is a real type with such registers.
template <class T, class Arch>
class line_square {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;

    /// Lines, and elements of each.
    static constexpr std::size_t side = simd_type::lanes;

    /// Element j of the line at row(i) becomes element i of lines[j]. All lines are read first,
    /// each at once: those that come from the second cache are waited for together.
    template <class Row>
    [[gnu::always_inline]] static void transpose(const Row& row, reg (&lines)[side]) noexcept {
#pragma GCC unroll 32
        for (std::size_t i = 0; i < side; ++i) {
            lines[i] = simd_type::load(row(i));
        }
#pragma GCC unroll 32
        for (std::size_t p = 0; p < side / part; ++p) {
            square_type::transpose_parts(lines + p * part);
        }
#pragma GCC unroll 32
        for (std::size_t q = 0; q < part; ++q) {
#pragma GCC unroll 32
            for (std::size_t h = 0; h < 2; ++h) {
                exchange(lines[q + 2 * h * part], lines[q + (2 * h + 1) * part]);
            }
#pragma GCC unroll 32
            for (std::size_t h = 0; h < 2; ++h) {
                exchange(lines[q + h * part], lines[q + (h + 2) * part]);
            }
        }
    }

private:
    using square_type = square<T, Arch, Arch>;
    static constexpr std::size_t part = square_type::part;

    /// a takes the even parts of both, b the odd ones.
    static void exchange(reg& a, reg& b) noexcept {
        const reg even = square_type::template mix<even_parts>(a, b);
        b = square_type::template mix<odd_parts>(a, b);
        a = even;
    }

    // Which lane of two registers, laid end to end, goes to lane l.
    struct even_parts {
        static constexpr std::size_t at(std::size_t l) { return l / part * 2 * part + l % part; }
    };
    struct odd_parts {
        static constexpr std::size_t at(std::size_t l) { return even_parts::at(l) + part; }
    };
};

}  // namespace xeinsum::kernel
