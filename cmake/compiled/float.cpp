// What einsum<"ij,jk->ik">(a, b) in float runs, for programs that include <xeinsum/compiled.hpp>.
#include <xeinsum/compiled.hpp>

XEINSUM_INSTANTIATE_REAL_KERNELS(, float);
XEINSUM_INSTANTIATE(, float);
