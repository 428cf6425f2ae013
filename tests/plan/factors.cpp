#include <xeinsum/plan/factors.hpp>

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/lengths.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <vector>

using xeinsum::call_kind;
using xeinsum::error_code;
using xeinsum::heap_storage;
using xeinsum::layout_view;
using xeinsum::notation;
using xeinsum::problem;
namespace parsing = xeinsum::parsing;
namespace planning = xeinsum::planning;

namespace {

struct array {
    std::vector<std::int64_t> extents{};
    std::vector<std::int64_t> strides{};
};

/// What becomes of a call: flat layouts and lengths, or the first problem.
struct outcome {
    problem error{};
    std::vector<std::int64_t> extents{};
    std::vector<std::int64_t> strides{};
};

outcome resolve(std::string_view text, call_kind kind, const std::vector<array>& arrays,
                const std::vector<parsing::length_view>& given) {
    const auto parsed = xeinsum::parsing::read<heap_storage>(text, notation::grouped, kind);
    REQUIRE(parsed.error.ok());
    std::vector<std::size_t> ranks;
    std::vector<layout_view> layouts;
    for (const array& a : arrays) {
        ranks.push_back(a.extents.size());
        layouts.push_back({a.extents, a.strides});
    }
    outcome result;
    const auto g = planning::group<heap_storage>(parsed.equation, ranks, kind);
    result.error = g.error;
    std::vector<std::int64_t> lengths(parsed.equation.label_count());
    if (result.error.ok()) {
        result.error = parsing::take_lengths(parsed.equation, given, lengths);
    }
    auto closure = lengths;
    if (result.error.ok()) {
        result.error = planning::find_missing(parsed.equation, g, ranks, closure);
    }
    if (result.error.ok()) {
        result.error = planning::find_lengths(parsed.equation, g, ranks, layouts, kind, lengths);
    }
    if (result.error.ok()) {
        const auto flat = planning::split(g, ranks, layouts, lengths);
        result.extents.assign(flat.extents.begin(), flat.extents.end());
        result.strides.assign(flat.strides.begin(), flat.strides.end());
    }
    return result;
}

using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a group becomes strides") {
    const auto found = resolve("b n (h d) -> b h n d", call_kind::rearrange,
                               {{{2, 5, 48}, {240, -48, 3}}}, {{"h", 12}});
    CHECK(found.extents == numbers{2, 5, 12, 4});
    CHECK(found.strides == numbers{240, -48, 12, 3});
}

TEST_CASE("unit axes vanish, spelled extents are labels, what a repeat adds stands still") {
    const auto found = resolve("1 (a b) -> a (k b 3)", call_kind::repeat, {{{1, 10}, {0, 1}}},
                               {{"b", 5}, {"k", 7}});
    CHECK(found.extents == numbers{2, 5, 7, 3});
    CHECK(found.strides == numbers{5, 1, 0, 0});
    CHECK(resolve("(a 2) -> a", call_kind::reduce, {{{10}, {1}}}, {}).extents == numbers{5, 2});
}

TEST_CASE("lengths follow from other groups and other operands") {
    const auto found = resolve("(h d) n, (h m), m -> d n m", call_kind::einsum,
                               {{{6, 5}, {5, 1}}, {{8}, {1}}, {{4}, {1}}}, {});
    CHECK(found.extents == numbers{2, 3, 5, 2, 4, 4});
    CHECK(found.strides == numbers{15, 5, 1, 4, 1, 1});
}

TEST_CASE("what does not fit is told with its place") {
    const auto code = [](std::string_view text, call_kind kind, const numbers& extents,
                         const std::vector<parsing::length_view>& given) {
        return resolve(text, kind, {{extents, numbers(extents.size(), 1)}}, given).error;
    };
    problem p = code("a (b c) -> a b c", call_kind::rearrange, {2, 6}, {{"b", 4}});
    CHECK(p.code == error_code::not_divisible);
    CHECK(p.column == 3);
    CHECK(p.second.axis == 1);
    CHECK(p.expected == 4);
    p = code("a (b c) -> a b c", call_kind::rearrange, {2, 6}, {});
    CHECK(p.code == error_code::missing_length);
    CHECK(p.column == 4);
    p = code("a 1 b -> b a", call_kind::rearrange, {2, 3, 4}, {});
    CHECK(p.code == error_code::length_mismatch);
    CHECK(p.column == 3);
    CHECK(p.second.axis == 1);
    CHECK(code("a b -> b", call_kind::reduce, {2, 3}, {{"a", 5}}).code ==
          error_code::length_mismatch);
    // An extent of 1 broadcasts in an einsum only.
    CHECK(code("a b -> b", call_kind::reduce, {1, 3}, {{"a", 5}}).code ==
          error_code::length_mismatch);
    CHECK(code("a b -> b", call_kind::einsum, {1, 3}, {{"a", 5}}).ok());
    CHECK(code("a -> a", call_kind::reduce, {2}, {{"b", 5}}).code == error_code::unknown_axis);
    CHECK(code("a -> a", call_kind::reduce, {2}, {{"a", 2}, {"a", 2}}).code ==
          error_code::repeated_length);
    CHECK(code("a -> a", call_kind::reduce, {2}, {{"a", -2}}).code == error_code::bad_extent);
    constexpr std::int64_t large = std::int64_t{1} << 40;
    CHECK(code("(a b c) -> a b c", call_kind::rearrange, {2}, {{"a", large}, {"b", large}}).code ==
          error_code::extent_overflow);
}
