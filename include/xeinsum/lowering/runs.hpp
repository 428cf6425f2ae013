// What runs steps, for callers whose kernels may be in another file: the one product of
// "ij,jk->ik", or a copy.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// Runs one step: its recipe on the rows that the recipe was made for. The step is of one of
/// the Kinds.
template <class T, class Arch, kernel::step_kinds Kinds = kernel::all_steps>
    requires kernel::compiled_here<Arch>
void run_recipe(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                const element_t<T>* const* from, element_t<T>* out,
                const kernel::scaling<element_t<T>>& scale, std::byte* scratch);

/// The same by the kernels that xeinsum::compiled has chosen for the processor.
template <class T, class Arch, kernel::step_kinds Kinds = kernel::all_steps>
    requires kernel::chosen_at_run_time<Arch>
void run_recipe(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                const element_t<T>* const* from, element_t<T>* out,
                const kernel::scaling<element_t<T>>& scale, std::byte* scratch);

/// Elements of the panels of a prepacked input, for one product; rows are those of its strides.
template <class T, class Arch>
    requires kernel::compiled_here<Arch>
[[nodiscard]] std::int64_t prepacked_elements(const recipe& how, const kernel::loops& rows,
                                              std::byte* scratch);
template <class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
[[nodiscard]] std::int64_t prepacked_elements(const recipe& how, const kernel::loops& rows,
                                              std::byte* scratch);
/// Writes them, and up to pack_slack bytes more.
template <class T, class Arch>
    requires kernel::compiled_here<Arch>
void prepack(const recipe& how, const kernel::loops& rows, const element_t<T>* from,
             element_t<T>* to, std::byte* scratch);
template <class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
void prepack(const recipe& how, const kernel::loops& rows, const element_t<T>* from,
             element_t<T>* to, std::byte* scratch);

/// Runs what small_product has built.
template <class T, class Arch>
    requires kernel::compiled_here<Arch>
void run_small(const recipe& how, const kernel::loops& rows, const element_t<T>* const* from,
               element_t<T>* out, const kernel::scaling<element_t<T>>& scale);
template <class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
void run_small(const recipe& how, const kernel::loops& rows, const element_t<T>* const* from,
               element_t<T>* out, const kernel::scaling<element_t<T>>& scale);

/// out = scale(in) along some loops without sums; in may be null, which stands for zeros. Element
/// by element where a file is to be spared the kernels for copies.
template <class T, class Arch, bool HasKernels = true>
void copy_scaled(mode_table& table, const T* in, T* out,
                 const kernel::scaling<element_t<T>>& scale);

}  // namespace xeinsum::lowerings
