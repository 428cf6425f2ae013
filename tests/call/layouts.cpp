#include <xeinsum/call/layouts.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::error_code;

TEST_CASE("an output must have the extents and no element twice") {
    const std::vector<std::int64_t> wanted{2, 1, 3};
    const auto check = [&](const std::vector<std::int64_t>& extents,
                           const std::vector<std::int64_t>& strides) {
        return xeinsum::detail::check_output(wanted, {extents, strides});
    };
    CHECK(check({2, 1, 3}, {3, 0, 1}).ok());
    const auto rank = check({2, 1}, {3, 0});
    CHECK(rank.code == error_code::output_shape);
    CHECK(rank.expected == 3);
    CHECK(rank.found == 2);
    const auto extent = check({2, 1, 4}, {4, 0, 1});
    CHECK(extent.code == error_code::output_shape);
    CHECK(extent.second.axis == 2);
    CHECK(extent.expected == 3);
    CHECK(extent.found == 4);
    CHECK(check({2, 1, 3}, {0, 0, 1}).code == error_code::output_overlaps_itself);
    CHECK(check({2, 1, 3}, {1, 0, 1}).code == error_code::output_overlaps_itself);
    const std::vector<std::int64_t> found{2, 1, 5};
    const auto other = xeinsum::detail::check_extents(wanted, found, error_code::operand_shape);
    CHECK(other.code == error_code::operand_shape);
    CHECK(other.shape.data() == found.data());
    CHECK(other.expected_shape.data() == wanted.data());
}

TEST_CASE("layouts whose elements cannot be counted") {
    const auto check = [](const std::vector<std::int64_t>& extents,
                          const std::vector<std::int64_t>& strides) {
        return xeinsum::detail::check_layout({extents, strides}, 3);
    };
    constexpr std::int64_t far = std::int64_t{1} << 62U;
    CHECK(check({2, 3}, {3, 1}).ok());
    CHECK(check({2, 3}, {-3, 0}).ok());
    CHECK(check({}, {}).ok());
    CHECK(check({2, 0}, {far - 1, 1}).ok());
    CHECK(check({far, far, 0}, {far, far, 1}).ok());
    CHECK(check({0, -1}, {1, 1}).code == error_code::extent_overflow);
    CHECK(check({far, 1}, {0, 1 - far}).ok());
    const auto count = check({2, 3}, {1});
    CHECK(count.code == error_code::bad_layout);
    CHECK(count.second.array == 3);
    CHECK(count.shape.size() == 2);
    CHECK(count.expected_shape.size() == 1);
    const auto negative = check({2, -3}, {3, 1});
    CHECK(negative.code == error_code::extent_overflow);
    CHECK(negative.second.axis == 1);
    CHECK(negative.second.extent == -3);
    CHECK(check({1, 2}, {far, 1}).code == error_code::layout_overflow);
    CHECK(check({3, 2}, {far / 2, 1}).code == error_code::layout_overflow);
    CHECK(check({2, 2}, {far - 1, 1}).code == error_code::layout_overflow);
    CHECK(check({far, 5}, {2, 1}).code == error_code::layout_overflow);
    const std::vector<std::int64_t> two{2}, one{1}, none{};
    const std::vector<xeinsum::layout_view> arrays{{two, one}, {two, none}};
    CHECK(xeinsum::detail::check_layouts(arrays).second.array == 1);
}
