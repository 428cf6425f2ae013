#include <xeinsum/kernel/gemm/prepacked_panels.hpp>

#include <doctest/doctest.h>

using xeinsum::kernel::prepacked_panels;

TEST_CASE("blocks of panels follow each other, depth by depth") {
    // 23 lines in blocks of 10, panels of 4: 12, 12 and 4 lines, each 7 deep.
    constexpr prepacked_panels at{23, 7, 10, 4};
    static_assert(at.elements() == 28 * 7);
    static_assert(at.offset(0, 0) == 0);
    static_assert(at.offset(0, 5) == 12 * 5);
    static_assert(at.offset(10, 0) == 12 * 7);
    static_assert(at.offset(10, 5) == 12 * 7 + 12 * 5);
    static_assert(at.offset(20, 0) == 24 * 7);
    static_assert(at.offset(20, 5) == 24 * 7 + 4 * 5);
    CHECK(prepacked_panels{8, 3, 8, 4}.elements() == 24);
    CHECK(prepacked_panels{1, 3, 8, 4}.elements() == 12);
}
