// Arrays of one type for all that a test compares: an xtensor_fixed and a view become xt::xarray.
#pragma once

#include <xeinsum/reference/call.hpp>
#include <xeinsum/reference/einsum.hpp>

namespace support {

/// The same elements, so that they are compared, and given to the reference, by code that is
/// compiled once.
template <class Array>
[[nodiscard]] auto plain(const Array& a) {
    namespace reference = xeinsum::reference;
    return reference::to_xarray(reference::copy_operand<typename Array::value_type>(a));
}

}  // namespace support
