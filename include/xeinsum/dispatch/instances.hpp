// What xeinsum::compiled has of calls: planning of "ij,jk->ik" in float, and what runs its steps.
#pragma once

#include <xeinsum/call/bind.hpp>
#include <xeinsum/call/contraction.hpp>
#include <xeinsum/call/has_kernels.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/call/precomputed_call.hpp>
#include <xeinsum/call/reduction.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/step_runner.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/message.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/runs.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

/// XEINSUM_INSTANTIATE_EQUATIONS(EXTERN); reading equations, and what is said about wrong ones.
#define XEINSUM_INSTANTIATE_EQUATIONS(EXTERN)                                                  \
    EXTERN template ::xeinsum::problem xeinsum::parsing::read_into(                            \
        ::xeinsum::basic_equation<::xeinsum::heap_storage>&, std::string_view,                 \
        ::xeinsum::notation, ::xeinsum::call_kind);                                            \
    EXTERN template void xeinsum::parsing::raise<::xeinsum::heap_storage>(                     \
        const ::xeinsum::problem&, std::string_view, ::xeinsum::notation, bool);               \
    EXTERN template ::xeinsum::basic_network<::xeinsum::heap_storage>                          \
    xeinsum::resolve<::xeinsum::heap_storage>(                                                 \
        const ::xeinsum::basic_equation<::xeinsum::heap_storage>&,                             \
        ::xeinsum::list_view<const std::size_t>, ::xeinsum::groups);                           \
    EXTERN template std::string xeinsum::parsing::message(const ::xeinsum::problem&,           \
                                                          std::string_view, std::string_view); \
    EXTERN template struct xeinsum::detail::refusal<::xeinsum::error_code>

/// XEINSUM_INSTANTIATE_FOLD(EXTERN, T, op); what reduce<..., op> runs.
#define XEINSUM_INSTANTIATE_FOLD(EXTERN, T, OP)                                      \
    EXTERN template auto ::xeinsum::detail::fold<OP, T, ::xeinsum::kernel::any_cpu>( \
        const ::xeinsum::network_view&, const ::xeinsum::layout_view&, const T*,     \
        const ::xeinsum::detail::destination<T>&)                                    \
        ->::xeinsum::problem

/// XEINSUM_INSTANTIATE(extern, T); declares and XEINSUM_INSTANTIATE(, T); instantiates what calls
/// on arrays of T have in common. A macro, because extern is not for templates to choose.
#define XEINSUM_INSTANTIATE(EXTERN, T)                                                           \
    namespace xeinsum::detail {                                                                  \
    std::true_type compiled_elsewhere(element_tag<T>);                                           \
    }                                                                                            \
    EXTERN template const ::xeinsum::planning::target& ::xeinsum::lowerings::target_of_cpu<T>(); \
    EXTERN template void ::xeinsum::detail::run_as_planned<T, ::xeinsum::kernel::any_cpu,        \
                                                           ::xeinsum::kernel::all_steps>(        \
        const ::xeinsum::plan_view&, const T* const*, const ::xeinsum::detail::destination<T>&,  \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*, T*,   \
        const ::xeinsum::parallel_for&);                                                         \
    EXTERN template void ::xeinsum::detail::run_one_step<T, ::xeinsum::kernel::any_cpu,          \
                                                         ::xeinsum::kernel::all_steps>(          \
        const ::xeinsum::planning::one_step&, std::size_t, const T* const*, T*,                  \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&,                   \
        const ::xeinsum::parallel_for&);                                                         \
    EXTERN template ::xeinsum::planning::one_step xeinsum::detail::begin_one_step<               \
        T, ::xeinsum::kernel::any_cpu, ::xeinsum::kernel::all_steps>();                          \
    EXTERN template void ::xeinsum::lowerings::run_recipe<T, ::xeinsum::kernel::any_cpu,         \
                                                          ::xeinsum::kernel::all_steps>(         \
        const ::xeinsum::recipe&, const ::xeinsum::kernel::loops&, std::size_t,                  \
        const ::xeinsum::lowerings::element_t<T>* const*, ::xeinsum::lowerings::element_t<T>*,   \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*);      \
    EXTERN template void ::xeinsum::detail::run<T, ::xeinsum::kernel::any_cpu>(                  \
        const ::xeinsum::plan_view&, const T* const*, const ::xeinsum::detail::destination<T>&,  \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&, std::byte*, T*,   \
        const ::xeinsum::parallel_for&, const ::xeinsum::lowerings::actual_layouts*,             \
        const T* const*);                                                                        \
    EXTERN template class ::xeinsum::detail::contraction<T, ::xeinsum::kernel::any_cpu>;         \
    EXTERN template bool ::xeinsum::detail::run_precomputed_rows<T, ::xeinsum::kernel::any_cpu>( \
        const ::xeinsum::planning::precomputed_plan&, std::size_t, const std::int64_t*,          \
        const T* const*, T*,                                                                     \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&,                   \
        const ::xeinsum::detail::one_step_runner<T>&);                                           \
    EXTERN template void ::xeinsum::lowerings::run_small<T, ::xeinsum::kernel::any_cpu>(         \
        const ::xeinsum::recipe&, const ::xeinsum::kernel::loops&,                               \
        const ::xeinsum::lowerings::element_t<T>* const*, ::xeinsum::lowerings::element_t<T>*,   \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                  \
    EXTERN template void ::xeinsum::detail::run_few_loops<T, ::xeinsum::kernel::any_cpu>(        \
        const ::xeinsum::recipe&, const ::xeinsum::kernel::loops&, std::size_t,                  \
        const ::xeinsum::lowerings::element_t<T>* const*, ::xeinsum::lowerings::element_t<T>*,   \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                  \
    EXTERN template void ::xeinsum::detail::emit_last_pair<T, ::xeinsum::kernel::any_cpu>(       \
        ::xeinsum::detail::plan_parts::emitter&, ::xeinsum::array_id, ::xeinsum::array_id);      \
    EXTERN template void ::xeinsum::detail::emit_path<T, ::xeinsum::kernel::any_cpu>(            \
        ::xeinsum::detail::plan_parts::emitter&);                                                \
    EXTERN template void ::xeinsum::detail::deliver<T, ::xeinsum::kernel::any_cpu>(              \
        const T*, const ::xeinsum::detail::destination<T>&,                                      \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                  \
    EXTERN template void ::xeinsum::lowerings::copy_scaled<T, ::xeinsum::kernel::any_cpu>(       \
        ::xeinsum::mode_table&, const T*, T*,                                                    \
        const ::xeinsum::kernel::scaling<::xeinsum::lowerings::element_t<T>>&);                  \
    XEINSUM_INSTANTIATE_FOLD(EXTERN, T, ::xeinsum::reduction::sum);                              \
    XEINSUM_INSTANTIATE_FOLD(EXTERN, T, ::xeinsum::reduction::prod);                             \
    EXTERN template struct ::xeinsum::detail::plan_state<T, ::xeinsum::kernel::any_cpu>;         \
    EXTERN template class ::xeinsum::detail::binding<T, ::xeinsum::kernel::any_cpu>

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
