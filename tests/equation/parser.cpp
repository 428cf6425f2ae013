#include <xeinsum/equation/parser.hpp>

#include "../support/both.hpp"
#include "../support/error_of.hpp"
#include "../support/shared_equations.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using xeinsum::error_code;
using xeinsum::notation;
using xeinsum::parse;

namespace {

/// Terms and output as the parser understood them: "i j,j k->i k".
std::string structure(const xeinsum::equation& eq) {
    std::string text;
    const auto write = [&](std::span<const xeinsum::label_use> term) {
        for (std::size_t i = 0; i < term.size(); ++i) {
            text += i == 0 ? "" : " ";
            text += eq.name(term[i].id);
        }
    };
    for (std::size_t t = 0; t < eq.term_count(); ++t) {
        text += t == 0 ? "" : ",";
        write(eq.term(t));
    }
    text += "->";
    write(eq.output());
    return text;
}

std::string structure(std::string_view text, notation n = notation::automatic) {
    return structure(parse(text, n));
}

/// Code and column of the refusal of a text, found by the same function in the compiler.
constexpr auto problem_of(std::string_view text, notation n) {
    return xeinsum::parsing::read<xeinsum::fixed_storage<64>>(text, n).error;
}
constexpr bool refuses(std::string_view text, error_code code, std::size_t column,
                       notation n = notation::automatic) {
    const auto p = problem_of(text, n);
    return p.code == code && p.column == column;
}

}  // namespace

TEST_CASE("terms and outputs of letters") {
    CHECK(structure("ij,jk->ik") == "i j,j k->i k");
    CHECK(structure("ij,jk") == "i j,j k->i k");
    CHECK(structure("ba") == "b a->a b");
    CHECK(structure("zZ") == "z Z->Z z");
    CHECK(structure("ii") == "i i->");
    CHECK(structure("") == "->");
    CHECK(structure(",") == ",->");
    CHECK(structure("->") == "->");
    CHECK(structure("...ij,...jk") == "... i j,... j k->... i k");
    CHECK(structure("b...a") == "b ... a->... a b");
    CHECK(structure(" i  j ,  j ->i ") == "i j,j->i");
}

TEST_CASE("terms and outputs of names") {
    CHECK(structure("b l d_in, d_in n -> b l d_in n") == "b l d_in,d_in n->b l d_in n");
    CHECK(structure("... in out, out -> in ...") == "... in out,out->in ...");
    CHECK(structure("index ->", notation::names) == "index->");
    CHECK(structure("a b,b c->a c", notation::names) == "a b,b c->a c");
}

TEST_CASE("the notation that was guessed") {
    CHECK(parse(std::string_view("ij,jk")).notation() == notation::letters);
    CHECK(parse(std::string_view("x1->x1")).notation() == notation::names);
    CHECK(parse(std::string_view("ij,jk")).notation_was_guessed());
    CHECK_FALSE(parse(std::string_view("ij,jk"), notation::letters).notation_was_guessed());
}

