// Sums that stay in registers from their first term to the last: for "acd,c->ad" with 12 c and 20 d
// every row of results is two registers that twelve terms are added to.
#pragma once

#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/output_line.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/term_blocks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Lines of at most direct_registers, row after row. Blocks of terms are added as a panel of
/// output_vectors adds them, so that the results are the same.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class direct_sums {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;

    /// Sums of so many terms, of inputs that may come from main memory.
    direct_sums(const output_line<T, Arch>& line, std::int64_t terms, bool far) noexcept
        : line_(line), terms_(terms), far_(far) {}

    /// Puts rows 0 to rows - 1, which are step elements from each other.
    void run(const cursors<T>& inputs, T* out, std::int64_t step, std::int64_t rows) const {
        if (line_.whole() == 0) {
            sum_rows<1, true>(inputs, out, step, rows);
            return;
        }
        static_assert(direct_registers == 4);
        switch (line_.registers()) {
            case 1: sum_rows<1, false>(inputs, out, step, rows); break;
            case 2: sum_rows<2, false>(inputs, out, step, rows); break;
            case 3: sum_rows<3, false>(inputs, out, step, rows); break;
            default: sum_rows<4, false>(inputs, out, step, rows); break;
        }
    }

private:
    using line_type = output_line<T, Arch>;
    static constexpr std::int64_t block = most_streams(Units);
    static constexpr std::int64_t level = level_blocks * block;

    /// Wide registers, or Part of one. Not inlined: its registers are its own.
    template <std::size_t Wide, bool Part>
    [[gnu::noinline]] void sum_rows(const cursors<T>& inputs, T* out, std::int64_t step,
                                    std::int64_t rows) const {
        const factors f(inputs);
        const line_type line = line_;
        const std::int64_t last = line.start(Wide - 1);
        const std::size_t count = Part ? line.filled() : simd_type::lanes;
        const std::int64_t terms = terms_;
        const bool far = far_;
        // What leaves even the sign of a zero that is added.
        const reg nothing = simd_type::set(static_cast<T>(-T(0)));
        const auto start = [last](std::size_t r) {
            return r + 1 == Wide ? last : static_cast<std::int64_t>(r) * line_type::width;
        };
        for (std::int64_t row = 0; row < rows; ++row, out += step) {
            reg sums[Wide];
            const auto add = [&](std::int64_t begin, std::int64_t end)
                __attribute__((always_inline)) {
#pragma GCC unroll 32
                for (std::size_t r = 0; r < Wide; ++r) {
                    sums[r] = nothing;
                }
                while (begin < end) {
                    const std::int64_t stop = begin + block_size(block, end - begin);
                    if (Part && simd_type::loads_by_mask && far) {
                        f.fetch_terms(row, begin, stop - begin);
                    }
                    reg part[Wide];
                    const reg first = simd_type::set(f.factor(row, begin));
#pragma GCC unroll 32
                    for (std::size_t r = 0; r < Wide; ++r) {
                        part[r] = f(row, begin, start(r), count, first);
                    }
                    for (std::int64_t term = begin + 1; term < stop; ++term) {
                        const reg factor = simd_type::set(f.factor(row, term));
#pragma GCC unroll 32
                        for (std::size_t r = 0; r < Wide; ++r) {
                            part[r] = f.add_to(part[r], row, term, start(r), count, factor);
                        }
                    }
#pragma GCC unroll 32
                    for (std::size_t r = 0; r < Wide; ++r) {
                        sums[r] = simd_type::add(sums[r], part[r]);
                    }
                    begin = stop;
                }
            };
            cascade<reg, Wide, simd_type> levels;
            // One loop, as the compiler writes down what is added wherever it is called.
            for (std::int64_t term = 0;; term += level) {
                const bool all = terms - term <= level;
                add(term, all ? terms : term + level);
                if (all) [[likely]] {
                    break;
                }
                levels.add_block(copy<Wide>(sums).data(), Wide);
            }
            if (terms > level) [[unlikely]] {
                const std::array<reg, Wide> rest = copy<Wide>(sums);
                const reg* all = levels.total(Wide, rest.data());
#pragma GCC unroll 4
                for (std::size_t r = 0; r < Wide; ++r) {
                    sums[r] = all[r];
                }
            }
#pragma GCC unroll 32
            for (std::size_t r = 0; r < Wide - 1; ++r) {
                line.scale().template put_register<simd_type>(out + start(r), sums[r]);
            }
            line.put(out, Wide - 1, sums[Wide - 1]);
        }
    }

    /// Sums whose address is taken would not stay in registers.
    template <std::size_t Wide>
    [[gnu::always_inline]] static std::array<reg, Wide> copy(const reg (&sums)[Wide]) {
        std::array<reg, Wide> all;
#pragma GCC unroll 32
        for (std::size_t r = 0; r < Wide; ++r) {
            all[r] = sums[r];
        }
        return all;
    }

    const output_line<T, Arch>& line_;
    std::int64_t terms_;
    bool far_;
};

}  // namespace xeinsum::kernel
