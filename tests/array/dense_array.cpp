#include <xeinsum/array/dense_array.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <vector>

using axes = std::vector<std::int64_t>;

TEST_CASE("elements are copied in the order of the axes, and converted") {
    const std::vector<int> from{1, 2, 3, 4, 5, 6};
    const xeinsum::array::dense_array<double> turned(axes{3, 2});
    turned.take(from.data(), axes{1, 3});
    CHECK(std::vector<double>(turned.data(), turned.data() + 6) ==
          std::vector<double>{1, 4, 2, 5, 3, 6});
    std::vector<float> to(12, -1);
    turned.give(to.data() + 10, axes{-4, -1});
    CHECK(to == std::vector<float>{-1, 6, 3, -1, -1, 5, 2, -1, -1, 4, 1, -1});
}

TEST_CASE("of rank 0 and of no elements") {
    const int from = 7;
    const xeinsum::array::dense_array<long> one(axes{});
    one.take(&from, axes{});
    CHECK(*one.data() == 7);
    const xeinsum::array::dense_array<long> none(axes{2, 0, 3});
    none.take(&from, axes{0, 0, 0});
    CHECK(none.extents()[2] == 3);
}

TEST_CASE("more elements than memory holds") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK_THROWS_AS(xeinsum::array::dense_array<float>(axes{most, 3}), std::bad_alloc);
}