TEST_CASE("refusals have a code and a column, in the compiler too") {
    support::check_both([] { return refuses("ij,jk->il", error_code::unknown_output_label, 9); });
    support::check_both([] { return refuses("ij->iji", error_code::repeated_output_label, 7); });
    support::check_both([] { return refuses("i%...", error_code::bad_character, 2); });
    support::check_both([] { return refuses("ij->->ji", error_code::too_many_arrows, 5); });
    // The first output would be right, or is at fault only as it is one.
    support::check_both([] { return refuses("ij->ji->ij", error_code::too_many_arrows, 7); });
    support::check_both([] { return refuses("ij->jk->ik", error_code::too_many_arrows, 7); });
    support::check_both([] { return refuses("ij->jj->i", error_code::too_many_arrows, 7); });
    support::check_both([] { return refuses("ij->j,i->i", error_code::too_many_arrows, 8); });
    support::check_both([] { return refuses("a b->a c->b", error_code::too_many_arrows, 9); });
    support::check_both([] { return refuses("b(hd)->bhd", error_code::unsupported_axis, 2); });
    support::check_both([] { return refuses("b (h d)->b h d", error_code::unsupported_axis, 3); });
    support::check_both([] { return refuses("i-j->ij", error_code::malformed_arrow, 2); });
    support::check_both([] { return refuses("i..j", error_code::malformed_ellipsis, 2); });
    support::check_both([] { return refuses("...i...", error_code::two_ellipses, 5); });
    support::check_both([] { return refuses("i->i,", error_code::comma_in_output, 5); });
    support::check_both([] { return refuses("... a -> ... a ...", error_code::two_ellipses, 16); });
    support::check_both([] { return refuses("a_1 b", error_code::missing_arrow, 6); });
    support::check_both(
        [] { return refuses("a b", error_code::missing_arrow, 4, notation::names); });
    support::check_both([] { return refuses("i - > i", error_code::malformed_arrow, 3); });
    support::check_both([] { return refuses(". ..i->i", error_code::malformed_ellipsis, 1); });
}

TEST_CASE("a run-time refusal quotes the text and points at the column") {
    try {
        static_cast<void>(parse(std::string_view("ij,jk->il")));
        FAIL("it was not refused");
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.code() == error_code::unknown_output_label);
        CHECK(e.column() == 9);
        CHECK(std::string(e.what()) ==
              "xeinsum: an output label that no input term has: 'l'\n"
              "  ij,jk->il\n"
              "          ^");
    }
}

