// A nest whose lanes are terms of one sum: "ij,j->i" and "ijk->j" run in vectors of j and of k, and
// lanes are added up at the end.
#pragma once

#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/reduce/line_sums.hpp>
#include <xeinsum/kernel/reduce/packed_lines.hpp>
#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/reduce/shared_line.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace xeinsum::kernel {

/// One row of results after the other, whose next one does not wait for its sums; of short lines as
/// many rows at once as a register has lanes. Sums over several loops, rows that share a line and
/// what is left of short ones wait in a panel, a register or a lane for each row. beta = 0 does not
/// read the output.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class contracted_vectors {
public:
    /// The contracted loops have the vector loop last. If there are several of them, and loops over
    /// the output, scratch has panel_scratch_bytes(nest.far) bytes, aligned to 64.
    contracted_vectors(const loop_nest& nest, cursors<T>& inputs, const T* const* from, T* out,
                       const scaling<T>& scale, std::byte* scratch)
        : nest_(nest),
          scratch_(scratch),
          lines_(nest.contracted.extent(nest.contracted.count - 1)),
          inputs_(inputs),
          out_(out),
          scale_(scale) {
        const std::size_t last = nest.contracted.count - 1;
        const std::size_t rows = nest.output.count;
        if (rows > 0) {
            row_ = nest.output.from(rows - 1);
            outer_ = nest.output.first(rows - 1);
        } else if (is_single()) {
            row_ = nest.contracted.from(last - 1).first(1);
        }
        inputs_.start(from, nest.contracted.from(last), row_, {});
    }

    void run() {
        if (is_single()) {
            run_single();
            return;
        }
        const loops terms = nest_.contracted.first(nest_.contracted.count - 1);
        const std::int64_t rows = row_.count == 0 ? 1 : row_.extent(0);
        if constexpr (packed::exists) {
            if (row_.count > 0 && packed::suits(inputs_, lines_.extent())) {
                sum_packed_lines(terms, rows);
                return;
            }
        }
        if (terms.count == 0) {
            sum_lines_alone(rows);
            return;
        }
        if constexpr (line_sums_type::has_lanes) {
            if (sums_in_lanes(terms)) {
                sum_in_lanes(terms, rows);
                return;
            }
        }
        const std::int64_t high =
            rows_inside(terms) ? panel_room::most(nest_.far) : std::max<std::int64_t>(width, 4);
        for_each_panel(
            terms, rows, high, [](std::int64_t count) { return count; },
            [&](reg* panel, std::int64_t row, std::int64_t count, bool first) {
                add_lines(factors(inputs_), panel, row, row + count, first);
            },
            [&](const reg* sums, std::int64_t count, T* to) {
                put_lane_sums<T, Arch>(sums, count, to, row_step(), scale_);
            });
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    using line_sums_type = line_sums<T, Arch, Units, Fixed>;
    using shared = shared_line<T, Arch>;
    using packed = packed_lines<T, Arch, Units, Fixed>;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    using panel_room = panel_memory<reg>;
    /// Rows without other terms to come: a multiple of what is added up together.
    static constexpr std::int64_t line_panel = panel_room::most(false) / 4;
    static_assert(line_panel % width == 0);

    /// Lines that are worth a sum in each lane where other terms are to come, however few rows
    /// there are.
    static constexpr std::int64_t lane_line = 16 * width;

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

    /// Sums of at most high rows at once wait in a panel of registers(rows) until all terms have
    /// been added: add(panel, row, rows, whether they are the first), then put(sums, rows, to).
    template <class Registers, class Add, class Put>
    [[gnu::noinline]] void for_each_panel(const loops& terms, std::int64_t rows, std::int64_t high,
                                          Registers registers, Add add, Put put) {
        const std::int64_t step = row_step();
        panel_room memory(nest_.far, scratch_);
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            for (std::int64_t row = 0; row < rows; row += high) {
                const std::int64_t count = std::min(high, rows - row);
                const auto some = static_cast<std::size_t>(registers(count));
                lent_cascade<reg, simd_type> panel(memory.levels(some));
                inputs_.for_each_term(terms, [&] {
                    add(panel.block(), row, count, panel.is_first());
                    panel.end_block(some);
                });
                put(panel.total(some), count, out_ + out + row * step);
            }
        });
    }

    /// Where there are other terms, registers of packed lines wait until all have been added to
    /// them; then groups of their lanes are added up.
    void sum_packed_lines(const loops& terms, std::int64_t rows) {
        const packed lines(lines_.extent(), nest_.far);
        if (terms.count == 0) {
            inputs_.for_each_output(outer_, [&](std::int64_t out) {
                inputs_.for_each_term(
                    {}, [&] { lines.put(factors(inputs_), rows, out_ + out, row_step(), scale_); });
            });
            return;
        }
        for_each_panel(
            terms, rows, lines.most_rows(panel_room::most(nest_.far)),
            [&](std::int64_t count) { return lines.registers(count); },
            [&](reg* panel, std::int64_t row, std::int64_t count, bool first) {
                lines.add(factors(inputs_), panel, row, count, first);
            },
            [&](const reg* sums, std::int64_t count, T* to) {
                put_group_sums<T, Arch>(sums, count, lines_.extent(), to, row_step(), scale_);
            });
    }

    /// Whether each lane has the sum of a row, which must not depend on how many of them are here.
    [[nodiscard]] bool sums_in_lanes(const loops& terms) const {
        return nest_.far &&
               ((nest_.fills_lanes && lines_.suits_lanes()) || lines_.extent() >= lane_line) &&
               rows_inside(terms) && !shares_line();
    }
    /// Far lines: a panel of results is a fraction of one of registers, and what is stored between
    /// reads costs their rate.
    void sum_in_lanes(const loops& terms, std::int64_t rows) {
        for_each_panel(
            terms, rows, panel_room::most(false) / 2 * width,
            [](std::int64_t count) { return (count + width - 1) / width; },
            [&](reg* panel, std::int64_t row, std::int64_t count, bool first) {
                lines_.add_in_lanes(factors(inputs_), panel, row, row + count, first);
            },
            [&](const reg* sums, std::int64_t count, T* to) {
                const std::int64_t step = row_step();
                for (; count > 0; count -= width, to += width * step, ++sums) {
                    put_lanes<T, Arch>(*sums, static_cast<std::size_t>(std::min(width, count)), to,
                                       step, scale_);
                }
            });
    }

    /// Where a line is all that a result adds up: one step of the loop around the rows, which may
    /// be few, is taken here.
    void sum_lines_alone(std::int64_t rows) {
        const bool steps = factors::known && outer_.count > 0;
        const std::size_t around = outer_.count - (steps ? 1 : 0);
        const std::int64_t planes = steps ? outer_.extent(around) : 1;
        inputs_.for_each_output(outer_.first(around), [&](std::int64_t out) {
            inputs_.for_each_term({}, [&] {
                factors f(inputs_);
                std::int64_t to = out;
                for (std::int64_t plane = 0; plane < planes; ++plane) {
                    put_together(f, to, rows);
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
    /// Lanes of some rows are added up together: of short lines in registers alone, if rows are
    /// enough.
    void put_together(const factors& f, std::int64_t out, std::int64_t rows) const {
        std::int64_t row = 0;
        if constexpr (line_sums_type::has_lanes) {
            if (rows >= width && lines_.is_short() && !shares_line()) {
                lines_.with_short_line([&]<class Line>() { row = put_groups<Line>(f, out, rows); });
            }
        }
        for (; row < rows; row += line_panel) {
            reg panel[line_panel];
            const std::int64_t end = std::min(row + line_panel, rows);
            if (asks_for_rows() && lines_.is_short()) {
                f.template prefetch_rows<line_sums_type::rows_ahead>(row, end - row);
            }
            add_lines(f, panel, row, end, true);
            put(panel, out, row, end);
        }
    }
    /// Whether rows end with parts of registers that come from far away.
    [[nodiscard]] bool asks_for_rows() const {
        return simd_type::loads_by_mask && nest_.far && lines_.has_part();
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
                    f.template prefetch_rows<line_sums_type::rows_ahead>(0, width);
                }
                const reg added = lines_.of_rows(Line(), f);
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
                shared(f[second ? 0 : 1].at, lines_.extent())
                    .add(others.at + row * others.row, others.row, end - row, panel, first);
                return;
            }
        }
        lines_.add(f, panel, row, end, first);
    }

    /// Whether one of two inputs is the same line in all rows, which then load it together.
    [[nodiscard]] bool shares_line() const {
        return nest_.shares_lines && Units == 2 && Fixed == 0 && shared::suits(lines_.extent()) &&
               (inputs_[0].row == 0) != (inputs_[1].row == 0);
    }

    [[nodiscard]] std::int64_t row_step() const { return row_.count == 0 ? 0 : row_.stride(0, 0); }

    /// Adds up the lanes of every register and puts the results.
    void put(const reg* panel, std::int64_t out, std::int64_t row, std::int64_t end) const {
        const std::int64_t step = row_step();
        put_lane_sums<T, Arch>(panel, end - row, out_ + out + row * step, step, scale_);
    }

    const loop_nest& nest_;
    std::byte* scratch_;
    line_sums_type lines_;
    loops outer_{};
    loops row_{};
    cursors<T>& inputs_;
    T* out_;
    scaling<T> scale_;
};

}  // namespace xeinsum::kernel
