// Sums along lines of memory in registers: for "ij,ij->i" the products of one line in two sums or
// four, or of lines that are read together in a sum each.
#pragma once

#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Adds up Rows lines of the same extent, each to the lanes of one register in Chains sums, 1, 2 or
/// 4, that do not wait for each other; see cascade for the order of their terms.
template <class T, class Arch, std::size_t Rows, std::size_t Chains>
struct sum_lines {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;

    /// add(s, row, x) is s plus the terms of a register from x on; add_rest(s, row, x) plus those
    /// that are left behind the last whole register.
    template <class Add, class AddRest>
    [[gnu::always_inline]] static inline void of(std::int64_t extent, Add add, AddRest add_rest,
                                                 reg (&total)[Rows]) {
        std::int64_t x = 0;
        if (extent <= block) [[likely]] {
            add_all(x, extent, add, add_rest, total);
            return;
        }
        cascade<reg, Rows, simd_type> blocks;
        for (; x + block <= extent; x += block) {
            reg sum[Rows * Chains];
            start(sum);
#pragma GCC unroll 1
            for (std::int64_t in = x; in < x + block; in += step) {
                add_step(sum, in, add);
            }
            reg sums[Rows];
            join(sum, sums);
            blocks.add_block(sums, Rows);
        }
        add_all(x, extent, add, add_rest, total);
        const reg* whole = blocks.total(Rows);
#pragma GCC unroll 32
        for (std::size_t r = 0; r < Rows; ++r) {
            total[r] = simd_type::add(whole[r], total[r]);
        }
    }

private:
    static_assert(Chains == 1 || Chains == 2 || Chains == 4);
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
    static constexpr std::int64_t step = static_cast<std::int64_t>(Chains) * width;
    static constexpr std::int64_t block = block_terms * step;

    // Sum r * Chains + c is one of row r. Registers are an array that only constants index.

    [[gnu::always_inline]] static inline void start(reg (&sum)[Rows * Chains]) {
#pragma GCC unroll 32
        for (std::size_t i = 0; i < Rows * Chains; ++i) {
            sum[i] = simd_type::zero();
        }
    }
    template <class Add>
    [[gnu::always_inline]] static inline void add_step(reg (&sum)[Rows * Chains], std::int64_t x,
                                                       Add add) {
#pragma GCC unroll 32
        for (std::size_t i = 0; i < Rows * Chains; ++i) {
            sum[i] = add(sum[i], i / Chains, x + static_cast<std::int64_t>(i % Chains) * width);
        }
    }
    /// Adds Some registers to as many of each row's sums.
    template <std::size_t Some, class Add>
    [[gnu::always_inline]] static inline void add_some(reg (&sum)[Rows * Chains], std::int64_t x,
                                                       Add add) {
#pragma GCC unroll 32
        for (std::size_t i = 0; i < Rows * Some; ++i) {
            const std::size_t to = i / Some * Chains + i % Some;
            sum[to] = add(sum[to], i / Some, x + static_cast<std::int64_t>(i % Some) * width);
        }
    }

    template <class Add, class AddRest>
    [[gnu::always_inline]] static inline void add_all(std::int64_t x, std::int64_t extent, Add add,
                                                      AddRest add_rest, reg (&total)[Rows]) {
        reg sum[Rows * Chains];
        start(sum);
        for (; x + step <= extent; x += step) {
            add_step(sum, x, add);
        }
        if constexpr (Chains == 4) {
            if (x + 2 * width <= extent) {
                add_some<2>(sum, x, add);
                x += 2 * width;
            }
        }
        if constexpr (Chains > 1) {
            if (x + width <= extent) {
                add_some<1>(sum, x, add);
                x += width;
            }
        }
        if (x < extent) {
#pragma GCC unroll 32
            for (std::size_t r = 0; r < Rows; ++r) {
                const std::size_t last = r * Chains + Chains - 1;
                sum[last] = add_rest(sum[last], r, x);
            }
        }
        join(sum, total);
    }

    [[gnu::always_inline]] static inline void join(reg (&sum)[Rows * Chains], reg (&total)[Rows]) {
#pragma GCC unroll 32
        for (std::size_t r = 0; r < Rows; ++r) {
            const std::size_t first = r * Chains;
            if constexpr (Chains == 4) {
                sum[first] = simd_type::add(sum[first], sum[first + 2]);
                sum[first + 1] = simd_type::add(sum[first + 1], sum[first + 3]);
            }
            if constexpr (Chains > 1) {
                sum[first] = simd_type::add(sum[first], sum[first + 1]);
            }
            total[r] = sum[first];
        }
    }
};

/// The extent from which on a line is summed in four chains: shorter lines are over before four pay
/// for being added up, as the next line does not wait for this one. Registers of 64 bytes, of which
/// a core loads fewer at once, need them later.
template <class T, class Arch>
inline constexpr std::int64_t four_chains_from = (sizeof(typename simd<T, Arch>::type) < 64 ? 24
                                                                                            : 64) *
                                                 static_cast<std::int64_t>(simd<T, Arch>::lanes);

/// The sum of a[i] * b[i] for count elements side by side, as a nest adds it.
template <class T, class Arch>
[[nodiscard]] T dot(const T* a, const T* b, std::int64_t count) {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    const auto add = [=](const reg& s, std::size_t, std::int64_t x) {
        return simd_type::mul_add(simd_type::load(a + x), simd_type::load(b + x), s);
    };
    const auto add_rest = [=](const reg& s, std::size_t, std::int64_t x) {
        const auto left = static_cast<std::size_t>(count - x);
        return simd_type::mul_add(simd_type::load_part(a + x, left),
                                  simd_type::load_part(b + x, left), s);
    };
    reg sum[1];
    if (count < four_chains_from<T, Arch>) {
        sum_lines<T, Arch, 1, 2>::of(count, add, add_rest, sum);
    } else {
        sum_lines<T, Arch, 1, 4>::of(count, add, add_rest, sum);
    }
    return simd_type::sum(sum[0]);
}

}  // namespace xeinsum::kernel
