// What einsum<"ij,jk->ik">(a, b) in double runs, for programs that include <xeinsum/compiled.hpp>.
#include <xeinsum/xeinsum.hpp>

#include <xeinsum/compiled.hpp>

XEINSUM_INSTANTIATE_REAL_KERNELS(, double);
XEINSUM_INSTANTIATE_REALS(, double);
