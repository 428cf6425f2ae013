// Lines so short that a register holds several: four i of "ij->i" with 4 j and sixteen lanes are
// read as one, as they follow each other in memory.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/scaling.hpp>

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

    /// Puts the sums of all rows, which have no other terms; of inputs, DRAM-resident or not.
    /// They never are in memory: what is stored between reads of DRAM costs their rate.
    static void put(const factors& from, std::int64_t extent, std::int64_t rows, T* to,
                    std::int64_t step, const scaling<T>& scale, bool dram_resident) {
        with_group<lanes>(extent, [&]<std::size_t Group>() {
            put_groups<Group>(from, rows, to, step, scale, dram_resident);
        });
    }

    /// Writes the products of rows to the panel, from its first register on, or adds them; of an
    /// input that is DRAM-resident or not. Not inlined: its registers are its own.
    [[gnu::noinline]] static void add(const factors& from, std::int64_t extent, reg* panel,
                                      std::int64_t row, std::int64_t end, bool first,
                                      bool dram_resident) {
        const factors f = from;
        const reg none = simd_type::zero();
        const bool prefetches = dram_resident && Units == 1;
        const std::int64_t elements = (end - row) * extent;
        const auto put = [&](std::int64_t x, std::size_t count) {
            if (prefetches) {
                f.prefetch_line(row, x, ahead);
            }
            const reg value = f(row, 0, x, count, none);
            *panel = first ? value : simd_type::add(*panel, value);
            ++panel;
        };
        std::int64_t x = 0;
        for (; x + width <= elements; x += width) {
            put(x, lanes);
        }
        if (x < elements) {
            put(x, static_cast<std::size_t>(elements - x));
        }
    }

private:
    /// What is DRAM-resident is prefetched so many bytes before it is read: hardware prefetches two
    /// such inputs, but not one.
    static constexpr std::size_t ahead = 4096;

    // Not inlined: its registers are its own.
    template <std::size_t Group>
    [[gnu::noinline, gnu::flatten]] static void put_groups(const factors& from, std::int64_t rows,
                                                           T* to, std::int64_t step,
                                                           const scaling<T>& scale,
                                                           bool dram_resident) {
        const factors f = from;
        const reg none = simd_type::zero();
        const bool plain = step == 1 && scale.is_identity();
        const bool prefetches = dram_resident && Units == 1;
        std::int64_t x = 0;
        for (; rows >= width; rows -= width, to += width * step) {
            reg terms[Group];
#pragma GCC unroll 32
            for (std::size_t r = 0; r < Group; ++r, x += width) {
                if (prefetches) {
                    f.prefetch_line(0, x, ahead);
                }
                terms[r] = f(0, 0, x, lanes, none);
            }
            put_lanes<T, Arch>(plain, lane_sums<T, Arch>::template of_groups<Group>(terms), lanes,
                               to, step, scale);
        }
        if (rows > 0) {  // in an array of their own: of the others all indices are constants
            reg terms[Group];
            std::size_t count = 0;
            const std::int64_t end = x + rows * static_cast<std::int64_t>(Group);
            for (; x < end; x += width, ++count) {
                terms[count] = f(0, 0, x, static_cast<std::size_t>(std::min(end - x, width)), none);
            }
            put_group_sums<T, Arch>(terms, rows, static_cast<std::int64_t>(Group), to, step, scale);
        }
    }
};

}  // namespace xeinsum::kernel
