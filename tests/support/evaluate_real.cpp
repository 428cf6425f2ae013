// Calls such as "ij,jk->ik" on float and double.
#include "evaluate_definitions.hpp"

SUPPORT_INSTANTIATE(float);
SUPPORT_INSTANTIATE(double);
