// Copies blocks of a matrix whose rows and columns lie anywhere into panels for the micro-kernel:
// the transposed lhs of "ki,kj->ij" is read through its strides and never written as a whole.
#pragma once

#include <xeinsum/kernel/lines.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/transpose.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Bytes behind the last panel that packing may overwrite.
inline constexpr std::size_t pack_slack = 64;

/// Packs panels of Width lines. Element (line, k) is from[across[line] + depth[k]]; a panel holds
/// Width elements for each k, zeros in the place of lines that are missing in the last one.
template <class T, class Arch, std::size_t Width>
class packer {
public:
    /// Packs across.count lines of depth.count elements each. Writes
    /// ceil(across.count / Width) * Width * depth.count elements and up to pack_slack bytes more.
    static void pack(const T* from, const line_offsets& across, const line_offsets& depth, T* to) {
        // Where lines lie side by side, a depth is one row of memory: a few rows at a time for all
        // panels, so that each is read as a stream and few pages are in use.
        const bool rows = across.count > Width && across.side_by_side(0, Width);
        const std::size_t step = rows ? rows_at_once : depth.count;
        for (std::size_t k = 0; k < depth.count; k += step) {
            const line_offsets part = depth.sub(k, std::min(step, depth.count - k));
            T* panel = to + k * Width;
            for (std::size_t begin = 0; begin < across.count; begin += Width) {
                const line_offsets lines = across.sub(begin, std::min(Width, across.count - begin));
                if (lines.count == Width && lines.side_by_side(0, Width)) {
                    copy_side_by_side(from + lines[0], part, panel);
                } else {
                    // With several parts, what follows a part is not always written after it.
                    pack_panel(from, lines, part, !rows, panel);
                }
                panel += Width * depth.count;
            }
        }
    }

private:
    using moved = moved_as_t<T, Arch>;
    static constexpr bool has_registers = !std::is_void_v<moved>;

    /// Lines that are packed together: those of a register, if there are registers.
    static constexpr std::size_t chunk = [] {
        if constexpr (has_registers) {
            return simd<moved, Arch>::lanes;
        } else {
            return Width;
        }
    }();
    static_assert(Width < chunk ? chunk * sizeof(T) <= pack_slack : true);

    static constexpr std::size_t rows_at_once = 16;

    /// may_spill: whether what lies behind the panel is written later.
    static void pack_panel(const T* from, const line_offsets& lines, const line_offsets& depth,
                           bool may_spill, T* to) {
        for (std::size_t c = 0; c < Width; c += chunk) {
            pack_chunk(from, lines, c, depth, may_spill, to + c);
        }
    }

    static void copy_side_by_side(const T* source, const line_offsets& depth, T* to) {
        for (std::size_t k = 0; k < depth.count; ++k) {
            for (std::size_t i = 0; i < Width; ++i) {
                to[k * Width + i] = source[depth[k] + static_cast<std::int64_t>(i)];
            }
        }
    }

    /// Lines c to c + chunk - 1 of a panel.
    static void pack_chunk(const T* from, const line_offsets& lines, std::size_t c,
                           const line_offsets& depth, bool may_spill, T* to) {
        const std::size_t width = std::min(chunk, Width - c);
        const std::size_t count = lines.count > c ? std::min(width, lines.count - c) : 0;
        std::size_t k = 0;
        while (k < depth.count) {
            if constexpr (has_registers) {
                if (count > 0 && k + chunk <= depth.count && depth.side_by_side(k, chunk)) {
                    turn(from + depth[k], lines.sub(c, count), width, may_spill, to + k * Width);
                    k += chunk;
                    continue;
                }
            }
            for (std::size_t i = 0; i < count; ++i) {
                to[k * Width + i] = from[lines[c + i] + depth[k]];
            }
            for (std::size_t i = count; i < width; ++i) {
                to[k * Width + i] = T(0);
            }
            ++k;
        }
    }

    /// A square: chunk elements of depth, side by side, of each line; width of them are stored.
    static void turn(const T* from, const line_offsets& lines, std::size_t width, bool may_spill,
                     T* to) {
        using square_type = square<moved, Arch>;
        using simd_type = typename square_type::simd_type;
        typename square_type::reg rows[chunk];
        for (std::size_t i = 0; i < chunk; ++i) {
            rows[i] = i < lines.count
                          ? simd_type::load(reinterpret_cast<const moved*>(from + lines[i]))
                          : simd_type::zero();
        }
        square_type::transpose(rows);
        // A panel narrower than a register is written in whole ones: what they spill into, the next
        // k or the next panel, is written after them.
        const bool whole = width == chunk || (Width < chunk && may_spill);
        for (std::size_t k = 0; k < chunk; ++k) {
            auto* line = reinterpret_cast<moved*>(to + k * Width);
            if (whole) {
                simd_type::store(line, rows[k]);
            } else {
                simd_type::store_part(line, rows[k], width);
            }
        }
    }
};

}  // namespace xeinsum::kernel
