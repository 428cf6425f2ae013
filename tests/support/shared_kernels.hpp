// The kernels that the tests have compiled once, so that a test of "ij,jk->ik" in
// float needs no loops of its own. Only for programs that link it.
#pragma once

#include "native_kernels.hpp"

#include <complex>
#include <cstdint>

SUPPORT_INSTANTIATE_REAL_KERNELS(extern, float);
SUPPORT_INSTANTIATE_REAL_KERNELS(extern, double);
SUPPORT_INSTANTIATE_REAL_KERNELS(extern, std::uint32_t);
SUPPORT_INSTANTIATE_REAL_KERNELS(extern, std::uint64_t);
SUPPORT_INSTANTIATE_KERNELS(extern, std::complex<float>);
SUPPORT_INSTANTIATE_KERNELS(extern, std::complex<double>);
