// Sums along lines of memory in registers: for "ij,ij->i" the products of one line or of four, in
// as many sums at once as hide the latency of a multiply-add.
#pragma once

#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Sums in registers at once, and so the most lines: groups that are cut add up in another order.
inline constexpr std::size_t sums_at_once = 8;

/// Adds up Rows lines of the same extent, each to the lanes of one register; see cascade for the
/// order of their terms.
template <class T, class Arch, std::size_t Rows>
struct sum_lines {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t sums = sums_at_once;

    /// Writes the first Rows registers of sum. add(s, row, x) is s plus the terms of a register
    /// from x on; rest(row, x) those that are left behind the last whole register, and 0.
    template <class Add, class Rest>
    [[gnu::always_inline]] static inline void of(std::int64_t extent, Add add, Rest rest,
                                                 reg (&sum)[sums]) {
        // Sum i is one of row i % Rows. Loops that do not nest are what compilers unroll early, and
        // then the sums stay in registers.
        constexpr std::size_t chains = sums / Rows;
        constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
        constexpr auto step = static_cast<std::int64_t>(chains) * width;
        cascade<reg, Rows, simd_type> pieces;
        for (std::int64_t x = 0;;) {
            for (std::size_t i = 0; i < sums; ++i) {
                sum[i] = simd_type::zero();
            }
            const std::int64_t end = std::min(x + block_terms * step, extent);
            for (; x + step <= end; x += step) {
                for (std::size_t i = 0; i < sums; ++i) {
                    sum[i] = add(sum[i], i % Rows, x + static_cast<std::int64_t>(i / Rows) * width);
                }
            }
            for (; x + width <= end; x += width) {
                for (std::size_t r = 0; r < Rows; ++r) {
                    sum[r] = add(sum[r], r, x);
                }
            }
            add_halves<sums / 2>(sum);
            if (x + width > extent) {
                break;
            }
            // What no address is taken of stays in registers.
            reg piece[Rows];
            for (std::size_t r = 0; r < Rows; ++r) {
                piece[r] = sum[r];
            }
            pieces.add_block(piece, Rows);
        }
        if (extent % width != 0) {
            for (std::size_t r = 0; r < Rows; ++r) {
                sum[r] = simd_type::add(sum[r], rest(r, extent - extent % width));
            }
        }
        if (!pieces.empty()) {
            const reg* whole = pieces.total(Rows);
            for (std::size_t r = 0; r < Rows; ++r) {
                sum[r] = simd_type::add(whole[r], sum[r]);
            }
        }
    }

private:
    template <std::size_t Half>
    static void add_halves(reg (&sum)[sums]) {
        if constexpr (Half >= Rows) {
            for (std::size_t i = 0; i < Half; ++i) {
                sum[i] = simd_type::add(sum[i], sum[i + Half]);
            }
            add_halves<Half / 2>(sum);
        }
    }
};

/// The sum of a[i] * b[i] for count elements side by side, as a nest adds it.
template <class T, class Arch>
[[nodiscard]] T dot(const T* a, const T* b, std::int64_t count) {
    using lines = sum_lines<T, Arch, 1>;
    using simd_type = simd<T, Arch>;
    typename lines::reg sum[lines::sums];
    lines::of(
        count,
        [=](const auto& s, std::size_t, std::int64_t x) {
            return simd_type::mul_add(simd_type::load(a + x), simd_type::load(b + x), s);
        },
        [=](std::size_t, std::int64_t x) {
            const auto left = static_cast<std::size_t>(count - x);
            return simd_type::mul(simd_type::load_part(a + x, left),
                                  simd_type::load_part(b + x, left));
        },
        sum);
    return simd_type::sum(sum[0]);
}

}  // namespace xeinsum::kernel
