// The same equations through the compiler: check_static<"ij,jk->ik", ...>() finds the rows of the
// conformance tables with these texts and compares einsum<"ij,jk->ik"> with einsum("ij,jk->ik").
#pragma once

#include "shared_calls.hpp"
#include "table.hpp"

#include <xeinsum/einsum.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace support {

/// einsum<Equation> on a list of operands.
template <xeinsum::fixed_string Equation>
[[nodiscard]] xt::xarray<double> call_static(const std::vector<xt::xarray<double>>& operands) {
    constexpr std::size_t terms =
        xeinsum::detail::parsed<Equation, xeinsum::notation::letters>.equation.term_count();
    return [&]<std::size_t... I>(std::index_sequence<I...>)->xt::xarray<double> {
        return xeinsum::einsum<Equation, xeinsum::notation::letters>(operands[I]...);
    }
    (std::make_index_sequence<terms>());
}

/// An equation that the compiler knows.
struct static_equation {
    std::string_view text{};
    xt::xarray<double> (*call)(const std::vector<xt::xarray<double>>&) = nullptr;
};

/// Checks every row of a table that has the equation; there must be some.
inline void check_static_equation(const std::vector<table_row>& table,
                                  const static_equation& equation) {
    CAPTURE(equation.text);
    std::size_t rows = 0;
    for (const table_row& row : table) {
        if (row.find("equation")->second != equation.text) {
            continue;
        }
        std::vector<xt::xarray<double>> operands;
        for (const auto& o : table_operands<double>(parse_shapes(row.find("shapes")->second))) {
            operands.push_back(o.values());
        }
        const auto compiled = equation.call(operands);
        const auto parsed =
            xeinsum::einsum(equation.text, operands, {.notation = xeinsum::notation::letters});
        CHECK(compiled.shape() == parsed.shape());
        CHECK(compiled == parsed);
        ++rows;
    }
    CHECK(rows > 0);
}

template <xeinsum::fixed_string... Equations>
void check_static() {
    const auto table = read_table("einsum.tsv");
    for (const static_equation& equation :
         {static_equation{Equations.view(), call_static<Equations>}...}) {
        check_static_equation(table, equation);
    }
}

}  // namespace support
