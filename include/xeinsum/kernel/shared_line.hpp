// Many lines times one that they share: in "ij,j->i" with 64 j the line of j stays in registers
// while row after row is read, and with 2048 j each register of it is loaded once for eight rows.
#pragma once

#include <xeinsum/kernel/element.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/sum_lines.hpp>
#include <xeinsum/kernel/unroll.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Each line takes one load and one multiply-add for a register of it; without sharing it would
/// take two loads.
template <class T, class Arch>
class shared_line {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;

    /// Whole registers of a line, at least, or a part of one more, and at most: half of those that
    /// there are, and a few that are read again.
    static constexpr std::int64_t least_registers = 3;
    static constexpr std::int64_t most_registers =
        static_cast<std::int64_t>(register_count<Arch>) / (is_complex_v<T> ? 4 : 2) + 3;

    shared_line(const T* line, std::int64_t extent) noexcept : line_(line), extent_(extent) {}

    /// Whether lines of an extent are short enough, and long enough to be worth it.
    [[nodiscard]] static constexpr bool holds(std::int64_t extent) noexcept {
        const std::int64_t whole = extent / width;
        return whole <= most_registers &&
               (whole >= least_registers || (whole > 0 && extent % width != 0));
    }

    /// Writes the products with lines from, from + step, ..., each summed to one register, to the
    /// panel, or adds them.
    void add(const T* from, std::int64_t step, std::int64_t lines, reg* panel, bool first) const {
        const std::int64_t whole = extent_ / width;
        unroll<3>([&](auto i) {
            if (whole == i + 1) {
                add_lines<i + 1>(from, step, lines, panel, first);
            }
        });
        unroll<static_cast<std::size_t>(most_registers / 4)>([&](auto i) {
            constexpr std::size_t held = 4 * (i + 1);
            constexpr auto least = static_cast<std::int64_t>(held);
            if (whole >= least && whole < least + 4) {
                add_lines<held>(from, step, lines, panel, first);
            }
        });
    }

    /// Whether registers do not hold lines of an extent, but the sums of so many.
    [[nodiscard]] static constexpr bool is_long(std::int64_t extent) noexcept {
        return !is_complex_v<T> && extent / width > most_registers;
    }

    /// What add does for so many lines of any length: at most eight, as many streams as memory
    /// foresees.
    template <std::size_t Lines>
    [[gnu::noinline]] void add_at_once(const T* from, std::int64_t step, reg* panel,
                                       bool first) const {
        using lines = sum_lines<T, Arch, Lines>;
        reg sum[lines::sums];
        const auto line_of = [=](std::size_t n) {
            return from + static_cast<std::int64_t>(n) * step;
        };
        lines::of(
            extent_,
            [&](const reg& s, std::size_t n, std::int64_t x) {
                return simd_type::mul_add(simd_type::load(line_of(n) + x),
                                          simd_type::load(line_ + x), s);
            },
            [&](std::size_t n, std::int64_t x) {
                const auto left = static_cast<std::size_t>(extent_ - x);
                return simd_type::mul(simd_type::load_part(line_of(n) + x, left),
                                      simd_type::load_part(line_ + x, left));
            },
            sum);
        for (std::size_t n = 0; n < Lines; ++n) {
            panel[n] = first ? sum[n] : simd_type::add(panel[n], sum[n]);
        }
    }

private:
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);

    /// Holds so many registers; up to three and a part of one are left to be read again.
    template <std::size_t Held>
    [[gnu::noinline]] void add_lines(const T* from, std::int64_t step, std::int64_t lines,
                                     reg* panel, bool first) const {
        constexpr std::size_t sums = Held >= 16 ? 4 : Held >= 8 ? 2 : 1;
        reg held[Held];
        unroll<Held>([&](auto i) { held[i] = simd_type::load(line_ + i * width); });
        const std::int64_t whole = extent_ / width * width;
        const auto left = static_cast<std::size_t>(extent_ - whole);
        const reg last = left > 0 ? simd_type::load_part(line_ + whole, left) : simd_type::zero();
        for (std::int64_t n = 0; n < lines; ++n, from += step) {
            reg sum[sums];
            unroll<sums>([&](auto i) {
                sum[i] = simd_type::mul(simd_type::load(from + i * width), held[i]);
            });
            unroll<Held - sums>([&](auto i) {
                constexpr std::size_t at = i + sums;
                sum[at % sums] = simd_type::mul_add(
                    simd_type::load(from + static_cast<std::int64_t>(at) * width), held[at],
                    sum[at % sums]);
            });
            for (auto x = static_cast<std::int64_t>(Held) * width; x < whole; x += width) {
                sum[0] = simd_type::mul_add(simd_type::load(from + x), simd_type::load(line_ + x),
                                            sum[0]);
            }
            if (left > 0) {
                sum[sums - 1] = simd_type::mul_add(simd_type::load_part(from + whole, left), last,
                                                   sum[sums - 1]);
            }
            if constexpr (sums == 4) {
                sum[0] = simd_type::add(sum[0], sum[2]);
                sum[1] = simd_type::add(sum[1], sum[3]);
            }
            if constexpr (sums > 1) {
                sum[0] = simd_type::add(sum[0], sum[1]);
            }
            panel[n] = first ? sum[0] : simd_type::add(panel[n], sum[0]);
        }
    }

    const T* line_;
    std::int64_t extent_;
};

}  // namespace xeinsum::kernel
