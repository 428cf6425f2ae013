// The kernels of calls on arrays of double.
#include "kernels.hpp"

namespace xeinsum::dispatch {

template <>
const kernels<double>& kernels_of<double, compiled_level>() noexcept {
    return kernels_on<double, compiled_arch>;
}

}  // namespace xeinsum::dispatch
