// Calls such as "ij,jk->ik" on float and double.
#include "evaluate_definitions.hpp"
#include "shared_kernels.hpp"

SUPPORT_INSTANTIATE(float);
SUPPORT_INSTANTIATE(double);

SUPPORT_REAL_KERNELS(, float);
SUPPORT_REAL_KERNELS(, double);
