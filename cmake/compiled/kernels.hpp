// What each level compiles of the kernels: XEINSUM_LEVEL is the name of the level that a file is
// compiled for, baseline without a name. The rest is in the files of the element types.
#pragma once

#include <xeinsum/dispatch/compile.hpp>
#include <xeinsum/dispatch/kernels.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/tune/core.hpp>

#include <type_traits>

namespace xeinsum::dispatch {

#if !defined(XEINSUM_LEVEL)
#define XEINSUM_LEVEL baseline
#endif
inline constexpr level compiled_level = level::XEINSUM_LEVEL;

/// The microarchitecture is known when the program runs.
using compiled_arch =
    std::conditional_t<compiled_level == level::avx512,
                       kernel::tuned<kernel::avx512bw, tune::detected>, kernel::native_arch>;

}  // namespace xeinsum::dispatch
