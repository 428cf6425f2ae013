// Kernels of "ij,jk->ik" in float and double for this machine, compiled once for all tests.
#include "instances.hpp"
#include "native_kernels.hpp"
#include "nest_parts.hpp"

SUPPORT_INSTANTIATE_REAL_KERNELS(, float);
SUPPORT_INSTANTIATE_REAL_KERNELS(, double);
SUPPORT_INSTANTIATE_NEST_PARTS(, float, support::native_arch);
SUPPORT_INSTANTIATE_NEST_PARTS(, double, support::native_arch);
