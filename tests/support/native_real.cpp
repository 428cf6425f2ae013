// Kernels of "ij,jk->ik" in float and double for this machine, compiled once for all tests.
#include "native_kernels.hpp"

SUPPORT_INSTANTIATE_REAL_KERNELS(, float);
SUPPORT_INSTANTIATE_REAL_KERNELS(, double);
