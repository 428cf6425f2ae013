// What einsum<"ij,jk->ik">(a, b) of integers runs, for programs that include
// <xeinsum/compiled.hpp>. Their arithmetic is that of unsigned ones.
#include <xeinsum/xeinsum.hpp>

#include <xeinsum/compiled.hpp>

#include <cstdint>

XEINSUM_INSTANTIATE_REAL_KERNELS(, std::uint32_t);
XEINSUM_INSTANTIATE_REAL_KERNELS(, std::uint64_t);
XEINSUM_INSTANTIATE_INTEGERS(, std::int32_t);
XEINSUM_INSTANTIATE_INTEGERS(, std::int64_t);
