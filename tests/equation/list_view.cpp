#include <xeinsum/equation/list_view.hpp>

#include "../support/both.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <type_traits>
#include <vector>

using xeinsum::list_view;

namespace {

constexpr int sum(list_view<const int> list) {
    int total = 0;
    for (const int x : list) {
        total += x;
    }
    return total;
}

}  // namespace

TEST_CASE("whatever has data and size is a list") {
    std::vector<int> v{1, 2, 4};
    CHECK(sum(v) == 7);
    CHECK(sum(std::span<const int>(v).subspan(1)) == 6);
    CHECK(sum(list_view<int>(v)) == 7);
    support::check_both([] { return sum(std::array<int, 2>{8, 16}) == 24; });
    constexpr int four[]{1, 2, 4, 8};
    CHECK(sum(four) == 15);
    const list_view<int> whole = v;
    whole[1] = 32;
    CHECK(v == std::vector<int>{1, 32, 4});
}

TEST_CASE("a list is not one of other elements") {
    CHECK(std::is_convertible_v<std::vector<int>&, list_view<const int>>);
    CHECK_FALSE(std::is_convertible_v<std::vector<int>&, list_view<const long>>);
    CHECK_FALSE(std::is_convertible_v<const std::vector<int>&, list_view<int>>);
    CHECK_FALSE(std::is_convertible_v<int, list_view<const int>>);
}

TEST_CASE("a list is a standard range") {
    const std::array<int, 3> a{1, 2, 4};
    const list_view<const int> list = a;
    const std::span<const int> span = list;
    CHECK(span.data() == a.data());
    CHECK(span.size() == 3);
}

TEST_CASE("parts of a list") {
    support::check_both([] {
        constexpr std::array<int, 4> a{1, 2, 4, 8};
        const list_view<const int> list = a;
        return list.front() == 1 && list.back() == 8 && list[2] == 4 && sum(list.first(3)) == 7 &&
               sum(list.subspan(1)) == 14 && sum(list.subspan(1, 2)) == 6 &&
               list.subspan(4).empty() && list_view<const int>().empty();
    });
}
