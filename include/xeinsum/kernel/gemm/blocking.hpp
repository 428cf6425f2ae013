// The one table of blocking parameters: how "ij,jk->ik" is cut so that a micro-tile of the output
// stays in registers, a panel of rhs in L1, a block of lhs in L2 and a block of rhs in L3.
#pragma once

#include <xeinsum/kernel/simd/arch.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Source of the scheme: Van Zee and van de Geijn, "BLIS", ACM TOMS 41(3) 14, 2015, section 3; of
/// the sizes: Low et al., "Analytical Modeling Is Enough for High-Performance BLIS", TOMS 43(2) 12.
struct blocking {
    std::size_t mr = 4;    ///< rows of a micro-tile
    std::size_t nv = 1;    ///< registers in a row of a micro-tile
    std::size_t mc = 96;   ///< rows of a packed block of lhs
    std::size_t kc = 256;  ///< depth of both packed blocks
    std::size_t nc = 512;  ///< columns of a packed block of rhs
};

/// Registers of a micro-tile; the rest is for one row of rhs and one element of lhs.
/// Specialise blocking_table to override it for a type and architecture of your own.
template <class T, class Arch>
struct blocking_table {
    [[nodiscard]] static constexpr blocking get() noexcept {
        if constexpr (!has_vectors<T, Arch>()) {
            return {.mr = 4, .nv = 4, .mc = 64, .kc = 256, .nc = 512};
        } else {
            return cut(register_count<Arch>);
        }
    }

private:
    /// 16 registers: 6 x 2 sums, 2 for rhs, 1 for lhs. 32: 14 x 2. A complex register is two.
    [[nodiscard]] static constexpr blocking cut(std::size_t registers) noexcept {
        blocking b;
        if (is_complex_v<T>) {
            b.mr = registers == 32 ? 6 : 3;
            b.nv = registers == 32 ? 2 : 1;
        } else {
            b.mr = registers == 32 ? 14 : 6;
            b.nv = 2;
        }
        const std::size_t nr = b.nv * lanes_of<T, Arch>;
        // A panel of rhs: 32 KiB, or 64 in wide registers, which read it more slowly than the L2
        // cache gives it; a block of lhs: 144 KiB of the L2; rhs: 1 MiB of the L3.
        b.kc = std::min<std::size_t>((std::size_t{64} << 10U) / (nr * sizeof(T)), 512);
        b.mc =
            std::max((std::size_t{144} << 10U) / (b.kc * sizeof(T)) / b.mr, std::size_t{1}) * b.mr;
        b.nc = (std::size_t{1} << 20U) / (b.kc * sizeof(T)) / nr * nr;
        return b;
    }
};

template <class T, class Arch>
inline constexpr blocking blocking_of = blocking_table<T, Arch>::get();

/// Bytes behind the last panel that packing may overwrite.
inline constexpr std::size_t pack_slack = 64;

}  // namespace xeinsum::kernel
