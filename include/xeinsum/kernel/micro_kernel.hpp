// A micro-tile of "mk,kn->mn": MR x NV registers of sums over panels that were packed for it.
#pragma once

#include <xeinsum/kernel/simd.hpp>

#include <cstddef>

namespace xeinsum::kernel {

/// Sums of a micro-tile, kept in registers. Element (i, j) is lane j % lanes of
/// sums[i][j / lanes].
///
/// Packed panels, k from 0 to depth - 1:
///   lhs: a(0,0) ... a(MR-1,0)  a(0,1) ... a(MR-1,1)  ...   MR elements for each k
///   rhs: b(0,0) ... b(0,NR-1)  b(1,0) ... b(1,NR-1)  ...   NR = NV * lanes elements for each k
/// Rows and columns beyond the edge of the matrix hold zeros: their sums are computed and dropped.
template <class T, class Arch, std::size_t MR, std::size_t NV>
struct micro_tile {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;

    reg sums[MR][NV];

    /// Sets the tile to lhs * rhs; depth is at least 1.
    void multiply(std::size_t depth, const T* lhs, const T* rhs) {
        for (auto& row : sums) {
            for (reg& sum : row) {
                sum = simd_type::zero();
            }
        }
        for (std::size_t k = 0; k < depth; ++k) {
            reg b[NV];
            for (std::size_t v = 0; v < NV; ++v) {
                b[v] = simd_type::load(rhs + v * lanes);
            }
            for (std::size_t i = 0; i < MR; ++i) {
                const reg a = simd_type::set(lhs[i]);
                for (std::size_t v = 0; v < NV; ++v) {
                    sums[i][v] = simd_type::mul_add(a, b[v], sums[i][v]);
                }
            }
            lhs += MR;
            rhs += NV * lanes;
        }
    }
};

}  // namespace xeinsum::kernel
