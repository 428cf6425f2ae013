#include <xeinsum/array/output.hpp>

#include <xeinsum/array/xtensor.hpp>

#include "../support/views.hpp"

#include <doctest/doctest.h>

#include <complex>

namespace array = xeinsum::array;

TEST_CASE("an array of the right type is written in place") {
    xt::xarray<float> a = xt::zeros<float>({2, 3});
    array::output<float, xt::xarray<float>> out(a, false);
    CHECK(out.data() == a.data());
    out.data()[4] = 7;
    out.commit();
    CHECK(a(1, 1) == 7);
}

TEST_CASE("a strided view is written in place") {
    xt::xtensor<float, 2> a = xt::zeros<float>({4, 6});
    auto view = xt::view(a, xt::range(3, 0, -2), xt::range(1, 6, 2));
    array::output<float, decltype(view)> out(view, false);
    CHECK(out.data() == &a(3, 1));
    CHECK(out.strides()[0] == -12);
    CHECK(out.strides()[1] == 2);
}

TEST_CASE("another element type, or no fixed strides, goes by way of an array") {
    xt::xtensor<double, 1> a = {1, 2, 3};
    array::output<float, xt::xtensor<double, 1>> narrow(a, true);
    CHECK(narrow.data()[2] == 3);
    narrow.data()[2] = 5;
    CHECK(a(2) == 3);
    narrow.commit();
    CHECK(a(2) == 5);

    auto kept = xt::view(a, xt::keep(0, 2));
    array::output<double, decltype(kept)> gapped(kept, false);
    CHECK(gapped.extents()[0] == 2);
    gapped.data()[0] = 8;
    gapped.data()[1] = 9;
    gapped.commit();
    CHECK(a == xt::xtensor<double, 1>{8, 2, 9});
}
