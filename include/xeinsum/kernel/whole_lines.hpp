// Lines of terms that registers hold from end to end: "bhwc,bhwc->bc" with 256 c reads one line
// behind the other, as they lie in memory, and keeps 16 registers of sums.
#pragma once

#include <xeinsum/kernel/element.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/term_blocks.hpp>
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
        return factors::known ? static_cast<std::int64_t>(sums) / step * step : 0;
    }();

    /// Lines of extent elements. While one is added to others, the one so many terms behind it is
    /// fetched, for 0 none, and also where there is none. What the first of a block would ask for
    /// comes by itself.
    whole_lines(const factors& inputs, std::int64_t extent, std::int64_t ahead) noexcept
        : inputs_(inputs), extent_(extent), ahead_(ahead) {}

    /// Adds terms of a row to the panel, in blocks of Most and fewer; registers is how many sums
    /// the panel has. The last register of a line starts where it still ends inside.
    template <std::int64_t Most, class Panel>
    void add(std::int64_t row, std::int64_t terms, Panel& panel, std::int64_t registers) const {
        unroll<static_cast<std::size_t>(most_registers / step - 1)>([&](auto tile) {
            constexpr std::int64_t wide = step * static_cast<std::int64_t>(tile + 2);
            if (registers <= wide && registers > wide - step) {
                add_tile<wide, Most>(row, terms, panel, registers);
            }
        });
    }

private:
    static constexpr auto width = static_cast<std::int64_t>(lanes);

    // The inputs go on from term to term: offsets of every term would be more than there are
    // registers for.
    template <std::int64_t Wide, std::int64_t Most, class Panel>
    [[gnu::noinline]] void add_tile(std::int64_t row, std::int64_t terms, Panel& panel,
                                    std::int64_t registers) const {
        factors f = inputs_;
        f.move(row, 0);
        const std::int64_t last = extent_ - width;
        const std::int64_t ahead = ahead_;
        const auto start = [last](std::int64_t r) {
            return r < Wide - step ? r * width : std::min(r * width, last);
        };
        while (terms > 0) {
            const std::int64_t block = block_size(Most, terms);
            terms -= block;
            reg sums[Wide];
            const reg factor = simd_type::set(f.factor(0, 0));
#pragma GCC unroll 32
            for (std::int64_t r = 0; r < Wide; ++r) {
                sums[r] = f(0, 0, start(r), lanes, factor);
            }
            f.move(0, 1);
            for (std::int64_t left = block - 1; left > 0; --left, f.move(0, 1)) {
                if (ahead > 0) {
                    f.template fetch<Wide * lanes / line_elements<T>>(0, 0, 0, ahead);
                }
                const reg next = simd_type::set(f.factor(0, 0));
#pragma GCC unroll 32
                for (std::int64_t r = 0; r < Wide; ++r) {
                    sums[r] = f.add_to(sums[r], 0, 0, start(r), lanes, next);
                }
            }
            reg* to = panel.block();
            const bool first = panel.is_first();
#pragma GCC unroll 32
            for (std::int64_t r = 0; r < Wide; ++r) {
                if (r <= Wide - step || r < registers) {
                    to[r] = first ? sums[r] : simd_type::add(to[r], sums[r]);
                }
            }
            panel.end_block(static_cast<std::size_t>(registers));
        }
    }

    const factors& inputs_;
    std::int64_t extent_;
    std::int64_t ahead_;
};

}  // namespace xeinsum::kernel
