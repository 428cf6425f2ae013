#include <xeinsum/reference/groups.hpp>

#include "../support/error_of.hpp"
#include "../support/shared_equations.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

namespace reference = xeinsum::reference;
using reference::shape;
using xeinsum::error_code;

namespace {

std::vector<shape> split(std::string_view text, const std::vector<shape>& shapes,
                         const xeinsum::axis_lengths& lengths) {
    return reference::split_groups(xeinsum::parse(text, xeinsum::notation::grouped), shapes,
                                   lengths);
}
error_code refused(std::string_view text, const std::vector<shape>& shapes,
                   const xeinsum::axis_lengths& lengths) {
    return support::error_of([&] { static_cast<void>(split(text, shapes, lengths)); }).code();
}

}  // namespace

TEST_CASE("the last length of a group follows, from other operands as well") {
    using shapes = std::vector<shape>;
    CHECK(split("b (h d), d -> b h", {{2, 12}, {4}}, {}) == shapes{{2, 3, 4}, {4}});
    CHECK(split("(h d) -> h", {{12}}, {{"h", 3}}) == shapes{{3, 4}});
}

TEST_CASE("lengths that do not fit are refused") {
    CHECK(refused("(h d) -> h", {{12}}, {}) == error_code::missing_length);
    CHECK(refused("(h d) -> h", {{12}}, {{"h", 5}}) == error_code::not_divisible);
    CHECK(refused("h d -> h", {{3, 4}}, {{"h", 5}}) == error_code::length_mismatch);
}
