#include <xeinsum/reference.hpp>

#include "support/shared_equations.hpp"

#include <doctest/doctest.h>

TEST_CASE("one include brings the reference and its bound") {
    const xt::xtensor<float, 2> a = {{1, 2}, {3, 4}};
    const auto expected = xeinsum::reference::einsum("ij,jk->ik", a, a);
    const auto bound = xeinsum::reference::bound("ij,jk->ik", a, a);
    const xt::xtensor<float, 2> mine = {{7, 10}, {15, 22}};
    CHECK(xeinsum::reference::worst_ratio(mine, expected, bound) == 0);
}
