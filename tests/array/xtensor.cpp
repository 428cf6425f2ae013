#include <xeinsum/array/xtensor.hpp>

#include "../support/views.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <type_traits>
#include <vector>

namespace array = xeinsum::array;
using matrix = xt::xtensor<float, 2>;
using fixed = xt::xtensor_fixed<float, xt::xshape<2, 3>>;

TEST_CASE("arrays, views and expressions are told from numbers and lists") {
    static_assert(array::expression<xt::xarray<float>>);
    static_assert(array::expression<const matrix&>);
    static_assert(array::expression<decltype(matrix() + matrix())>);
    static_assert(!array::expression<float>);
    static_assert(array::scalar<float>);
    static_assert(array::scalar<std::complex<double>>);
    static_assert(!array::scalar<matrix>);
    static_assert(array::operand_range<std::vector<matrix>>);
    static_assert(!array::operand_range<matrix>);
    static_assert(!array::operand_range<std::vector<float>>);
    CHECK(array::operand_like<int>);
}

TEST_CASE("what lies at fixed strides is read in place") {
    using vec = xt::xtensor<float, 1>;
    static_assert(array::strided<matrix>);
    static_assert(array::strided<fixed>);
    static_assert(array::strided<decltype(xt::view(std::declval<matrix&>(), 1))>);
    static_assert(
        array::strided<decltype(xt::view(std::declval<const matrix&>(), xt::range(0, 5, 2)))>);
    static_assert(array::strided<decltype(xt::transpose(std::declval<matrix&>()))>);
    static_assert(!array::strided<decltype(xt::view(std::declval<matrix&>(), xt::keep(0, 1)))>);
    static_assert(!array::strided<decltype(std::declval<matrix&>() + 1)>);
    static_assert(!array::strided<decltype(xt::broadcast(std::declval<vec&>(), {2, 3}))>);
    CHECK(array::strided<xt::xarray<double>>);
}

TEST_CASE("ranks and extents that types tell") {
    static_assert(array::rank_of<matrix> == 2);
    static_assert(array::rank_of<const matrix&> == 2);
    static_assert(array::rank_of<xt::xarray<float>> == array::dynamic_rank);
    static_assert(array::rank_of<fixed> == 2);
    static_assert(array::rank_of<decltype(xt::view(std::declval<xt::xtensor<float, 3>&>(), 1))> ==
                  2);
    static_assert(array::rank_of<double> == 0);
    static_assert(array::is_fixed<fixed>);
    static_assert(array::traits_of_t<fixed>::extents[1] == 3);
    static_assert(!array::is_fixed<matrix>);
    CHECK(array::is_fixed<const fixed&>);
}

TEST_CASE("element types that meet") {
    using std::complex;
    static_assert(std::is_same_v<array::promoted_t<float, float>, float>);
    static_assert(std::is_same_v<array::promoted_t<float, double>, double>);
    static_assert(std::is_same_v<array::promoted_t<int, float>, float>);
    static_assert(std::is_same_v<array::promoted_t<complex<float>, double>, complex<double>>);
    static_assert(std::is_same_v<array::promoted_t<complex<float>, float>, complex<float>>);
    static_assert(std::is_same_v<array::promoted_t<signed char>, signed char>);
    static_assert(std::is_same_v<array::value_of_t<const matrix&>, float>);
    CHECK(std::is_same_v<array::value_of_t<double>, double>);
}
