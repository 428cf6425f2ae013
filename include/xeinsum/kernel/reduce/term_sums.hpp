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

/// Adds blocks of terms, one block after the other, to sums that wait in a panel, or that are
/// results then. Some registers of a line are summed at once, of a short line all:
///
///     for each row, for each group of registers
///         sums = what the panel has, or nothing
///         for each block of terms:    part = sum of its terms;  sums += part
///         panel or results = sums
///
/// Inputs are read at whole registers only: where they do not fill the last group, or the line,
/// they start where they still end inside.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class term_sums {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
    /// Terms of a block, at most.
    static constexpr std::int64_t block = most_streams(Units);
    /// Of more registers so many fill a kernel, or a multiple.
    static constexpr std::size_t step = 4;
    /// The most registers that are summed at once, and so of a short line.
    static constexpr std::int64_t most_registers = [] {
        constexpr std::size_t parts = is_complex_v<T> ? 2 : 1;
        constexpr std::size_t most = register_count<Arch> * 3 / 4 / parts / step * step;
        return factors::known ? static_cast<std::int64_t>(most) : 1;
    }();

    /// Lines that are not short are summed in groups of so many registers.
    static constexpr std::size_t group_registers = factors::known ? step : 1;

    /// Sums for such lines. Far inputs are prefetched where no hardware does.
    term_sums(const output_line<T, Arch>& line, bool far) noexcept : line_(line), far_(far) {}

    /// The registers that such a line, or a part of one, has in a panel, where groups are filled.
    [[nodiscard]] static constexpr std::int64_t pitch(std::int64_t registers) noexcept {
        constexpr auto group = static_cast<std::int64_t>(group_registers);
        if (registers <= group) {
            return registers;
        }
        return (registers + group - 1) / group * group;
    }

    /// Adds terms to the panel, rows x pitch of the block, or begins with it. What is so many
    /// terms ahead is prefetched, for 0 nothing.
    void add(const factors& f, const sums_block& b, reg* panel, bool first,
             std::int64_t ahead) const {
        sum(f, b, {nullptr, 0, panel, first}, ahead);
    }
    /// Puts sums of all terms to lines that are so many elements apart. They are not
    /// scaled.
    void put(const factors& f, const sums_block& b, T* out, std::int64_t apart) const {
        sum(f, b, {out, apart, nullptr, true}, 0);
    }

