// What nests in vectors are made of and the tests compile once: of "ij,j->i" in float, sums of the
// lines of rows.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/reduce/line_kernels.hpp>
#include <xeinsum/kernel/reduce/output_products.hpp>
#include <xeinsum/kernel/reduce/shared_line.hpp>
#include <xeinsum/kernel/reduce/term_sums.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <cstdint>

// For so many inputs that step along lines and so many that do not: sums of lines, and products and
// sums along lines of results.
#define SUPPORT_INSTANTIATE_LINES(EXTERN, T, ARCH, UNITS, FIXED)                         \
    EXTERN template void ::xeinsum::kernel::line_kernels_of<T, ARCH, UNITS, FIXED>::add( \
        const ::xeinsum::kernel::cursors<T>&, std::int64_t,                              \
        ::xeinsum::kernel::simd<T, ARCH>::type*, std::int64_t, std::int64_t, bool)
#define SUPPORT_INSTANTIATE_OUTPUTS(EXTERN, T, ARCH, UNITS, FIXED)                   \
    EXTERN template class ::xeinsum::kernel::output_products<T, ARCH, UNITS, FIXED>; \
    EXTERN template class ::xeinsum::kernel::term_sums<T, ARCH, UNITS, FIXED>

/// SUPPORT_INSTANTIATE_NEST_PARTS(extern, T, ARCH); declares, and without extern instantiates,
/// those for the inputs that kernels tell apart.
#define SUPPORT_INSTANTIATE_NEST_PARTS(EXTERN, T, ARCH)            \
    SUPPORT_INSTANTIATE_LINES(EXTERN, T, ARCH, 1, 0);              \
    SUPPORT_INSTANTIATE_LINES(EXTERN, T, ARCH, 2, 0);              \
    SUPPORT_INSTANTIATE_LINES(EXTERN, T, ARCH, 1, 1);              \
    SUPPORT_INSTANTIATE_LINES(EXTERN, T, ARCH, 2, 1);              \
    EXTERN template class ::xeinsum::kernel::shared_line<T, ARCH>; \
    SUPPORT_INSTANTIATE_OUTPUTS(EXTERN, T, ARCH, 1, 0);            \
    SUPPORT_INSTANTIATE_OUTPUTS(EXTERN, T, ARCH, 1, 1);            \
    SUPPORT_INSTANTIATE_OUTPUTS(EXTERN, T, ARCH, 2, 0);            \
    SUPPORT_INSTANTIATE_OUTPUTS(EXTERN, T, ARCH, 1, 2)
