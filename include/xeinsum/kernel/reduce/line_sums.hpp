// The terms of a line added up in one register: of "ij,j->i" with 20 j and sixteen lanes, each i is
// a register of products and four more of another one, and its lanes are added up later.
#pragma once

#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/reduce/sum_lines.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Lines of an extent that go along all inputs that move, in chains of sums that do not wait for
/// each other.
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
        if constexpr (!factors::known) {
            add_rows<1>(f, panel, row, end, first);  // whose products take longer than to wait
        } else if (extent_ < width) {
            add_rows<parts>(f, panel, row, end, first);
        } else if (extent_ < four_chains_from<T, Arch>) {
            add_rows<2>(f, panel, row, end, first);
        } else {
            add_rows<4>(f, panel, row, end, first);
        }
    }

private:
    static constexpr std::size_t parts = 0;  ///< no chain: a line is a part of a register

    // Not inlined, as the registers of each are its own; flat, so that its sums stay in them.
    template <std::size_t Chains>
    [[gnu::noinline, gnu::flatten]] void add_rows(const factors& from, reg* panel, std::int64_t row,
                                                  std::int64_t end, bool first) const {
        factors f = from;
        if constexpr (factors::known) {
            f.move(row, 0);
        }
        for (; row < end; ++row, ++panel) {
            const reg sum = of<Chains>(f, factors::known ? 0 : row);
            *panel = first ? sum : simd_type::add(*panel, sum);
            if constexpr (factors::known) {
                f.move(1, 0);
            }
        }
    }

    /// The terms of a row.
    template <std::size_t Chains>
    [[nodiscard]] reg of(const factors& f, std::int64_t row) const {
        const reg factor = simd_type::set(f.factor(row, 0));
        if constexpr (Chains == parts) {
            return end_of_line(f, row, 0, factor);
        } else {
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
