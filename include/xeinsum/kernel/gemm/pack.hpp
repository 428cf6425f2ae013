// Copies blocks of a matrix whose rows and columns lie anywhere into panels for the micro-kernel:
// the transposed lhs of "ki,kj->ij" is read through its strides and never written as a whole.
#pragma once

#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/permute/transpose.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
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
    /// Of lines that are far away and lie apart, each panel prefetches those of the next.
    static void pack(const T* from, const line_offsets& across, const line_offsets& depth, T* to,
                     bool far = false) {
        if constexpr (has_registers && Width % chunk == 0) {
            if (across.period >= chunk && across.runs[0] == 1 && depth.runs[0] == 1) {
                pack_stacked_lines(from, across, depth, to);
                return;
            }
        }
        // Where lines lie side by side, a depth is one row of memory: a few rows at a time for all
        // panels, so that each is read as a stream and few pages are in use.
        const bool rows = across.count > Width && across.side_by_side(0, Width);
        const std::size_t step = rows ? rows_at_once : depth.count;
        for (std::size_t k = 0; k < depth.count; k += step) {
            const line_offsets part = depth.sub(k, std::min(step, depth.count - k));
            T* panel = to + k * Width;
            for (std::size_t begin = 0; begin < across.count; begin += Width) {
                const line_offsets lines = across.sub(begin, std::min(Width, across.count - begin));
                if (Width % chunk == 0 && lines.count == Width && lines.side_by_side(0, Width)) {
                    copy_side_by_side(from + lines[0], part, panel);
                } else {
                    // With several parts, what follows a part is not always written after it.
                    pack_panel(from, lines, part, !rows,
                               far ? across.count - begin - lines.count : 0, panel);
                }
                panel += Width * depth.count;
            }
        }
    }

