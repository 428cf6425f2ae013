#include <xeinsum/array/overlap.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

using xeinsum::array::is_nested;
using xeinsum::array::overlaps_itself;
using xeinsum::array::range_of;
using xeinsum::array::share_memory;
using numbers = std::vector<std::int64_t>;

TEST_CASE(
    "layouts whose elements lie too far apart are none, and counting them does not overflow") {
    constexpr auto fits = [](std::array<std::int64_t, 3> extents,
                             std::array<std::int64_t, 3> strides) {
        return xeinsum::array::fits_memory(extents, strides);
    };
    constexpr std::int64_t most = INT64_MAX;
    static_assert(fits({4, 6, 5}, {-30, 5, 1}));
    static_assert(fits({2, 2, 2}, {(std::int64_t{1} << 62U) - 3, 1, 1}));
    static_assert(!fits({2, 2, 2}, {(std::int64_t{1} << 62U) - 2, 1, 1}));
    static_assert(!fits({2, most, 3}, {7, 1, 1}));
    static_assert(!fits({2, most, 3}, {7, 9, 1}));
    static_assert(!fits({2, 3, most}, {-7, most, 1}));
    static_assert(fits({2, most, 0}, {7, 9, 1}));
    static_assert(!fits({2, -1, 0}, {7, 9, 1}));
}

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
    CHECK_FALSE(range_of(m.data() + 5, numbers{0}, numbers{1})
                    .meets(range_of(m.data(), numbers{10}, numbers{1})));
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

TEST_CASE("three axes that meet where no two of them do") {
    CHECK(overlaps_itself(numbers{2, 2, 2}, numbers{1, 2, 3}));  // 1 + 2 is 3
    CHECK(overlaps_itself(numbers{2, 2, 2}, numbers{-3, 2, 1}));
    CHECK_FALSE(overlaps_itself(numbers{2, 2, 2}, numbers{1, 2, 4}));
    CHECK(overlaps_itself(numbers{3, 2, 2}, numbers{5, 4, 6}));  // 2 * 5 is 4 + 6
    CHECK_FALSE(overlaps_itself(numbers{2, 2, 2}, numbers{5, 4, 6}));
}

namespace {

/// Offsets of all elements, in no order.
numbers offsets(const numbers& extents, const numbers& strides) {
    numbers all{0};
    for (std::size_t a = 0; a < extents.size(); ++a) {
        numbers longer;
        for (const std::int64_t from : all) {
            for (std::int64_t i = 0; i < extents[a]; ++i) {
                longer.push_back(from + i * strides[a]);
            }
        }
        all = longer;
    }
    return all;
}

struct drawn {
    std::mt19937 random{7};
    std::int64_t integer(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
    }
    numbers list(std::size_t size, std::int64_t low, std::int64_t high) {
        numbers all;
        for (std::size_t i = 0; i < size; ++i) {
            all.push_back(integer(low, high));
        }
        return all;
    }
};

}  // namespace

TEST_CASE("drawn outputs overlap themselves if two of their elements have one offset") {
    drawn draw;
    std::array<int, 2> found{};
    for (int i = 0; i < 20000; ++i) {
        const auto rank = static_cast<std::size_t>(draw.integer(1, 4));
        const numbers extents = draw.list(rank, 1, 5), strides = draw.list(rank, -40, 40);
        numbers all = offsets(extents, strides);
        std::sort(all.begin(), all.end());
        const bool twice = std::adjacent_find(all.begin(), all.end()) != all.end();
        ++found[twice ? 1 : 0];
        CAPTURE(i);
        REQUIRE(overlaps_itself(extents, strides) == twice);
    }
    CHECK(found[0] > 3000);
    CHECK(found[1] > 3000);
}

TEST_CASE("drawn arrays share memory if two of their elements do, whole or in part") {
    drawn draw;
    std::array<int, 2> found{};
    alignas(8) std::array<std::int32_t, 1000> memory{};
    for (int i = 0; i < 20000; ++i) {
        const auto rank = static_cast<std::size_t>(draw.integer(0, 3));
        const auto other_rank = static_cast<std::size_t>(draw.integer(0, 3));
        const numbers extents = draw.list(rank, 0, 5), strides = draw.list(rank, -15, 15);
        const numbers other_extents = draw.list(other_rank, 1, 5);
        const numbers other_strides = draw.list(other_rank, -15, 15);
        const auto bytes =
            draw.integer(-1, 1) == 0 ? draw.integer(-200, 200) : 4 * draw.integer(-50, 50);
        const auto address = [&](std::int64_t offset) {
            return reinterpret_cast<std::uintptr_t>(memory.data() + 500) +
                   static_cast<std::uintptr_t>(offset);
        };
        bool shared = false;
        for (const std::int64_t a : offsets(extents, strides)) {
            for (const std::int64_t b : offsets(other_extents, other_strides)) {
                const std::int64_t apart = 4 * a - (bytes + 4 * b);
                shared = shared || (-4 < apart && apart < 4);
            }
        }
        ++found[shared ? 1 : 0];
        // Addresses only: nothing is read there.
        const auto* first = reinterpret_cast<const std::int32_t*>(address(0));
        const auto* second = reinterpret_cast<const std::int32_t*>(address(bytes));
        CAPTURE(i);
        REQUIRE(share_memory(first, extents, strides, second, other_extents, other_strides) ==
                shared);
        REQUIRE(share_memory(second, other_extents, other_strides, first, extents, strides) ==
                shared);
    }
    CHECK(found[0] > 3000);
    CHECK(found[1] > 3000);
}

TEST_CASE("parts of a packed array share nothing") {
    // Queries and keys of 4 tokens, 3 heads of 8, side by side for each token.
    const std::vector<float> qkv(4 * 3 * 24);
    const numbers extents{4, 3, 8}, strides{72, 8, 1}, heads_first{3, 4, 8}, crossed{8, 72, 1};
    CHECK_FALSE(share_memory(qkv.data(), extents, strides, qkv.data() + 24, extents, strides));
    CHECK_FALSE(share_memory(qkv.data() + 48, heads_first, crossed, qkv.data(), extents, strides));
    CHECK(share_memory(qkv.data() + 17, extents, strides, qkv.data() + 24, extents, strides));
}

TEST_CASE("axes that step over all that lies behind them") {
    CHECK(is_nested(numbers{}, numbers{}));
    CHECK(is_nested(numbers{3, 4}, numbers{4, 1}));
    CHECK(is_nested(numbers{3, 1, 4}, numbers{-8, 0, 2}));
    CHECK_FALSE(is_nested(numbers{3, 4}, numbers{3, 1}));
    CHECK_FALSE(is_nested(numbers{3, 4}, numbers{1, 3}));
    CHECK_FALSE(is_nested(numbers{3}, numbers{0}));
}
