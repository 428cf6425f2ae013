// Every row of the tables that is about patterns: "b n (h d) -> b h n d" with h = 12 gives exactly
// the table's numbers, and what must be refused is refused for its own reason.
#include <xeinsum/rearrange.hpp>

#include "../support/shared_calls.hpp"
#include "../support/shared_folds.hpp"
#include "../support/table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace {

using support::table_row;
using xeinsum::error_code;

std::string field(const table_row& row, const char* name) {
    return row.find(name)->second;
}

/// "h=12,w=2"
xeinsum::axis_lengths parse_lengths(std::string_view text) {
    xeinsum::axis_lengths lengths;
    while (!text.empty()) {
        const std::size_t equals = text.find('=');
        const std::size_t comma = std::min(text.find(','), text.size());
        lengths.push_back({std::string(text.substr(0, equals)),
                           std::stoll(std::string(text.substr(equals + 1, comma - equals - 1)))});
        text = text.substr(std::min(comma + 1, text.size()));
    }
    return lengths;
}

template <class T>
xt::xarray<T> evaluate(const std::string& op, const std::string& reduction,
                       const std::string& pattern, const support::strided_array<T>& operand,
                       const xeinsum::axis_lengths& lengths) {
    if (op == "rearrange") {
        return xeinsum::rearrange(pattern, operand.view(), lengths);
    }
    if (op == "repeat") {
        return xeinsum::repeat(pattern, operand.view(), lengths);
    }
    REQUIRE(op == "reduce");
    return xeinsum::reduce(pattern, reduction, operand.view(), lengths);
}

template <class T>
void check_row(const table_row& row) {
    const auto operand = support::table_operand<T>(support::parse_shape(field(row, "shape")), 0);
    const xt::xarray<T> found =
        evaluate(field(row, "op"), field(row, "reduction"), field(row, "pattern"), operand,
                 parse_lengths(field(row, "axes")));
    const support::table_result expected = support::expected_part(row, "");
    const xt::xarray<T> scaled = found * static_cast<T>(std::stoll(field(row, "divisor")));
    const support::table_result result =
        support::summarize(xt::cast<std::int64_t>(scaled), expected.has_values);
    CHECK(xt::xarray<T>(xt::cast<T>(xt::cast<std::int64_t>(scaled))) == scaled);
    CHECK(result.extents == expected.extents);
    CHECK(result.sum == expected.sum);
    CHECK(result.wsum == expected.wsum);
    CHECK(result.values == expected.values);
}

/// The errors that a row of invalid.tsv may end in, by its reason.
std::set<error_code> codes_of(const std::string& why) {
    using enum error_code;
    static const std::map<std::string, std::set<error_code>> codes{
        {"a grouped ellipsis is not allowed on the left", {grouped_ellipsis}},
        {"unbalanced parentheses", {unbalanced_parenthesis}},
        {"nested parentheses", {nested_parenthesis}},
        {"only round parentheses group", {bad_character}},
        {"invalid axis name", {bad_axis_name}},
        {"invalid character", {bad_character, malformed_arrow}},
        {"a comma is not allowed", {comma_in_pattern}},
        {"dots only form an ellipsis", {malformed_ellipsis}},
        {"blank is the only white space", {bad_character}},
        {"ellipsis only on the right", {unknown_output_label}},
        {"ellipsis only on the left", {lost_axis}},
        {"malformed ellipsis", {malformed_ellipsis}},
        {"two ellipses on one side", {two_ellipses}},
        {"axis only on the left", {lost_axis}},
        {"axis only on the right", {unknown_output_label}},
        {"axis names are case sensitive", {unknown_output_label}},
        {"duplicate axis", {repeated_axis, repeated_output_label}},
        {"anonymous axes cannot be matched in rearrange", {lost_axis, unknown_output_label}},
        {"lengths do not multiply to the size", {not_divisible}},
        {"length for an axis that does not occur", {unknown_axis}},
        {"unit axis of size 2", {length_mismatch}},
        {"unit axis of size 0", {length_mismatch}},
        {"not divisible", {not_divisible}},
        {"length 0 cannot divide", {missing_length}},  // whatever divides 0 elements
        {"anonymous axes have positive lengths", {bad_extent}},
        {"rank or axis length mismatch", {rank_mismatch, length_mismatch}},
        {"rank mismatch", {rank_mismatch}},
        {"rank below the named axes", {rank_mismatch}},
        {"missing '->'", {missing_arrow, malformed_arrow}},
        {"'->' cannot be split", {malformed_arrow}},
        {"new anonymous axis on the right", {unknown_output_label}},
        {"new axis on the right", {unknown_output_label}},
        {"anonymous axes are never matched", {unknown_output_label, lost_axis}},
        {"unknown reduction", {unknown_reduction}},
        {"minimum of nothing", {nothing_to_reduce}},
        {"maximum of nothing", {nothing_to_reduce}},
        {"two unknown lengths in one group", {missing_length}},
        {"repeat cannot drop an axis", {lost_axis}},
        {"repeat cannot drop the ellipsis", {lost_axis}},
        {"length of the new axis unknown", {missing_length}},
    };
    const auto found = codes.find(why);
    return found == codes.end() ? std::set<error_code>{} : found->second;
}

}  // namespace

TEST_CASE("rearrange, reduce and repeat give the table's results") {
    std::map<std::string, int> checked;
    for (const table_row& row : support::read_table("einops_ops.tsv")) {
        CAPTURE(field(row, "id"));
        CAPTURE(field(row, "pattern"));
        const std::string dtype = field(row, "dtype");
        if (dtype == "f32") {
            check_row<float>(row);
        } else if (dtype == "f64") {
            check_row<double>(row);
        } else if (dtype == "i32") {
            check_row<std::int32_t>(row);
        } else {
            REQUIRE(dtype == "i64");
            check_row<std::int64_t>(row);
        }
        ++checked[field(row, "op")];
    }
    CHECK(checked["rearrange"] == 95);
    CHECK(checked["reduce"] == 107);
    CHECK(checked["repeat"] == 38);
}

TEST_CASE("wrong patterns, lengths and shapes are refused") {
    std::map<std::string, int> refused;
    for (const table_row& row : support::read_table("invalid.tsv")) {
        const std::string kind = field(row, "kind");
        if (kind != "einops-rearrange" && kind != "einops-reduce" && kind != "einops-repeat") {
            continue;
        }
        CAPTURE(field(row, "id"));
        CAPTURE(field(row, "equation"));
        CAPTURE(field(row, "why"));
        const std::string axes = field(row, "axes");
        const std::size_t bar = axes.find('|');
        const bool reduces = kind == "einops-reduce";
        const auto operand =
            support::table_operand<double>(support::parse_shape(field(row, "shapes")), 0);
        try {
            static_cast<void>(evaluate(kind.substr(kind.find('-') + 1),
                                       reduces ? axes.substr(0, bar) : "", field(row, "equation"),
                                       operand,
                                       parse_lengths(reduces ? axes.substr(bar + 1) : axes)));
            FAIL_CHECK("accepted");
        } catch (const xeinsum::einsum_error& e) {
            CAPTURE(e.what());
            CHECK(codes_of(field(row, "why")).count(e.code()) == 1);
            ++refused[kind];
        }
    }
    CHECK(refused["einops-rearrange"] == 61);
    CHECK(refused["einops-reduce"] == 14);
    CHECK(refused["einops-repeat"] == 10);
}
