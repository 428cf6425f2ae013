#include <xeinsum/array/overlap.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::array::is_nested;
using xeinsum::array::overlaps_itself;
using xeinsum::array::range_of;
using numbers = std::vector<std::int64_t>;

TEST_CASE("an array covers its memory from first to last element") {
    const std::vector<float> m(100);
    const auto range = range_of(m.data() + 50, numbers{3, 4}, numbers{10, -2});
    CHECK(range.begin == reinterpret_cast<std::uintptr_t>(m.data() + 44));
    CHECK(range.end == reinterpret_cast<std::uintptr_t>(m.data() + 71));
    CHECK(range.meets(range_of(m.data() + 70, numbers{}, numbers{})));
    CHECK_FALSE(range.meets(range_of(m.data() + 71, numbers{}, numbers{})));
    CHECK_FALSE(range.meets(range_of(m.data() + 43, numbers{}, numbers{})));
    CHECK(range.meets(range_of(m.data(), numbers{100}, numbers{1})));
}

TEST_CASE("more bytes than a signed number counts") {
    const double* const none = nullptr;
    const auto range = range_of(none, numbers{std::int64_t{1} << 60}, numbers{1});
    CHECK(range.begin == 0);
    CHECK(range.end == std::uintptr_t{1} << 63);
}

TEST_CASE("an array without elements covers nothing") {
    const std::vector<float> m(10);
    CHECK_FALSE(range_of(m.data(), numbers{10}, numbers{1})
                    .meets(range_of(m.data(), numbers{3, 0}, numbers{1, 1})));
}

TEST_CASE("outputs that name an element twice") {
    CHECK(overlaps_itself(numbers{3}, numbers{0}));
    CHECK(overlaps_itself(numbers{3, 4}, numbers{1, 1}));
    CHECK(overlaps_itself(numbers{3, 4}, numbers{2, 1}));  // 2 of the one is 1 of the other
    CHECK(overlaps_itself(numbers{4, 5, 4}, numbers{-3, 100, 2}));
    CHECK_FALSE(overlaps_itself(numbers{3, 4}, numbers{4, 1}));
    CHECK_FALSE(overlaps_itself(numbers{3, 4}, numbers{1, -3}));
    CHECK_FALSE(overlaps_itself(numbers{2, 3}, numbers{3, 2}));  // 0 2 4 3 5 7
    CHECK_FALSE(overlaps_itself(numbers{1, 4}, numbers{0, 1}));
    CHECK_FALSE(overlaps_itself(numbers{0, 4}, numbers{1, 0}));
    CHECK_FALSE(overlaps_itself(numbers{}, numbers{}));
}

TEST_CASE("axes that step over all that lies behind them") {
    CHECK(is_nested(numbers{}, numbers{}));
    CHECK(is_nested(numbers{3, 4}, numbers{4, 1}));
    CHECK(is_nested(numbers{3, 1, 4}, numbers{-8, 0, 2}));
    CHECK_FALSE(is_nested(numbers{3, 4}, numbers{3, 1}));
    CHECK_FALSE(is_nested(numbers{3, 4}, numbers{1, 3}));
    CHECK_FALSE(is_nested(numbers{3}, numbers{0}));
}
