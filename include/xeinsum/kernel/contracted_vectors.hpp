// A nest whose lanes are terms of one sum: "ij,j->i" and "ijk->j" run in vectors of j and of k, and
// lanes are added up at the end.
#pragma once

#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/lane_sums.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/shared_line.hpp>
#include <xeinsum/kernel/sum_lines.hpp>
#include <xeinsum/kernel/unroll.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace xeinsum::kernel {

/// One row of results after the other: short lines need no more than two sums at once, as the next
/// one does not wait for them. Only lines of one or two registers, sums over several loops and rows
/// that share a line let registers of neighbouring results wait in a panel. beta = 0 does not read
/// the output.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class contracted_vectors {
public:
    /// The contracted loops have the vector loop last.
    contracted_vectors(const loop_nest& nest, cursors<T>& inputs, const T* const* from, T* out,
                       const scaling<T>& scale)
        : nest_(nest), inputs_(inputs), out_(out), scale_(scale) {
        const std::size_t last = nest.contracted.count - 1;
        const std::size_t rows = nest.output.count;
        if (rows > 0) {
            row_ = nest.output.from(rows - 1);
            outer_ = nest.output.first(rows - 1);
        } else if (is_single()) {
            row_ = nest.contracted.from(last - 1).first(1);
        }
        extent_ = nest.contracted.extent(last);
        inputs_.start(from, nest.contracted.from(last), row_, {});
    }

    void run() {
        if (is_single()) {
            run_single();
            return;
        }
        const loops terms = nest_.contracted.first(nest_.contracted.count - 1);
        const std::int64_t rows = row_.count == 0 ? 1 : row_.extent(0);
        if constexpr (may_pack) {
            if (packs_lines()) {
                sum_packed_lines(terms, rows);
                return;
            }
        }
        if (terms.count == 0) {
            sum_lines_alone(rows);
            return;
        }
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            const std::int64_t high =
                rows_inside(terms) ? panel_registers : std::max<std::int64_t>(width, 4);
            for (std::int64_t row = 0; row < rows; row += high) {
                const std::int64_t end = std::min(row + high, rows);
                const auto registers = static_cast<std::size_t>(end - row);
                cascade<reg, panel_registers, simd_type> panel;
                inputs_.for_each_term(terms, [&] {
                    add_lines(factors(inputs_), panel.block(), row, end, panel.is_first());
                    panel.end_block(registers);
                });
                put(panel.total(registers), out, row, end);
            }
        });
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    using shared = shared_line<T, Arch>;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr auto panel_registers = static_cast<std::int64_t>(8192 / sizeof(reg));
    /// The same without other terms to come: a multiple of what is added up together.
    static constexpr std::int64_t line_panel = panel_registers / 2;
    static_assert(line_panel % width == 0);

    /// Registers of packed lines that wait together. What is far is asked for so many bytes before
    /// it is read: the machine foresees two such inputs, but not one.
    static constexpr auto packed_panel = static_cast<std::int64_t>(16384 / sizeof(reg));
    static constexpr std::size_t asked_bytes = 4096;

    /// Whether lines may be added up several to a register: nothing is multiplied in behind them.
    static constexpr bool may_pack =
        factors::known && Fixed == 0 && std::is_floating_point_v<T> && lanes > 2;

    /// Whether the lanes of a register's worth of rows are added up in registers, and how far ahead
    /// such rows are asked for.
    static constexpr bool may_group =
        factors::known && Fixed == 0 && std::is_floating_point_v<T> && lanes > 1;
    static constexpr std::size_t group_ahead = 8192;

    /// Whether all lines are parts of one result, and there are several.
    [[nodiscard]] bool is_single() const {
        return nest_.output.count == 0 && nest_.contracted.count > 1;
    }
    /// So many lines of the loop around the vector loop are added up before they count as a block.
    void run_single() {
        const std::int64_t lines = row_.extent(0);
        cascade<reg, 1, simd_type> sum;
        inputs_.for_each_term(nest_.contracted.first(nest_.contracted.count - 2), [&] {
            const factors f(inputs_);
            for (std::int64_t line = 0; line < lines; line += block_terms) {
                const std::int64_t end = std::min(line + block_terms, lines);
                reg panel[block_terms];
                add_lines(f, panel, line, end, true);
                for (std::int64_t i = 1; i < end - line; ++i) {
                    panel[0] = simd_type::add(panel[0], panel[i]);
                }
                sum.add_block(panel, 1);
            }
        });
        put(sum.total(1), 0, 0, 1);
    }

    /// Whether a register holds several lines, as they are short and follow each other, however few
    /// there are: where rows are cut must not change sums.
    [[nodiscard]] bool packs_lines() const {
        bool follow = row_.count > 0 && is_group(extent_, lanes);
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            follow = follow && inputs_[i].row == extent_;
        }
        return follow;
    }
    /// Registers wait in a panel until all terms have been added to them; then groups of their
    /// lanes are added up.
    void sum_packed_lines(const loops& terms, std::int64_t rows) {
        const std::int64_t high = packed_panel * (width / extent_);
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            for (std::int64_t row = 0; row < rows; row += high) {
                const std::int64_t count = std::min(high, rows - row);
                const std::int64_t elements = count * extent_;
                const auto registers = static_cast<std::size_t>((elements + width - 1) / width);
                cascade<reg, packed_panel, simd_type> panel;
                inputs_.for_each_term(terms, [&] {
                    add_elements(factors(inputs_), panel.block(), row, elements, panel.is_first());
                    panel.end_block(registers);
                });
                put_group_sums<T, Arch>(panel.total(registers), count, extent_,
                                        out_ + out + row * row_step(), row_step(), scale_);
            }
        });
    }
    /// So many products from the beginning of a row on, whatever lines they belong to. Not inlined:
    /// its registers are its own.
    [[gnu::noinline]] void add_elements(const factors& from, reg* panel, std::int64_t row,
                                        std::int64_t elements, bool first) const {
        const factors f = from;
        const reg none = simd_type::zero();
        const bool asks = nest_.far && Units == 1;
        const auto put = [&](std::int64_t x, std::size_t count) {
            if (asks) {
                f.fetch_line(row, x, asked_bytes);
            }
            *panel = first ? f(row, 0, x, count, none) : f.add_to(*panel, row, 0, x, count, none);
            ++panel;
        };
        std::int64_t x = 0;
        for (; x + width <= elements; x += width) {
            put(x, lanes);
        }
        if (x < elements) {
            put(x, static_cast<std::size_t>(elements - x));
        }
    }

    /// Where a line is all that a result adds up: one step of the loop around the rows, which may
    /// be few, is taken here.
    void sum_lines_alone(std::int64_t rows) {
        const bool steps = factors::known && outer_.count > 0;
        const std::size_t around = outer_.count - (steps ? 1 : 0);
        const std::int64_t planes = steps ? outer_.extent(around) : 1;
        const bool together = is_short() || shares_line();
        inputs_.for_each_output(outer_.first(around), [&](std::int64_t out) {
            inputs_.for_each_term({}, [&] {
                factors f(inputs_);
                std::int64_t to = out;
                for (std::int64_t plane = 0; plane < planes; ++plane) {
                    if (together) {
                        put_together(f, to, rows);
                    } else {
                        put_each(f, to, rows);
                    }
                    if constexpr (factors::known) {
                        if (steps) {
                            f.step(outer_.from(around));
                            to += outer_.stride(around, 0);
                        }
                    }
                }
            });
        });
    }
    void put_each(const factors& f, std::int64_t out, std::int64_t rows) const {
        const std::int64_t step = row_step();
        if (step == 1 && scale_.is_identity()) {
            sum_lines_to(out_ + out, f, 0, rows);
            return;
        }
        T sums[line_panel];
        T* to = out_ + out;
        for (std::int64_t row = 0; row < rows; row += line_panel) {
            const std::int64_t end = std::min(row + line_panel, rows);
            sum_lines_to(sums, f, row, end);
            for (std::int64_t i = 0; i < end - row; ++i, to += step) {
                scale_.template put<Arch>(*to, sums[i]);
            }
        }
    }
    /// Lanes of some rows are added up together: of short lines in registers alone, where that is.
    void put_together(const factors& f, std::int64_t out, std::int64_t rows) const {
        std::int64_t row = 0;
        if constexpr (may_group) {
            if (rows >= width && is_short() && !shares_line()) {
                with_short_line([&]<class Line>() { row = put_groups<Line>(f, out, rows); });
            }
        }
        for (; row < rows; row += line_panel) {
            reg panel[line_panel];
            const std::int64_t end = std::min(row + line_panel, rows);
            if (asks_for_rows() && is_short()) {
                f.template fetch_rows<group_ahead>(row, end - row);
            }
            add_lines(f, panel, row, end, true);
            put(panel, out, row, end);
        }
    }
    /// Whether rows end with parts of registers that come from far away.
    [[nodiscard]] bool asks_for_rows() const {
        return simd_type::loads_by_mask && nest_.far && extent_ % width != 0;
    }
    /// Puts as many rows at once as a register has lanes, which there are, and returns how many it
    /// has put. Their sums never are in memory: what is stored between reads from far away costs a
    /// third of their rate. Not inlined: its registers are its own.
    template <class Line>
    [[gnu::noinline, gnu::flatten]] std::int64_t put_groups(const factors& from, std::int64_t out,
                                                            std::int64_t rows) const {
        factors f = from;
        const bool asks = asks_for_rows();
        const std::int64_t step = row_step();
        const bool plain = step == 1 && scale_.is_identity();
        T* to = out_ + out;
        std::int64_t done = 0;
        for (;;) {
            // Nothing else in this loop: decisions about the last rows took two thirds of it.
            for (; done + width <= rows; done += width, to += width * step) {
                if (asks) {
                    f.template fetch_rows<group_ahead>(0, width);
                }
                reg sums[lanes];
                unroll<lanes>([&](auto i) __attribute__((always_inline)) {
                    sums[i] = sum_of(Line(), f, 0);
                    f.move(1, 0);
                });
                const reg added = lane_sums<T, Arch>::of(sums);
                if (plain) {
                    simd_type::store(to, added);
                } else {
                    put_lanes<T, Arch>(added, lanes, to, step, scale_);
                }
            }
            // The last rows: some get the same results again, unless these add up or are many.
            const std::int64_t again = width - (rows - done);
            if (again == width || 2 * again > width || scale_.adds()) {
                return done;
            }
            f.move(-again, 0);
            to -= again * step;
            done -= again;
        }
    }

    /// Whether rows lie closer to each other than terms, so that a panel should hold many.
    [[nodiscard]] bool rows_inside(const loops& terms) const {
        std::int64_t row = 0;
        std::int64_t term = 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            row = std::max(row, std::abs(inputs_[i].row));
            term = std::max(term, std::abs(terms.stride(terms.count - 1, inputs_[i].array)));
        }
        return row < term;
    }

    /// Writes the sums of lines to the panel, or adds them.
    void add_lines(const factors& f, reg* panel, std::int64_t row, std::int64_t end,
                   bool first) const {
        if constexpr (Units == 2 && Fixed == 0) {
            if (shares_line()) {
                const bool second = f[0].row == 0;
                const cursor<T>& others = f[second ? 1 : 0];
                shared(f[second ? 0 : 1].at, extent_)
                    .add(others.at + row * others.row, others.row, end - row, panel, first);
                return;
            }
        }
        const auto add = [&]<class Line>() { add_to_panel<Line>(f, panel, row, end, first); };
        if constexpr (factors::known) {
            if (is_short()) {
                with_short_line(add);
                return;
            }
        }
        with_long_line(add);
    }
    /// Writes the sums of lines that are not short, as numbers.
    void sum_lines_to(T* sums, const factors& f, std::int64_t row, std::int64_t end) const {
        if constexpr (factors::known) {
            with_long_line([&]<class Line>() { write_sums<Line>(sums, f, row, end); });
        } else {
            // Loops over inputs are long, and there is one already.
            for (; row < end; ++row) {
                reg sum;
                add_to_panel<long_line<2>>(f, &sum, row, row + 1, true);
                *sums++ = simd_type::sum(sum);
            }
        }
    }

    /// Lines of so many whole registers and a part of another one, and longer ones.
    template <std::size_t Whole, bool Part>
    struct short_line {};
    template <std::size_t Chains>
    struct long_line {};

    /// Calls f.operator()<Line>(). Three inputs take so long to load that two chains are enough.
    template <class F>
    void with_long_line(F f) const {
        if constexpr (factors::most_inputs <= 2) {
            if (extent_ >= four_chains_from<T, Arch>) {
                f.template operator()<long_line<4>>();
                return;
            }
        }
        f.template operator()<long_line<2>>();
    }
    template <class F>
    void with_short_line(F f) const {
        const bool part = extent_ % width != 0;
        switch (extent_ / width) {
            case 0: f.template operator()<short_line<0, true>>(); break;
            case 1:
                part ? f.template operator()<short_line<1, true>>()
                     : f.template operator()<short_line<1, false>>();
                break;
            default:
                part ? f.template operator()<short_line<2, true>>()
                     : f.template operator()<short_line<2, false>>();
                break;
        }
    }

    [[nodiscard]] bool is_short() const { return extent_ < 3 * width; }

    // Not inlined, as the registers of each are its own; flat, so that its sums stay in them.
    template <class Line>
    [[gnu::noinline, gnu::flatten]] void add_to_panel(const factors& from, reg* panel,
                                                      std::int64_t row, std::int64_t end,
                                                      bool first) const {
        for_each_line(from, row, end, [&](const factors& f, std::int64_t r) {
            const reg sum = sum_of(Line(), f, r);
            *panel = first ? sum : simd_type::add(*panel, sum);
            ++panel;
        });
    }
    template <class Line>
    [[gnu::noinline, gnu::flatten]] void write_sums(T* sums, const factors& from, std::int64_t row,
                                                    std::int64_t end) const {
        for_each_line(from, row, end, [&](const factors& f, std::int64_t r) {
            *sums++ = simd_type::sum(sum_of(Line(), f, r));
        });
    }
    template <class Take>
    static void for_each_line(const factors& from, std::int64_t row, std::int64_t end, Take take) {
        factors f = from;
        if constexpr (factors::known) {
            for (f.move(row, 0); row < end; ++row, f.move(1, 0)) {
                take(f, 0);
            }
        } else {
            for (; row < end; ++row) {
                take(f, row);
            }
        }
    }
    template <std::size_t Whole, bool Part>
    [[nodiscard]] reg sum_of(short_line<Whole, Part>, const factors& f, std::int64_t row) const {
        const reg factor = simd_type::set(f.factor(row, 0));
        constexpr std::int64_t whole = static_cast<std::int64_t>(Whole) * width;
        if constexpr (Whole == 0) {
            return end_of_line(f, row, 0, factor);
        } else {
            reg sum = f(row, 0, 0, lanes, factor);
            if constexpr (Whole == 2) {
                sum = f.add_to(sum, row, 0, width, lanes, factor);
            }
            return Part ? add_end_of_line(sum, f, row, whole, factor) : sum;
        }
    }
    template <std::size_t Chains>
    [[nodiscard]] reg sum_of(long_line<Chains>, const factors& f, std::int64_t row) const {
        const reg factor = simd_type::set(f.factor(row, 0));
        reg sum[1];
        sum_lines<T, Arch, 1, Chains>::of(
            extent_,
            [&](const reg& s, std::size_t, std::int64_t x) {
                return f.add_to(s, row, 0, x, lanes, factor);
            },
            [&](const reg& s, std::size_t, std::int64_t x) {
                return add_end_of_line(s, f, row, x, factor);
            },
            sum);
        return sum[0];
    }

    /// The products of a line from x, fewer than a register has lanes. The other lanes add nothing:
    /// 0 * Inf would be NaN.
    [[nodiscard]] reg end_of_line(const factors& f, std::int64_t row, std::int64_t x,
                                  const reg& factor) const {
        const std::size_t count = left_of_line(x);
        const reg part = f(row, 0, x, count, factor);
        return f.zero_beyond() ? part : simd_type::keep_part(part, count);
    }
    [[nodiscard]] reg add_end_of_line(const reg& sum, const factors& f, std::int64_t row,
                                      std::int64_t x, const reg& factor) const {
        return f.zero_beyond() ? f.add_to(sum, row, 0, x, left_of_line(x), factor)
                               : simd_type::add(sum, end_of_line(f, row, x, factor));
    }
    [[nodiscard, gnu::always_inline]] std::size_t left_of_line(std::int64_t x) const {
        const auto count = static_cast<std::size_t>(extent_ - x);
        if (count >= lanes) {
            __builtin_unreachable();  // or the compiler writes whole registers down as well
        }
        return count;
    }

    /// Whether one of two inputs is the same line in all rows, which then load it together.
    [[nodiscard]] bool shares_line() const {
        return nest_.shares_lines && Units == 2 && Fixed == 0 && shared::suits(extent_) &&
               (inputs_[0].row == 0) != (inputs_[1].row == 0);
    }

    [[nodiscard]] std::int64_t row_step() const { return row_.count == 0 ? 0 : row_.stride(0, 0); }

    /// Adds up the lanes of every register and puts the results.
    void put(const reg* panel, std::int64_t out, std::int64_t row, std::int64_t end) const {
        const std::int64_t step = row_step();
        put_lane_sums<T, Arch>(panel, end - row, out_ + out + row * step, step, scale_);
    }

    const loop_nest& nest_;
    loops outer_{};
    loops row_{};
    std::int64_t extent_ = 0;
    cursors<T>& inputs_;
    T* out_;
    scaling<T> scale_;
};

}  // namespace xeinsum::kernel
