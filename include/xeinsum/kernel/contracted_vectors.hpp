// A nest whose lanes are terms of one sum: "ij,j->i" and "ijk->j" run in vectors of j and of k, and
// lanes are added up at the end.
#pragma once

#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/lane_sums.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/shared_line.hpp>
#include <xeinsum/kernel/sum_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace xeinsum::kernel {

/// Every result has a register of its own until all its terms are read; the registers of
/// neighbouring results wait in a panel, which is to stay in the first cache. Lines of four results
/// are read at once. beta = 0 does not read the output.
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
    static constexpr auto most_lines = static_cast<std::int64_t>(sums_at_once);
    /// Registers of a line that is short.
    static constexpr std::int64_t short_registers = 8;
    /// Lines from here on are streams of their own; shorter ones that are far make one.
    static constexpr std::int64_t long_line = 4096 / static_cast<std::int64_t>(sizeof(T));

    /// Whether all lines are parts of one result, and there are several.
    [[nodiscard]] bool is_single() const {
        return nest_.output.count == 0 && nest_.contracted.count > 1;
    }
    /// Lines of the loop around the vector loop are read at once, as those of results are, and
    /// added up before they count as a block: one after the other they would wait for themselves.
    void run_single() {
        const std::int64_t lines = row_.extent(0);
        cascade<reg, 1, simd_type> sum;
        inputs_.for_each_term(nest_.contracted.first(nest_.contracted.count - 2), [&] {
            const factors f(inputs_);
            for (std::int64_t line = 0; line < lines; line += most_lines) {
                const std::int64_t end = std::min(line + most_lines, lines);
                reg panel[most_lines];
                add_lines(f, panel, line, end, true);
                for (std::int64_t i = 1; i < end - line; ++i) {
                    panel[0] = simd_type::add(panel[0], panel[i]);
                }
                sum.add_block(panel, 1);
            }
        });
        put(sum.total(1), 0, 0, 1);
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
                    reg panel[line_panel];
                    for (std::int64_t row = 0; row < rows; row += line_panel) {
                        const std::int64_t end = std::min(row + line_panel, rows);
                        add_lines(f, panel, row, end, true);
                        put(panel, to, row, end);
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

    void add_lines(const factors& f, reg* panel, std::int64_t row, std::int64_t end,
                   bool first) const {
        if constexpr (Units == 2 && Fixed == 0) {
            if (shares_line()) {
                add_shared(f, panel, row, end, first);
                return;
            }
            if (shares_long_line()) {
                for (; row + most_lines <= end; row += most_lines, panel += most_lines) {
                    add_shared_long<sums_at_once>(f, panel, row, first);
                }
                for (; row + 4 <= end; row += 4, panel += 4) {
                    add_shared_long<4>(f, panel, row, first);
                }
            }
        }
        if (extent_ <= short_registers * width) {
            if (extent_ % width != 0) {
                add_short_lines<true>(f, panel, row, end, first);
            } else {
                add_short_lines<false>(f, panel, row, end, first);
            }
            return;
        }
        // Lines in between are best read one after the other, as memory foresees.
        for (; extent_ >= long_line && row + 4 <= end; row += 4, panel += 4) {
            add_lines_at_once<4>(f, panel, row, first);
        }
        for (; row < end; ++row, ++panel) {
            add_lines_at_once<1>(f, panel, row, first);
        }
    }

    template <bool Part>
    void add_short_lines(const factors& f, reg* panel, std::int64_t row, std::int64_t end,
                         bool first) const {
        switch (extent_ / width) {
            case 0: add_short_lines<0, Part>(f, panel, row, end, first); break;
            case 1: add_short_lines<1, Part>(f, panel, row, end, first); break;
            case 2: add_short_lines<2, Part>(f, panel, row, end, first); break;
            default: add_short_lines<3, Part>(f, panel, row, end, first); break;
        }
    }
    /// Lines of so many whole registers, for 3 or more, and Part of another one: no time is lost
    /// before and after their sums. Not inlined: its registers are its own.
    template <std::size_t Whole, bool Part>
    [[gnu::noinline]] void add_short_lines(const factors& inputs, reg* panel, std::int64_t row,
                                           std::int64_t end, bool first) const {
        const factors f = inputs;
        const std::int64_t whole = extent_ / width * width;
        for (; row < end; ++row, ++panel) {
            const reg factor = simd_type::set(f.factor(row, 0));
            reg sum;
            if constexpr (Whole == 0) {
                sum = end_of_line(f, row, 0, factor);
            } else {
                sum = f(row, 0, 0, lanes, factor);
                if constexpr (Whole == 2) {
                    sum = f.add_to(sum, row, 0, width, lanes, factor);
                }
                if constexpr (Whole > 2) {
                    reg other = f(row, 0, width, lanes, factor);
                    std::int64_t x = 2 * width;
                    for (; x + width < whole; x += 2 * width) {
                        sum = f.add_to(sum, row, 0, x, lanes, factor);
                        other = f.add_to(other, row, 0, x + width, lanes, factor);
                    }
                    if (x < whole) {
                        sum = f.add_to(sum, row, 0, x, lanes, factor);
                    }
                    sum = simd_type::add(sum, other);
                }
                if constexpr (Part) {
                    constexpr auto known = static_cast<std::int64_t>(Whole) * width;
                    const std::int64_t rest = Whole > 2 ? whole : known;
                    sum = simd_type::add(sum, end_of_line(f, row, rest, factor));
                }
            }
            *panel = first ? sum : simd_type::add(*panel, sum);
        }
    }

    /// Whether one of two inputs is the same line in all rows.
    [[nodiscard]] bool has_shared_line() const {
        return (inputs_[0].row == 0) != (inputs_[1].row == 0);
    }
    /// Whether it is short enough for registers.
    [[nodiscard]] bool shares_line() const { return shared::holds(extent_) && has_shared_line(); }
    /// Whether it is not, and others are read at once.
    [[nodiscard]] bool shares_long_line() const {
        return shared::is_long(extent_) && (!nest_.far || extent_ >= long_line) &&
               has_shared_line();
    }
    [[nodiscard]] shared line_of_all(const factors& f) const {
        return {f[f[0].row == 0 ? 0 : 1].at, extent_};
    }
    [[nodiscard]] static const cursor<T>& line_of_each(const factors& f) {
        return f[f[0].row == 0 ? 1 : 0];
    }
    // Not inlined, so that the registers of other paths stay what they are.
    [[gnu::noinline]] void add_shared(const factors& f, reg* panel, std::int64_t row,
                                      std::int64_t end, bool first) const {
        const cursor<T>& many = line_of_each(f);
        line_of_all(f).add(many.at + row * many.row, many.row, end - row, panel, first);
    }
    template <std::size_t Rows>
    void add_shared_long(const factors& f, reg* panel, std::int64_t row, bool first) const {
        const cursor<T>& many = line_of_each(f);
        line_of_all(f).template add_at_once<Rows>(many.at + row * many.row, many.row, panel, first);
    }

    template <std::size_t Rows>
    void add_lines_at_once(const factors& f, reg* panel, std::int64_t row, bool first) const {
        using lines = sum_lines<T, Arch, Rows>;
        reg factor[Rows];
        reg sum[lines::sums];
        const auto at = [row](std::size_t r) { return row + static_cast<std::int64_t>(r); };
        for (std::size_t r = 0; r < Rows; ++r) {
            factor[r] = simd_type::set(f.factor(at(r), 0));
        }
        lines::of(
            extent_,
            [&](const reg& s, std::size_t r, std::int64_t x) {
                return f.add_to(s, at(r), 0, x, lanes, factor[r]);
            },
            [&](std::size_t r, std::int64_t x) { return end_of_line(f, at(r), x, factor[r]); },
            sum);
        for (std::size_t r = 0; r < Rows; ++r) {
            panel[r] = first ? sum[r] : simd_type::add(panel[r], sum[r]);
        }
    }

    /// The products of a line from x, fewer than a register has lanes. The other lanes add nothing:
    /// 0 * Inf would be NaN.
    [[nodiscard]] reg end_of_line(const factors& f, std::int64_t row, std::int64_t x,
                                  const reg& factor) const {
        const auto count = static_cast<std::size_t>(extent_ - x);
        const reg part = f(row, 0, x, count, factor);
        return f.zero_beyond() ? part : simd_type::keep_part(part, count);
    }

    /// Adds up the lanes of every register and puts the results.
    void put(const reg* panel, std::int64_t out, std::int64_t row, std::int64_t end) const {
        const std::int64_t step = row_.count == 0 ? 0 : row_.stride(0, 0);
        T* to = out_ + out + row * step;
        if constexpr (std::is_floating_point_v<T>) {
            for (; row + width <= end; row += width, panel += lanes, to += width * step) {
                put_sums(to, step, lane_sums<T, Arch>::of(panel), lanes);
            }
            if (2 * (end - row) >= width && end - row > 1) {
                // What belongs to no row is a sum of its own, which nobody reads.
                const auto count = static_cast<std::size_t>(end - row);
                reg rest[lanes];
                for (std::size_t l = 0; l < lanes; ++l) {
                    rest[l] = panel[l < count ? l : 0];
                }
                put_sums(to, step, lane_sums<T, Arch>::of(rest), count);
                return;
            }
        }
        for (; row < end; ++row, ++panel, to += step) {
            scale_.template put<Arch>(*to, simd_type::sum(*panel));
        }
    }
    /// Puts so many lanes, which are results step elements from each other.
    void put_sums(T* to, std::int64_t step, const reg& sums, std::size_t count) const {
        if (step == 1 && count == lanes) {
            scale_.template put_register<simd_type>(to, sums);
            return;
        }
        T lane[lanes];
        simd_type::store(lane, sums);
        for (std::size_t l = 0; l < count; ++l) {
            scale_.template put<Arch>(to[static_cast<std::int64_t>(l) * step], lane[l]);
        }
    }

    loop_nest nest_;
    loops outer_{};
    loops row_{};
    std::int64_t extent_ = 0;
    cursors<T>& inputs_;
    T* out_;
    scaling<T> scale_;
};

}  // namespace xeinsum::kernel
