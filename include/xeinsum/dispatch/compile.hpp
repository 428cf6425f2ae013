// The table of kernels that a file compiles for its instructions: of "ij,jk->ik" in float what
// -mavx2 makes of it.
#pragma once

#include <xeinsum/call/reduction.hpp>
#include <xeinsum/call/with_kernels/few_loops.hpp>
#include <xeinsum/call/with_kernels/fold.hpp>
#include <xeinsum/dispatch/kernels.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/run_recipe.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace xeinsum::dispatch {

template <class T, class Arch, std::size_t... Op>
[[nodiscard]] constexpr auto folds_on(std::index_sequence<Op...>) noexcept {
    const auto one = []<reduction R>() -> typename kernels<T>::fold {
        if constexpr (detail::reduces<R, T>) {
            return &detail::run_fold<R, T, Arch>;
        } else {
            return nullptr;
        }
    };
    return std::array{one.template operator()<static_cast<reduction>(Op)>()...};
}

template <class T, class Arch>
inline constexpr kernels<T> kernels_on{
    .on = lowerings::target_of<T, Arch>(),
    .run_recipe = &lowerings::run_recipe<T, Arch, kernel::all_steps>,
    .run_small = &lowerings::run_small<T, Arch>,
    .run_few_loops = &detail::run_few_loops<T, Arch>,
    .prepacked_elements = &lowerings::prepacked_elements<T, Arch>,
    .prepack = &lowerings::prepack<T, Arch>,
    .folds = folds_on<T, Arch>(std::make_index_sequence<kernels<T>::fold_count>())};

}  // namespace xeinsum::dispatch
