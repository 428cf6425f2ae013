#include <xeinsum/equation/axis_length.hpp>

#include <doctest/doctest.h>

TEST_CASE("what 63 bits do not hold is kept apart from negative numbers") {
    constexpr auto excessive = xeinsum::excessive_length;
    CHECK(xeinsum::axis("h", ~0ULL).extent == excessive);
    static_assert(xeinsum::axis<"h">(1ULL << 63U).extent == excessive);
    static_assert(xeinsum::axis<"h">(~0U).extent == 4294967295);
    static_assert(xeinsum::axis<"h">(-3).extent == -3);
    CHECK(xeinsum::axis_lengths{{"h", 3}, xeinsum::axis("w", 2)}[1].name == "w");
}

TEST_CASE("lengths of either kind are told from other arguments") {
    static_assert(xeinsum::detail::static_length<xeinsum::named_length<"h">>);
    static_assert(!xeinsum::detail::static_length<xeinsum::axis_length>);
    static_assert(xeinsum::detail::length_like<xeinsum::axis_length>);
    static_assert(!xeinsum::detail::length_like<int>);
}
