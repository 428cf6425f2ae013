// Every row of the conformance tables, as given and under each forced lowering that applies:
// "ij,jk->ik" on the tables' operands gives exactly the tables' numbers.
#include "../support/evaluate.hpp"
#include "../support/labels.hpp"
#include "../support/table.hpp"

#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <map>
#include <string>

namespace {

using support::table_row;
using xeinsum::error_code;
using xeinsum::lowering;
using xeinsum::notation;

std::string field(const table_row& row, const char* name) {
    return row.find(name)->second;
}

void check_part(const table_row& row, const std::string& part,
                const xt::xarray<std::int64_t>& found) {
    const support::table_result expected = support::expected_part(row, part);
    const support::table_result result = support::summarize(found, expected.has_values);
    CHECK(result.extents == expected.extents);
    CHECK(result.sum == expected.sum);
    CHECK(result.wsum == expected.wsum);
    CHECK(result.values == expected.values);
}

template <class T>
void check_result(const table_row& row, const xt::xarray<T>& found) {
    if constexpr (std::is_arithmetic_v<T>) {
        check_part(row, "re", xt::cast<std::int64_t>(found));
    } else {
        auto re = xt::xarray<std::int64_t>::from_shape(found.shape());
        auto im = xt::xarray<std::int64_t>::from_shape(found.shape());
        for (std::size_t i = 0; i < found.size(); ++i) {
            re.storage()[i] = static_cast<std::int64_t>(found.storage()[i].real());
            im.storage()[i] = static_cast<std::int64_t>(found.storage()[i].imag());
        }
        check_part(row, "re", re);
        check_part(row, "im", im);
    }
}

/// Checks a row as planned and as forced; returns how many forced lowerings applied.
template <class T>
void check_row_in(const table_row& row, const xeinsum::equation& eq,
                  std::map<lowering, int>& applied) {
    support::call<T> call{
        eq, support::table_operands<T>(support::parse_shapes(field(row, "shapes"))), {}};
    check_result<T>(row, support::evaluate(call));
    for (const lowering forced : xeinsum::lowerings_in_order) {
        call.options.lowering = forced;
        CAPTURE(name(forced));
        try {
            const xt::xarray<T> found = support::evaluate(call);
            check_result<T>(row, found);
            ++applied[forced];
        } catch (const xeinsum::einsum_error& e) {
            CHECK(e.code() == error_code::lowering_not_applicable);
            CHECK(forced != lowering::broadcast_multiply_reduce);
        }
    }
}

void check_row(const table_row& row, const xeinsum::equation& eq,
               std::map<lowering, int>& applied) {
    const std::string dtype = field(row, "dtype");
    if (dtype == "f32") {
        check_row_in<float>(row, eq, applied);
    } else if (dtype == "f64") {
        check_row_in<double>(row, eq, applied);
    } else if (dtype == "c64") {
        check_row_in<std::complex<float>>(row, eq, applied);
    } else if (dtype == "c128") {
        check_row_in<std::complex<double>>(row, eq, applied);
    } else if (dtype == "i32") {
        check_row_in<std::int32_t>(row, eq, applied);
    } else {
        REQUIRE(dtype == "i64");
        check_row_in<std::int64_t>(row, eq, applied);
    }
}

/// How many rows of a valid table each lowering could be forced on. Read builds the equation.
template <class Read>
std::map<lowering, int> check_table(const std::string& name, std::size_t rows, Read read) {
    std::map<lowering, int> applied;
    const auto table = support::read_table(name);
    CHECK(table.size() == rows);
    for (const table_row& row : table) {
        CAPTURE(field(row, "id"));
        CAPTURE(field(row, "equation"));
        check_row(row, read(field(row, "equation")), applied);
    }
    return applied;
}

xeinsum::equation read_as(const std::string& text, notation n) {
    return xeinsum::parse(std::string_view(text), n);
}

/// Calls with a row's operands; the equation is read in the given notation unless it has labels.
void call_row(const table_row& row, const std::string& kind, notation n) {
    support::call<double> call;
    call.equation = kind == "sublist" ? support::parse_labels(field(row, "equation"))
                                      : read_as(field(row, "equation"), n);
    call.operands = support::table_operands<double>(support::parse_shapes(field(row, "shapes")));
    static_cast<void>(support::evaluate(call));
}

}  // namespace

