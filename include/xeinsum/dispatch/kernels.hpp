// The kernels of one library for many processors: "ij,jk->ik" in float runs by those for AVX2 where
// the processor has nothing better.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::dispatch {

/// The sets of instructions that kernels are compiled for, from the least to the best.
enum class level : unsigned char { baseline, avx2, avx512 };

/// What calls on arrays of T run, compiled for one set of instructions.
template <class T>
struct kernels {
    using element = lowerings::element_t<T>;
    using scaling = kernel::scaling<element>;
    using fold = void (*)(const kernel::loop_nest&, kernel::vector_loop, const T*, T*);
    static constexpr std::size_t fold_count = 5;

    planning::target on;
    void (*run_recipe)(const recipe&, const kernel::loops&, std::size_t inputs,
                       const element* const* from, element* out, const scaling&,
                       std::byte* scratch);
    void (*run_small)(const recipe&, const kernel::loops&, const element* const* from, element* out,
                      const scaling&);
    void (*run_few_loops)(const recipe&, const kernel::loops&, std::size_t inputs,
                          const element* const* from, element* out, const scaling&);
    std::int64_t (*prepacked_elements)(const recipe&, const kernel::loops&, std::byte* scratch);
    void (*prepack)(const recipe&, const kernel::loops&, const element* from, element* to,
                    std::byte* scratch);
    std::array<fold, fold_count> folds;  ///< by reduction; null where elements have none
};

/// Those of one level. Each level is a file of its own, which defines them.
template <class T, level Level>
[[nodiscard]] const kernels<T>& kernels_of() noexcept;

/// Those for the processor, chosen when they are first asked for. Throws std::runtime_error where
/// the environment's XEINSUM_CPU names no level.
template <class T>
[[nodiscard]] const kernels<T>& chosen();

}  // namespace xeinsum::dispatch
