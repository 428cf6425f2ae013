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

/// Such lines, whose groups of lanes are added up: at once, or, where other terms are to come,
/// behind the last one, in panels of registers; see put_group_sums.
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

    /// Lines that suit, of inputs that may be far.
    packed_lines(std::int64_t extent, bool far) noexcept
        : extent_(extent), asks_(far && Units == 1) {}

    /// Rows of a panel of so many registers, as many as lanes or a multiple.
    [[nodiscard]] std::int64_t most_rows(std::int64_t registers) const noexcept {
        return registers / extent_ * width;
    }
    /// Registers of so many rows.
    [[nodiscard]] std::size_t registers(std::int64_t rows) const noexcept {
        return static_cast<std::size_t>((rows * extent_ + width - 1) / width);
    }

    /// Writes the products of some rows to the panel, or adds them. Not inlined: its registers are
    /// its own.
    [[gnu::noinline]] void add(const factors& from, reg* panel, std::int64_t row, std::int64_t rows,
                               bool first) const {
        const factors f = from;
        const reg none = simd_type::zero();
        const bool asks = asks_;
        const std::int64_t elements = rows * extent_;
        const auto put = [&](std::int64_t x, std::size_t count) {
            if (asks) {
                f.prefetch_line(row, x, asked_bytes);
            }
            *panel = first ? f(row, 0, x, count, none) : f.add_to(*panel, row, 0, x, count, none);
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

    /// Puts the sums of rows that have no other terms. They never are in memory: what is stored
    /// between reads from far away costs their rate.
    void put(const factors& f, std::int64_t rows, T* to, std::int64_t step,
             const scaling<T>& scale) const {
        with_group<lanes>(
            extent_, [&]<std::size_t Group>() { put_groups<Group>(f, rows, to, step, scale); });
    }

private:
    // Not inlined: its registers are its own.
    template <std::size_t Group>
    [[gnu::noinline, gnu::flatten]] void put_groups(const factors& from, std::int64_t rows, T* to,
                                                    std::int64_t step,
                                                    const scaling<T>& scale) const {
        const factors f = from;
        const reg none = simd_type::zero();
        const bool plain = step == 1 && scale.is_identity();
        std::int64_t x = 0;
        for (; rows >= width; rows -= width, to += width * step) {
            reg terms[Group];
#pragma GCC unroll 32
            for (std::size_t r = 0; r < Group; ++r) {
                if (asks_) {
                    f.prefetch_line(0, x, asked_bytes);
                }
                terms[r] = f(0, 0, x, lanes, none);
                x += width;
            }
            const reg sums = lane_sums<T, Arch>::template of_groups<Group>(terms);
            if (plain) {
                simd_type::store(to, sums);
            } else {
                put_lanes<T, Arch>(sums, lanes, to, step, scale);
            }
        }
        if (rows > 0) {
            reg terms[Group];
            const std::int64_t end = x + rows * extent_;
            for (std::size_t r = 0; r < Group; ++r, x += width) {
                terms[r] =
                    x < end ? f(0, 0, x, static_cast<std::size_t>(std::min(end - x, width)), none)
                            : none;
            }
            put_lanes<T, Arch>(lane_sums<T, Arch>::template of_groups<Group>(terms),
                               static_cast<std::size_t>(rows), to, step, scale);
        }
    }

    /// What is far is prefetched so many bytes before it is read: the hardware prefetches two such
    /// inputs, but not one.
    static constexpr std::size_t asked_bytes = 4096;

    std::int64_t extent_;
    bool asks_;
};

}  // namespace xeinsum::kernel
