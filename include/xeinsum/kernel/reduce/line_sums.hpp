// The terms of a line added up in one register: of "ij,j->i" with 20 j and sixteen lanes, each i is
// a register of products and four more of another one, and its lanes are added up later.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/reduce/sum_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Lines of an extent that go along all inputs that move. Short lines are less than three
/// registers; where they are all that a result adds up, each length of them has code of its own.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class line_sums {
public:
    using factors = product<T, Arch, Units, Fixed>;
    using simd_type = typename factors::simd_type;
    using reg = typename factors::reg;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);

    /// A line of so many whole registers and a part of another one.
    template <std::size_t Whole, bool Part>
    struct short_line {};

    /// Whether the sums of as many rows as a register has lanes can be one register.
    static constexpr bool has_lanes =
        factors::known && Fixed == 0 && std::is_floating_point_v<T> && lanes > 1;

    /// How many bytes ahead rows that end with parts of registers are prefetched.
    static constexpr std::size_t rows_ahead = 8192;

    explicit line_sums(std::int64_t extent) noexcept : extent_(extent) {}

    [[nodiscard]] std::int64_t extent() const noexcept { return extent_; }
    [[nodiscard]] bool is_short() const noexcept { return extent_ < 3 * width; }
    /// Whether a line ends with a part of a register.
    [[nodiscard]] bool has_part() const noexcept { return extent_ % width != 0; }

    /// Writes the sums of rows to the panel, or adds them.
    void add(const factors& f, reg* panel, std::int64_t row, std::int64_t end, bool first) const {
        if constexpr (factors::known) {
            if (is_short()) {
                add_to_panel<any_short_line>(f, panel, row, end, first);
                return;
            }
        }
        with_long_line([&]<class Line>() { add_to_panel<Line>(f, panel, row, end, first); });
    }
    /// Whether far lines of many rows are better added up in lanes than each in a register: unless
    /// a part of a register that is not a whole cache line ends long ones.
    [[nodiscard]] bool suits_lanes() const noexcept {
        return !has_part() || is_prefetched() || sizeof(reg) >= line_bytes;
    }
    /// Writes the sums of far lines to the panel, or adds them, where has_lanes, with a row in each
    /// lane; lanes behind the last row hold anything.
    void add_in_lanes(const factors& f, reg* panel, std::int64_t row, std::int64_t end,
                      bool first) const {
        if (is_short()) {
            add_lanes<any_short_line>(f, panel, row, end, first, has_part());
        } else if (is_prefetched()) {
            add_lanes<long_line<2>>(f, panel, row, end, first, true);
        } else {
            with_long_line(
                [&]<class Line>() { add_lanes<Line>(f, panel, row, end, first, false); });
        }
    }
    /// The sums of as many rows as there are lanes, behind which f then stands.
    template <class Line>
    [[nodiscard, gnu::always_inline]] reg of_rows(Line line, factors& f) const {
        reg sums[lanes];
#pragma GCC unroll 32
        for (std::size_t i = 0; i < lanes; ++i) {
            sums[i] = of(line, f, 0);
            f.move(1, 0);
        }
        return lane_sums<T, Arch>::of(sums);
    }

    /// Calls f.operator()<Line>() with what of() takes for a short line.
    template <class F>
    void with_short_line(F f) const {
        const bool part = has_part();
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

    /// The terms of a row.
    template <std::size_t Whole, bool Part>
    [[nodiscard]] reg of(short_line<Whole, Part>, const factors& f, std::int64_t row) const {
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

private:
    /// A short line whose length is known at run time alone.
    struct any_short_line {};

    /// The terms of a row of a short line.
    [[nodiscard]] reg of(any_short_line, const factors& f, std::int64_t row) const {
        const reg factor = simd_type::set(f.factor(row, 0));
        if (extent_ < width) {
            return end_of_line(f, row, 0, factor);
        }
        reg sum = f(row, 0, 0, lanes, factor);
        std::int64_t x = width;
        if (extent_ >= 2 * width) {
            sum = f.add_to(sum, row, 0, width, lanes, factor);
            x += width;
        }
        return x < extent_ ? add_end_of_line(sum, f, row, x, factor) : sum;
    }

    /// Whether the hardware does not prefetch lines, as they often end with a part of a register.
    [[nodiscard]] bool is_prefetched() const noexcept {
        constexpr auto hardware_elements = static_cast<std::int64_t>(384 / sizeof(T));
        return has_part() && extent_ < hardware_elements;
    }

    /// A longer one, in so many sums at once.
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

    // Not inlined, as the registers of each are its own; flat, so that its sums stay in them.
    template <class Line>
    [[gnu::noinline, gnu::flatten]] void add_to_panel(const factors& from, reg* panel,
                                                      std::int64_t row, std::int64_t end,
                                                      bool first) const {
        for_each_line(from, row, end, [&](const factors& f, std::int64_t r) {
            const reg sum = of(Line(), f, r);
            *panel = first ? sum : simd_type::add(*panel, sum);
            ++panel;
        });
    }
    // Rows that end with a part of a register may have to be prefetched.
    template <class Line>
    [[gnu::noinline, gnu::flatten]] void add_lanes(const factors& from, reg* panel,
                                                   std::int64_t row, std::int64_t end, bool first,
                                                   bool prefetches) const {
        factors f = from;
        f.move(row, 0);
        // Rows in a loop: written out, longer lines took up to twice as long, and much more code.
        reg sums[lanes];
        std::fill_n(sums, lanes, simd_type::zero());
        for (; row < end; row += width) {
            if (simd_type::loads_by_mask && prefetches) {
                f.template prefetch_rows<rows_ahead>(0, width);
            }
            const std::int64_t rows = std::min(width, end - row);
            for (std::int64_t i = 0; i < rows; ++i, f.move(1, 0)) {
                sums[i] = of(Line(), f, 0);
            }
            const reg added = lane_sums<T, Arch>::of(sums);
            *panel = first ? added : simd_type::add(*panel, added);
            ++panel;
        }
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
    template <std::size_t Chains>
    [[nodiscard]] reg of(long_line<Chains>, const factors& f, std::int64_t row) const {
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

    std::int64_t extent_;
};

}  // namespace xeinsum::kernel
