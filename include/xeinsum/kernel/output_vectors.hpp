// A nest whose lanes are neighbouring results: "bld,dn->bldn" and "i,ij->j" run in vectors of n and
// of j.
#pragma once

#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/unroll.hpp>
#include <xeinsum/kernel/whole_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

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
        : nest_(nest), inputs_(inputs), out_(out), scale_(scale) {
        const std::size_t last = nest.output.count - 1;
        const bool has_row = last > 0;
        const bool sums = nest.contracted.count > 0;
        row_ = nest.output.from(has_row ? last - 1 : last).first(has_row ? 1 : 0);
        outer_ = nest.output.first(has_row ? last - 1 : 0);
        term_ = nest.contracted.from(sums ? nest.contracted.count - 1 : 0).first(sums ? 1 : 0);
        extent_ = nest.output.extent(last);
        registers_ = (extent_ + width - 1) / width;
        inputs_.start(from, nest.output.from(last), row_, term_);
    }

    void run() {
        const std::int64_t rows = row_.count == 0 ? 1 : row_.extent(0);
        if (term_.count == 0) {
            const bool streams = streamable();
            inputs_.for_each_output(outer_, [&](std::int64_t out) {
                inputs_.for_each_term({}, [&] {
                    if (streams) {
                        multiply<true>(out, rows);
                    } else {
                        multiply<false>(out, rows);
                    }
                });
            });
            if (streams) {
                simd_type::end_stream();
            }
            return;
        }
        const std::int64_t wide = std::min(registers_, panel_registers);
        const std::int64_t high = rows_inside_terms() ? std::min(rows, panel_registers / wide) : 1;
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            for (std::int64_t row = 0; row < rows; row += high) {
                for (std::int64_t begin = 0; begin < registers_; begin += wide) {
                    sum_panel(out, {row, std::min(row + high, rows), begin,
                                    std::min(begin + wide, registers_)});
                }
            }
        });
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    using lines = whole_lines<T, Arch, Units, Fixed>;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr auto panel_registers = static_cast<std::int64_t>(8192 / sizeof(reg));
    /// Registers that follow each other in a line are read together, where nothing is gathered.
    static constexpr std::int64_t line_registers = 4;
    /// Lines of memory that are read as streams: of one input eight, of several four each.
    static constexpr std::int64_t most_terms = Units == 2 || Units == 3 ? 4 : 8;

    /// Rows and registers of the output, begin and end.
    struct block {
        std::int64_t row;
        std::int64_t row_end;
        std::int64_t begin;
        std::int64_t end;
    };

    /// Where register v of a line starts, and how many of its lanes the line fills if it is short.
    [[nodiscard]] std::int64_t start_of(std::int64_t v) const {
        return std::min(v * width, std::max<std::int64_t>(extent_ - width, 0));
    }
    [[nodiscard]] std::size_t filled() const {
        return static_cast<std::size_t>(std::min(extent_, width));
    }
    [[nodiscard]] std::int64_t row_stride(std::size_t array) const {
        return row_.count == 0 ? 0 : row_.stride(0, array);
    }

    /// Puts register v of a line.
    void put(T* line, std::int64_t v, const reg& value) const {
        if ((v + 1) * width <= extent_) {
            scale_.template put_register<simd_type>(line + v * width, value);
            return;
        }
        if (extent_ >= width && !scale_.adds()) {
            // Some lanes are written twice, and the same.
            scale_.template put_register<simd_type>(line + start_of(v), value);
            return;
        }
        const auto count = static_cast<std::size_t>(extent_ - v * width);
        if (extent_ < width) {
            scale_.template put_part<simd_type>(line, value, count);
            return;
        }
        T lane[lanes];
        simd_type::store(lane, value);
        const reg counted = simd_type::load_part(lane + (lanes - count), count);
        scale_.template put_part<simd_type>(line + v * width, counted, count);
    }

    // --- products without a sum -------------------------------------------------------------

    /// Whether the output is large, written in order and nothing but written.
    [[nodiscard]] bool streamable() const {
        constexpr std::int64_t chunk = streamed_alignment / sizeof(T);
        bool in_order = !scale_.adds() && simd_type::can_stream(out_) && (extent_ % width == 0);
        std::int64_t elements = 1;
        for (std::size_t m = nest_.output.count; m-- > 0;) {
            in_order = in_order &&
                       nest_.output.stride(m, 0) % chunk == (elements == 1 ? 1 % chunk : 0) &&
                       (extent_ >= 32 * width || nest_.output.stride(m, 0) == elements);
            elements *= nest_.output.extent(m);
        }
        return in_order && elements >= static_cast<std::int64_t>(streamed_bytes / sizeof(T));
    }

    // Not inlined: its few registers are its own, whatever is compiled around it.
    template <bool Streams>
    [[gnu::noinline]] void multiply(std::int64_t out, std::int64_t rows) const {
        const factors f(inputs_);
        const scaling<T> scale = scale_;
        const std::int64_t whole = extent_ / width;
        const std::int64_t out_step = row_stride(0);
        T* line = out_ + out;
        for (std::int64_t row = 0; row < rows; ++row, line += out_step) {
            const reg factor = simd_type::set(f.factor(row, 0));
            for (std::int64_t v = 0; v < whole; ++v) {
                const reg value = f(row, 0, v * width, lanes, factor);
                if constexpr (Streams) {
                    scale.template stream_register<simd_type>(line + v * width, value);
                } else {
                    scale.template put_register<simd_type>(line + v * width, value);
                }
            }
            if (whole < registers_) {
                put(line, whole, f(row, 0, start_of(whole), filled(), factor));
            }
        }
    }

    // --- sums -------------------------------------------------------------------------------

    /// Whether rows lie closer to each other than terms, so that a panel should hold many.
    [[nodiscard]] bool rows_inside_terms() const {
        std::int64_t row = 0;
        std::int64_t term = 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            row = std::max(row, std::abs(inputs_[i].row));
            term = std::max(term, std::abs(inputs_[i].term));
        }
        return row < term;
    }

    /// Whether lines are read whole, one row after the other. The order of sums is the same.
    [[nodiscard]] bool reads_whole_lines() const {
        return registers_ >= lines::least_registers && registers_ <= lines::most_registers &&
               (row_.count == 0 || !rows_inside_terms());
    }

    void sum_panel(std::int64_t out, const block& b) {
        cascade<reg, panel_registers, simd_type> panel;
        const auto registers = static_cast<std::size_t>((b.row_end - b.row) * (b.end - b.begin));
        const std::int64_t terms = term_.extent(0);
        const bool whole = reads_whole_lines();
        const std::int64_t ahead = nest_.far ? terms_ahead(registers, whole) : 0;
        inputs_.for_each_term(nest_.contracted.first(nest_.contracted.count - 1), [&] {
            const factors f(inputs_);
            const auto add = [&]<std::size_t Terms>(std::int64_t term) {
                const std::int64_t end = term + static_cast<std::int64_t>(Terms);
                const bool fetches = ahead > 0 && term + ahead + most_terms <= terms;
                add_block<Terms>(f, panel.block(), b, term, panel.is_first(), whole,
                                 fetches ? ahead : 0);
                panel.end_block(registers);
                return end;
            };
            std::int64_t term = 0;
            while (term + most_terms <= terms) {
                term = add.template operator()<most_terms>(term);
            }
            if (most_terms > 4 && term + 4 <= terms) {
                term = add.template operator()<4>(term);
            }
            if (term + 2 <= terms) {
                term = add.template operator()<2>(term);
            }
            if (term < terms) {
                add.template operator()<1>(term);
            }
        });
        const reg* sums = panel.total(registers);
        for (std::int64_t row = b.row; row < b.row_end; ++row) {
            T* line = out_ + out + row * row_stride(0);
            for (std::int64_t v = b.begin; v < b.end; ++v) {
                put(line, v, *sums++);
            }
        }
    }

    /// How far behind a block of terms what is fetched while it is added begins: at the next block
    /// of lines of so many registers, but at least 4 KiB away; of whole lines, which follow each
    /// other, no farther than that. 0 for lines that are so short that the machine itself foresees
    /// them.
    [[nodiscard]] static std::int64_t terms_ahead(std::size_t registers, bool whole) {
        constexpr std::int64_t distance = 4096;
        constexpr std::int64_t short_line = 512;
        const auto bytes = static_cast<std::int64_t>(registers * sizeof(reg));
        if (bytes < short_line) {
            return 0;
        }
        const std::int64_t blocks = std::max<std::int64_t>(distance / (most_terms * bytes), 1);
        return whole ? std::min(most_terms * blocks, distance / bytes) : most_terms * blocks;
    }

    /// Adds terms to the panel. ahead: from how many behind them on as many as a block has at most
    /// are fetched, or 0.
    template <std::size_t Terms>
    void add_block(const factors& f, reg* panel, const block& b, std::int64_t term, bool first,
                   bool whole, std::int64_t ahead) const {
        if constexpr (lines::most_registers >= lines::least_registers) {
            if (whole) {
                const std::int64_t end = term + static_cast<std::int64_t>(Terms);
                lines(f, extent_, ahead).add(b.row, term, end, panel, first);
                return;
            }
        }
        if constexpr (factors::known && Terms == most_terms) {
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
        for (std::int64_t t = 0; t < most_terms; ++t) {
            f.template fetch<std::max<std::size_t>(elements / line_elements<T>, 1)>(row, term + t,
                                                                                    x);
        }
    }

    /// Adds terms, and asks for the same lines of those from next on if it Fetches. Not inlined:
    /// its registers are its own.
    template <std::size_t Terms, bool Fetches>
    [[gnu::noinline]] void add_terms(const factors& f, reg* panel, const block& b,
                                     std::int64_t term, bool first, std::int64_t next = 0) const {
        const auto at = [term](std::size_t t) { return term + static_cast<std::int64_t>(t); };
        const std::int64_t whole = std::min(b.end, extent_ / width);
        if constexpr (Fetches) {
            for (std::int64_t t = 0; t < most_terms; ++t) {
                f.fetch_factors(b.row, b.row_end, next + t);
            }
        }
        for (std::int64_t row = b.row; row < b.row_end; ++row) {
            reg factor[Terms];
            for (std::size_t t = 0; t < Terms; ++t) {
                factor[t] = simd_type::set(f.factor(row, at(t)));
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
                const reg part = sum(start_of(v), filled());
                *panel = first ? part : simd_type::add(*panel, part);
                ++panel;
            }
        }
    }

    loop_nest nest_;
    loops outer_{};
    loops row_{};
    loops term_{};
    std::int64_t extent_ = 0;
    std::int64_t registers_ = 0;
    cursors<T>& inputs_;
    T* out_;
    scaling<T> scale_;
};

}  // namespace xeinsum::kernel
