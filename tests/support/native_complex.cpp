// The same of complex numbers.
#include "native_kernels.hpp"

#include <complex>

SUPPORT_INSTANTIATE_KERNELS(, std::complex<float>);
SUPPORT_INSTANTIATE_KERNELS(, std::complex<double>);
