// The same of complex numbers.
#include "instances.hpp"
#include "native_kernels.hpp"
#include "nest_parts.hpp"

#include <complex>

SUPPORT_INSTANTIATE_KERNELS(, std::complex<float>);
SUPPORT_INSTANTIATE_KERNELS(, std::complex<double>);
SUPPORT_INSTANTIATE_NEST_PARTS(, std::complex<float>, support::native_arch);
SUPPORT_INSTANTIATE_NEST_PARTS(, std::complex<double>, support::native_arch);
