#include <xeinsum/kernel/blocking.hpp>

#include "../support/instances.hpp"

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

TEST_CASE("lines a multiple of 4 KiB apart, or nearly so, meet in one set") {
    using xeinsum::kernel::share_a_set;
    CHECK(share_a_set(4096));
    CHECK(share_a_set(-3 * 4096));
    CHECK(share_a_set(2 * 4096 + 60));
    CHECK_FALSE(share_a_set(2048));
    CHECK_FALSE(share_a_set(4096 + 64));
}
