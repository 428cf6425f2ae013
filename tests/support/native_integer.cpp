// The same of integers, whose arithmetic is that of unsigned ones.
#include "native_kernels.hpp"

#include <cstdint>

SUPPORT_INSTANTIATE_REAL_KERNELS(, std::uint32_t);
SUPPORT_INSTANTIATE_REAL_KERNELS(, std::uint64_t);
