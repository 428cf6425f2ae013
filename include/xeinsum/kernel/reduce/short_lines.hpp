// Sums along lines of some registers, of as many rows at once as a register has lanes: in "ij->i"
// with 20 j sixteen rows i are sixteen registers, whose lanes are added up to one.
#pragma once

#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/simd/opaque.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// What is summed: lines of one input, their products with a line that all rows share, or those of
/// two inputs.
enum class factors_of_lines : unsigned char { one, shared, two };

/// Sums of such lines. Rows wait for each other in registers: to store and load a register of sums
/// takes as long as a line of few registers.
template <class T, class Arch, factors_of_lines Factors>
class short_lines {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr bool exists = std::is_floating_point_v<T> && lanes > 1;

    /// Longer ones are none.
    [[nodiscard]] static constexpr std::int64_t most_elements(bool dram_resident) noexcept {
        return short_line_registers(is_one ? 1 : 2, sizeof(reg), dram_resident) * width - 1;
    }

    /// Lines that are steps from each other in the inputs. prefetches: they come from DRAM, and the
    /// hardware does not prefetch what is read across lines.
    short_lines(const T* first, std::int64_t first_step, const T* second, std::int64_t second_step,
                std::int64_t extent, bool prefetches) noexcept
        : first_(first),
          second_(second),
          first_step_(first_step),
          second_step_(second_step),
          extent_(extent),
          prefetches_(prefetches) {}

    /// Writes the sums of some rows to the panel, or adds them, a row in each lane; lanes behind
    /// the last one hold zeros.
    [[gnu::noinline, gnu::flatten]] void add(reg* panel, std::int64_t row, std::int64_t rows,
                                             bool begins) const {
        const std::int64_t first_step = first_step_;
        const std::int64_t second_step = second_step_;
        const T* first = first_ + row * first_step;
        const T* second = second_ + row * second_step;
        const std::int64_t extent = extent_;
        const bool prefetches = prefetches_;
        reg sums[lanes];
        const auto add_column = [&](const T* a, const T* b, auto begins_sums, const auto& load) {
            const reg shared = is_shared ? load(b) : simd_type::zero();
#pragma GCC unroll 32
            for (std::size_t r = 0; r < lanes; ++r) {
                const reg value = load(a);
                const reg other = is_one ? value : is_shared ? shared : load(b);
                if constexpr (begins_sums) {
                    sums[r] = is_one ? value : simd_type::mul(value, other);
                } else {
                    sums[r] = is_one ? simd_type::add(sums[r], value)
                                     : simd_type::mul_add(value, other, sums[r]);
                }
                a = opaque(a + first_step);
                b = is_two ? opaque(b + second_step) : b;
            }
        };
        const auto add_columns = [&](const T* a, const T* b, std::int64_t left, auto begins_sums) {
            if (simd_type::has_lane_masks || left < width) {
                const auto count = static_cast<std::size_t>(std::min(left, width));
                add_column(a, b, begins_sums,
                           [count](const T* from) { return simd_type::load_part(from, count); });
            } else {
                add_column(a, b, begins_sums, [](const T* from) { return simd_type::load(from); });
            }
        };
        for (; rows > 0; row += width, rows -= width, ++panel) {
            const std::int64_t again = std::max<std::int64_t>(width - rows, 0);
            if (again > 0) {
                if (row < again || rows < worth_again) {
                    add_last(first, second, panel, rows, begins);
                    return;
                }
                first -= again * first_step;
                second -= again * second_step;
            }
            if (prefetches) {
                prefetch_close_lines<summed_lines_ahead>(first, first_step, width);
                if constexpr (is_two) {
                    prefetch_close_lines<summed_lines_ahead>(second, second_step, width);
                }
            }
            add_columns(first, second, extent, std::true_type());
            for (std::int64_t x = width; x < extent; x += width) {
                add_columns(first + x, second + x, extent - x, std::false_type());
            }
            reg total = lane_sums<T, Arch>::of(sums);
            if (again > 0) {
                T lane[2 * lanes]{};
                simd_type::store(lane, total);
                total = simd_type::load(lane + again);
            }
            *panel = begins ? total : simd_type::add(*panel, total);
            first += width * first_step;
            second += width * second_step;
        }
    }

private:
    static constexpr bool is_one = Factors == factors_of_lines::one;
    static constexpr bool is_shared = Factors == factors_of_lines::shared;
    static constexpr bool is_two = Factors == factors_of_lines::two;
    /// Fewer rows behind the last whole register are added up alone; for more, those before them
    /// are added up again.
    static constexpr std::int64_t worth_again = width > 8 ? width / 2 : 2;

    /// Fewer rows than there are lanes.
    [[gnu::noinline]] void add_last(const T* first, const T* second, reg* panel, std::int64_t rows,
                                    bool begins) const {
        T sums[lanes]{};
        for (std::int64_t r = 0; r < rows; ++r, first += first_step_, second += second_step_) {
            reg sum = simd_type::zero();
            for (std::int64_t x = 0; x < extent_; x += width) {
                const auto count = static_cast<std::size_t>(std::min(extent_ - x, width));
                const auto load = [=](const T* from) {
                    return simd_type::load_part(from + x, count);
                };
                if constexpr (is_one) {
                    sum = simd_type::add(sum, load(first));
                } else {
                    sum = simd_type::mul_add(load(first), load(second), sum);
                }
            }
            sums[r] = simd_type::sum(sum);
        }
        const reg total = simd_type::load(sums);
        *panel = begins ? total : simd_type::add(*panel, total);
    }

    const T* first_;
    const T* second_;
    std::int64_t first_step_;
    std::int64_t second_step_;
    std::int64_t extent_;
    bool prefetches_;
};

}  // namespace xeinsum::kernel
