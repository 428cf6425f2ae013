#include <xeinsum/equation/lengths.hpp>

#include <xeinsum/equation/parser.hpp>

#include "../support/both.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string_view>

using xeinsum::call_kind;
using xeinsum::error_code;
using xeinsum::fixed_storage;
using xeinsum::notation;
namespace parsing = xeinsum::parsing;

namespace {

constexpr auto read(std::string_view text) {
    return xeinsum::parsing::read<fixed_storage<32>>(text, notation::grouped, call_kind::reduce)
        .equation;
}

}  // namespace

TEST_CASE("lengths are taken by name, beside those that are spelled") {
    support::check_both([] {
        const auto eq = read("a (bc 3 d) -> a");
        std::array<std::int64_t, 4> lengths{};
        const std::array<parsing::length_view, 1> given{parsing::length_view{"bc", 5}};
        return parsing::take_lengths(eq, given, lengths).ok() &&
               lengths[0] == parsing::unknown_length && lengths[1] == 5 && lengths[2] == 3 &&
               lengths[3] == parsing::unknown_length;
    });
    support::check_both([] {
        const auto eq = read("a (b 3) -> a");
        std::array<std::int64_t, 3> lengths{};
        const std::array<parsing::length_view, 1> spelled{parsing::length_view{"3", 3}};
        return parsing::take_lengths(eq, spelled, lengths).code == error_code::unknown_axis;
    });
}

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
