// Terms on their way into a panel of sums: of "tc,tcf->cf" with 32 f, eight t at a time are added
// to two registers for each c, and rows of c that follow each other in memory are read as one line.
#pragma once

#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/output_line.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/term_blocks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Rows and registers of the output, begin and end.
struct panel_block {
    std::int64_t row;
    std::int64_t row_end;
    std::int64_t begin;
    std::int64_t end;
};

/// Adds blocks of terms to panels of at most most_registers, rows x registers of a line. Inputs are
/// read at whole registers only: the last register of a line starts where it still ends inside,
/// and only its last lanes count.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class panel_terms {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr std::int64_t most_registers = panel_memory<reg>::most(true);
    /// Registers that follow each other in a line are read together, where nothing is gathered.
    static constexpr std::int64_t line_registers = 4;
    /// Terms of a block, at most.
    static constexpr std::int64_t streams = most_streams(Units);

    /// Of inputs that may come from main memory. Rows: whether blocks have several.
    panel_terms(const output_line<T, Arch>& line, const cursors<T>& inputs, bool rows, bool far)
        : line_(line), follows_rows_(may_follow && rows && follow(line, inputs)), far_(far) {}

    /// Whether short lines of whole registers follow each other in memory and are read as one that
    /// goes on from row to row.
    [[nodiscard]] bool follows_rows() const noexcept { return follows_rows_; }

    /// Adds terms to the panel. ahead: from how many behind them on as many as a block has at most
    /// are fetched, or 0.
    template <std::int64_t Terms>
    void add(const factors& f, reg* panel, const panel_block& b, std::int64_t term, bool first,
             std::int64_t ahead) const {
        if constexpr (Terms < streams) {
            add_terms<false, false>(f, panel, b, term, Terms, first);
            return;
        }
        if constexpr (factors::known) {
            if (ahead > 0) {
                add_terms<true, true>(f, panel, b, term, streams, first, term + ahead);
                return;
            }
            if constexpr (may_follow) {
                if (follows_rows_) {
                    switch (line_.whole()) {
                        case 1: add_rows<4, 1>(f, panel, b, term, first); break;
                        case 2: add_rows<2, 2>(f, panel, b, term, first); break;
                        case 3: add_rows<2, 3>(f, panel, b, term, first); break;
                        default: add_rows<1, 4>(f, panel, b, term, first); break;
                    }
                    return;
                }
            }
        }
        add_terms<true, false>(f, panel, b, term, streams, first);
    }

