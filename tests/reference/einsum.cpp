#include <xeinsum/reference/einsum.hpp>

#include "../support/shared_equations.hpp"
#include "../support/views.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <limits>

namespace reference = xeinsum::reference;

TEST_CASE("a product by hand") {
    const xt::xtensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
    const xt::xtensor<float, 2> b = {{1, 0}, {2, 1}, {0, 3}};
    CHECK(reference::einsum("ij,jk->ik", a, b) == xt::xarray<float>{{5, 11}, {14, 23}});
    CHECK(reference::einsum("ij,jk->ki", a, b) == xt::xarray<float>{{5, 14}, {11, 23}});
    CHECK(reference::einsum("ij->j", a) == xt::xarray<float>{5, 7, 9});
    CHECK(reference::einsum("ij,->ij", a, 2.0F) == 2 * a);
    CHECK(reference::einsum("ij->", a)() == 21);
}

TEST_CASE("diagonals, ellipses, views") {
    const xt::xtensor<double, 2> a = {{1, 2}, {3, 4}};
    CHECK(reference::einsum("ii->i", a) == xt::xarray<double>{1, 4});
    CHECK(reference::einsum("ii", xt::transpose(a))() == 5);
    CHECK(reference::einsum("...j->...", a) == xt::xarray<double>{3, 7});
    CHECK(reference::einsum("ij->ij", xt::view(a, xt::all(), xt::range(1, -3, -1))) ==
          xt::xarray<double>{{2, 1}, {4, 3}});
}

TEST_CASE("sums are formed in a wider type") {
    const xt::xtensor<float, 1> a = {16777216.0F, 1.0F, -16777216.0F};
    CHECK(reference::einsum("i->", a)() == 1.0F);  // float alone loses the 1
    const xt::xtensor<std::int32_t, 1> b = {std::numeric_limits<std::int32_t>::max(), 1};
    CHECK(reference::einsum("i->", b)() == std::numeric_limits<std::int32_t>::min());
    const xt::xtensor<std::int8_t, 1> c = {100, 100};
    CHECK(reference::einsum("i->", c)() == static_cast<std::int8_t>(200));
}

TEST_CASE("complex numbers are not conjugated") {
    using c = std::complex<double>;
    const xt::xtensor<c, 1> a = {c(1, 2), c(0, 1)};
    CHECK(reference::einsum("i,i->", a, a)() == c(-3, 4) + c(-1, 0));
}

TEST_CASE("a list of operands") {
    const std::vector<xt::xarray<double>> list{{{1, 2}, {3, 4}}, {5, 6}};
    CHECK(reference::einsum("ij,j->i", list) == xt::xarray<double>{17, 39});
}

TEST_CASE("nothing to sum is 0") {
    const xt::xtensor<float, 2> a = xt::zeros<float>({0, 3});
    CHECK(reference::einsum("ij->j", a) == xt::xarray<float>{0, 0, 0});
}
