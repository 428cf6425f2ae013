// The small rhs of "ij,kj->ik", which lies along its depth j, turned in the first-level cache so
// that its columns k lie side by side. One with gaps in both is copied.
#pragma once

#include <xeinsum/kernel/small_tile.hpp>
#include <xeinsum/kernel/transpose.hpp>
#include <xeinsum/kernel/unroll.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Bytes of the largest rhs that a small product turns.
inline constexpr std::size_t turned_bytes = std::size_t{32} << 10U;

/// Holds a turned rhs until another one is asked for.
template <class T, class Arch>
class turned_rhs {
public:
    /// s, with the strides of what turn() returns.
    [[nodiscard]] static small_shape shape_of(small_shape s) noexcept {
        s.rhs_column = 1;
        s.rhs_depth = s.columns;
        s.rhs_piece = s.columns * s.depth;
        return s;
    }

    /// The rhs of a product of shape s, of at most turned_bytes. It stands until the next call.
    [[nodiscard]] const T* turn(const small_shape& s, const T* rhs) {
        if (rhs != of_) {
            of_ = rhs;
            for (std::int64_t p = 0; p < s.pieces; ++p) {
                turn_piece(s, rhs + p * s.rhs_piece, rows_ + p * s.columns * s.depth);
            }
        }
        return rows_;
    }

private:
    using moved = moved_as_t<T, Arch>;

    static void turn_piece(const small_shape& s, const T* from, T* to) {
        if (s.rhs_depth == 1 && turn_squares<turning_arch_t<moved, Arch>>(s, from, to)) {
            return;
        }
        for (std::int64_t d = 0; d < s.depth; ++d) {
            for (std::int64_t c = 0; c < s.columns; ++c) {
                to[d * s.columns + c] = from[d * s.rhs_depth + c * s.rhs_column];
            }
        }
    }

    /// Turns in the widest registers of which a square fits; false where none does.
    template <class Suited>
    [[nodiscard]] static bool turn_squares(const small_shape& s, const T* from, T* to) {
        if constexpr (std::is_void_v<moved>) {
            return false;
        } else {
            using square_type = square<moved, Suited>;
            constexpr auto lanes = static_cast<std::int64_t>(square_type::lanes);
            if (s.depth < lanes || s.columns < lanes) {
                using narrow = narrower_t<Suited>;
                if constexpr (std::is_same_v<narrow, Suited>) {
                    return false;
                } else {
                    return turn_squares<narrow>(s, from, to);
                }
            }
            std::int64_t lines[square_type::lanes];
            for (std::int64_t i = 0; i < lanes; ++i) {
                lines[i] = i * s.rhs_column;
            }
            // The last squares lie over those before.
            for (std::int64_t c = 0; c < s.columns; c += lanes) {
                const std::int64_t column = std::min(c, s.columns - lanes);
                for (std::int64_t d = 0; d < s.depth; d += lanes) {
                    const std::int64_t deep = std::min(d, s.depth - lanes);
                    typename square_type::reg rows[square_type::lanes];
                    square_type::load_turned(from + column * s.rhs_column + deep, lines,
                                             square_type::lanes, rows);
                    T* const place = to + deep * s.columns + column;
                    unroll<square_type::lanes>([&](auto i) {
                        square_type::simd_type::store(
                            reinterpret_cast<moved*>(place + static_cast<std::int64_t>(i.value) *
                                                                 s.columns),
                            rows[i]);
                    });
                }
            }
            return true;
        }
    }

    const T* of_ = nullptr;
    alignas(64) T rows_[turned_bytes / sizeof(T)];
};

}  // namespace xeinsum::kernel
