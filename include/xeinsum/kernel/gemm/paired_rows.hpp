// Square matrices of half a register's width, two rows in a register: "bij,bjk->bik" with 4 x 4
// floats in registers of eight.
#pragma once

#include <xeinsum/kernel/gemm/small_tile.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>
#include <xeinsum/kernel/simd/unroll.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace xeinsum::kernel {

/// For registers of 32 bytes. A part has 16 of them; rows a and b of lhs, row k of rhs:
///
///     a0 a1 a2 a3 b0 b1 b2 b3  ->  ak ak ak ak bk bk bk bk  times  row k, row k
template <class T, class Arch>
struct paired_rows {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t part = simd_type::lanes / 2;
    static constexpr bool exists =
        std::is_floating_point_v<T> && sizeof(T) * simd_type::lanes == 32;

    /// Matrices of lhs and of the output must lie without gaps.
    [[nodiscard]] static constexpr bool fits(const small_shape& s) {
        constexpr auto n = static_cast<std::int64_t>(part);
        return exists && s.columns == n && s.depth == n && s.pieces == 1 && s.rows % 2 == 0 &&
               s.lhs_depth == 1 && s.lhs_row == n && s.out_row == n;
    }

    /// beta = 0 does not read the output.
    [[gnu::always_inline]] static inline void run(const small_shape& s, const small_batch& batch,
                                                  const T* lhs, const T* rhs, T* out,
                                                  const scaling<T>& scale) {
        const bool plain = scale.is_identity();
        const std::size_t pairs = static_cast<std::size_t>(s.rows) / 2;
        for (std::int64_t p = 0; p < batch.count; ++p) {
            reg rows[part];
#pragma GCC unroll 32
            for (std::size_t k = 0; k < part; ++k) {
                rows[k] = twice(rhs + static_cast<std::int64_t>(k) * s.rhs_depth);
            }
#pragma GCC unroll 1
            for (std::size_t i = 0; i < pairs; ++i) {
                const reg both = simd_type::load(lhs + i * simd_type::lanes);
                reg sum = simd_type::zero();
                unroll<part>([&](auto k) {
                    sum = simd_type::mul_add(spread<k.value>(both, all), rows[k], sum);
                });
                T* to = out + i * simd_type::lanes;
                if (plain) {
                    simd_type::store(to, sum);
                } else {
                    scale.template put_register<simd_type>(to, sum);
                }
            }
            lhs += batch.lhs;
            rhs += batch.rhs;
            out += batch.out;
        }
    }

private:
    static constexpr auto all = std::make_index_sequence<simd_type::lanes>();

    [[nodiscard]] static reg twice(const T* from) {
        return twice(simd<T, narrower_t<Arch>>::load(from), all);
    }
    template <class Half, std::size_t... L>
    [[nodiscard]] static reg twice(const Half& x, std::index_sequence<L...>) {
        return reg(__builtin_shufflevector(x.data, x.data, (L % part)...));
    }

    /// Element K of each part in all its lanes.
    template <std::size_t K, std::size_t... L>
    [[nodiscard]] static reg spread(const reg& x, std::index_sequence<L...>) {
        return reg(__builtin_shufflevector(x.data, x.data, (L / part * part + K)...));
    }
};

}  // namespace xeinsum::kernel
