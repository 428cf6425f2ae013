// What calls such as einsum<"ij,jk->ik">(a, b) have in common, once for all processors: planning,
// and running steps by the kernels that were chosen. One file, as element types share the planner.
#include <xeinsum/compiled_views.hpp>

#include <xeinsum/call/with_kernels/bind.hpp>
#include <xeinsum/call/with_kernels/fold.hpp>
#include <xeinsum/call/with_kernels/run_steps.hpp>
#include <xeinsum/dispatch/call.hpp>

#include <complex>
#include <cstdint>

XEINSUM_INSTANTIATE_EQUATIONS();
XEINSUM_INSTANTIATE_REALS(, float);
XEINSUM_INSTANTIATE_REALS(, double);
XEINSUM_INSTANTIATE_COMPLEX(, std::complex<float>);
XEINSUM_INSTANTIATE_COMPLEX(, std::complex<double>);
XEINSUM_INSTANTIATE_INTEGERS(, std::int32_t);
XEINSUM_INSTANTIATE_INTEGERS(, std::int64_t);
