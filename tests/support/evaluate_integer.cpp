// Calls such as "ij,jk->ik" on integers.
#include "evaluate_definitions.hpp"
#include "shared_kernels.hpp"

#include <cstdint>

SUPPORT_INSTANTIATE(std::int32_t);
SUPPORT_INSTANTIATE(std::int64_t);

SUPPORT_REAL_KERNELS(, std::uint32_t);
SUPPORT_REAL_KERNELS(, std::uint64_t);
