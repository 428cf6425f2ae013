// Copies blocks of a matrix whose rows and columns lie anywhere into panels for the micro-kernel:
// the transposed lhs of "ki,kj->ij" is read through its strides and never written as a whole.
#pragma once

#include <xeinsum/kernel/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Element offsets of consecutive rows or columns, and their common step if they have one.
struct line_offsets {
    const std::int64_t* offsets = nullptr;
    std::size_t count = 0;

    [[nodiscard]] std::int64_t operator[](std::size_t i) const noexcept { return offsets[i]; }
    [[nodiscard]] line_offsets sub(std::size_t begin, std::size_t length) const noexcept {
        return {offsets + begin, length};
    }
    /// Whether each element lies directly behind the one before it.
    [[nodiscard]] bool side_by_side() const noexcept {
        for (std::size_t i = 1; i < count; ++i) {
            if (offsets[i] != offsets[i - 1] + 1) {
                return false;
            }
        }
        return true;
    }
};

/// Packs across.count lines, in panels of Width, of depth.count elements each: element (line, k) is
/// from[across[line] + depth[k]]. A panel holds Width elements for each k; lines that are missing
/// in the last panel are zeros. Writes ceil(across.count / Width) * Width * depth.count elements.
template <class T, std::size_t Width>
void pack(const T* from, const line_offsets& across, const line_offsets& depth, T* to) {
    for (std::size_t begin = 0; begin < across.count; begin += Width) {
        const line_offsets lines = across.sub(begin, std::min(Width, across.count - begin));
        if (lines.count == Width && lines.side_by_side()) {
            const T* source = from + lines[0];
            for (std::size_t k = 0; k < depth.count; ++k) {
                for (std::size_t i = 0; i < Width; ++i) {
                    to[k * Width + i] = source[depth[k] + static_cast<std::int64_t>(i)];
                }
            }
        } else {
            for (std::size_t i = 0; i < lines.count; ++i) {
                const T* source = from + lines[i];
                for (std::size_t k = 0; k < depth.count; ++k) {
                    to[k * Width + i] = source[depth[k]];
                }
            }
            for (std::size_t i = lines.count; i < Width; ++i) {
                for (std::size_t k = 0; k < depth.count; ++k) {
                    to[k * Width + i] = T(0);
                }
            }
        }
        to += Width * depth.count;
    }
}

}  // namespace xeinsum::kernel