private:
    using moved = moved_as_t<T, Arch>;
    static constexpr bool has_registers = !std::is_void_v<moved>;
    using square_type = square<std::conditional_t<has_registers, moved, float>, Arch>;
    using square_rows = typename square_type::reg[square_type::lanes];

    /// Lines that are packed together: those of a register, if there are registers.
    static constexpr std::size_t chunk = [] {
        if constexpr (has_registers) {
            return square_type::lanes;
        } else {
            return Width;
        }
    }();
    static_assert(Width % chunk == 0 || chunk * sizeof(T) <= pack_slack);

    static constexpr std::size_t rows_at_once = 16;

    /// may_spill: whether what lies behind the panel is written later. next: how many lines there
    /// are behind the panel's that are prefetched.
    static void pack_panel(const T* from, const line_offsets& lines, const line_offsets& depth,
                           bool may_spill, std::size_t next, T* to) {
        if constexpr (has_registers && Width % chunk == 0) {
            if (lines.count > 1 && lines.side_by_side(0, lines.count)) {
                copy_some(from + lines[0], lines.count, depth, to);
                return;
            }
        }
        if constexpr (has_registers) {
            const bool follow = lines.runs[0] > 1 || (lines.count > 1 && lines.runs[1] > 1);
            if (follow && depth.runs[0] == 1) {
                copy_stretches(from, lines, depth, to);
                return;
            }
        }
        // From the last one on, which may spill into the first of the next depth.
        for (std::size_t c = (Width - 1) / chunk * chunk;; c -= chunk) {
            pack_chunk(from, lines, c, depth, may_spill, next, to + c);
            if (c == 0) {
                return;
            }
        }
    }

    /// Registers one by one: left to itself, g++ 12 copies with AVX2 in a quarter of the speed.
    static void copy_side_by_side(const T* source, const line_offsets& depth, T* to) {
        for (std::size_t k = 0; k < depth.count; ++k) {
            const T* row = source + depth[k];
            T* line = to + k * Width;
            if constexpr (has_registers) {
                using simd_type = typename square_type::simd_type;
#pragma GCC unroll 32
                for (std::size_t v = 0; v < Width / chunk; ++v) {
                    const auto x = simd_type::load(reinterpret_cast<const moved*>(row) + v * chunk);
                    simd_type::store(reinterpret_cast<moved*>(line) + v * chunk, x);
                }
            } else {
                std::copy_n(row, Width, line);
            }
        }
    }

    /// The same for fewer lines than a panel has.
    static void copy_some(const T* source, std::size_t count, const line_offsets& depth, T* to) {
        using simd_type = typename square_type::simd_type;
        for (std::size_t k = 0; k < depth.count; ++k) {
            const auto* row = reinterpret_cast<const moved*>(source + depth[k]);
            auto* line = reinterpret_cast<moved*>(to + k * Width);
#pragma GCC unroll 32
            for (std::size_t v = 0; v < Width / chunk; ++v) {
                const std::size_t begin = v * chunk;
                const auto x = count >= begin + chunk ? simd_type::load(row + begin)
                               : count > begin ? simd_type::load_part(row + begin, count - begin)
                                               : simd_type::zero();
                simd_type::store(line + begin, x);
            }
        }
    }

    /// The same for lines of which some follow each other, one stretch of them after the other.
    static void copy_stretches(const T* from, const line_offsets& lines, const line_offsets& depth,
                               T* to) {
        for (std::size_t i = 0; i < lines.count;) {
            const std::size_t count =
                std::min(static_cast<std::size_t>(lines.runs[i]), lines.count - i);
            const T* const source = from + lines[i];
            if (count == Width) {
                copy_stretch(source, std::integral_constant<std::size_t, Width>(), depth, to);
            } else {
                copy_stretch(source, count, depth, to + i);
            }
            i += count;
        }
        for (std::size_t i = lines.count; i < Width; ++i) {
            for (std::size_t k = 0; k < depth.count; ++k) {
                to[k * Width + i] = T(0);
            }
        }
    }
    /// Registers that may overlap, or a part of one.
    template <class Count>
    static void copy_stretch(const T* source, Count count, const line_offsets& depth, T* to) {
        using simd_type = typename square_type::simd_type;
        for (std::size_t k = 0; k < depth.count; ++k) {
            const auto* row = reinterpret_cast<const moved*>(source + depth[k]);
            auto* line = reinterpret_cast<moved*>(to + k * Width);
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

    /// Lines c to c + chunk - 1 of a panel.
    static void pack_chunk(const T* from, const line_offsets& lines, std::size_t c,
                           const line_offsets& depth, bool may_spill, std::size_t next, T* to) {
        const std::size_t width = std::min(chunk, Width - c);
        const std::size_t count = lines.count > c ? std::min(width, lines.count - c) : 0;
        const std::size_t wanted = next > c ? std::min(count, next - c) : 0;
        if constexpr (Width % chunk == 0) {
            if (count == 0) {
                for (std::size_t k = 0; k < depth.count; ++k) {
                    std::fill_n(to + k * Width, chunk, T(0));
                }
                return;
            }
        }
        if constexpr (has_registers && Width % chunk == 0) {
            if (depth.period > 0 && depth.runs[0] == 1 && count > 0) {
                pack_stacked_depth(from, lines.sub(c, count), depth, wanted, to);
                return;
            }
        }
        std::size_t k = 0;
        while (k < depth.count) {
            if constexpr (has_registers) {
                if (count > 0 && k + chunk <= depth.count && depth.side_by_side(k, chunk)) {
                    transpose(from + depth[k], lines.sub(c, count), width, may_spill, wanted,
                              to + k * Width);
                    k += chunk;
                    continue;
                }
            }
            const std::size_t end = apart_until(depth, k);
            for (std::size_t i = 0; i < width; ++i) {
                T* const line = to + i;
                if (i < count) {
                    const T* const source = from + lines[c + i];
                    for (std::size_t p = k; p < end; ++p) {
                        line[p * Width] = source[depth[p]];
                    }
                } else {
                    for (std::size_t p = k; p < end; ++p) {
                        line[p * Width] = T(0);
                    }
                }
            }
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
    static void pack_stacked_lines(const T* from, const line_offsets& across,
                                   const line_offsets& depth, T* to) {
        const std::size_t period = across.period;
        const auto place = [&](std::size_t line) {
            return to + line / Width * Width * depth.count + line % Width;
        };
        const auto one_line = [&](std::size_t line) {
            T* column = place(line);
            for (std::size_t k = 0; k < depth.count; ++k) {
                column[k * Width] = from[across[line] + depth[k]];
            }
        };
        const std::size_t last = (across.count + Width - 1) / Width * Width;
        for (std::size_t line = across.count; line < last; ++line) {
            T* column = place(line);
            for (std::size_t k = 0; k < depth.count; ++k) {
                column[k * Width] = T(0);
            }
        }
        for (std::size_t begin = 0; begin < across.count;) {
            const std::size_t layers = layers_from(across, begin);
            const std::size_t stop = std::min(begin + period, across.count);
            std::size_t line = begin;
            for (; layers == chunk && line + chunk <= stop && all_stacked(across, line);
                 line += chunk) {
                const std::int64_t* lines = across.offsets + line;
                for (std::size_t k = 0; k < depth.count; ++k) {
                    square_rows rows;
                    square_type::load_transposed(from + depth[k], lines, chunk, rows);
#pragma GCC unroll 32
                    for (std::size_t j = 0; j < chunk; ++j) {
                        put_lines(line + j * period, rows[j], depth.count, k, to);
                    }
                }
            }
            for (; line < stop; ++line) {
                for (std::size_t j = 0; j < layers; ++j) {
                    one_line(line + j * period);
                }
            }
            begin += layers * period;
        }
    }

    /// Depths that lie side by side period apart, for at most chunk lines.
    static void pack_stacked_depth(const T* from, const line_offsets& lines,
                                   const line_offsets& depth, std::size_t wanted, T* to) {
        const std::size_t period = depth.period;
        for (std::size_t begin = 0; begin < depth.count;) {
            const std::size_t layers = layers_from(depth, begin);
            const std::size_t stop = std::min(begin + period, depth.count);
            for (std::size_t k = begin; k < stop; ++k) {
                if (layers == chunk && depth.stacked(k, chunk)) {
                    square_rows rows;
                    square_type::load_transposed(from + depth[k], lines.offsets, lines.count, rows);
                    prefetch_next_panel(from + depth[k], lines, wanted);
#pragma GCC unroll 32
                    for (std::size_t j = 0; j < chunk; ++j) {
                        square_type::simd_type::store(
                            reinterpret_cast<moved*>(to + (k + j * period) * Width), rows[j]);
                    }
                } else {
                    for (std::size_t j = 0; j < layers; ++j) {
                        one_depth(from, lines, depth, k + j * period, to);
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

    static void one_depth(const T* from, const line_offsets& lines, const line_offsets& depth,
                          std::size_t k, T* to) {
        for (std::size_t i = 0; i < chunk; ++i) {
            to[k * Width + i] = i < lines.count ? from[lines[i] + depth[k]] : T(0);
        }
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
    template <class Register>
    static void put_lines(std::size_t line, const Register& x, std::size_t depth, std::size_t k,
                          T* to) {
        const std::size_t within = line % Width;
        T* panel = to + line / Width * Width * depth + k * Width;
        if (within + chunk <= Width) {
            square_type::simd_type::store(reinterpret_cast<moved*>(panel + within), x);
            return;
        }
        std::array<T, chunk> lanes;
        square_type::simd_type::store(reinterpret_cast<moved*>(lanes.data()), x);
        std::copy_n(lanes.data(), Width - within, panel + within);
        std::copy(lanes.begin() + (Width - within), lanes.end(), panel + Width * depth);
    }

    /// Prefetches the same elements of so many lines of the next panel, behind the loads of these:
    /// lines may share sets of the caches. Always inlined: g++ 12 drops calls of functions that
    /// only prefetch.
    [[gnu::always_inline]] static void prefetch_next_panel(const T* from, const line_offsets& lines,
                                                           std::size_t wanted) {
        for (std::size_t i = 0; i < wanted; ++i) {
            prefetch_to_second_cache(from + lines.offsets[Width + i]);
        }
    }

    /// A square: chunk elements of depth, side by side, of each line; width of them are stored.
    static void transpose(const T* from, const line_offsets& lines, std::size_t width,
                          bool may_spill, std::size_t wanted, T* to) {
        using simd_type = typename square_type::simd_type;
        square_rows rows;
        square_type::load_transposed(from, lines.offsets, lines.count, rows);
        prefetch_next_panel(from, lines, wanted);
        // Registers wider than the rest of a panel are stored whole: what they spill into, the next
        // depth or the next panel, is written after them.
        const bool whole = width == chunk || may_spill;
#pragma GCC unroll 32
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
