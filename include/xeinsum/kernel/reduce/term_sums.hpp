// Sums of terms in registers: for "acd,c->ad" with 12 c and 20 d every row of results is three
// registers of eight floats that twelve terms are added to.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/reduce/output_line.hpp>
#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/reduce/term_blocks.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Rows, registers of their lines and terms of the sums, begin and end.
struct sums_block {
    std::int64_t row;
    std::int64_t row_end;
    std::int64_t begin;
    std::int64_t end;
    std::int64_t term;
    std::int64_t term_end;
};

/// Where sums go: to lines of results that are so many elements apart, not scaled; or, where there
/// is a panel, to its registers, which they begin with or are added to.
template <class T, class Reg>
struct sums_target {
    T* out;
    std::int64_t apart;
    Reg* panel;
    bool first;
};

/// What is prefetched with terms: what is so many terms ahead, or nothing for 0; and of lines that
/// are shorter than a register what lies behind them.
struct terms_prefetch {
    std::int64_t ahead = 0;
    bool behind = false;
};

/// How many registers of a line are summed at once.
struct summed_at_once {
    std::int64_t group;  ///< of a long line
    std::int64_t most;   ///< of a short one, which is summed whole

    /// As many as a short line has, or some more, of which the last ones are the same.
    [[nodiscard]] constexpr std::int64_t whole(std::int64_t registers) const noexcept {
        const std::int64_t wide = registers < group        ? registers
                                  : registers <= group     ? group
                                  : registers <= 2 * group ? 2 * group
                                  : registers <= 4 * group ? 4 * group
                                                           : most;
        return std::min(wide, most);
    }
    /// The registers that a line, or a part of one, has in a panel.
    [[nodiscard]] constexpr std::int64_t pitch(std::int64_t registers) const noexcept {
        return registers <= most ? whole(registers) : (registers + group - 1) / group * group;
    }
};

/// Adds blocks of terms, one block after the other, to sums that wait in a panel, or that are
/// results then. All registers of a short line are summed at once, of a long one a group:
///
///     short lines     for each row
///                         sums = what the panel has, or nothing
///                         for each block of terms:    part = sum of its terms;  sums += part
///                         panel or results = sums
///     long lines      for each block of terms, each row, each group of registers
///                         part = sum of the terms;  panel = part, or panel += part
///
/// Inputs are read at whole registers only: where they do not fill the last group, or the line,
/// they start where they still end inside.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class term_sums {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using target = sums_target<T, reg>;
    /// Terms of a block, at most.
    static constexpr std::int64_t block = most_streams(Units);
    /// A quarter of the registers is for what is summed. Long lines of three inputs are rare: no
    /// kernels of their own.
    static constexpr summed_at_once at_once = [] {
        constexpr std::int64_t group = 4;
        constexpr std::size_t parts = is_complex_v<T> ? 2 : 1;
        constexpr auto most =
            static_cast<std::int64_t>(register_count<Arch> * 3 / 4 / parts) / group * group;
        return summed_at_once{group, Units + Fixed > 2 ? std::min(most, 3 * group) : most};
    }();

    /// Adds terms to the panel, rows x pitch of the block, or puts sums to lines. There are terms
    /// where sums begin.
    static void add(const cursors<T>& inputs, const output_line<T, Arch>& line, const sums_block& b,
                    const target& to, const terms_prefetch& prefetch) {
        const std::int64_t registers = b.end - b.begin;
        switch (line.whole() == 0 ? 0 : registers) {
            case 0: return sum_rows<1, true>(inputs, line, b, to, prefetch);
            case 1: return sum_rows<1, false>(inputs, line, b, to, prefetch);
            case 2: return sum_rows<2, false>(inputs, line, b, to, prefetch);
            case 3: return sum_rows<3, false>(inputs, line, b, to, prefetch);
            default: break;
        }
        if (registers > at_once.most) {
            add_to_long_lines(inputs, line, b, to, prefetch.ahead);
            return;
        }
        const std::int64_t wide = at_once.whole(registers);
        if (wide == group) {
            sum_rows<group, false>(inputs, line, b, to, prefetch);
        } else if (wide == at_once.whole(2 * group)) {
            sum_rows<at_once.whole(2 * group), false>(inputs, line, b, to, prefetch);
        } else if (wide == at_once.whole(4 * group)) {
            sum_rows<at_once.whole(4 * group), false>(inputs, line, b, to, prefetch);
        } else {
            sum_rows<at_once.most, false>(inputs, line, b, to, prefetch);
        }
    }

