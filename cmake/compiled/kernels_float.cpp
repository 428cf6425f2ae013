// The kernels of calls on arrays of float.
#include "kernels.hpp"

namespace xeinsum::dispatch {

template <>
const kernels<float>& kernels_of<float, compiled_level>() noexcept {
    return kernels_on<float, compiled_arch>;
}

}  // namespace xeinsum::dispatch
