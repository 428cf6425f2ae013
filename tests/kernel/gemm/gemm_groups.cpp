#include <xeinsum/kernel/gemm/gemm_groups.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

using xeinsum::kernel::loops;

TEST_CASE("operands are read in segments where the inner loop of the depth fits into a block") {
    const support::nest_rows one({{900, 0, 1, 5}});
    const support::nest_rows two({{700, 0, 90, 400}, {64, 0, 1, 6}});
    CHECK(xeinsum::kernel::direct_depth(loops(), 64));
    CHECK(xeinsum::kernel::direct_depth(one.loops(), 64));
    CHECK(xeinsum::kernel::direct_depth(two.loops(), 64));
    CHECK_FALSE(xeinsum::kernel::direct_depth(two.loops(), 63));
}

TEST_CASE("the innermost stride and the span of loops are those of one array") {
    const support::nest_rows over({{3, 100, -7, 0}, {5, 20, 2, 4}});
    CHECK(xeinsum::kernel::inner_stride(over.loops(), 0) == 20);
    CHECK(xeinsum::kernel::inner_stride(over.loops(), 1) == 2);
    CHECK(xeinsum::kernel::inner_stride(loops(), 1) == 0);
    CHECK(xeinsum::kernel::span_of(over.loops(), 0) == 2 * 100 + 4 * 20);
    CHECK(xeinsum::kernel::span_of(over.loops(), 1) == 2 * 7 + 4 * 2);
    CHECK(xeinsum::kernel::span_of(over.loops(), 2) == 4 * 4);
    CHECK(xeinsum::kernel::span_of(loops(), 2) == 0);
}
