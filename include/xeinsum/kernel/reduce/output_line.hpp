// One line of results in registers: 20 j of "ij->j" are two of sixteen floats, and the second one
// begins at element 4, where it still ends inside.
#pragma once

#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Where the registers of such lines begin, and how they are put. Of the last register only the
/// last lanes count; a line shorter than a register fills the first lanes of one.
template <class T, class Arch>
class output_line {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);

    output_line(std::int64_t extent, const scaling<T>& scale) noexcept
        : extent_(extent), scale_(scale) {}

    [[nodiscard]] std::int64_t extent() const noexcept { return extent_; }
    [[nodiscard]] const scaling<T>& scale() const noexcept { return scale_; }

    [[nodiscard]] std::int64_t registers() const noexcept { return (extent_ + width - 1) / width; }
    /// Registers whose lanes all count.
    [[nodiscard]] std::int64_t whole() const noexcept { return extent_ / width; }
    /// The first element of register v.
    [[nodiscard]] std::int64_t start(std::int64_t v) const noexcept {
        return std::min(v * width, std::max<std::int64_t>(extent_ - width, 0));
    }
    /// Lanes of each register that are elements of the line.
    [[nodiscard]] std::size_t filled() const noexcept {
        return static_cast<std::size_t>(std::min(extent_, width));
    }

    /// Puts register v.
    void put(T* line, std::int64_t v, const reg& value) const {
        if ((v + 1) * width <= extent_) {
            scale_.template put_register<simd_type>(line + v * width, value);
        } else if (extent_ < width) {
            scale_.template put_part<simd_type>(line, value, filled());
        } else {
            // Some lanes are those of the register before, which may not be added twice.
            scale_.template put_behind<simd_type, Arch>(line + start(v), value,
                                                        v * width - start(v));
        }
    }

    /// Puts registers begin to end - 1 of some lines, which are so many elements apart and of
    /// which the values have as many registers as given. Not inlined: it is the same for all kinds
    /// of inputs.
    [[gnu::noinline]] void put(T* line, std::int64_t apart, std::int64_t lines, std::int64_t begin,
                               std::int64_t end, const reg* values, std::int64_t pitch) const {
        const std::int64_t plain = scale_.is_identity() && whole() > 0 ? end : begin;
        for (; lines > 0; --lines, line += apart, values += pitch) {
            std::int64_t v = begin;
            const reg* value = values;
            for (; v < plain; ++v) {
                simd_type::store(line + start(v), *value++);
            }
            for (; v < end; ++v) {
                put(line, v, *value++);
            }
        }
    }

private:
    std::int64_t extent_;
    scaling<T> scale_;
};

}  // namespace xeinsum::kernel
