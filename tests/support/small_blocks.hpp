// Blocks of a few elements for the machine's own kernels, so that "ij,jk->ik" of five by six by
// seven is cut in every direction. Included in front of the one source of a test that has kernels.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>

namespace xeinsum::kernel {

template <class T>
struct blocking_table<T, native_arch> {
    [[nodiscard]] static constexpr blocking get() noexcept {
        constexpr std::size_t lanes = lanes_of<T, native_arch>;
        return {.mr = 3, .nv = 2, .mc = 6, .kc = 4, .nc = 4 * lanes};
    }
};

}  // namespace xeinsum::kernel
