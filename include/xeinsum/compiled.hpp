// The library for programs of many files: einsum<"ij,jk->ik">(a, b) in float or double calls code
// that the program compiles once, in the CMake target xeinsum::compiled or in a file of its own.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/bind.hpp>
#include <xeinsum/contraction.hpp>
#include <xeinsum/equation/storage.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/lowering/execute.hpp>
#include <xeinsum/plan_state.hpp>
#include <xeinsum/run.hpp>
#include <xeinsum/xeinsum.hpp>

#include <cstddef>

/// What calls run whose steps have at most so many inputs.
#define XEINSUM_INSTANTIATE_CALLS(EXTERN, T, MOST_INPUTS)                                        \
    EXTERN template class ::xeinsum::detail::contraction<T, ::xeinsum::kernel::native_arch,      \
                                                         ::xeinsum::heap_storage, MOST_INPUTS>;  \
    EXTERN template void ::xeinsum::detail::run<T, ::xeinsum::kernel::native_arch, MOST_INPUTS>( \
        const ::xeinsum::plan_view&, const T* const*, const ::xeinsum::detail::destination<T>&,  \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*, T*,   \
        const ::xeinsum::parallel_for&, const ::xeinsum::lowerings::actual_layouts*,             \
        const T* const*);                                                                        \
    EXTERN template void ::xeinsum::lowerings::run_recipe<T, ::xeinsum::kernel::native_arch,     \
                                                          MOST_INPUTS>(                          \
        const ::xeinsum::recipe&, const ::xeinsum::kernel::loops&, std::size_t,                  \
        const ::xeinsum::lowerings::element_t<T>* const*, ::xeinsum::lowerings::element_t<T>*,   \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*)

/// The same of plans that need no heap.
#define XEINSUM_INSTANTIATE_SMALL_CALLS(EXTERN, T, MOST_INPUTS)                             \
    EXTERN template class ::xeinsum::detail::contraction<T, ::xeinsum::kernel::native_arch, \
                                                         ::xeinsum::pair_storage, MOST_INPUTS>

/// XEINSUM_INSTANTIATE(extern, T); leaves planner and kernels for elements of T to another file,
/// which has XEINSUM_INSTANTIATE(, T); and is compiled for the same architecture: otherwise the
/// program does not link. A macro, because extern is not for templates to choose.
#define XEINSUM_INSTANTIATE(EXTERN, T)                                                       \
    XEINSUM_INSTANTIATE_CALLS(EXTERN, T, 1);                                                 \
    XEINSUM_INSTANTIATE_CALLS(EXTERN, T, 2);                                                 \
    XEINSUM_INSTANTIATE_CALLS(EXTERN, T, ::xeinsum::kernel::any);                            \
    XEINSUM_INSTANTIATE_SMALL_CALLS(EXTERN, T, 1);                                           \
    XEINSUM_INSTANTIATE_SMALL_CALLS(EXTERN, T, 2);                                           \
    EXTERN template struct ::xeinsum::detail::plan_state<T, ::xeinsum::kernel::native_arch>; \
    EXTERN template class ::xeinsum::detail::binding<T, ::xeinsum::kernel::native_arch>

XEINSUM_INSTANTIATE(extern, float);
XEINSUM_INSTANTIATE(extern, double);
