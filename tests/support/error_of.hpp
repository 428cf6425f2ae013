// The error of a call in tests: code_of([&] { einsum("ij,jk->il", a, b); }) is
// unknown_output_label.
#pragma once

#include <xeinsum/equation/error.hpp>

namespace support {

/// What a call throws; code none where it throws nothing.
template <class Call>
[[nodiscard]] xeinsum::einsum_error error_of(Call call) {
    try {
        call();
    } catch (const xeinsum::einsum_error& e) {
        return e;
    }
    return {xeinsum::error_code::none, 0, "nothing was thrown"};
}
template <class Call>
[[nodiscard]] xeinsum::error_code code_of(Call call) {
    return error_of(call).code();
}

}  // namespace support
