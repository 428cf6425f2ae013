#include <xeinsum/array/stride_sums.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using xeinsum::array::stride_sums;

namespace {

struct term {
    std::int64_t stride;
    std::int64_t most;
};

bool reaches(const std::vector<term>& terms, std::int64_t distance) {
    stride_sums sums;
    for (const term& t : terms) {
        sums.add(t.stride, t.most);
    }
    return sums.may_reach(distance);
}

}  // namespace

TEST_CASE("no term sums to 0 alone") {
    CHECK(reaches({}, 0));
    CHECK_FALSE(reaches({}, 1));
    CHECK_FALSE(reaches({{0, 5}, {3, 0}}, 3));
}

TEST_CASE("sums are found, and nothing else, whatever the order and direction of the terms") {
    const std::vector<std::vector<term>> lists{
        {{1, 4}},          {{6, 3}, {4, 2}},           {{10, 2}, {1, 3}, {4, 1}},
        {{7, 3}, {-7, 2}}, {{9, 2}, {-15, 3}, {6, 1}}, {{100, 1}, {30, 2}, {8, 3}, {-3, 2}},
    };
    for (std::vector<term> terms : lists) {
        std::vector<bool> expected(400, false);
        expected[0] = true;
        for (const term& t : terms) {
            const auto stride = static_cast<std::size_t>(t.stride < 0 ? -t.stride : t.stride);
            for (std::int64_t n = 0; n < t.most; ++n) {
                for (std::size_t sum = expected.size(); sum-- > stride;) {
                    expected[sum] = expected[sum] || expected[sum - stride];
                }
            }
        }
        for (int order = 0; order < 2; ++order) {
            for (std::size_t sum = 0; sum < expected.size(); ++sum) {
                CAPTURE(sum);
                CHECK(reaches(terms, static_cast<std::int64_t>(sum)) == expected[sum]);
            }
            CHECK_FALSE(reaches(terms, -1));
            std::reverse(terms.begin(), terms.end());
        }
    }
}

TEST_CASE("long terms are decided at once where their strides are multiples of each other") {
    constexpr std::int64_t many = 1'000'000'000;
    CHECK(reaches({{many, many}, {10, many}, {1, 9}}, 123'456'789'012));
    CHECK_FALSE(reaches({{many, many}, {10, many / 100}, {1, 8}}, 123'000'000'009));
    CHECK_FALSE(reaches({{2 * many, many}, {2, many}}, 2 * many + 1));
}

TEST_CASE("what takes too long counts as reached") {
    // The largest number that two coprime ones do not sum up to, found only by trying.
    constexpr std::int64_t a = 1'000'003, b = 1'000'001, gap = a * b - a - b;
    static_assert(a > 10 * stride_sums::most_tries);
    CHECK(reaches({{a, a}, {b, b}}, gap));
    CHECK_FALSE(reaches({{103, 200}, {101, 200}}, 103 * 101 - 103 - 101));
    // A subset-sum problem of 40 terms: a moment, not a minute.
    std::vector<term> terms;
    for (std::int64_t i = 0; i < 40; ++i) {
        terms.push_back({(std::int64_t{1} << 40) + (i * i * 7919) % 1'000'003, 1});
    }
    CHECK(reaches(terms, 20 * (std::int64_t{1} << 40) + 77));
}

TEST_CASE("more terms than there is room for count as reached") {
    std::vector<term> terms;
    for (std::int64_t i = 0; i < 70; ++i) {
        terms.push_back({2 * i + 2, 1});
    }
    CHECK(reaches(terms, 1));
}
