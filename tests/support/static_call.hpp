// The same equations through the compiler: check_static<"ij,jk->ik", ...>() finds the rows of the
// conformance tables with these texts and compares einsum<"ij,jk->ik"> with einsum("ij,jk->ik").
#pragma once

#include "table.hpp"

#include <xeinsum/einsum.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// einsum<Equation> on a list of operands.
template <xeinsum::fixed_string Equation, std::size_t... I>
[[nodiscard]] xt::xarray<double> call_static(const std::vector<xt::xarray<double>>& operands,
                                             std::index_sequence<I...>) {
    return xeinsum::einsum<Equation, xeinsum::notation::letters>(operands[I]...);
}

/// Checks every row of a table that has the equation; returns how many there are.
template <xeinsum::fixed_string Equation>
std::size_t check_static_equation(const std::vector<table_row>& table) {
    constexpr std::size_t terms =
        xeinsum::detail::parsed<Equation, xeinsum::notation::letters>.equation.term_count();
    std::size_t rows = 0;
    for (const table_row& row : table) {
        if (row.find("equation")->second != Equation.view()) {
            continue;
        }
        std::vector<xt::xarray<double>> operands;
        for (const auto& o : table_operands<double>(parse_shapes(row.find("shapes")->second))) {
            operands.push_back(o.values());
        }
        CAPTURE(Equation.view());
        const auto compiled = call_static<Equation>(operands, std::make_index_sequence<terms>());
        const auto parsed =
            xeinsum::einsum(Equation.view(), operands, {.notation = xeinsum::notation::letters});
        CHECK(compiled.shape() == parsed.shape());
        CHECK(compiled == parsed);
        ++rows;
    }
    return rows;
}

template <xeinsum::fixed_string... Equations>
void check_static() {
    const auto table = read_table("einsum.tsv");
    const std::size_t rows[]{check_static_equation<Equations>(table)...};
    for (const std::size_t n : rows) {
        CHECK(n > 0);
    }
}

}  // namespace support
