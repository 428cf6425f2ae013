// The library for programs of many files: einsum<"ij,jk->ik">(a, b) in float or double calls code
// that the program compiles once, in the CMake target xeinsum::compiled or in a file of its own.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/call/bind.hpp>
#include <xeinsum/call/contraction.hpp>
#include <xeinsum/call/outlined_call.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/step_runner.hpp>
#include <xeinsum/equation/storage.hpp>
#include <xeinsum/kernel/instances.hpp>
#include <xeinsum/kernel/simd/simd.hpp>
#include <xeinsum/run/execute.hpp>
#include <xeinsum/run/parallel.hpp>
#include <xeinsum/xeinsum.hpp>

#include <cstddef>
#include <cstdint>

/// What runs steps of such kinds.
#define XEINSUM_INSTANTIATE_STEPS(EXTERN, T, KINDS)                                             \
    EXTERN template void ::xeinsum::detail::run_as_planned<T, ::xeinsum::kernel::native_arch,   \
                                                           KINDS>(                              \
        const ::xeinsum::plan_view&, const T* const*, const ::xeinsum::detail::destination<T>&, \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*, T*,  \
        const ::xeinsum::parallel_for&);                                                        \
    EXTERN template void ::xeinsum::detail::run_one_step<T, ::xeinsum::kernel::native_arch,     \
                                                         KINDS>(                                \
        const ::xeinsum::planning::one_step<::xeinsum::lowerings::all>&, std::size_t,           \
        const T* const*, T*,                                                                    \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                 \
    EXTERN template void ::xeinsum::lowerings::run_recipe<T, ::xeinsum::kernel::native_arch,    \
                                                          KINDS>(                               \
        const ::xeinsum::recipe&, const ::xeinsum::kernel::loops&, std::size_t,                 \
        const ::xeinsum::lowerings::element_t<T>* const*, ::xeinsum::lowerings::element_t<T>*,  \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*)

/// XEINSUM_INSTANTIATE(extern, T); leaves planner and kernels for elements of T to another file,
/// which has XEINSUM_INSTANTIATE(, T);, for float and double XEINSUM_INSTANTIATE_REAL_KERNELS(, T);
/// as well, and is compiled for the same architecture: otherwise the program does not link. A
/// macro, because extern is not for templates to choose.
#define XEINSUM_INSTANTIATE(EXTERN, T)                                                            \
    XEINSUM_FOR_ALL_KINDS(XEINSUM_INSTANTIATE_STEPS, EXTERN, T);                                  \
    XEINSUM_INSTANTIATE_STEPS(EXTERN, T, ::xeinsum::kernel::matrix_steps);                        \
    EXTERN template void ::xeinsum::detail::run<T, ::xeinsum::kernel::native_arch>(               \
        const ::xeinsum::plan_view&, const T* const*, const ::xeinsum::detail::destination<T>&,   \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*, T*,    \
        const ::xeinsum::parallel_for&, const ::xeinsum::lowerings::actual_layouts*,              \
        const T* const*);                                                                         \
    EXTERN template class ::xeinsum::detail::contraction<T, ::xeinsum::kernel::native_arch>;      \
    EXTERN template bool ::xeinsum::detail::run_outlined_rows<T, ::xeinsum::kernel::native_arch>( \
        const ::xeinsum::planning::outline&, std::size_t, const std::int64_t*, const T* const*,   \
        T*, const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&,                \
        const ::xeinsum::detail::step_runner<T>&);                                                \
    EXTERN template void ::xeinsum::detail::emit_last_pair<T, ::xeinsum::kernel::native_arch>(    \
        ::xeinsum::detail::plan_parts::emitter&, ::xeinsum::array_id, ::xeinsum::array_id);       \
    EXTERN template void ::xeinsum::detail::emit_path<T, ::xeinsum::kernel::native_arch>(         \
        ::xeinsum::detail::plan_parts::emitter&);                                                 \
    EXTERN template void ::xeinsum::detail::deliver<T, ::xeinsum::kernel::native_arch>(           \
        const T*, const ::xeinsum::detail::destination<T>&,                                       \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                   \
    EXTERN template struct ::xeinsum::detail::plan_state<T, ::xeinsum::kernel::native_arch>;      \
    EXTERN template class ::xeinsum::detail::binding<T, ::xeinsum::kernel::native_arch>

XEINSUM_INSTANTIATE_REAL_KERNELS(extern, float);
XEINSUM_INSTANTIATE_REAL_KERNELS(extern, double);
XEINSUM_INSTANTIATE(extern, float);
XEINSUM_INSTANTIATE(extern, double);

namespace xeinsum {

/// The target xeinsum::compiled defines it for the architecture and the backend that it was built
/// with, so that the linker names what is wrong where a file that calls it has others.
template <class Arch, class Backend>
void xeinsum_compiled_was_built_with_another_march_or_other_threads_than_this_file() noexcept;

#if defined(XEINSUM_LINKS_COMPILED)
namespace detail {
[[gnu::used]] static void (*const same_march_and_threads)() noexcept =
    xeinsum_compiled_was_built_with_another_march_or_other_threads_than_this_file<
        kernel::native_arch, lowerings::backend>;
}  // namespace detail
#endif

}  // namespace xeinsum
