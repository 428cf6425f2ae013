// Lines so short that a register holds several: four i of "ij->i" with 4 j and sixteen lanes are
// read as one, as they follow each other in memory.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/reduce/product.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Such lines, in panels of registers whose groups of lanes are added up when all terms are there;
/// see put_group_sums.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class packed_lines {
public:
    using factors = product<T, Arch, Units, Fixed>;
    using simd_type = typename factors::simd_type;
    using reg = typename factors::reg;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);

    /// Whether there may be such lines: nothing is multiplied in behind them.
    static constexpr bool exists =
        factors::known && Fixed == 0 && std::is_floating_point_v<T> && lanes > 2;

    /// Whether lines of an extent are such, however few there are: where rows are cut must not
    /// change sums.
    [[nodiscard]] static bool suits(const cursors<T>& inputs, std::int64_t extent) {
        bool follow = is_group(extent, lanes);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            follow = follow && inputs[i].row == extent;
        }
        return follow;
    }

    /// Writes the products of rows to the panel, from its first register on, or adds them; of an
    /// input that is DRAM-resident or not. Not inlined: its registers are its own.
    [[gnu::noinline]] static void add(const factors& from, std::int64_t extent, reg* panel,
                                      std::int64_t row, std::int64_t end, bool first,
                                      bool dram_resident) {
        // Hardware prefetches two such inputs, but not one.
        constexpr std::size_t ahead = 4096;
        const factors f = from;
        const reg none = simd_type::zero();
        const bool prefetches = dram_resident && Units == 1;
        const std::int64_t elements = (end - row) * extent;
        for (std::int64_t x = 0; x < elements; x += width, ++panel) {
            if (prefetches) {
                f.prefetch_line(row, x, ahead);
            }
            const auto count = static_cast<std::size_t>(std::min(elements - x, width));
            const reg value = f(row, 0, x, count, none);
            *panel = first ? value : simd_type::add(*panel, value);
        }
    }
};

}  // namespace xeinsum::kernel
