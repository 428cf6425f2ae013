#include <xeinsum/plan/layout.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::lie_alike;
using xeinsum::lies_as;
using xeinsum::row_major;

TEST_CASE("row-major strides, whatever the extents") {
    CHECK(row_major({2, 3, 4}).strides == std::vector<std::int64_t>{12, 4, 1});
    CHECK(row_major({2, 0, 4}).strides == std::vector<std::int64_t>{4, 4, 1});
    CHECK(row_major({}).strides.empty());
}

TEST_CASE("strides count along axes with more than one element") {
    const xeinsum::layout a{{2, 1, 3}, {3, 3, 1}};
    CHECK(lie_alike(a, xeinsum::layout{{2, 1, 3}, {3, 0, 1}}));
    CHECK_FALSE(lie_alike(a, xeinsum::layout{{2, 1, 3}, {1, 0, 2}}));
    CHECK_FALSE(lie_alike(a, xeinsum::layout{{2, 1, 4}, {3, 0, 1}}));
    CHECK_FALSE(lie_alike(a, xeinsum::layout{{2, 1}, {3, 3}}));
    // extents and strides of any integer types
    const std::array<std::size_t, 3> extents{2, 1, 3};
    CHECK(lies_as(a, extents, std::vector<int>{3, 0, 1}));
    CHECK_FALSE(lies_as(a, extents, std::vector<int>{-3, 0, 1}));
    CHECK_FALSE(lies_as(a, std::array<std::size_t, 2>{2, 1}, std::vector<int>{3, 3}));
}
