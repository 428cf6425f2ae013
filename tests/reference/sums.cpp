#include <xeinsum/reference/sums.hpp>

#include "../support/shared_equations.hpp"

#include <xeinsum/array/xtensor.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace reference = xeinsum::reference;
using reference::shape;

TEST_CASE("the longest loop is the innermost one") {
    CHECK(reference::loops({4, 7, 2}).order == std::vector<std::size_t>{0, 2, 1});
    CHECK(reference::loops({4, 2, 7}).extents == shape{4, 2, 7});
    CHECK(reference::loops({}).order.empty());
}

TEST_CASE("strides of labels: a diagonal adds its own, an extent of 1 stands still") {
    const reference::loops all({3, 5, 4});  // loops 0, 2, 1
    CHECK(all.strides({0, 1, 2}, {3, 5, 4}) == shape{20, 1, 4});
    CHECK(all.strides({0, 0}, {3, 3}) == shape{4, 0, 0});
    CHECK(all.strides({2, 1}, {4, 1}) == shape{0, 1, 0});
}

TEST_CASE("every line is visited once, and none where there is nothing") {
    std::vector<std::size_t> visited;
    reference::for_each_line({2, 3, 9}, {{10, 1, 0}},
                             [&](const shape& at) { visited.push_back(at[0]); });
    CHECK(visited == std::vector<std::size_t>{0, 1, 2, 10, 11, 12});
    std::size_t lines = 0;
    const auto count = [&](const shape&) { ++lines; };
    reference::for_each_line({2, 0, 9}, {}, count);
    reference::for_each_line({2, 9, 0}, {}, count);
    CHECK(lines == 0);
    reference::for_each_line({}, {}, count);
    CHECK(lines == 1);
}

TEST_CASE("a factor lies as the loops go, without those that it does not vary with") {
    const reference::call<float> c("ab,cb->", xt::xtensor<float, 2>{{1, 2, 3}, {4, 5, 6}},
                                   xt::xtensor<float, 2>{{7, 8, 9}});
    const reference::loops all(c.terms.extents());  // a, c, b
    const auto f = reference::make_factor<double>(all, c.terms.term(0), c.terms.operand_shape(0),
                                                  c.operands[0], [](float x) { return 2.0 * x; });
    CHECK(f.strides == shape{3, 0, 1});
    CHECK(f.elements.data()[5] == 12);
    const auto squares =
        reference::sum_products<double>(c, [](float x) { return static_cast<double>(x) * x; });
    CHECK(*squares.data() == (1 + 16) * 49.0 + (4 + 25) * 64.0 + (9 + 36) * 81.0);
}
