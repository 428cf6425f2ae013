// Calls that xeinsum_test_support has compiled already, so that a test of einsum<"ij,jk->ik">(a, b)
// needs neither planner nor kernels of its own. Only for programs that link it.
#pragma once

#include "shared_kernels.hpp"

#include <xeinsum/compiled.hpp>

#include <complex>
#include <cstdint>

XEINSUM_INSTANTIATE(extern, std::int32_t);
XEINSUM_INSTANTIATE(extern, std::int64_t);
XEINSUM_INSTANTIATE(extern, std::complex<float>);
XEINSUM_INSTANTIATE(extern, std::complex<double>);
