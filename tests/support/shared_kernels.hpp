// The kernels that xeinsum::compiled has already, so that a test of "ij,jk->ik" in
// float needs no loops of its own. Only for programs that link it.
#pragma once

#include <xeinsum/kernel/instances.hpp>

#include <complex>
#include <cstdint>

XEINSUM_INSTANTIATE_REAL_KERNELS(extern, float);
XEINSUM_INSTANTIATE_REAL_KERNELS(extern, double);
XEINSUM_INSTANTIATE_REAL_KERNELS(extern, std::uint32_t);
XEINSUM_INSTANTIATE_REAL_KERNELS(extern, std::uint64_t);
XEINSUM_INSTANTIATE_KERNELS(extern, std::complex<float>);
XEINSUM_INSTANTIATE_KERNELS(extern, std::complex<double>);
