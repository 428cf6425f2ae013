#include <xeinsum/call/axis.hpp>

#include <doctest/doctest.h>

#include <string_view>

TEST_CASE("lengths of either kind become views") {
    const auto known =
        xeinsum::detail::views_of(xeinsum::axis<"heads">(12U), xeinsum::axis<"d">(4));
    CHECK(std::string_view(known[0].name) == "heads");
    CHECK(known[0].extent == 12);
    CHECK(std::string_view(known[1].name) == "d");
    const xeinsum::axis_lengths list{{"h", 3}, xeinsum::axis("w", 2)};
    const auto views = xeinsum::detail::views_of(list);
    CHECK(views.size() == 2);
    CHECK(std::string_view(views[1].name) == "w");
    CHECK(views[1].extent == 2);
}
