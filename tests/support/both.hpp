// One check, made by the compiler and again at run time: check_both([] { return ... "ij,jk->ik"
// ...; }).
#pragma once

#include <doctest/doctest.h>

namespace support {

/// The lambda captures nothing, so that its type alone can be called in a constant expression.
template <class Check>
void check_both(Check) {
    static_assert(Check{}());
    CHECK(Check{}());
}

}  // namespace support
