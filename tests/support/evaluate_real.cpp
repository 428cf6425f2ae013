// Calls such as "ij,jk->ik" on float and double.
#include "evaluate_definitions.hpp"
#include "shared_calls.hpp"

SUPPORT_INSTANTIATE(float);
SUPPORT_INSTANTIATE(double);
