// Lines of terms that registers hold from end to end: "bhwc,bhwc->bc" with 256 c reads one line
// behind the other, as they lie in memory, and keeps 16 registers of sums.
#pragma once

#include <xeinsum/kernel/element.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/unroll.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Sums of products along such lines; the counts of inputs are known when it is compiled.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class whole_lines {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    static constexpr std::size_t lanes = simd_type::lanes;

    /// Registers of sums are a multiple of these; those that a line does not fill read its end
    /// again.
    static constexpr std::int64_t step = 4;
    /// Registers of a line, at least and at most: shorter ones are read together as it is, and the
    /// sums of longer ones do not stay in registers.
    static constexpr std::int64_t least_registers = 5;
    static constexpr std::int64_t most_registers = [] {
        constexpr std::size_t parts = is_complex_v<T> ? 2 : 1;
        constexpr std::size_t sums = register_count<Arch> * 3 / 4 / parts;
        return factors::known && Units + Fixed <= 2 ? static_cast<std::int64_t>(sums) / step * step
                                                    : 0;
    }();

    /// Lines of extent elements. While one is added to others, the one so many terms behind it is
    /// fetched, for 0 none. What the first of a block would ask for comes by itself.
    whole_lines(const factors& inputs, std::int64_t extent, std::int64_t ahead) noexcept
        : inputs_(inputs), extent_(extent), ahead_(ahead) {}

    /// Writes the sums of terms begin to end - 1 of a row to a register of the panel for each of
    /// the line, or adds them. The last one starts where it still ends inside.
    void add(std::int64_t row, std::int64_t begin, std::int64_t end, reg* panel, bool first) const {
        const std::int64_t registers = (extent_ + width - 1) / width;
        unroll<static_cast<std::size_t>(most_registers / step - 1)>([&](auto tile) {
            constexpr std::int64_t wide = step * static_cast<std::int64_t>(tile + 2);
            if (registers <= wide && registers > wide - step) {
                add_tile<wide>(row, begin, end, panel, first, registers);
            }
        });
    }

private:
    static constexpr auto width = static_cast<std::int64_t>(lanes);

    template <std::int64_t Wide>
    [[gnu::noinline]] void add_tile(std::int64_t row, std::int64_t begin, std::int64_t end,
                                    reg* panel, bool first, std::int64_t registers) const {
        const factors f = inputs_;  // in registers
        const std::int64_t last = extent_ - width;
        const auto start = [last](std::int64_t r) {
            return r < Wide - step ? r * width : std::min(r * width, last);
        };
        reg sums[Wide];
        const reg factor = simd_type::set(f.factor(row, begin));
        unroll<Wide>([&](auto r) { sums[r] = f(row, begin, start(r), lanes, factor); });
        for (std::int64_t term = begin + 1; term < end; ++term) {
            if (ahead_ > 0) {
                f.template fetch<Wide * lanes / line_elements<T>>(row, term + ahead_, 0);
            }
            const reg next = simd_type::set(f.factor(row, term));
            unroll<Wide>(
                [&](auto r) { sums[r] = f.add_to(sums[r], row, term, start(r), lanes, next); });
        }
        unroll<Wide>([&](auto r) {
            if (static_cast<std::int64_t>(r) < registers) {
                panel[r] = first ? sums[r] : simd_type::add(panel[r], sums[r]);
            }
        });
    }

    const factors& inputs_;
    std::int64_t extent_;
    std::int64_t ahead_;
};

}  // namespace xeinsum::kernel
