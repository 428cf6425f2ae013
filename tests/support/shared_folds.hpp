// The reductions that xeinsum_test_support has compiled already, so that a test of "a b -> a" in
// float needs no loops of its own. Only for programs that link it.
#pragma once

#include <xeinsum/kernel/reduce/fold.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <cstdint>

#define SUPPORT_FOLD(PREFIX, T, OP)                                                 \
    PREFIX template void                                                            \
    xeinsum::kernel::fold<T, xeinsum::kernel::native_arch, xeinsum::kernel::OP<T>>( \
        const xeinsum::kernel::loop_nest&, xeinsum::kernel::vector_loop, const T*, T*)

/// Declares (prefix extern) or instantiates every reduction of an element type.
#define SUPPORT_FOLDS(PREFIX, T)      \
    SUPPORT_FOLD(PREFIX, T, minimum); \
    SUPPORT_FOLD(PREFIX, T, maximum); \
    SUPPORT_FOLD(PREFIX, T, summed);  \
    SUPPORT_FOLD(PREFIX, T, multiplied)

SUPPORT_FOLDS(extern, float);
SUPPORT_FOLDS(extern, double);
SUPPORT_FOLDS(extern, std::int32_t);
SUPPORT_FOLDS(extern, std::int64_t);
