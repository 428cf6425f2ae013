// The kernels of calls on arrays of complex numbers.
#include "kernels.hpp"

#include <complex>

namespace xeinsum::dispatch {

template <>
const kernels<std::complex<float>>& kernels_of<std::complex<float>, compiled_level>() noexcept {
    return kernels_on<std::complex<float>, compiled_arch>;
}
template <>
const kernels<std::complex<double>>& kernels_of<std::complex<double>, compiled_level>() noexcept {
    return kernels_on<std::complex<double>, compiled_arch>;
}

}  // namespace xeinsum::dispatch
