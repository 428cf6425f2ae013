// Copies blocks of a matrix whose rows and columns lie anywhere into panels for the micro-kernel:
// the transposed lhs of "ki,kj->ij" is read through its strides and never written as a whole.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/permute/transpose.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Packs panels of width lines. Element (line, k) is from[across[line] + depth[k]]; a panel holds
/// width elements for each k, zeros in the place of lines that are missing in the last one. One for
/// panels of every width: the squares that are transposed are the same.
template <class T, class Arch>
class packer {
public:
    static constexpr bool has_registers = !std::is_void_v<moved_as_t<T, Arch>>;
    using element = std::conditional_t<has_registers, moved_as_t<T, Arch>, float>;
    /// Lines that are packed together: those of a register.
    static constexpr std::size_t chunk = square<element, Arch>::lanes;

    /// Writes a square: chunk elements, side by side, of each of at most so many lines, to rows
    /// that are pitch elements apart; zeros for missing lines.
    static void put_square(const T* from, const line_offsets& lines, T* to, std::size_t pitch) {
        transpose(from, lines, moving(to), pitch);
    }

    /// A width that is no multiple of a register leaves less than pack_slack bytes to it.
    explicit packer(std::size_t width) : width_(width) {}

    /// Packs across.count lines of depth.count elements each. Writes
    /// ceil(across.count / width) * width * depth.count elements and up to pack_slack bytes more.
    /// Of lines that are in main memory and lie apart, each panel prefetches those of the next.
    void pack(const T* from, const line_offsets& across, const line_offsets& depth, T* to,
              bool prefetches = false) const {
        if constexpr (has_registers) {
            if (is_whole() && across.period >= chunk && across.runs[0] == 1 && depth.runs[0] == 1) {
                pack_stacked_lines(from, across, depth, to);
                return;
            }
        }
        // Where lines lie side by side, a depth is one row of memory: a few rows at a time for all
        // panels, so that each is read as a stream and few pages are in use.
        const bool rows = across.count > width_ && across.side_by_side(0, width_);
        const std::size_t step = rows ? rows_at_once : depth.count;
        for (std::size_t k = 0; k < depth.count; k += step) {
            const line_offsets part = depth.sub(k, std::min(step, depth.count - k));
            T* panel = to + k * width_;
            for (std::size_t begin = 0; begin < across.count; begin += width_) {
                const line_offsets lines =
                    across.sub(begin, std::min(width_, across.count - begin));
                if (is_whole() && lines.count == width_ && lines.side_by_side(0, width_)) {
                    copy_side_by_side(from + lines[0], part, panel);
                } else {
                    // With several parts, what follows a part is not always written after it.
                    pack_panel(from, lines, part, !rows,
                               prefetches ? across.count - begin - lines.count : 0, panel);
                }
                panel += width_ * depth.count;
            }
        }
    }

private:
    using square_type = square<element, Arch>;
    using simd_type = typename square_type::simd_type;

    static constexpr std::size_t rows_at_once = 16;

    /// Whether panels are whole registers, if there are registers.
    [[nodiscard]] bool is_whole() const { return !has_registers || width_ % chunk == 0; }

    static const element* moving(const T* from) { return reinterpret_cast<const element*>(from); }
    static element* moving(T* to) { return reinterpret_cast<element*>(to); }

    /// may_spill: whether what lies behind the panel is written later. next: how many lines there
    /// are behind the panel's that are prefetched.
    void pack_panel(const T* from, const line_offsets& lines, const line_offsets& depth,
                    bool may_spill, std::size_t next, T* to) const {
        if constexpr (has_registers) {
            if (is_whole() && lines.count > 1 && lines.side_by_side(0, lines.count)) {
                copy_some(from + lines[0], lines.count, depth, to);
                return;
            }
            const bool follow = lines.runs[0] > 1 || (lines.count > 1 && lines.runs[1] > 1);
            if (follow && depth.runs[0] == 1) {
                copy_stretches(from, lines, depth, to);
                return;
            }
        }
        // From the last one on, which may spill into the first of the next depth.
        for (std::size_t c = (width_ - 1) / chunk * chunk;; c -= chunk) {
            pack_chunk(from, lines, c, depth, may_spill, next, to + c);
            if (c == 0) {
                return;
            }
        }
    }

