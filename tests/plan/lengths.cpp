#include <xeinsum/plan/lengths.hpp>

#include <xeinsum/equation/parser.hpp>

#include "../support/both.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

using xeinsum::call_kind;
using xeinsum::error_code;
using xeinsum::fixed_storage;
using xeinsum::notation;
namespace parsing = xeinsum::parsing;
namespace planning = xeinsum::planning;

namespace {

constexpr auto read(std::string_view text) {
    return xeinsum::parsing::read<fixed_storage<32>>(text, notation::grouped, call_kind::reduce)
        .equation;
}

/// The first label whose length nothing tells, by the column of its name; 0 where there is none.
constexpr std::size_t missing(std::string_view text, const char* given) {
    const auto eq = read(text);
    const std::array<std::size_t, 1> ranks{2};
    const auto g = planning::group<fixed_storage<32>>(eq, ranks, call_kind::reduce);
    std::array<std::int64_t, 32> memory{};
    const std::span<std::int64_t> lengths(memory.data(), eq.label_count());
    const std::array<parsing::length_view, 1> list{parsing::length_view{given, 2}};
    if (!parsing::take_lengths(eq, list, lengths).ok()) {
        return 1000;
    }
    return planning::find_missing(eq, g, ranks, lengths).column;
}

}  // namespace

namespace {

/// What comes of one operand of rank 1 whose axis has the given extent, a being given.
constexpr xeinsum::problem found(std::string_view text, std::int64_t extent, std::int64_t a) {
    const auto eq = read(text);
    const std::array<std::size_t, 1> ranks{1};
    const auto g = planning::group<fixed_storage<32>>(eq, ranks, call_kind::reduce);
    std::array<std::int64_t, 32> memory{};
    const std::span<std::int64_t> lengths(memory.data(), eq.label_count());
    const std::array<parsing::length_view, 1> given{parsing::length_view{"a", a}};
    if (const auto p = parsing::take_lengths(eq, given, lengths); !p.ok()) {
        return p;
    }
    const std::array<std::int64_t, 1> extents{extent};
    const std::array<xeinsum::layout_view, 1> operands{xeinsum::layout_view{extents, {}}};
    return planning::find_lengths(eq, g, ranks, operands, call_kind::reduce, lengths);
}

}  // namespace

TEST_CASE("lengths that follow from nothing, and those too large for 63 bits") {
    support::check_both([] { return found("(a b) -> a b", 6, 2).ok(); });
    support::check_both([] { return found("(a b) -> a b", 0, 2).ok(); });
    // 0 = 0 b whatever b is.
    support::check_both([] {
        const auto p = found("(a b) -> a b", 0, 0);
        return p.code == error_code::missing_length && p.column == 4 && p.length == 1;
    });
    support::check_both(
        [] { return found("(a b) -> a b", 6, 0).code == error_code::not_divisible; });
    support::check_both([] { return found("(a) -> a", 0, 0).ok(); });
    support::check_both([] {
        return found("(a b) -> a b", 6, xeinsum::excessive_length).code ==
               error_code::extent_overflow;
    });
    support::check_both([] { return found("(a b) -> a b", 6, -2).code == error_code::bad_extent; });
    support::check_both(
        [] { return found("(a b) -> a b", -6, 2).code == error_code::extent_overflow; });
}

TEST_CASE("of each group one length may be missing") {
    support::check_both([] { return missing("a (b c) -> a", "b") == 0; });
    support::check_both([] { return missing("a (b c 2 d) -> a", "c") == 4; });
    support::check_both([] { return missing("(a b) (c d) -> a", "d") == 2; });
    support::check_both([] { return missing("a b -> a", "c") == 1000; });
}
