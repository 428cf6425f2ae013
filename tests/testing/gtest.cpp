// A right result and, shown only when asked for, a wrong one, under GoogleTest.
#include <xeinsum/testing.hpp>

#include <gtest/gtest.h>

namespace {

const xt::xtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};

}  // namespace

TEST(Check, Right) {
    EXPECT_TRUE(xeinsum::testing::check(xt::transpose(a), "ij->ji", a));
}

TEST(Check, DISABLED_Wrong) {
    EXPECT_TRUE(xeinsum::testing::check(a, "ij->ij", 2 * a));
}