private:
    /// Where sums go: to lines, or to a panel.
    struct target {
        T* out;
        std::int64_t apart;
        reg* panel;
        bool first;
    };

    void sum(const factors& f, const sums_block& b, const target& to, std::int64_t ahead) const {
        if constexpr (!factors::known) {
            sum_rows<1, true>(f, b, to, ahead);
        } else {
            switch (line_.whole() == 0 ? 0 : b.end - b.begin) {
                case 0: return sum_rows<1, true>(f, b, to, ahead);
                case 1: return sum_rows<1, false>(f, b, to, ahead);
                case 2: return sum_rows<2, false>(f, b, to, ahead);
                case 3: return sum_rows<3, false>(f, b, to, ahead);
                case 4: return sum_rows<4, false>(f, b, to, ahead);
                default: return sum_wide<2 * step>(f, b, to, ahead);
            }
        }
    }
    /// More registers: as many, in steps, as hold all of a short line.
    template <std::size_t Wide>
    void sum_wide(const factors& f, const sums_block& b, const target& to,
                  std::int64_t ahead) const {
        if constexpr (Wide > most_registers) {
            sum_rows<group_registers, false>(f, b, to, ahead);
        } else if (b.end - b.begin <= static_cast<std::int64_t>(Wide)) {
            sum_rows<Wide, false>(f, b, to, ahead);
        } else {
            sum_wide<Wide + step>(f, b, to, ahead);
        }
    }

    /// Wide registers at once, or Part of one. Not inlined: its registers are its own.
    template <std::size_t Wide, bool Part>
    [[gnu::noinline]] void sum_rows(const factors& from, const sums_block& given, const target& to,
                                    std::int64_t ahead) const {
        // Lines of more registers than these have groups.
        constexpr bool has_groups = Wide == group_registers;
        constexpr auto wide = static_cast<std::int64_t>(Wide);
        factors f(from);
        const std::int64_t last = line_.start(line_.registers() - 1);
        const std::size_t count = Part ? line_.filled() : simd_type::lanes;
        const bool prefetches_part = Part && simd_type::loads_by_mask && far_ && line_.whole() == 0;
        // Copies: what is written might be what a reference is to.
        const sums_block b = given;
        const std::int64_t registers = b.end - b.begin;
        const std::int64_t apart = to.apart;
        const bool first = to.first;
        reg* panel = to.panel;
        T* out = to.out;
        // What leaves even the sign of a zero that is added.
        const reg nothing = simd_type::set(static_cast<T>(-T(0)));
        // Known inputs go on from term to term, and back.
        const auto move = [&](std::int64_t rows, std::int64_t terms) {
            if constexpr (factors::known) {
                f.move(rows, terms);
            }
        };
        move(b.row, b.term);
        for (std::int64_t i = b.row; i < b.row_end; ++i, out += apart) {
            const std::int64_t row = factors::known ? 0 : i;
            // Without groups it runs once.
            for (std::int64_t v = 0; v == 0 || (has_groups && v < registers); v += wide) {
                // Of a group any may be the last, or behind it, of others those of the last step.
                const std::int64_t x = (b.begin + v) * width;
                const auto start = [last, x](std::size_t at) {
                    constexpr std::size_t inside = has_groups     ? 0
                                                   : Wide <= step ? Wide - 1
                                                                  : Wide - step;
                    const std::int64_t here = x + static_cast<std::int64_t>(at) * width;
                    return at < inside ? here : std::min(here, last);
                };
                reg sums[Wide];
#pragma GCC unroll 32
                for (std::size_t r = 0; r < Wide; ++r) {
                    sums[r] = first ? nothing : panel[r];
                }
                std::int64_t term = factors::known ? 0 : b.term;
                const auto next = [&] {
                    move(0, 1);
                    term += factors::known ? 0 : 1;
                };
                for (std::int64_t left = b.term_end - b.term; left > 0;) {
                    const std::int64_t terms = block_size(block, left);
                    left -= terms;
                    if (prefetches_part) {
                        f.prefetch_terms(row, term, terms);
                    }
                    for (std::int64_t t = ahead; !Part && t > 0 && t < ahead + terms; ++t) {
                        f.template prefetch<lines_of<Wide>>(row, term, x, t);
                    }
                    reg part[Wide];
                    const reg factor = simd_type::set(f.factor(row, term));
#pragma GCC unroll 32
                    for (std::size_t r = 0; r < Wide; ++r) {
                        part[r] = f(row, term, start(r), count, factor);
                    }
                    next();
                    for (std::int64_t t = terms - 1; t > 0; --t, next()) {
                        const reg other = simd_type::set(f.factor(row, term));
#pragma GCC unroll 32
                        for (std::size_t r = 0; r < Wide; ++r) {
                            part[r] = f.add_to(part[r], row, term, start(r), count, other);
                        }
                    }
#pragma GCC unroll 32
                    for (std::size_t r = 0; r < Wide; ++r) {
                        sums[r] = simd_type::add(sums[r], part[r]);
                    }
                }
                move(0, b.term - b.term_end);
                if (panel == nullptr) {
#pragma GCC unroll 32
                    for (std::size_t r = 0; r < Wide; ++r) {
                        if constexpr (Part) {
                            simd_type::store_part(out, sums[r], count);
                        } else {
                            simd_type::store(out + start(r), sums[r]);
                        }
                    }
                } else {
#pragma GCC unroll 32
                    for (std::size_t r = 0; r < Wide; ++r) {
                        *panel++ = sums[r];
                    }
                }
            }
            move(1, 0);
        }
    }

    /// Cache lines that so many registers fill.
    template <std::size_t Wide>
    static constexpr std::size_t lines_of = std::max<std::size_t>(Wide* simd_type::lanes /
                                                                      line_elements<T>,
                                                                  1);

    const output_line<T, Arch>& line_;
    bool far_;
};

}  // namespace xeinsum::kernel
