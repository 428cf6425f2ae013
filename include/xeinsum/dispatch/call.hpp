// Calls of kernels that are chosen for the processor: one step "ij,jk->ik" goes through the table
// of its element type.
#pragma once

#include <xeinsum/call/precomputed_call.hpp>
#include <xeinsum/call/with_kernels/fold.hpp>
#include <xeinsum/dispatch/kernels.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum {

namespace lowerings {

template <class T>
const target& target_of_cpu() {
    return dispatch::chosen<T>().on;
}

template <class T, class Arch, kernel::step_kinds Kinds>
    requires kernel::chosen_at_run_time<Arch>
void run_recipe(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                const element_t<T>* const* from, element_t<T>* out,
                const kernel::scaling<element_t<T>>& scale, std::byte* scratch) {
    dispatch::chosen<T>().run_recipe(how, rows, inputs, from, out, scale, scratch);
}

template <class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
void run_small(const recipe& how, const kernel::loops& rows, const element_t<T>* const* from,
               element_t<T>* out, const kernel::scaling<element_t<T>>& scale) {
    dispatch::chosen<T>().run_small(how, rows, from, out, scale);
}

template <class T, class Arch>
    requires kernel::chosen_at_run_time<Arch> std::int64_t prepacked_elements(
        const recipe& how, const kernel::loops& rows, std::byte* scratch) {
        return dispatch::chosen<T>().prepacked_elements(how, rows, scratch);
    }

template <class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
void prepack(const recipe& how, const kernel::loops& rows, const element_t<T>* from,
             element_t<T>* to, std::byte* scratch) {
    dispatch::chosen<T>().prepack(how, rows, from, to, scratch);
}

}  // namespace lowerings

namespace detail {

template <class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
void run_few_loops(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                   const lowerings::element_t<T>* const* from, lowerings::element_t<T>* out,
                   const kernel::scaling<lowerings::element_t<T>>& scale) {
    dispatch::chosen<T>().run_few_loops(how, rows, inputs, from, out, scale);
}

template <reduction Op, class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
void run_fold(const kernel::loop_nest& nest, kernel::vector_loop kind, const T* in, T* out) {
    dispatch::chosen<T>().folds[static_cast<std::size_t>(Op)](nest, kind, in, out);
}

}  // namespace detail
}  // namespace xeinsum
