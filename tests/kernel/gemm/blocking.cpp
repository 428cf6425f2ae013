#include <xeinsum/kernel/gemm/blocking.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

using xeinsum::kernel::blocking;
using xeinsum::kernel::blocking_of;
using xeinsum::kernel::simd;

TEST_CASE_TEMPLATE("blocks are whole tiles and fit two mebibytes", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    constexpr blocking b = blocking_of<T, typename I::arch>;
    constexpr std::size_t nr = b.nv * simd<T, typename I::arch>::lanes;
    CHECK(b.mc > 0);
    CHECK(b.mc % b.mr == 0);
    CHECK(b.nc % nr == 0);
    CHECK((b.mc + b.nc) * b.kc * sizeof(T) <= (std::size_t{2} << 20U));
    // A panel of rhs is read once for all rows of a block, from the second-level cache if need be.
    CHECK(nr * b.kc * sizeof(T) <= (std::size_t{64} << 10U));
}
