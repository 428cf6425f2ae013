#include <xeinsum/plan/step/alignment.hpp>

#include <doctest/doctest.h>

using xeinsum::planning::align_up;

TEST_CASE("sizes become whole cache lines") {
    static_assert(xeinsum::workspace_alignment == 64);
    static_assert(align_up(0) == 0 && align_up(1) == 64 && align_up(64) == 64);
    CHECK(align_up(65) == 128);
}
