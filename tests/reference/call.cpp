#include <xeinsum/reference/call.hpp>

#include "../support/shared_equations.hpp"

#include <xeinsum/array/xtensor.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace reference = xeinsum::reference;
using reference::shape;

TEST_CASE("operands meet in one type, and lengths have none") {
    using floats = xt::xtensor<float, 1>;
    using complex = xt::xtensor<std::complex<double>, 1>;
    using xeinsum::axis_length;
    CHECK(std::is_same_v<reference::element_t<floats, axis_length>, float>);
    CHECK(std::is_same_v<reference::element_t<floats, complex>, std::complex<double>>);
    CHECK(
        std::is_same_v<reference::element_t<std::vector<xt::xarray<std::int64_t>>>, std::int64_t>);
}

TEST_CASE("operands are copied row-major, scalars and lists as well") {
    const xt::xtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
    const reference::call<double> one("ij,->ij", xt::transpose(a), 7);
    REQUIRE(one.operands.size() == 2);
    CHECK(one.terms.operand_shape(0) == shape{3, 2});
    CHECK(one.operands[0].data()[1] == 4);
    CHECK(one.operands[1].data()[0] == 7);
    const reference::call<float> list("ij,j->i", std::vector<xt::xarray<float>>{{{1, 2}}, {3, 4}});
    CHECK(list.operands.size() == 2);
    CHECK(list.terms.result_shape() == shape{1});
}

TEST_CASE("lengths split groups") {
    const xt::xtensor<float, 2> a{{1, 2, 3, 4, 5, 6}};
    const reference::call<float> c("n (h d) -> d n h", a, xeinsum::axis<"h">(2));
    CHECK(c.terms.operand_shape(0) == shape{1, 2, 3});
    CHECK(c.terms.result_shape() == shape{3, 1, 2});
}
