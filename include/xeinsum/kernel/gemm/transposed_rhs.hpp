// The small rhs of "ij,kj->ik", which lies along its depth j, transposed in the first-level cache
// so that its columns k lie side by side. One with gaps in both is copied.
#pragma once

#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/small_tile.hpp>
#include <xeinsum/kernel/permute/line_square.hpp>
#include <xeinsum/kernel/permute/transpose.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Holds a transposed rhs until another one is prefetched.
template <class T, class Arch>
class transposed_rhs {
public:
    /// s, with the strides of what transpose() returns.
    [[nodiscard]] static small_shape shape_of(small_shape s) noexcept {
        s.rhs_column = 1;
        s.rhs_depth = s.columns;
        s.rhs_piece = s.columns * s.depth;
        return s;
    }

    /// The rhs of a product of shape s, of at most transposed_bytes. It stands until the next call.
    [[nodiscard]] const T* transpose(const small_shape& s, const T* rhs) {
        if (rhs != of_ || s.columns != columns_) {
            of_ = rhs;
            columns_ = s.columns;
            for (std::int64_t p = 0; p < s.pieces; ++p) {
                transpose_piece(s, rhs + p * s.rhs_piece, rows_ + p * s.columns * s.depth);
            }
        }
        return rows_;
    }

private:
    using moved = moved_as_t<T, Arch>;

    static void transpose_piece(const small_shape& s, const T* from, T* to) {
        if (s.rhs_depth == 1 && transpose_squares<Arch>(s, from, to)) {
            return;
        }
#pragma GCC unroll 1
        for (std::int64_t d = 0; d < s.depth; ++d) {
#pragma GCC unroll 1
            for (std::int64_t c = 0; c < s.columns; ++c) {
                to[d * s.columns + c] = from[d * s.rhs_depth + c * s.rhs_column];
            }
        }
    }

    /// Transposes in the widest registers of which a square fits; false where none does.
    template <class Suited>
    [[nodiscard]] static bool transpose_squares(const small_shape& s, const T* from, T* to) {
        if constexpr (std::is_void_v<moved>) {
            return false;
        } else {
            constexpr auto lanes = static_cast<std::int64_t>(simd<moved, Suited>::lanes);
            // Squares of whole lines where none lies over another.
            const bool cut = has_line_registers<moved, Suited> &&
                             (s.depth % lanes != 0 || s.columns % lanes != 0);
            if (cut || s.depth < lanes || s.columns < lanes) {
                using narrow = narrower_t<Suited>;
                if constexpr (std::is_same_v<narrow, Suited>) {
                    return false;
                } else {
                    return transpose_squares<narrow>(s, from, to);
                }
            }
            // The last squares lie over those before.
            for (std::int64_t c = 0; c < s.columns; c += lanes) {
                const std::int64_t column = std::min(c, s.columns - lanes);
                for (std::int64_t d = 0; d < s.depth; d += lanes) {
                    const std::int64_t deep = std::min(d, s.depth - lanes);
                    transpose_square<Suited>(
                        reinterpret_cast<const moved*>(from + column * s.rhs_column + deep),
                        s.rhs_column, reinterpret_cast<moved*>(to + deep * s.columns + column),
                        s.columns);
                }
            }
            return true;
        }
    }

    /// Of lines so far apart on both sides. A function of its own: in a loop g++ 12 keeps all
    /// addresses on the stack, which takes 1.6 times as long.
    template <class Suited, class Moved>
    [[gnu::noinline]] static void transpose_square(const Moved* from, std::int64_t from_line,
                                                   Moved* to, std::int64_t to_line) {
        using simd_type = simd<Moved, Suited>;
        const auto line = [&](std::size_t i) {
            return from + static_cast<std::int64_t>(i) * from_line;
        };
        typename simd_type::type lines[simd_type::lanes];
        if constexpr (has_line_registers<Moved, Suited>) {
            line_square<Moved, Suited>::transpose(line, lines);
        } else {
#pragma GCC unroll 32
            for (std::size_t i = 0; i < simd_type::lanes; ++i) {
                lines[i] = simd_type::load(line(i));
            }
            square<Moved, Suited>::transpose(lines);
        }
#pragma GCC unroll 32
        for (std::size_t i = 0; i < simd_type::lanes; ++i) {
            simd_type::store(to + static_cast<std::int64_t>(i) * to_line, lines[i]);
        }
    }

    const T* of_ = nullptr;
    std::int64_t columns_ = 0;
    alignas(64) T rows_[transposed_bytes / sizeof(T)];
};

}  // namespace xeinsum::kernel
