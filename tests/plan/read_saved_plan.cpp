#include <xeinsum/plan/read_saved_plan.hpp>

#include "../support/error_of.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using xeinsum::error_code;
using xeinsum::notation;
using xeinsum::planning::saved_plan;
using xeinsum::planning::saved_plan_reader;

namespace {

/// One whose every line differs from what a plan without options has.
saved_plan unusual_plan() {
    static const std::vector<std::pair<std::size_t, std::size_t>> pairs{{0, 1}, {2, 3}};
    static const std::vector<xeinsum::sliced_label> slices{{1, 0}, {0, 2}};
    return {"complex64",
            {"b (h d), d h -> \"\\b",
             notation::grouped,
             {xeinsum::row_major({4, 6}), {{6, 8}, {1, -7}}, {{}, {}}},
             {.lowering = xeinsum::lowering::depthwise_convolution,
              .path = xeinsum::path_strategy::linear_pairs,
              .memory_limit = 1000,
              .threads = 3,
              .path_cost = {0.1, 1e-300, 4.0 / 3},
              .path_restarts = 7,
              .path_seconds = 1.0 / 3,
              .path_pairs = pairs,
              .slices = slices},
             {4, 5, 6}},
            {{{0, 1}, {2, 3}}, {{1, 6}, {2, 4}}, true}};
}

saved_plan read(std::string_view text) {
    return saved_plan_reader(text, 2).read();
}

std::string with(std::string text, std::string_view old_part, std::string_view new_part) {
    const std::size_t at = text.find(old_part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old_part.size(), new_part);
}

}  // namespace

TEST_CASE("what was written is read again") {
    saved_plan plan = unusual_plan();
    const saved_plan found = read(text_of(plan));
    CHECK(found.element == plan.element);
    CHECK(found.key == plan.key);
    CHECK(found.path.path == plan.path.path);
    CHECK(found.path.slices == plan.path.slices);
    CHECK(found.path.given);
    CHECK(text_of(found) == text_of(plan));
    plan.key = {"", notation::letters, {}, {}};
    CHECK(read(text_of(plan)).key == plan.key);
}

TEST_CASE("numbers that are none are read as such") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const saved_plan plan{"f", {"i", notation::letters, {}, {.path_seconds = nan}}, {}};
    CHECK(std::isnan(read(text_of(plan)).key.wanted().path_seconds));
}

TEST_CASE("what is no saved plan is refused with its line") {
    const std::string text = text_of(unusual_plan());
    const auto refused = [&](std::string_view old_part, std::string_view new_part,
                             std::string_view line, std::size_t column) {
        const auto e =
            support::error_of([&] { static_cast<void>(read(with(text, old_part, new_part))); });
        CAPTURE(new_part);
        CAPTURE(e.what());
        CHECK(e.code() == error_code::malformed_plan);
        CHECK(std::string(e.what()).find(line) != std::string::npos);
        CHECK(e.column() == column);
    };
    refused("element", "elephant", "line 2", 1);
    refused("grouped", "gruped", "line 3 begins with 'notation'", 10);
    refused("equation \"", "equation ", "line 4", 10);
    refused("operands 3", "operands 18446744073709551615", "line 9 begins with 'operand'", 1);
    refused("operands 3", "operands 18446744073709551616", "line 5", 10);
    refused("operands 3", "operands 2", "line 8 begins with 'lengths'", 1);
    refused("operands 3", "operands 3 3", "line 5", 12);
    refused("[6, 1]", "[6, 9223372036854775808]", "line 6", 20);
    refused("[6, 1]", "", "line 6", 16);
    refused("lowering depthwise_convolution", "lowering ?", "line 10", 10);
    refused("path linear_pairs", "path", "line 11", 5);
    refused("memory_limit 1000", "memory_limit -1", "line 12", 14);
    refused("threads 3", "threads 4294967296", "line 13", 9);
    refused("path_cost 0.1", "path_cost 0x1", "line 14", 11);
    refused("path_cost 0.1", "path_cost 1e999", "line 14", 11);
    refused("found_path [[0, 1]", "found_path [[0, -1]", "line 19", 17);
    refused("found_slices [[1, 6]", "found_slices [[1]", "line 20", 15);
    refused("found_slices", "found_slides", "line 20", 1);
    refused("[2, 4]]\n", "[2, 4]]\n\n", "line 21", 1);
    refused("[2, 4]]\n", "[2, 4]]\nmore 1\n", "line 21", 1);
    for (std::size_t size = 0; size + 1 < text.size(); ++size) {
        CHECK(support::code_of([&] {
                  static_cast<void>(read(std::string_view(text).substr(0, size)));
              }) == error_code::malformed_plan);
    }
}
