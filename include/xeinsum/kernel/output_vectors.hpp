// A nest whose lanes are neighbouring results: "bld,dn->bldn" and "i,ij->j" run in vectors of n and
// of j.
#pragma once

#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/direct_sums.hpp>
#include <xeinsum/kernel/output_line.hpp>
#include <xeinsum/kernel/output_products.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/term_blocks.hpp>
#include <xeinsum/kernel/unroll.hpp>
#include <xeinsum/kernel/whole_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::kernel {

/// Sums that are not finished wait in a panel of registers, which is to stay in the first cache:
///
///     panel    rows x (extent of the vector loop), whole registers
///     adds     the products of four or eight terms at once, so that as many lines of memory are
///              read as streams, some registers of each, and the panel is touched little; one line
///              behind the other where registers hold a whole one, see whole_lines
///     levels   sixteen such blocks are passed on to the next panel, see cascade
///
/// While a block of terms is added, what the next one reads is fetched if the inputs are far.
/// Inputs are read at whole registers only: the last register of a line starts where it still ends
/// inside, and only its last lanes count. beta = 0 does not read the output.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class output_vectors {
public:
    /// The output loops have the vector loop last.
    output_vectors(const loop_nest& nest, cursors<T>& inputs, const T* const* from, T* out,
                   const scaling<T>& scale)
        : nest_(nest),
          line_(nest.output.extent(nest.output.count - 1), scale),
          inputs_(inputs),
          out_(out) {
        const std::size_t last = nest.output.count - 1;
        const bool has_row = last > 0;
        const bool sums = nest.contracted.count > 0;
        row_ = nest.output.from(has_row ? last - 1 : last).first(has_row ? 1 : 0);
        outer_ = nest.output.first(has_row ? last - 1 : 0);
        term_ = nest.contracted.from(sums ? nest.contracted.count - 1 : 0).first(sums ? 1 : 0);
        inputs_.start(from, nest.output.from(last), row_, term_);
    }

    void run() {
        if (term_.count == 0) {
            multiply<Arch>();
            return;
        }
        if constexpr (factors::known) {
            if (is_direct()) {
                run_rows(direct_sums<T, Arch, Units, Fixed>(line_, term_.extent(0), nest_.far));
                return;
            }
        }
        const std::int64_t rows = row_count();
        const std::int64_t registers = line_.registers();
        const std::int64_t wide = std::min(registers, panel_registers);
        const std::int64_t high = rows_inside_terms() ? std::min(rows, panel_registers / wide) : 1;
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            for (std::int64_t row = 0; row < rows; row += high) {
                for (std::int64_t begin = 0; begin < registers; begin += wide) {
                    sum_panel(out, {row, std::min(row + high, rows), begin,
                                    std::min(begin + wide, registers)});
                }
            }
        });
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    using lines = whole_lines<T, Arch, Units, Fixed>;
    static constexpr bool has_lines = lines::most_registers >= lines::least_registers;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr auto panel_registers = static_cast<std::int64_t>(16384 / sizeof(reg));
    using sums_panel = cascade<reg, panel_registers, simd_type>;
    /// Registers that follow each other in a line are read together, where nothing is gathered.
    static constexpr std::int64_t line_registers = 4;
    /// Terms of a block, at most.
    static constexpr std::int64_t streams = most_streams(Units);

    /// Rows and registers of the output, begin and end.
    struct block {
        std::int64_t row;
        std::int64_t row_end;
        std::int64_t begin;
        std::int64_t end;
    };

    [[nodiscard]] std::int64_t row_count() const { return row_.count == 0 ? 1 : row_.extent(0); }
    /// From one row of the output to the next.
    [[nodiscard]] std::int64_t row_step() const { return row_.count == 0 ? 0 : row_.stride(0, 0); }

    /// Without sums: the kernel runs on the loop around the rows, too, which may be short, in the
    /// registers that suit lines.
    template <class Suited>
    void multiply() {
        using narrow = narrower_t<Suited>;
        if constexpr (!std::is_same_v<narrow, Suited>) {
            if (prefers_narrower<T, Suited>(line_.extent())) {
                multiply<narrow>();
                return;
            }
        }
        const output_line<T, Suited> line(line_.extent(), line_.scale());
        const output_products<T, Suited, Units, Fixed> products(line, nest_, out_);
        const std::size_t around = outer_.count - (factors::known && outer_.count > 0 ? 1 : 0);
        const loops planes = outer_.from(around);
        inputs_.for_each_output(outer_.first(around), [&](std::int64_t out) {
            inputs_.for_each_term(
                {}, [&] { products.run(inputs_, out_ + out, row_step(), row_count(), planes); });
        });
        products.end();
    }

    /// Runs a kernel that needs no panel on all rows of each outer iteration.
    template <class Kernel>
    void run_rows(const Kernel& kernel) {
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            inputs_.for_each_term(
                {}, [&] { kernel.run(inputs_, out_ + out, row_step(), row_count()); });
        });
    }

    /// Whether rows lie closer to each other than terms, so that a panel should hold many.
    [[nodiscard]] bool rows_inside_terms() const {
        std::int64_t row = 0;
        std::int64_t term = 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            row = std::max(row, std::abs(inputs_[i].row));
            term = std::max(term, std::abs(inputs_[i].term));
        }
        return row_.count > 0 && row < term;
    }

    /// Whether lines are read whole, one row after the other. The order of sums is the same.
    [[nodiscard]] bool reads_whole_lines() const {
        return line_.registers() >= lines::least_registers &&
               line_.registers() <= lines::most_registers && !rows_inside_terms();
    }

    /// Whether direct_sums adds the same blocks, and better.
    [[nodiscard]] bool is_direct() const {
        if (nest_.contracted.count > 1) {
            return false;
        }
        line_terms l{line_.registers(), term_.extent(0), Units, rows_inside_terms()};
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const std::int64_t bytes = inputs_[i].term * static_cast<std::int64_t>(sizeof(T));
            l.held = l.held && sets_hold(l.terms, bytes);
        }
        return are_direct(l);
    }

    void sum_panel(std::int64_t out, const block& b) {
        sums_panel panel;
        const auto registers = static_cast<std::size_t>((b.row_end - b.row) * (b.end - b.begin));
        const std::int64_t terms = term_.extent(0);
        const bool whole = reads_whole_lines();
        const std::int64_t ahead = nest_.far ? terms_ahead(registers, whole) : 0;
        inputs_.for_each_term(nest_.contracted.first(nest_.contracted.count - 1), [&] {
            const factors f(inputs_);
            if constexpr (has_lines) {
                if (whole) {
                    const lines all(f, line_.extent(), ahead);
                    all.template add<streams>(b.row, terms, panel,
                                              static_cast<std::int64_t>(registers));
                    return;
                }
            }
            for_each_block<streams>(terms, [&]<std::int64_t Terms>(std::int64_t term) {
                const bool fetches = ahead > 0 && term + ahead + streams <= terms;
                add_block<Terms>(f, panel.block(), b, term, panel.is_first(), fetches ? ahead : 0);
                panel.end_block(registers);
            });
        });
        const reg* sums = panel.total(registers);
        for (std::int64_t row = b.row; row < b.row_end; ++row) {
            T* line = out_ + out + row * row_step();
            std::int64_t v = b.begin;
            if (line_.scale().is_identity()) {
                for (; v < std::min(b.end, line_.whole()); ++v) {
                    simd_type::store(line + v * width, *sums++);
                }
            }
            for (; v < b.end; ++v) {
                line_.put(line, v, *sums++);
            }
        }
    }

    /// How far behind a block of terms what is fetched while it is added begins: at the next block
    /// of lines of so many registers, but at least 4 KiB away; of whole lines, which follow each
    /// other, no farther than that. 0 for what machines foresee themselves: lines that are so
    /// short, or, with the registers of those that foresee many, so long.
    [[nodiscard]] std::int64_t terms_ahead(std::size_t registers, bool whole) const {
        constexpr std::int64_t distance = 4096;
        constexpr std::int64_t short_line = 512;
        constexpr std::int64_t long_line =
            sizeof(reg) > 32 ? std::numeric_limits<std::int64_t>::max() : 4096;
        const auto bytes = static_cast<std::int64_t>(registers * sizeof(reg));
        const bool streams_alone = foresees_streams && line_.registers() >= line_registers;
        if (bytes < short_line || bytes >= long_line || streams_alone) {
            return 0;
        }
        const std::int64_t blocks = std::max<std::int64_t>(distance / (streams * bytes), 1);
        return whole ? std::min(streams * blocks, distance / bytes) : streams * blocks;
    }

    /// Adds terms to the panel. ahead: from how many behind them on as many as a block has at most
    /// are fetched, or 0.
    template <std::int64_t Terms>
    void add_block(const factors& f, reg* panel, const block& b, std::int64_t term, bool first,
                   std::int64_t ahead) const {
        if constexpr (factors::known && Terms == streams) {
            if (ahead > 0) {
                add_terms<Terms, true>(f, panel, b, term, first, term + ahead);
                return;
            }
        }
        add_terms<Terms, false>(f, panel, b, term, first);
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

    /// Adds terms, and asks for the same lines of those from next on if it Fetches. Not inlined:
    /// its registers are its own.
    template <std::int64_t Terms, bool Fetches>
    [[gnu::noinline]] void add_terms(const factors& f, reg* panel, const block& b,
                                     std::int64_t term, bool first, std::int64_t next = 0) const {
        const auto at = [term](std::size_t t) { return term + static_cast<std::int64_t>(t); };
        const std::int64_t whole = std::min(b.end, line_.whole());
        if constexpr (Fetches) {
            for (std::int64_t t = 0; t < streams; ++t) {
                f.fetch_factors(b.row, b.row_end, next + t);
            }
        }
        // What stays in place is a stream for each term beside those of the lines, more than a
        // machine foresees: where lines are not asked for, it is read for all rows first.
        constexpr bool may_hold = factors::known && Fixed > 0 && !Fetches && foresees_streams;
        const bool holds = may_hold && nest_.far && b.row_end - b.row > 1;
        T held[Terms][may_hold ? panel_registers : 1];
        for (std::size_t t = 0; holds && t < Terms; ++t) {
            for (std::int64_t row = b.row; row < b.row_end; ++row) {
                held[t][row - b.row] = f.factor(row, at(t));
            }
        }
        for (std::int64_t row = b.row; row < b.row_end; ++row) {
            reg factor[Terms];
            for (std::size_t t = 0; t < Terms; ++t) {
                factor[t] = simd_type::set(holds ? held[t][row - b.row] : f.factor(row, at(t)));
            }
            const auto sum = [&](std::int64_t x, std::size_t count) {
                reg part = f(row, term, x, count, factor[0]);
                for (std::size_t t = 1; t < Terms; ++t) {
                    part = f.add_to(part, row, at(t), x, count, factor[t]);
                }
                return part;
            };
            std::int64_t v = b.begin;
            if constexpr (factors::known) {
                for (; v + line_registers <= whole; v += line_registers) {
                    const auto x = [v](std::size_t r) {
                        return (v + static_cast<std::int64_t>(r)) * width;
                    };
                    if constexpr (Fetches) {
                        fetch_terms<line_registers>(f, row, next, x(0));
                    }
                    reg sums[line_registers];
                    unroll<line_registers>(
                        [&](auto r) { sums[r] = f(row, term, x(r), lanes, factor[0]); });
                    unroll<Terms - 1>([&](auto t) {
                        unroll<line_registers>([&](auto r) {
                            sums[r] = f.add_to(sums[r], row, at(t + 1), x(r), lanes, factor[t + 1]);
                        });
                    });
                    unroll<line_registers>([&](auto r) {
                        *panel = first ? sums[r] : simd_type::add(*panel, sums[r]);
                        ++panel;
                    });
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

    const loop_nest& nest_;
    output_line<T, Arch> line_;
    loops outer_{};
    loops row_{};
    loops term_{};
    cursors<T>& inputs_;
    T* out_;
};

}  // namespace xeinsum::kernel
