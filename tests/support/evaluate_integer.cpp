// Calls such as "ij,jk->ik" on integers.
#include "evaluate_definitions.hpp"
#include "shared_calls.hpp"

#include <cstdint>

SUPPORT_INSTANTIATE(std::int32_t);
SUPPORT_INSTANTIATE(std::int64_t);