private:
    using factors = product<T, Arch, Units, Fixed>;
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
    static constexpr std::int64_t group = at_once.group;

    /// part = the sum of a block of terms, behind which g then is; start(r) is where register r is
    /// read.
    template <std::size_t Wide, class Start>
    [[gnu::always_inline]] static void sum_block(factors& g, std::int64_t terms, std::size_t count,
                                                 const Start& start, reg (&part)[Wide]) {
        constexpr auto wide = static_cast<std::int64_t>(Wide);
        const reg factor = simd_type::set(g.factor(0, 0));
#pragma GCC unroll 32
        for (std::int64_t r = 0; r < wide; ++r) {
            part[r] = g(0, 0, start(r), count, factor);
        }
        g.move(0, 1);
        for (std::int64_t t = terms - 1; t > 0; --t, g.move(0, 1)) {
            const reg other = simd_type::set(g.factor(0, 0));
#pragma GCC unroll 32
            for (std::int64_t r = 0; r < wide; ++r) {
                part[r] = g.add_to(part[r], 0, 0, start(r), count, other);
            }
        }
    }

    /// Adds terms to a panel of lines of several groups: each block to all of them before the next
    /// one. For a group little else is done than to load and to add: each further instruction
    /// between two loads is one load less that is on its way.
    [[gnu::noinline]] static void add_to_long_lines(const cursors<T>& inputs,
                                                    const output_line<T, Arch>& line,
                                                    const sums_block& given, const target& to,
                                                    std::int64_t ahead) {
        constexpr std::size_t count = simd_type::lanes;
        const sums_block b = given;
        const std::int64_t last = line.start(line.registers() - 1);
        factors next(inputs);
        next.move(b.row, b.term);
        bool first = to.first;
        for (std::int64_t left = b.term_end - b.term; left > 0; first = false) {
            const std::int64_t terms = block_size(block, left);
            left -= terms;
            factors f(next);
            next.move(0, terms);
            reg* panel = to.panel;
            for (std::int64_t i = b.row; i < b.row_end; ++i, f.move(1, 0)) {
                for (std::int64_t v = b.begin; v < b.end; v += group) {
                    // Any register of a group may be the last, or behind it.
                    const std::int64_t x = v * width;
                    const auto start = [end = last - x](std::int64_t r) {
                        return std::min(r * width, end);
                    };
                    factors g(f);  // goes on from term to term
                    g.skip(x);
                    for (std::int64_t t = ahead; t > 0 && t < ahead + terms; ++t) {
                        g.template prefetch<lines_of<group>>(0, 0, 0, t);
                    }
                    reg part[group];
                    sum_block(g, terms, count, start, part);
#pragma GCC unroll 32
                    for (std::int64_t r = 0; r < group; ++r, ++panel) {
                        *panel = first ? part[r] : simd_type::add(*panel, part[r]);
                    }
                }
            }
        }
    }

    /// Wide registers at once, or Part of one. Not inlined: its registers are its own.
    template <std::int64_t Wide, bool Part>
    [[gnu::noinline]] static void sum_rows(const cursors<T>& inputs,
                                           const output_line<T, Arch>& line,
                                           const sums_block& given, const target& to,
                                           const terms_prefetch& prefetch) {
        factors f(inputs);
        // Copies: what is written might be what a reference is to.
        const sums_block b = given;
        const std::int64_t x = b.begin * width;
        const auto start = [end = line.start(line.registers() - 1) - x](std::int64_t r) {
            // Others than these may be the last of the line, or behind it.
            constexpr std::int64_t inside = Wide <= 4 ? Wide - 1 : Wide <= 12 ? Wide - 4 : Wide - 8;
            return r < inside ? r * width : std::min(r * width, end);
        };
        const std::size_t count = Part ? line.filled() : simd_type::lanes;
        if (Part && count >= simd_type::lanes) {
            __builtin_unreachable();  // or the compiler reads whole registers as well
        }
        const std::int64_t ahead = prefetch.ahead;
        const bool prefetches_behind = Part && prefetch.behind;
        const std::int64_t apart = to.apart;
        const bool first = to.first;
        reg* panel = to.panel;
        T* out = to.out;
        f.move(b.row, b.term);
        // What leaves even the sign of a zero that is added.
        const reg nothing = simd_type::set(static_cast<T>(-T(0)));
        for (std::int64_t i = b.row; i < b.row_end; ++i, out += apart, f.move(1, 0)) {
            reg sums[Wide];
#pragma GCC unroll 32
            for (std::int64_t r = 0; r < Wide; ++r) {
                sums[r] = first ? nothing : panel[r];
            }
            factors g(f);  // goes on from term to term
            g.skip(x);
            for (std::int64_t left = b.term_end - b.term; left > 0;) {
                const std::int64_t terms = block_size(block, left);
                left -= terms;
                if (prefetches_behind) {
                    g.prefetch_terms(0, 0, terms);
                }
                for (std::int64_t t = ahead; !Part && t > 0 && t < ahead + terms; ++t) {
                    g.template prefetch<lines_of<Wide>>(0, 0, 0, t);
                }
                reg part[Wide];
                sum_block(g, terms, count, start, part);
#pragma GCC unroll 32
                for (std::int64_t r = 0; r < Wide; ++r) {
                    sums[r] = simd_type::add(sums[r], part[r]);
                }
            }
            if (panel == nullptr) {
#pragma GCC unroll 32
                for (std::int64_t r = 0; r < Wide; ++r) {
                    if constexpr (Part) {
                        simd_type::store_part(out, sums[r], count);
                    } else {
                        simd_type::store(out + x + start(r), sums[r]);
                    }
                }
            } else {
#pragma GCC unroll 32
                for (std::int64_t r = 0; r < Wide; ++r) {
                    *panel++ = sums[r];
                }
            }
        }
    }

    /// Cache lines that so many registers fill.
    template <std::int64_t Wide>
    static constexpr std::size_t lines_of = std::max<std::size_t>(
        static_cast<std::size_t>(Wide) * simd_type::lanes / line_elements<T>, 1);
};

}  // namespace xeinsum::kernel
