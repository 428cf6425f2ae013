#include <xeinsum/equation/lexer.hpp>

#include "../support/both.hpp"

#include <string_view>

using xeinsum::error_code;
using xeinsum::parsing::looks_like_names;
using xeinsum::parsing::next_letter;
using xeinsum::parsing::next_name;
using xeinsum::parsing::token;
using xeinsum::parsing::token_kind;

namespace {

constexpr bool is(const token& t, token_kind kind, std::size_t begin, std::size_t length) {
    return t.kind == kind && t.begin == begin && t.length == length;
}
constexpr bool refuses(const token& t, error_code code, std::size_t begin, std::size_t length) {
    return is(t, token_kind::error, begin, length) && t.error == code;
}

}  // namespace

TEST_CASE("letters are labels, blanks are nothing") {
    support::check_both([] { return is(next_letter("  ij", 0), token_kind::label, 2, 1); });
    support::check_both([] { return is(next_letter("ij", 1), token_kind::label, 1, 1); });
    support::check_both([] { return is(next_letter("i , j", 1), token_kind::comma, 2, 1); });
    support::check_both([] { return is(next_letter("i -> j", 1), token_kind::arrow, 2, 2); });
    support::check_both([] { return is(next_letter("i... ", 1), token_kind::ellipsis, 1, 3); });
    support::check_both([] { return is(next_letter("i  ", 1), token_kind::end, 3, 0); });
}

TEST_CASE("identifiers are names") {
    support::check_both([] { return is(next_name(" d_in2,n", 0), token_kind::label, 1, 5); });
    support::check_both([] { return is(next_name("a,b", 1), token_kind::comma, 1, 1); });
    support::check_both([] { return is(next_name("a->b", 1), token_kind::arrow, 1, 2); });
    support::check_both([] { return is(next_name("a ... b", 1), token_kind::ellipsis, 2, 3); });
    support::check_both([] { return is(next_name("a ", 1), token_kind::end, 2, 0); });
}

TEST_CASE("what no notation reads is refused where it stands") {
    support::check_both(
        [] { return refuses(next_letter("i%", 1), error_code::bad_character, 1, 1); });
    support::check_both(
        [] { return refuses(next_letter("\tij", 0), error_code::bad_character, 0, 1); });
    support::check_both(
        [] { return refuses(next_letter("i1", 1), error_code::bad_character, 1, 1); });
    // Parentheses have a meaning, in calls that give the length of an axis.
    support::check_both(
        [] { return refuses(next_letter("b(hd)", 1), error_code::unsupported_axis, 1, 1); });
    support::check_both(
        [] { return refuses(next_letter("b(hd)", 4), error_code::unsupported_axis, 4, 1); });
    support::check_both(
        [] { return refuses(next_letter("i-j", 1), error_code::malformed_arrow, 1, 1); });
    support::check_both(
        [] { return refuses(next_letter("i<-j", 1), error_code::malformed_arrow, 1, 1); });
    support::check_both(
        [] { return refuses(next_letter("i..j", 1), error_code::malformed_ellipsis, 1, 2); });
    support::check_both(
        [] { return refuses(next_letter("....", 0), error_code::malformed_ellipsis, 0, 4); });
    support::check_both(
        [] { return refuses(next_name("2 a", 0), error_code::unsupported_axis, 0, 1); });
    support::check_both(
        [] { return refuses(next_name("(a b)", 0), error_code::unsupported_axis, 0, 1); });
    support::check_both(
        [] { return refuses(next_name("2j", 0), error_code::bad_axis_name, 0, 2); });
    support::check_both(
        [] { return refuses(next_name("_ a", 0), error_code::bad_axis_name, 0, 1); });
    support::check_both(
        [] { return refuses(next_name("b...", 0), error_code::malformed_ellipsis, 0, 4); });
    support::check_both(
        [] { return refuses(next_name("a%", 1), error_code::bad_character, 1, 1); });
}

TEST_CASE("a character outside ASCII is blamed whole") {
    support::check_both(
        [] { return refuses(next_letter("i\xCE\xB2", 1), error_code::bad_character, 1, 2); });
    support::check_both(
        [] { return refuses(next_name("\xE2\x80\xA6 a", 0), error_code::bad_character, 0, 3); });
}

TEST_CASE("names are told from letters") {
    support::check_both([] { return !looks_like_names("ij,jk->ik"); });
    support::check_both([] { return !looks_like_names(" ij , jk -> ik"); });
    support::check_both([] { return !looks_like_names("b i j, b j k -> b i k"); });  // both alike
    support::check_both([] { return looks_like_names("b l d_in, d_in n -> b l d_in n"); });
    support::check_both([] { return looks_like_names("in out, out in -> in"); });
    support::check_both([] { return looks_like_names("a0->a0"); });
    support::check_both([] { return !looks_like_names("abc, c"); });
    support::check_both([] { return !looks_like_names("2,3"); });
}
