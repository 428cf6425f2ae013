// The library for programs of many files: einsum<"ij,jk->ik">(a, b) calls code that the program
// compiles once, in the CMake target xeinsum::compiled or in files of its own. Elements are float,
// double, complex numbers of both, int32 and int64.
#pragma once

#include <xeinsum/language.hpp>

// Files that include this one first see no kernels at all. Those that have included another header
// of the library before it do, and leave out what another file has compiled.
#if !defined(XEINSUM_COMPILED)
#define XEINSUM_COMPILED
#endif

#include <xeinsum/call/bind.hpp>
#include <xeinsum/call/contraction.hpp>
#include <xeinsum/call/kernels.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/call/precomputed_call.hpp>
#include <xeinsum/call/reduction.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/step_runner.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/message.hpp>
#include <xeinsum/equation/storage.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/run/parallel.hpp>
#include <xeinsum/xeinsum.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#if defined(XEINSUM_HAS_KERNELS)
#include <xeinsum/kernel/instances.hpp>
#endif

/// XEINSUM_INSTANTIATE_FOLD(EXTERN, T, op); what reduce<..., op> runs.
#define XEINSUM_INSTANTIATE_FOLD(EXTERN, T, OP)                                          \
    EXTERN template auto ::xeinsum::detail::fold<OP, T, ::xeinsum::kernel::native_arch>( \
        const ::xeinsum::network_view&, const ::xeinsum::layout_view&, const T*,         \
        const ::xeinsum::detail::destination<T>&)                                        \
        ->::xeinsum::problem

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
/// which includes <xeinsum/xeinsum.hpp> first, has XEINSUM_INSTANTIATE(, T); and is compiled for
/// the same architecture: otherwise the program does not link. A macro, because extern is not for
/// templates to choose.
#define XEINSUM_INSTANTIATE(EXTERN, T)                                                            \
    namespace xeinsum::detail {                                                                   \
    std::true_type compiled_elsewhere(element_tag<T>);                                            \
    }                                                                                             \
    XEINSUM_FOR_ALL_KINDS(XEINSUM_INSTANTIATE_STEPS, EXTERN, T);                                  \
    XEINSUM_INSTANTIATE_STEPS(EXTERN, T, ::xeinsum::kernel::matrix_steps);                        \
    EXTERN template void ::xeinsum::detail::run<T, ::xeinsum::kernel::native_arch>(               \
        const ::xeinsum::plan_view&, const T* const*, const ::xeinsum::detail::destination<T>&,   \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*, T*,    \
        const ::xeinsum::parallel_for&, const ::xeinsum::lowerings::actual_layouts*,              \
        const T* const*);                                                                         \
    EXTERN template class ::xeinsum::detail::contraction<T, ::xeinsum::kernel::native_arch>;      \
    EXTERN template bool ::xeinsum::detail::run_precomputed_rows<T,                               \
                                                                 ::xeinsum::kernel::native_arch>( \
        const ::xeinsum::planning::precomputed_plan&, std::size_t, const std::int64_t*,           \
        const T* const*, T*,                                                                      \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&,                    \
        const ::xeinsum::detail::step_runner<T>&);                                                \
    EXTERN template void ::xeinsum::detail::run_few_loops<T, ::xeinsum::kernel::native_arch>(     \
        const ::xeinsum::recipe&, const ::xeinsum::kernel::loops&, std::size_t,                   \
        const ::xeinsum::lowerings::element_t<T>* const*, ::xeinsum::lowerings::element_t<T>*,    \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                   \
    EXTERN template void ::xeinsum::detail::emit_last_pair<T, ::xeinsum::kernel::native_arch>(    \
        ::xeinsum::detail::plan_parts::emitter&, ::xeinsum::array_id, ::xeinsum::array_id);       \
    EXTERN template void ::xeinsum::detail::emit_path<T, ::xeinsum::kernel::native_arch>(         \
        ::xeinsum::detail::plan_parts::emitter&);                                                 \
    EXTERN template void ::xeinsum::detail::deliver<T, ::xeinsum::kernel::native_arch>(           \
        const T*, const ::xeinsum::detail::destination<T>&,                                       \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                   \
    EXTERN template void ::xeinsum::lowerings::copy_scaled<T, ::xeinsum::kernel::native_arch>(    \
        ::xeinsum::mode_table&, const T*, T*,                                                     \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                   \
    XEINSUM_INSTANTIATE_FOLD(EXTERN, T, ::xeinsum::reduction::sum);                               \
    XEINSUM_INSTANTIATE_FOLD(EXTERN, T, ::xeinsum::reduction::prod);                              \
    EXTERN template struct ::xeinsum::detail::plan_state<T, ::xeinsum::kernel::native_arch>;      \
    EXTERN template class ::xeinsum::detail::binding<T, ::xeinsum::kernel::native_arch>

/// The same with the reductions of numbers that are ordered, and of those that may be divided.
#define XEINSUM_INSTANTIATE_INTEGERS(EXTERN, T)                     \
    XEINSUM_INSTANTIATE(EXTERN, T);                                 \
    XEINSUM_INSTANTIATE_FOLD(EXTERN, T, ::xeinsum::reduction::min); \
    XEINSUM_INSTANTIATE_FOLD(EXTERN, T, ::xeinsum::reduction::max)
#define XEINSUM_INSTANTIATE_COMPLEX(EXTERN, T) \
    XEINSUM_INSTANTIATE(EXTERN, T);            \
    XEINSUM_INSTANTIATE_FOLD(EXTERN, T, ::xeinsum::reduction::mean)
#define XEINSUM_INSTANTIATE_REALS(EXTERN, T) \
    XEINSUM_INSTANTIATE_INTEGERS(EXTERN, T); \
    XEINSUM_INSTANTIATE_FOLD(EXTERN, T, ::xeinsum::reduction::mean)

// What the target xeinsum::compiled has.
extern template std::string xeinsum::parsing::message(const xeinsum::problem&, std::string_view,
                                                      std::string_view);
XEINSUM_INSTANTIATE_REALS(extern, float);
XEINSUM_INSTANTIATE_REALS(extern, double);
XEINSUM_INSTANTIATE_COMPLEX(extern, std::complex<float>);
XEINSUM_INSTANTIATE_COMPLEX(extern, std::complex<double>);
XEINSUM_INSTANTIATE_INTEGERS(extern, std::int32_t);
XEINSUM_INSTANTIATE_INTEGERS(extern, std::int64_t);
#if defined(XEINSUM_HAS_KERNELS)
XEINSUM_INSTANTIATE_REAL_KERNELS(extern, float);
XEINSUM_INSTANTIATE_REAL_KERNELS(extern, double);
XEINSUM_INSTANTIATE_KERNELS(extern, std::complex<float>);
XEINSUM_INSTANTIATE_KERNELS(extern, std::complex<double>);
XEINSUM_INSTANTIATE_REAL_KERNELS(extern, std::uint32_t);
XEINSUM_INSTANTIATE_REAL_KERNELS(extern, std::uint64_t);
#endif

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
