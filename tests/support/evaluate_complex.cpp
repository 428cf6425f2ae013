// Calls such as "ij,jk->ik" on complex numbers.
#include "evaluate_definitions.hpp"
#include "shared_kernels.hpp"

#include <complex>

SUPPORT_INSTANTIATE(std::complex<float>);
SUPPORT_INSTANTIATE(std::complex<double>);

SUPPORT_KERNELS(, std::complex<float>);
SUPPORT_KERNELS(, std::complex<double>);
