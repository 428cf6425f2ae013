// The kernels that xeinsum_test_support has compiled already, so that a test of "ij,jk->ik" in
// float needs no loops of its own. Only for programs that link it.
#pragma once

#include <xeinsum/kernel/batched_gemm.hpp>
#include <xeinsum/kernel/depthwise.hpp>
#include <xeinsum/kernel/gemm.hpp>
#include <xeinsum/kernel/multiply_reduce.hpp>
#include <xeinsum/kernel/permute.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/small_gemm.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>

/// Declares (prefix extern) or instantiates what every lowering runs.
#define SUPPORT_KERNELS(PREFIX, T)                                                                \
    PREFIX template void xeinsum::kernel::gemm<T, xeinsum::kernel::native_arch>(                  \
        const xeinsum::kernel::gemm_groups&, const xeinsum::kernel::gemm_packing&, const T*,      \
        const T*, T*, const xeinsum::kernel::scaling<T>&, std::byte*);                            \
    PREFIX template void xeinsum::kernel::batched_gemm<T, xeinsum::kernel::native_arch>(          \
        const xeinsum::kernel::loops&, const xeinsum::kernel::loops&,                             \
        const xeinsum::kernel::batched_shape&, std::int64_t, const T*, const T*, T*,              \
        const xeinsum::kernel::scaling<T>&, std::byte*);                                          \
    PREFIX template void xeinsum::kernel::multiply_reduce<T, xeinsum::kernel::native_arch>(       \
        const xeinsum::kernel::loop_nest&, xeinsum::kernel::vector_loop, const T* const*, T*,     \
        const xeinsum::kernel::scaling<T>&, std::byte*);                                          \
    PREFIX template void xeinsum::kernel::permute<T, xeinsum::kernel::native_arch>(               \
        const xeinsum::kernel::loops&, const T*, T*, const xeinsum::kernel::scaling<T>&);         \
    PREFIX template void xeinsum::kernel::depthwise_convolution<T, xeinsum::kernel::native_arch>( \
        const xeinsum::kernel::depthwise_loops&, xeinsum::kernel::depthwise_vectors, const T*,    \
        const T*, T*, const xeinsum::kernel::scaling<T>&)

/// The same with small products, which are of real numbers.
#define SUPPORT_REAL_KERNELS(PREFIX, T)                                                         \
    SUPPORT_KERNELS(PREFIX, T);                                                                 \
    PREFIX template void xeinsum::kernel::small_gemm<T, xeinsum::kernel::native_arch>(          \
        const xeinsum::kernel::loops&, const xeinsum::kernel::small_shape&, const T*, const T*, \
        T*, const xeinsum::kernel::scaling<T>&)

SUPPORT_REAL_KERNELS(extern, float);
SUPPORT_REAL_KERNELS(extern, double);
SUPPORT_REAL_KERNELS(extern, std::uint32_t);
SUPPORT_REAL_KERNELS(extern, std::uint64_t);
SUPPORT_KERNELS(extern, std::complex<float>);
SUPPORT_KERNELS(extern, std::complex<double>);