    /// As many registers of each row. One by one: left to itself, g++ 12 copies with AVX2 in a
    /// quarter of the speed.
    template <std::size_t N>
    void copy_registers(const T* source, const line_offsets& depth, T* to) const {
        const std::size_t pitch = width_;  // what is stored might lie over it
        for (std::size_t k = 0; k < depth.count; ++k, to += pitch) {
            const T* const row = source + depth[k];
#pragma GCC unroll 32
            for (std::size_t v = 0; v < N; ++v) {
                simd_type::store(moving(to) + v * chunk, simd_type::load(moving(row) + v * chunk));
            }
        }
    }
    void copy_side_by_side(const T* source, const line_offsets& depth, T* to) const {
        if constexpr (has_registers) {
            switch (width_ / chunk) {
                case 2: copy_registers<2>(source, depth, to); return;
                case 4: copy_registers<4>(source, depth, to); return;
                default: copy_stretch(source, width_, depth, to); return;
            }
        } else {
            for (std::size_t k = 0; k < depth.count; ++k) {
                std::copy_n(source + depth[k], width_, to + k * width_);
            }
        }
    }

    /// The same for fewer lines than a panel has.
    void copy_some(const T* source, std::size_t count, const line_offsets& depth, T* to) const {
        const std::size_t pitch = width_;  // what is stored might lie over it
        for (std::size_t k = 0; k < depth.count; ++k) {
            const element* const row = moving(source + depth[k]);
            element* const line = moving(to + k * pitch);
            for (std::size_t begin = 0; begin < pitch; begin += chunk) {
                const auto x = count >= begin + chunk ? simd_type::load(row + begin)
                               : count > begin ? simd_type::load_part(row + begin, count - begin)
                                               : simd_type::zero();
                simd_type::store(line + begin, x);
            }
        }
    }

    /// The same for lines of which some follow each other, one stretch of them after the other.
    void copy_stretches(const T* from, const line_offsets& lines, const line_offsets& depth,
                        T* to) const {
        for (std::size_t i = 0; i < lines.count;) {
            const std::size_t count =
                std::min(static_cast<std::size_t>(lines.runs[i]), lines.count - i);
            if (count == lines.count && width_ < chunk) {
                copy_part(from + lines[i], count, depth, to);
                return;
            }
            if (count == width_ && is_whole()) {
                copy_side_by_side(from + lines[i], depth, to);
            } else {
                copy_stretch(from + lines[i], count, depth, to + i);
            }
            i += count;
        }
        clear_lines(lines.count, width_, depth.count, to);
    }
    /// A panel that is a part of a register, and has so many lines. What a whole one spills into is
    /// written after it, but behind the last depths.
    void copy_part(const T* source, std::size_t count, const line_offsets& depth, T* to) const {
        const std::size_t pitch = width_;  // what is stored might lie over it
        for (std::size_t k = 0; k < depth.count; ++k, to += pitch) {
            const auto x = simd_type::load_part(moving(source + depth[k]), count);
            if ((depth.count - k) * pitch >= chunk) {
                simd_type::store(moving(to), x);
            } else {
                simd_type::store_part(moving(to), x, pitch);
            }
        }
    }
    /// Registers that may overlap, or a part of one.
    void copy_stretch(const T* source, std::size_t count, const line_offsets& depth, T* to) const {
        const std::size_t pitch = width_;  // what is stored might lie over it
        for (std::size_t k = 0; k < depth.count; ++k) {
            const element* const row = moving(source + depth[k]);
            element* const line = moving(to + k * pitch);
            for (std::size_t begin = 0; begin + chunk <= count; begin += chunk) {
                simd_type::store(line + begin, simd_type::load(row + begin));
            }
            if (count < chunk) {
                simd_type::store_part(line, simd_type::load_part(row, count), count);
            } else if (count % chunk != 0) {
                simd_type::store(line + (count - chunk), simd_type::load(row + (count - chunk)));
            }
        }
    }

