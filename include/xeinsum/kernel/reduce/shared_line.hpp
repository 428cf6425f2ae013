// Many lines times one that they share: in "ij,j->i" with 64 j each register of the line of j is
// loaded once for eight rows.
#pragma once

#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/reduce/sum_lines.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// It takes a load of memory and one of the line for some multiply-adds, where each row alone takes
/// two loads for each: that pays where loading is what takes time.
template <class T, class Arch>
class shared_line {
public:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;

    shared_line(const T* line, std::int64_t extent) noexcept : line_(line), extent_(extent) {}

    /// Writes the products with lines from, from + step, ..., each summed to one register, to the
    /// panel, or adds them: eight, four or one at once, in the same order.
    void add_together(const T* from, std::int64_t step, std::int64_t lines, reg* panel,
                      bool first) const {
        // Eight lines of some length meet in few sets of the first cache.
        const std::int64_t bytes = extent_ * static_cast<std::int64_t>(sizeof(T));
        const bool many = bytes < 2048 || bytes >= long_shared_bytes;
        std::int64_t done = many ? add_groups<rows_at_once>(from, step, lines, panel, first) : 0;
        done += add_groups<4>(from + done * step, step, lines - done, panel + done, first);
        add_groups<1>(from + done * step, step, lines - done, panel + done, first);
    }
    /// The same one by one, each in four sums that do not wait for each other: for lines that come
    /// from farther away than the line that they share.
    void add(const T* from, std::int64_t step, std::int64_t lines, reg* panel, bool first) const {
        add_groups<1, 4>(from, step, lines, panel, first);
    }

private:
    template <std::size_t Rows, std::size_t Chains = 1>
    [[gnu::noinline, gnu::flatten]] std::int64_t add_groups(const T* from, std::int64_t step,
                                                            std::int64_t lines, reg* panel,
                                                            bool first) const {
        const T* const line = line_;
        const std::int64_t extent = extent_;
        constexpr auto rows = static_cast<std::int64_t>(Rows);
        const std::int64_t groups = lines / rows;
        for (std::int64_t g = 0; g < groups; ++g, from += rows * step, panel += Rows) {
            const auto at = [=](std::size_t r) {
                return from + static_cast<std::int64_t>(r) * step;
            };
            reg sum[Rows];
            sum_lines<T, Arch, Rows, Chains>::of(
                extent,
                [&](const reg& s, std::size_t r, std::int64_t x) {
                    return simd_type::mul_add(simd_type::load(at(r) + x), simd_type::load(line + x),
                                              s);
                },
                [&](const reg& s, std::size_t r, std::int64_t x) {
                    const auto left = static_cast<std::size_t>(extent - x);
                    return simd_type::mul_add(simd_type::load_part(at(r) + x, left),
                                              simd_type::load_part(line + x, left), s);
                },
                sum);
#pragma GCC unroll 32
            for (std::size_t r = 0; r < Rows; ++r) {
                panel[r] = first ? sum[r] : simd_type::add(panel[r], sum[r]);
            }
        }
        return groups * rows;
    }

    const T* line_;
    std::int64_t extent_;
};

}  // namespace xeinsum::kernel
