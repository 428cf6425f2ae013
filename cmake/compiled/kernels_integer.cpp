// The kernels of calls on arrays of integers.
#include "kernels.hpp"

#include <cstdint>

namespace xeinsum::dispatch {

template <>
const kernels<std::int32_t>& kernels_of<std::int32_t, compiled_level>() noexcept {
    return kernels_on<std::int32_t, compiled_arch>;
}
template <>
const kernels<std::int64_t>& kernels_of<std::int64_t, compiled_level>() noexcept {
    return kernels_on<std::int64_t, compiled_arch>;
}

}  // namespace xeinsum::dispatch
