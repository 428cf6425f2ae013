// The terms of a line added up in one register: of "ij,j->i" with 20 j and sixteen lanes, each i is
// a register of products and four more of another one, and its lanes are added up later.
#pragma once

#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/reduce/sum_lines.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Lines of an extent that go along all inputs that move. Short lines are less than three
/// registers, which need no sums that do not wait for each other.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class line_sums {
public:
    using factors = product<T, Arch, Units, Fixed>;
    using simd_type = typename factors::simd_type;
    using reg = typename factors::reg;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);

    explicit line_sums(std::int64_t extent) noexcept : extent_(extent) {}

    /// Writes the sums of rows to the panel, or adds them.
    void add(const factors& f, reg* panel, std::int64_t row, std::int64_t end, bool first) const {
        const auto run = [&]<class Line>() { add_to_panel<Line>(f, panel, row, end, first); };
        if constexpr (factors::known && Fixed == 0) {
            const bool part = extent_ % width != 0;
            switch (extent_ / width) {
                case 0: run.template operator()<short_line<0, true>>(); return;
                case 1:
                    part ? run.template operator()<short_line<1, true>>()
                         : run.template operator()<short_line<1, false>>();
                    return;
                case 2:
                    part ? run.template operator()<short_line<2, true>>()
                         : run.template operator()<short_line<2, false>>();
                    return;
                default: break;
            }
        }
        if constexpr (!factors::known) {
            run.template operator()<long_line<1>>();  // whose products take longer than to wait
        } else if (extent_ < four_chains_from<T, Arch>) {
            run.template operator()<long_line<2>>();
        } else {
            run.template operator()<long_line<4>>();
        }
    }

private:
    /// A line of so many whole registers and a part of another one. Many rows of such lines take
    /// little time each: each length has a loop of its own, of some rows at once.
    template <std::size_t Whole, bool Part>
    struct short_line {};
    /// Any other, in so many chains of sums.
    template <std::size_t Chains>
    struct long_line {};
    template <class Line>
    static constexpr bool is_long =
        std::is_same_v<Line, long_line<1>> || std::is_same_v<Line, long_line<2>> ||
        std::is_same_v<Line, long_line<4>>;

    // Not inlined, as the registers of each are its own; flat, so that its sums stay in them.
    template <class Line>
    [[gnu::noinline, gnu::flatten]] void add_to_panel(const factors& from, reg* panel,
                                                      std::int64_t row, std::int64_t end,
                                                      bool first) const {
        factors f = from;
        if constexpr (factors::known) {
            f.move(row, 0);
        }
        const auto next = [&](std::int64_t r) {
            const reg sum = of(Line(), f, factors::known ? 0 : r);
            if constexpr (factors::known) {
                f.move(1, 0);
            }
            return sum;
        };
        if constexpr (!is_long<Line>) {
            for (; row + rows_at_once_ <= end; row += rows_at_once_, panel += rows_at_once_) {
                reg sums[rows_at_once_];
#pragma GCC unroll 32
                for (reg& sum : sums) {
                    sum = next(row);
                }
                if (!first) {
#pragma GCC unroll 32
                    for (std::int64_t r = 0; r < rows_at_once_; ++r) {
                        sums[r] = simd_type::add(panel[r], sums[r]);
                    }
                }
#pragma GCC unroll 32
                for (std::int64_t r = 0; r < rows_at_once_; ++r) {
                    panel[r] = sums[r];
                }
            }
        }
        for (; row < end; ++row, ++panel) {
            const reg sum = next(row);
            *panel = first ? sum : simd_type::add(*panel, sum);
        }
    }
    static constexpr std::int64_t rows_at_once_ = 4;

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
