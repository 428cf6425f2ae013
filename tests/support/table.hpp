// Reads the conformance tables: a row of einsum.tsv says what "ij,jk->ik" gives on operands that
// are filled by a rule.
#pragma once

#include "strided_array.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace support {

/// Fields by the names in the header line, escapes resolved.
using table_row = std::map<std::string, std::string, std::less<>>;

/// All rows of a file of tests/conformance. Throws std::runtime_error where it cannot be read.
[[nodiscard]] std::vector<table_row> read_table(const std::string& name);

/// "2,3;3,4" as {{2,3},{3,4}}; "none" as no shape.
[[nodiscard]] std::vector<shape> parse_shapes(std::string_view text);
[[nodiscard]] shape parse_shape(std::string_view text);
[[nodiscard]] std::vector<std::int64_t> parse_integers(std::string_view text);

/// Element n of operand k as the tables define it.
template <class T>
[[nodiscard]] T table_element(std::size_t n, std::size_t k) {
    const auto re = static_cast<int>((n * 7 + k * 13 + 3) % 11) - 5;
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(re);
    } else {
        using real = typename T::value_type;
        return {static_cast<real>(re),
                static_cast<real>(static_cast<int>((n * 5 + k * 17 + 1) % 7) - 3)};
    }
}

template <class T>
[[nodiscard]] strided_array<T> table_operand(const shape& extents, std::size_t k) {
    return strided_array<T>::filled(extents, [k](std::size_t n) { return table_element<T>(n, k); });
}

template <class T>
[[nodiscard]] std::vector<strided_array<T>> table_operands(const std::vector<shape>& shapes) {
    std::vector<strided_array<T>> operands;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        operands.push_back(table_operand<T>(shapes[k], k));
    }
    return operands;
}

/// What a table says of a result: shape, sums and, if it is small, every element.
struct table_result {
    shape extents{};
    std::int64_t sum = 0;
    std::int64_t wsum = 0;
    std::vector<std::int64_t> values{};
    bool has_values = false;
};

/// The expected real (re) or imaginary (im) part of a row, or all of it where the table has no
/// parts.
[[nodiscard]] table_result expected_part(const table_row& row, const std::string& part);

/// The same of an array whose elements are integers.
[[nodiscard]] table_result summarize(const xt::xarray<std::int64_t>& part, bool with_values);

}  // namespace support
