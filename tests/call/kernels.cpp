#include <xeinsum/call/kernels.hpp>

#include <xeinsum/call/has_kernels.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#if !defined(XEINSUM_HAS_KERNELS)
#error "a file that does not leave kernels to another one has them"
#endif

TEST_CASE("a file has kernels for all elements, unless it leaves them to another one") {
    CHECK(xeinsum::detail::has_kernels<short>);
    const float a[]{1, 2, 3};
    CHECK(xeinsum::kernel::dot<float, support::native_arch>(a, a, 3) == 14);
}
