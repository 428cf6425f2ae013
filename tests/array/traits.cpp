#include <xeinsum/array/traits.hpp>

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace array = xeinsum::array;

TEST_CASE("numbers have no axes, and other things are no operands") {
    static_assert(array::scalar<std::complex<float>>);
    static_assert(array::rank_of<double> == 0);
    static_assert(!array::is_fixed<double>);
    static_assert(!array::operand_like<std::vector<float>>);
    static_assert(!array::operand_range<std::vector<float>>);
    CHECK(std::is_same_v<array::value_of_t<const int&>, int>);
}

TEST_CASE("the type of a computation is complex if any is, and as wide as the widest") {
    static_assert(std::is_same_v<array::promoted_t<float, double>, double>);
    static_assert(
        std::is_same_v<array::promoted_t<std::complex<float>, double>, std::complex<double>>);
    CHECK(std::is_same_v<array::promoted_t<int, float>, float>);
}

TEST_CASE("axes are copied as 64-bit numbers, unless somebody holds them as such") {
    const std::array<unsigned char, 2> small{2, 3};
    const std::array<std::int64_t, 2> wide{2, 3};
    CHECK(array::copy_axes<2>(small) == wide);
    const xeinsum::list_view<const std::int64_t> held = wide;
    CHECK(array::copy_axes<array::dynamic_rank>(held).data() == wide.data());
    const auto dynamic = array::copy_axes<array::dynamic_rank>(small);
    CHECK(dynamic.size() == 2);
    CHECK(dynamic[1] == 3);
}
