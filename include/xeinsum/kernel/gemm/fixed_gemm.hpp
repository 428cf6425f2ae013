// A small product whose shape the compiler knows: for "ij,jk->ik" on 4 x 4 matrices the loops
// are gone, and what is left are the loads, multiply-adds and stores of four registers.
#pragma once

#include <xeinsum/kernel/gemm/paired_rows.hpp>
#include <xeinsum/kernel/gemm/small_cut.hpp>
#include <xeinsum/kernel/gemm/small_gemm.hpp>
#include <xeinsum/kernel/gemm/small_tile.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// The most multiply-adds of a product whose tiles become code of their own.
inline constexpr std::int64_t most_fixed_multiply_adds = 16 * 16 * 16;

template <class T, class Arch, small_shape Shape>
class fixed_gemm_run {
public:
    [[gnu::always_inline]] static inline void run(const T* lhs, const T* rhs, T* out,
                                                  const scaling<T>& scale) {
        for_each_width<T, Arch>(
            Shape.columns, [&]<std::size_t NV>(const small_columns& across,
                                               std::int64_t at) __attribute__((always_inline)) {
                if constexpr (NV == 0) {
                    using narrow = fixed_gemm_run<T, small_narrower_t<T, Arch>, Shape>;
                    narrow::template run_columns<1>(across, lhs, rhs + at, out + at, scale);
                } else {
                    run_columns<NV>(across, lhs, rhs + at, out + at, scale);
                }
            });
    }

    /// Some of the columns, in so many registers.
    template <std::size_t NV>
    [[gnu::always_inline]] static inline void run_columns(const small_columns& across, const T* lhs,
                                                          const T* rhs, T* out,
                                                          const scaling<T>& scale) {
        constexpr small_heights h = small_heights::of(Shape.rows, small_rows<Arch, NV>);
        for (std::int64_t i = 0; i < h.count; ++i) {
            small_tile<T, Arch, static_cast<std::size_t>(h.height), NV>::run_fixed(
                Shape, {scale, across, h.height}, lhs, rhs, out);
            lhs += h.height * Shape.lhs_row;
            out += h.height * Shape.out_row;
        }
        if constexpr (h.last > 0) {
            small_tile<T, Arch, static_cast<std::size_t>(h.last), NV>::run_fixed(
                Shape, {scale, across, h.last}, lhs, rhs, out);
        }
    }
};

/// What small_gemm does, in the same order, for one product of a shape that is a constant.
template <class T, class Arch, small_shape Shape>
[[gnu::always_inline]] inline void fixed_gemm(const T* lhs, const T* rhs, T* out,
                                              const scaling<T>& scale) {
    using narrow = small_narrower_t<T, Arch>;
    if constexpr (paired_rows<T, Arch>::fits(Shape)) {
        paired_rows<T, Arch>::run(Shape, {}, lhs, rhs, out, scale);
    } else if constexpr (!std::is_same_v<narrow, Arch> &&
                         prefers_narrower<T, Arch>(Shape.columns)) {
        fixed_gemm<T, narrow, Shape>(lhs, rhs, out, scale);
    } else if constexpr (Shape.rows * Shape.columns * Shape.depth * Shape.pieces <=
                         most_fixed_multiply_adds) {
        fixed_gemm_run<T, Arch, Shape>::run(lhs, rhs, out, scale);
    } else {
        small_gemm<T, Arch>(Shape, lhs, rhs, out, scale);
    }
}

}  // namespace xeinsum::kernel
