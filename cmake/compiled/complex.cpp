// What einsum<"ij,jk->ik">(a, b) of complex numbers runs, for programs that include
// <xeinsum/compiled.hpp>.
#include <xeinsum/xeinsum.hpp>

#include <xeinsum/compiled.hpp>

#include <complex>

XEINSUM_INSTANTIATE_KERNELS(, std::complex<float>);
XEINSUM_INSTANTIATE_KERNELS(, std::complex<double>);
XEINSUM_INSTANTIATE_COMPLEX(, std::complex<float>);
XEINSUM_INSTANTIATE_COMPLEX(, std::complex<double>);
