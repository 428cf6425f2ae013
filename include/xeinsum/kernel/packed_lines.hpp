// Lines so short that a register holds several: four i of "ij->i" with 4 j and sixteen lanes are
// read as one, as they follow each other in memory.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/lane_sums.hpp>
#include <xeinsum/kernel/product.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Such lines in panels of registers, whose groups of lanes are added up behind the last term: see
/// put_group_sums.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class packed_lines {
public:
    using factors = product<T, Arch, Units, Fixed>;
    using simd_type = typename factors::simd_type;
    using reg = typename factors::reg;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr auto panel_registers = static_cast<std::int64_t>(16384 / sizeof(reg));

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

    /// Rows of a panel, and registers of so many of them.
    [[nodiscard]] std::int64_t most_rows() const noexcept {
        return panel_registers * (width / extent_);
    }
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
                f.fetch_line(row, x, asked_bytes);
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

private:
    /// What is far is asked for so many bytes before it is read: the machine foresees two such
    /// inputs, but not one.
    static constexpr std::size_t asked_bytes = 4096;

    std::int64_t extent_;
    bool asks_;
};

}  // namespace xeinsum::kernel
