// A few lines between arrays of structures and structures of arrays: the three colours of
// "nhwc->nchw" come apart, those of "nchw->nhwc" come together, in registers.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/transpose.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>

namespace xeinsum::kernel {

/// T is a real type whose registers move the elements.
template <class T, class Arch>
class narrow {
public:
    /// Fewer lines than this are narrow.
    static constexpr std::size_t lanes = square<T, Arch>::lanes;

    /// out[c * count + r] = rows[r][c], for c from 0 on; returns how many c are done. Others would
    /// not fill registers. count < lanes; nothing beyond columns is read or written.
    [[nodiscard]] static std::size_t interleave(const T* const* rows, std::size_t count,
                                                std::size_t columns, T* out) noexcept {
        return count <= part ? interleave_lines<part>(rows, count, columns, out)
                             : interleave_lines<lanes>(rows, count, columns, out);
    }

    /// out[c][r] = in[r * count + c], for r from 0 on; returns how many r are done. count < lanes;
    /// nothing beyond rows is read or written.
    [[nodiscard]] static std::size_t deinterleave(const T* in, std::size_t count, std::size_t rows,
                                                  T* const* out) noexcept {
        // Squares read on into the next rows.
        const std::size_t read = round_up(count, part);
        const std::size_t margin = lanes + (read - 1) / count;
        std::size_t r = 0;
        for (; r + margin <= rows; r += lanes) {
            const T* const begin = in + r * count;
            reg lines[lanes];
            square<T, Arch>::load_columns([&](std::size_t i) { return begin + i * count; }, count,
                                          lines);
            for (std::size_t c = 0; c < lanes; ++c) {
                if (c < count) {
                    simd_type::store(out[c] + r, lines[c]);
                }
            }
        }
        return r;
    }

private:
    using simd_type = typename square<T, Arch>::simd_type;
    using reg = typename square<T, Arch>::reg;
    static constexpr std::size_t part = square<T, Arch>::part;

    /// In parts, or in whole squares; what a store has beyond the count rows of a column, the next
    /// column writes over.
    template <std::size_t Lines>
    static std::size_t interleave_lines(const T* const* rows, std::size_t count,
                                        std::size_t columns, T* out) noexcept {
        const T* line[Lines];
        for (std::size_t i = 0; i < Lines; ++i) {
            line[i] = rows[std::min(i, count - 1)];
        }
        const std::size_t margin = lanes + (Lines - 1) / count;
        std::size_t c = 0;
        for (; c + margin <= columns; c += lanes) {
            reg lines[Lines];
            for (std::size_t i = 0; i < Lines; ++i) {
                lines[i] = simd_type::load(line[i] + c);
            }
            T* to = out + c * count;
            if constexpr (Lines == part) {
                square<T, Arch>::transpose_parts(lines);
                for (std::size_t p = 0; p < lanes / part; ++p) {
                    for (std::size_t i = 0; i < part; ++i, to += count) {
                        square<T, Arch>::store_part(to, lines[i], p);
                    }
                }
            } else {
                square<T, Arch>::transpose(lines);
                for (std::size_t i = 0; i < lanes; ++i, to += count) {
                    simd_type::store(to, lines[i]);
                }
            }
        }
        return c;
    }
};

}  // namespace xeinsum::kernel