TEST_CASE("equations of letters give the tables' results") {
    auto applied = check_table("einsum.tsv", 1196, [](const std::string& text) {
        return read_as(text, notation::letters);
    });
    CHECK(applied[lowering::broadcast_multiply_reduce] == 1196);
    // Rows whose pairs all fit; a change here means that a lowering now refuses what it took.
    CHECK(applied[lowering::gemm] >= 700);
    CHECK(applied[lowering::depthwise_convolution] >= 250);
}

namespace {

/// Checks all rows of a table in automatic notation. A row may be refused if the message names the
/// notation that it is in; returns how many were.
int refused_by_automatic(const std::string& table, const std::string& meant) {
    int refused = 0;
    for (const table_row& row : support::read_table(table)) {
        const std::string text = field(row, "equation");
        CAPTURE(text);
        std::map<lowering, int> applied;
        try {
            check_row(row, read_as(text, notation::automatic), applied);
        } catch (const xeinsum::einsum_error& e) {
            CHECK(std::string(e.what()).find("with notation::" + meant) != std::string::npos);
            ++refused;
        }
    }
    return refused;
}

}  // namespace

TEST_CASE("automatic notation gives the tables' results or names the other notation") {
    CHECK(refused_by_automatic("einsum.tsv", "letters") == 1);       // "bij , b jk-> bik"
    CHECK(refused_by_automatic("einops_einsum.tsv", "names") == 1);  // "index ->"
}

TEST_CASE("integer labels give the tables' results") {
    check_table("sublist.tsv", 65, support::parse_labels);
}

TEST_CASE("equations of names give the tables' results") {
    check_table("einops_einsum.tsv", 63,
                [](const std::string& text) { return read_as(text, notation::names); });
}

TEST_CASE("invalid calls are refused with einsum_error") {
    std::map<std::string, int> refused;
    for (const table_row& row : support::read_table("invalid.tsv")) {
        const std::string kind = field(row, "kind");
        const bool names = kind == "einops-einsum";
        if (!names && kind != "einsum" && kind != "sublist") {
            continue;  // rearrange, reduce and repeat: patterns.cpp
        }
        CAPTURE(field(row, "id"));
        CAPTURE(field(row, "equation"));
        CAPTURE(field(row, "shapes"));
        CHECK_THROWS_AS(call_row(row, kind, names ? notation::names : notation::letters),
                        xeinsum::einsum_error);
        if (!names) {
            CHECK_THROWS_AS(call_row(row, kind, notation::automatic), xeinsum::einsum_error);
        }
        ++refused[kind];
    }
    CHECK(refused["einsum"] == 202);
    CHECK(refused["sublist"] == 11);
    CHECK(refused["einops-einsum"] == 44);
}

TEST_CASE("where libraries differ the recommended meaning holds") {
    int accepted = 0;
    int rejected = 0;
    for (const table_row& row : support::read_table("disagreements.tsv")) {
        const std::string kind = field(row, "kind");
        const std::string recommend = field(row, "recommend");
        const notation n = kind == "einops-einsum" ? notation::names : notation::letters;
        CAPTURE(field(row, "id"));
        CAPTURE(field(row, "equation"));
        if (recommend == "reject") {
            CHECK_THROWS_AS(call_row(row, kind, n), xeinsum::einsum_error);
            ++rejected;
        } else if (recommend == "accept") {
            const bool integers = field(row, "topic") == "integer-promotion";
            const xeinsum::equation eq = kind == "sublist"
                                             ? support::parse_labels(field(row, "equation"))
                                             : read_as(field(row, "equation"), n);
            const auto shapes = support::parse_shapes(field(row, "shapes"));
            if (integers) {
                check_part(row, "re",
                           xt::cast<std::int64_t>(support::evaluate<std::int32_t>(
                               {eq, support::table_operands<std::int32_t>(shapes), {}})));
            } else {
                check_part(row, "re",
                           support::evaluate<std::int64_t>(
                               {eq, support::table_operands<std::int64_t>(shapes), {}}));
            }
            ++accepted;
        } else {
            REQUIRE(recommend == "either");
        }
    }
    CHECK(accepted == 39);
    CHECK(rejected == 20);
}