    /// Zeros for lines that are missing, depth by depth: line by line, each element would be a
    /// store of its own.
    void clear_lines(std::size_t begin, std::size_t end, std::size_t depth, T* to) const {
        const std::size_t pitch = width_;  // what is stored might lie over it
        if constexpr (has_registers) {
            for (; begin + chunk <= end; begin += chunk) {
                element* line = moving(to + begin);
#pragma GCC unroll 1
                for (std::size_t k = 0; k < depth; ++k, line += pitch) {
                    simd_type::store(line, simd_type::zero());
                }
            }
            if (begin < end) {
                element* line = moving(to + begin);
#pragma GCC unroll 1
                for (std::size_t k = 0; k < depth; ++k, line += pitch) {
                    simd_type::store_part(line, simd_type::zero(), end - begin);
                }
            }
        } else {
            for (std::size_t k = 0; k < depth; ++k, to += pitch) {
                std::fill(to + begin, to + end, T(0));
            }
        }
    }

    /// Lines c to c + chunk - 1 of a panel.
    void pack_chunk(const T* from, const line_offsets& lines, std::size_t c,
                    const line_offsets& depth, bool may_spill, std::size_t next, T* to) const {
        const std::size_t width = std::min(chunk, width_ - c);
        const std::size_t count = lines.count > c ? std::min(width, lines.count - c) : 0;
        const std::size_t wanted = next > c ? std::min(count, next - c) : 0;
        if (count == 0) {
            clear_lines(0, width, depth.count, to);
            return;
        }
        const line_offsets these = lines.sub(c, count);
        if constexpr (has_registers) {
            if (is_whole() && depth.period > 0 && depth.runs[0] == 1) {
                pack_stacked_depth(from, these, depth, wanted, to);
                return;
            }
        }
        for (std::size_t k = 0; k < depth.count;) {
            if constexpr (has_registers) {
                if (k + chunk <= depth.count && depth.side_by_side(k, chunk)) {
                    // Registers wider than the rest of a panel are stored whole: what they spill
                    // into, the next depth or the next panel, is written after them.
                    if (width == chunk || may_spill) {
                        transpose(from + depth[k], these, moving(to + k * width_), width_);
                    } else {
                        element rows[chunk * chunk];
                        transpose(from + depth[k], these, rows, chunk);
                        for (std::size_t p = 0; p < chunk; ++p) {
                            std::copy_n(rows + p * chunk, width, moving(to + (k + p) * width_));
                        }
                    }
                    prefetch_next_panel(from + depth[k], these, wanted);
                    k += chunk;
                    continue;
                }
            }
            const std::size_t end = apart_until(depth, k);
            const std::size_t pitch = width_;
            T* const first = to + k * pitch;
            for (std::size_t i = 0; i < count; ++i) {
                T* line = first + i;
                const T* const source = from + these[i];
#pragma GCC unroll 4
                for (std::size_t p = k; p < end; ++p, line += pitch) {
                    *line = source[depth[p]];
                }
            }
            clear_lines(count, width, end - k, first);
            k = end;
        }
    }

    /// The end of some depths from k on that are moved one by one, line by line: so few that what
    /// neighbouring lines read stays in the first-level cache.
    [[nodiscard]] static std::size_t apart_until(const line_offsets& depth, std::size_t k) {
        constexpr std::size_t most = 32;
        const std::size_t last = std::min(k + most, depth.count);
        for (++k; k < last && (k + chunk > depth.count || !depth.side_by_side(k, chunk)); ++k) {
        }
        return k;
    }

