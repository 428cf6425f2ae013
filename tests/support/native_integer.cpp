// The same of integers, whose arithmetic is that of unsigned ones.
#include "instances.hpp"
#include "native_kernels.hpp"
#include "nest_parts.hpp"

#include <cstdint>

SUPPORT_INSTANTIATE_REAL_KERNELS(, std::uint32_t);
SUPPORT_INSTANTIATE_REAL_KERNELS(, std::uint64_t);
SUPPORT_INSTANTIATE_NEST_PARTS(, std::uint32_t, support::native_arch);
SUPPORT_INSTANTIATE_NEST_PARTS(, std::uint64_t, support::native_arch);