TEST_CASE("a refusal names the other notation where that one reads the text") {
    const auto message = [](std::string_view text) {
        try {
            static_cast<void>(parse(text));
        } catch (const xeinsum::einsum_error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(message("ab c,c d").find("notation::letters") != std::string::npos);
    CHECK(message("head->size head").find("no input term has: 'size'") != std::string::npos);
    CHECK(message("ij->k").find("notation::") == std::string::npos);
}

TEST_CASE("more labels than letters") {
    std::string text;
    for (int i = 0; i < 200; ++i) {
        text += " axis_" + std::to_string(i);
    }
    const auto eq = parse(text + " -> axis_199 axis_0");
    CHECK(eq.label_count() == 200);
    CHECK(eq.output()[0].id == 199);
}

TEST_CASE("integer labels") {
    using xeinsum::ellipsis;
    using xeinsum::equation;
    const auto eq = equation::from_labels({{0, 1}, {1, ellipsis}}, {{0, ellipsis}});
    CHECK(eq.text() == "[0,1],[1,...]->[0,...]");
    CHECK(structure(eq) == "0 1,1 ...->0 ...");
    CHECK(eq.notation() == notation::integers);
    CHECK(structure(equation::from_labels({{51, 0}})) == "51 0->0 51");
    CHECK(structure(equation::from_labels({{30, -10}, {-10, 20}})) == "30 -10,-10 20->20 30");
    CHECK(structure(equation::from_labels({{}, {5}})) == ",5->5");
    CHECK(structure(equation::from_labels({{3}}, std::vector<std::int64_t>{})) == "3->");
}

TEST_CASE("integer labels in vectors of any integer type, or one list in braces") {
    using xeinsum::ellipsis;
    using xeinsum::equation;
    const std::string expected = "[0,3],[3,200]->[200,0]";
    const auto check = [&]<class I, class O>(std::type_identity<I>, std::type_identity<O>) {
        const std::vector<std::vector<I>> terms{{I{0}, I{3}}, {I{3}, static_cast<I>(200)}};
        const std::vector<O> output{static_cast<O>(200), O{0}};
        CHECK(equation::from_labels(terms, output).text() == expected);
        CHECK(equation::from_labels(terms, std::optional(output)).text() == expected);
        CHECK(equation::from_labels(terms, {{200, 0}}).text() == expected);
        CHECK(equation::from_labels({{0, 3}, {3, 200}}, output).text() == expected);
        CHECK(structure(equation::from_labels(terms)) == "0 3,3 200->0 200");
        CHECK(structure(equation::from_labels(terms, std::optional<std::vector<O>>())) ==
              "0 3,3 200->0 200");
    };
    check(std::type_identity<int>(), std::type_identity<int>());
    check(std::type_identity<short>(), std::type_identity<std::uint16_t>());
    check(std::type_identity<unsigned char>(), std::type_identity<std::int64_t>());
    check(std::type_identity<std::int64_t>(), std::type_identity<long long>());
    check(std::type_identity<long long>(), std::type_identity<unsigned long long>());
    check(std::type_identity<std::size_t>(), std::type_identity<std::int64_t>());
    check(std::type_identity<std::int64_t>(), std::type_identity<std::int64_t>());
    const std::vector<std::vector<int>> negative{{-7, 1}, {1}};
    CHECK(equation::from_labels(negative, std::vector<std::int64_t>{-7, ellipsis}).text() ==
          "[-7,1],[1]->[-7,...]");
    CHECK(structure(equation::from_labels(negative, {})) == "-7 1,1->-7");
}

TEST_CASE("labels that 64 bits with a sign cannot hold are refused") {
    using labels = std::vector<std::uint64_t>;
    const std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK(xeinsum::equation::from_labels(std::vector<labels>{{most}}).text() ==
          "[9223372036854775807]");
    // The number that would be the ellipsis, and the largest.
    for (const std::uint64_t large : {most + 1, ~std::uint64_t{0}}) {
        const auto input = support::error_of([&] {
            static_cast<void>(xeinsum::equation::from_labels(std::vector<labels>{{1}, {2, large}}));
        });
        CHECK(input.code() == error_code::label_out_of_range);
        CHECK(input.column() == 8);  // [1],[2,
        CHECK(std::string(input.what()).find(std::to_string(large)) != std::string::npos);
        const auto output = support::error_of(
            [&] { static_cast<void>(xeinsum::equation::from_labels({{1}}, labels{large})); });
        CHECK(output.code() == error_code::label_out_of_range);
        CHECK(output.column() == 7);  // [1]->[
    }
}

TEST_CASE("a notation that there is not is refused") {
    for (const auto wrong :
         {static_cast<notation>(77), static_cast<notation>(5), notation::integers}) {
        const std::string text = "ij,jk->ik";
        const auto e = support::error_of([&] { static_cast<void>(parse(text, wrong)); });
        CHECK(e.code() == error_code::bad_option);
        CHECK(e.column() == 0);
        CHECK(std::string(e.what()).find(
                  "notation is " + std::to_string(static_cast<int>(wrong))) != std::string::npos);
    }
    static_assert(
        xeinsum::parsing::read<xeinsum::fixed_storage<32>>("ij", static_cast<notation>(77))
            .error.code == error_code::bad_option);
}

TEST_CASE("refused integer labels point into their text") {
    using xeinsum::equation;
    const auto column = [](auto make) {
        try {
            static_cast<void>(make());
        } catch (const xeinsum::einsum_error& e) {
            return std::pair{e.code(), e.column()};
        }
        return std::pair{error_code::none, std::size_t{0}};
    };
    // [0,1]->[0,77]
    CHECK(column([] {
              return equation::from_labels({{0, 1}}, {{0, 77}});
          }) == std::pair{error_code::unknown_output_label, std::size_t{11}});
    CHECK(column([] {
              return equation::from_labels({{0}}, {{0, 0}});
          }) == std::pair{error_code::repeated_output_label, std::size_t{9}});
    CHECK(column([] {
              return equation::from_labels({{xeinsum::ellipsis, 0, xeinsum::ellipsis}});
          }) == std::pair{error_code::two_ellipses, std::size_t{8}});
    CHECK(column([] { return equation::from_labels({}); }).first == error_code::no_operand);
}