    /// Lines that lie side by side period apart, as the columns a b of "akb,ck->cba" in b: squares
    /// of chunk lines one behind the other and chunk lines period apart are transposed.
    void pack_stacked_lines(const T* from, const line_offsets& across, const line_offsets& depth,
                            T* to) const {
        const std::size_t period = across.period;
        const auto place = [&](std::size_t line) {
            return to + line / width_ * width_ * depth.count + line % width_;
        };
        const std::size_t missing = width_ - 1 - (across.count - 1) % width_;
        clear_lines(0, missing, depth.count, place(across.count));
        for (std::size_t begin = 0; begin < across.count;) {
            const std::size_t layers = layers_from(across, begin);
            const std::size_t stop = std::min(begin + period, across.count);
            std::size_t line = begin;
            for (; layers == chunk && line + chunk <= stop && all_stacked(across, line);
                 line += chunk) {
                for (std::size_t k = 0; k < depth.count; ++k) {
                    element rows[chunk * chunk];
                    transpose(from + depth[k], across.sub(line, chunk), rows, chunk);
                    for (std::size_t j = 0; j < chunk; ++j) {
                        put_lines(line + j * period, rows + j * chunk, depth.count, k, to);
                    }
                }
            }
            for (; line < stop; ++line) {
                for (std::size_t j = 0; j < layers; ++j) {
                    const std::size_t one = line + j * period;
                    T* const column = place(one);
#pragma GCC unroll 1
                    for (std::size_t k = 0; k < depth.count; ++k) {
                        column[k * width_] = from[across[one] + depth[k]];
                    }
                }
            }
            begin += layers * period;
        }
    }

    /// Depths that lie side by side period apart, for at most chunk lines.
    void pack_stacked_depth(const T* from, const line_offsets& lines, const line_offsets& depth,
                            std::size_t wanted, T* to) const {
        const std::size_t period = depth.period;
        for (std::size_t begin = 0; begin < depth.count;) {
            const std::size_t layers = layers_from(depth, begin);
            const std::size_t stop = std::min(begin + period, depth.count);
            for (std::size_t k = begin; k < stop; ++k) {
                if (layers == chunk && depth.stacked(k, chunk)) {
                    transpose(from + depth[k], lines, moving(to + k * width_), period * width_);
                    prefetch_next_panel(from + depth[k], lines, wanted);
                    continue;
                }
                for (std::size_t j = 0; j < layers; ++j) {
                    T* const line = to + (k + j * period) * width_;
                    for (std::size_t i = 0; i < chunk; ++i) {
                        line[i] = i < lines.count ? from[lines[i] + depth[k + j * period]] : T(0);
                    }
                }
            }
            begin += layers * period;
        }
    }

    /// How many periods from begin on are packed together: chunk where that many lie side by side.
    [[nodiscard]] static std::size_t layers_from(const line_offsets& over,
                                                 std::size_t begin) noexcept {
        const bool whole = begin + chunk * over.period <= over.count;
        return whole && over.stacked(begin, chunk) ? chunk : 1;
    }

    /// Whether chunk lines from begin on are all followed by chunk - 1 others, period apart.
    [[nodiscard]] static bool all_stacked(const line_offsets& lines, std::size_t begin) noexcept {
        for (std::size_t i = 0; i < chunk; ++i) {
            if (!lines.stacked(begin + i, chunk)) {
                return false;
            }
        }
        return true;
    }

    /// Puts depth k of chunk lines from line on, which may be in two panels.
    void put_lines(std::size_t line, const element* from, std::size_t depth, std::size_t k,
                   T* to) const {
        const std::size_t within = line % width_;
        T* const panel = to + line / width_ * width_ * depth + k * width_;
        if (within + chunk <= width_) {
            simd_type::store(moving(panel + within), simd_type::load(from));
            return;
        }
        const std::size_t here = width_ - within;
        std::copy_n(from, here, moving(panel + within));
        std::copy_n(from + here, chunk - here, moving(panel + width_ * depth));
    }

    /// Prefetches the same elements of so many lines of the next panel, behind the loads of these:
    /// lines may share sets of the caches. Always inlined: g++ 12 drops calls of functions that
    /// only prefetch.
    [[gnu::always_inline]] void prefetch_next_panel(const T* from, const line_offsets& lines,
                                                    std::size_t wanted) const {
        for (std::size_t i = 0; i < wanted; ++i) {
            prefetch_to_second_cache(from + lines.offsets[width_ + i]);
        }
    }

    /// One function for all that transposes.
    [[gnu::noinline]] static void transpose(const T* from, const line_offsets& lines, element* to,
                                            std::size_t pitch) {
        typename square_type::reg rows[chunk];
        square_type::load_transposed(from, lines.offsets, lines.count, rows);
#pragma GCC unroll 32
        for (std::size_t k = 0; k < chunk; ++k) {
            simd_type::store(to + k * pitch, rows[k]);
        }
    }

    std::size_t width_;
};

}  // namespace xeinsum::kernel
