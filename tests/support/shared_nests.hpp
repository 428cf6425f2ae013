// The kernels of nests in vectors that the tests have compiled once, so that a test of "ij,j->i" by
// contracted_vectors has no sums of lines of its own. Only for programs that link them.
#pragma once

#include "instances.hpp"
#include "nest_parts.hpp"

#include <complex>
#include <cstdint>

SUPPORT_INSTANTIATE_NEST_PARTS(extern, float, support::native_arch);
SUPPORT_INSTANTIATE_NEST_PARTS(extern, double, support::native_arch);
SUPPORT_INSTANTIATE_NEST_PARTS(extern, std::uint32_t, support::native_arch);
SUPPORT_INSTANTIATE_NEST_PARTS(extern, std::uint64_t, support::native_arch);
SUPPORT_INSTANTIATE_NEST_PARTS(extern, std::complex<float>, support::native_arch);
SUPPORT_INSTANTIATE_NEST_PARTS(extern, std::complex<double>, support::native_arch);
