#include <xeinsum/call/arguments.hpp>

#include <doctest/doctest.h>

#include <vector>

TEST_CASE("operands one by one") {
    const xt::xtensor<float, 2> a = {{1, 2}, {3, 4}};
    const xt::xarray<int> b = {5, 6, 7};
    const xeinsum::detail::operand_pack<float, xt::xtensor<float, 2>, xt::xarray<int>, double> pack(
        a, b, 8.0);
    CHECK(pack.layouts().size() == 3);
    CHECK(pack.pointers()[0] == a.data());
    CHECK(pack.pointers()[1][2] == 7);
    CHECK(pack.pointers()[2][0] == 8);
    const auto ranks = xeinsum::detail::ranks_of(pack.layouts());
    REQUIRE(ranks.size() == 3);
    CHECK((ranks[0] == 2 && ranks[1] == 1 && ranks[2] == 0));
}

TEST_CASE("operands in a list") {
    const std::vector<xt::xarray<float>> list{{1, 2, 3}, {{4, 5}, {6, 7}}};
    const xeinsum::detail::operand_list<float, std::vector<xt::xarray<float>>> held(list);
    CHECK(held.pointers()[1] == list[1].data());
    CHECK(held.layouts()[1].strides[0] == 2);
    const auto ranks = xeinsum::detail::ranks_of(held.layouts());
    REQUIRE(ranks.size() == 2);
    CHECK((ranks[0] == 1 && ranks[1] == 2));
}
