// What the tests compile once instead of in every file: the kernels that "ij,jk->ik" in float runs
// on this machine.
#pragma once

#include <xeinsum/kernel/gemm/gemm.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/interleaved_batch_gemm.hpp>
#include <xeinsum/kernel/gemm/small_gemm.hpp>
#include <xeinsum/kernel/permute/permute.hpp>
#include <xeinsum/kernel/reduce/depthwise.hpp>
#include <xeinsum/kernel/reduce/multiply_reduce.hpp>
#include <xeinsum/kernel/reduce/sum_lines.hpp>
#include <xeinsum/kernel/simd/simd.hpp>
#include <xeinsum/kernel/step_kinds.hpp>

#include <cstddef>
#include <cstdint>

/// INSTANTIATE(EXTERN, T, kinds); for all kinds of steps.
#define SUPPORT_FOR_ALL_KINDS(INSTANTIATE, EXTERN, T)                                  \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::copy_steps.of_nests());                  \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::sum_steps.of_nests());                   \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::product_steps.of_nests());               \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::ordered_product_steps.of_nests());       \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::batch_product_steps.of_nests());         \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::ordered_batch_product_steps.of_nests()); \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::nest_steps.of_nests());                  \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::batch_nest_steps.of_nests());            \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::matrix_steps.of_nests());                \
    INSTANTIATE(EXTERN, T, ::xeinsum::kernel::all_steps.of_nests())

/// Nests of such kinds.
#define SUPPORT_INSTANTIATE_NESTS(EXTERN, T, KINDS)                                               \
    EXTERN template void ::xeinsum::kernel::multiply_reduce<T, ::xeinsum::kernel::native_arch,    \
                                                            KINDS>(                               \
        const ::xeinsum::kernel::loop_nest&, ::xeinsum::kernel::vector_loop, const T* const*, T*, \
        const ::xeinsum::kernel::scaling<T>&, std::byte*)

/// SUPPORT_INSTANTIATE_KERNELS(extern, T); declares, SUPPORT_INSTANTIATE_KERNELS(, T); instantiates
/// what every lowering runs on elements of T. A macro, because extern is not for templates to
/// choose.
#define SUPPORT_INSTANTIATE_KERNELS(EXTERN, T)                                                     \
    EXTERN template void ::xeinsum::kernel::gemm<T, ::xeinsum::kernel::native_arch>(               \
        const ::xeinsum::kernel::gemm_groups&, const ::xeinsum::kernel::gemm_packing&, const T*,   \
        const T*, T*, const ::xeinsum::kernel::scaling<T>&, std::byte*);                           \
    EXTERN template void ::xeinsum::kernel::interleaved_batch_gemm<                                \
        T, ::xeinsum::kernel::native_arch>(                                                        \
        const ::xeinsum::kernel::loops&, const ::xeinsum::kernel::loops&,                          \
        const ::xeinsum::kernel::batched_shape&, std::int64_t, const T*, const T*, T*,             \
        const ::xeinsum::kernel::scaling<T>&, std::byte*);                                         \
    SUPPORT_FOR_ALL_KINDS(SUPPORT_INSTANTIATE_NESTS, EXTERN, T);                                   \
    EXTERN template void ::xeinsum::kernel::permute<T, ::xeinsum::kernel::native_arch>(            \
        const ::xeinsum::kernel::loops&, const T*, T*, const ::xeinsum::kernel::scaling<T>&);      \
    EXTERN template void ::xeinsum::kernel::permute<T, ::xeinsum::kernel::native_arch>(            \
        const ::xeinsum::kernel::loops&, const T*, T*, const ::xeinsum::kernel::scaling<T>&,       \
        bool);                                                                                     \
    EXTERN template void ::xeinsum::kernel::depthwise_convolution<T,                               \
                                                                  ::xeinsum::kernel::native_arch>( \
        const ::xeinsum::kernel::depthwise_loops&, ::xeinsum::kernel::depthwise_vectors, const T*, \
        const T*, T*, const ::xeinsum::kernel::scaling<T>&);                                       \
    EXTERN template auto ::xeinsum::kernel::dot<T, ::xeinsum::kernel::native_arch>(                \
        const T*, const T*, std::int64_t)                                                          \
        ->T

/// The same with small products, which are of real numbers.
#define SUPPORT_INSTANTIATE_REAL_KERNELS(EXTERN, T)                                        \
    SUPPORT_INSTANTIATE_KERNELS(EXTERN, T);                                                \
    EXTERN template void ::xeinsum::kernel::small_gemm<T, ::xeinsum::kernel::native_arch>( \
        const ::xeinsum::kernel::small_shape&, const T*, const T*, T*,                     \
        const ::xeinsum::kernel::scaling<T>&);                                             \
    EXTERN template void ::xeinsum::kernel::small_gemm<T, ::xeinsum::kernel::native_arch>( \
        const ::xeinsum::kernel::loops&, const ::xeinsum::kernel::small_shape&, const T*,  \
        const T*, T*, const ::xeinsum::kernel::scaling<T>&)