private:
    /// Without a factor such lines are one.
    static constexpr bool may_follow = factors::known && Fixed > 0;
    [[nodiscard]] static bool follow(const output_line<T, Arch>& line, const cursors<T>& inputs) {
        const std::int64_t whole = line.whole();
        bool all = line.extent() == whole * width && whole <= line_registers;
        for (std::size_t i = 0; all && i < Units; ++i) {
            all = inputs[i].row == line.extent();
        }
        return all;
    }

    /// Asks for elements of as many terms as a block has: of some registers, in cache lines.
    template <std::int64_t Registers>
    [[gnu::always_inline]] static void fetch_terms(const factors& f, std::int64_t row,
                                                   std::int64_t term, std::int64_t x) {
        constexpr std::size_t elements = lanes * static_cast<std::size_t>(Registers);
        for (std::int64_t t = 0; t < streams; ++t) {
            f.template fetch<std::max<std::size_t>(elements / line_elements<T>, 1)>(row, term + t,
                                                                                    x);
        }
    }

    /// What stays in place in some rows and terms. From far away it is a stream for each term
    /// beside those of the lines, more than a machine foresees: where those are not asked for, it
    /// is read for all rows first.
    template <bool MayHold>
    class held_factors {
    public:
        [[gnu::always_inline]] held_factors(const factors& f, const panel_block& b,
                                            std::int64_t term, std::int64_t terms, bool far)
            : f_(f), row_(b.row), term_(term), holds_(may_hold && far && b.row_end - b.row > 1) {
            for (std::int64_t t = 0; holds_ && t < terms; ++t) {
                for (std::int64_t row = b.row; row < b.row_end; ++row) {
                    held_[t][row - row_] = f.factor(row, term + t);
                }
            }
        }
        [[nodiscard, gnu::always_inline]] T operator()(std::int64_t row, std::size_t t) const {
            return holds_ ? held_[t][row - row_]
                          : f_.factor(row, term_ + static_cast<std::int64_t>(t));
        }

    private:
        static constexpr bool may_hold = core_of<Arch>.prefetches_streams && MayHold && factors::known && Fixed > 0;

        const factors& f_;
        std::int64_t row_;
        std::int64_t term_;
        bool holds_;
        T held_[streams][may_hold ? most_registers : 1];
    };

    /// Adds terms to such rows, so many registers of so many rows at once. What is read lies at
    /// constant distances: each further instruction between two reads from memory is one read less
    /// that is on its way. Not inlined: its registers are its own.
    template <std::size_t Rows, std::size_t Wide>
    [[gnu::noinline]] void add_rows(const factors& from, reg* panel, const panel_block& b,
                                    std::int64_t term, bool first) const {
        const factors f = from;
        const held_factors<true> factors_of(f, b, term, streams, far_);
        std::int64_t row = b.row;
        std::int64_t x = 0;
        for (; row + static_cast<std::int64_t>(Rows) <= b.row_end; row += Rows) {
            reg sums[Rows * Wide];
#pragma GCC unroll 32
            for (std::size_t t = 0; t < streams; ++t) {
#pragma GCC unroll 32
                for (std::size_t r = 0; r < Rows; ++r) {
                    const reg factor =
                        simd_type::set(factors_of(row + static_cast<std::int64_t>(r), t));
#pragma GCC unroll 32
                    for (std::size_t c = 0; c < Wide; ++c) {
                        const std::size_t at = r * Wide + c;
                        const std::int64_t here = term + static_cast<std::int64_t>(t);
                        const std::int64_t lane = x + static_cast<std::int64_t>(at) * width;
                        sums[at] = t == 0 ? f(b.row, here, lane, lanes, factor)
                                          : f.add_to(sums[at], b.row, here, lane, lanes, factor);
                    }
                }
            }
#pragma GCC unroll 32
            for (std::size_t at = 0; at < Rows * Wide; ++at) {
                *panel = first ? sums[at] : simd_type::add(*panel, sums[at]);
                ++panel;
            }
            x += static_cast<std::int64_t>(Rows * Wide) * width;
        }
        if (row < b.row_end) {
            add_terms<true, false>(f, panel, {row, b.row_end, b.begin, b.end}, term, streams,
                                   first);
        }
    }

    /// Adds terms, All that a block may have or fewer at the end of a sum, and prefetches the same
    /// lines of those from next on if it Fetches. Not inlined: its registers are its own.
    template <bool All, bool Fetches>
    [[gnu::noinline]] void add_terms(const factors& f, reg* panel, const panel_block& b,
                                     std::int64_t term, std::int64_t count, bool first,
                                     std::int64_t next = 0) const {
        const auto terms = static_cast<std::size_t>(All ? streams : count);
        const auto at = [term](std::size_t t) { return term + static_cast<std::int64_t>(t); };
        const std::int64_t whole = std::min(b.end, line_.whole());
        if constexpr (Fetches) {
            for (std::int64_t t = 0; t < streams; ++t) {
                f.fetch_factors(b.row, b.row_end, next + t);
            }
        }
        const held_factors<!Fetches> factors_of(f, b, term, static_cast<std::int64_t>(terms), far_);
        for (std::int64_t row = b.row; row < b.row_end; ++row) {
            reg factor[streams];
            for (std::size_t t = 0; t < terms; ++t) {
                factor[t] = simd_type::set(factors_of(row, t));
            }
            const auto sum = [&](std::int64_t x, std::size_t lanes_read) {
                reg part = f(row, term, x, lanes_read, factor[0]);
                for (std::size_t t = 1; t < terms; ++t) {
                    part = f.add_to(part, row, at(t), x, lanes_read, factor[t]);
                }
                return part;
            };
            std::int64_t v = b.begin;
            if constexpr (factors::known && All) {
                for (; v + line_registers <= whole; v += line_registers) {
                    const auto x = [v](std::size_t r) {
                        return (v + static_cast<std::int64_t>(r)) * width;
                    };
                    if constexpr (Fetches) {
                        fetch_terms<line_registers>(f, row, next, x(0));
                    }
                    reg sums[line_registers];
#pragma GCC unroll 32
                    for (std::size_t r = 0; r < line_registers; ++r) {
                        sums[r] = f(row, term, x(r), lanes, factor[0]);
                    }
#pragma GCC unroll 32
                    for (std::size_t t = 0; t + 1 < terms; ++t) {
#pragma GCC unroll 32
                        for (std::size_t r = 0; r < line_registers; ++r) {
                            sums[r] = f.add_to(sums[r], row, at(t + 1), x(r), lanes, factor[t + 1]);
                        }
                    }
#pragma GCC unroll 32
                    for (std::size_t r = 0; r < line_registers; ++r) {
                        *panel = first ? sums[r] : simd_type::add(*panel, sums[r]);
                        ++panel;
                    }
                }
            }
            if constexpr (Fetches) {
                for (std::int64_t pair = v; pair < whole; pair += 2) {
                    fetch_terms<2>(f, row, next, pair * width);
                }
            }
            if (first) {
                for (; v < whole; ++v) {
                    *panel++ = sum(v * width, lanes);
                }
            } else {
                for (; v < whole; ++v, ++panel) {
                    *panel = simd_type::add(*panel, sum(v * width, lanes));
                }
            }
            if (v < b.end) {
                const reg part = sum(line_.start(v), line_.filled());
                *panel = first ? part : simd_type::add(*panel, part);
                ++panel;
            }
        }
    }

    const output_line<T, Arch>& line_;
    bool follows_rows_;
    bool far_;
};

}  // namespace xeinsum::kernel
