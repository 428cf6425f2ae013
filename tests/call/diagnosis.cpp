#include <xeinsum/call/diagnosis.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

// What compilers make of it is shown by the files of compile_fail.

using xeinsum::error_code;
using xeinsum::problem;
namespace diagnosis = xeinsum::diagnosis;

namespace {

constexpr problem make(error_code code, std::size_t column, std::size_t length) {
    problem p;
    p.code = code;
    p.column = column;
    p.length = length;
    return p;
}
constexpr problem label = make(error_code::unknown_output_label, 9, 1);
constexpr problem clash = [] {
    problem p = make(error_code::extent_mismatch, 4, 1);
    p.first = {0, 1, 3};
    p.second = {1, 0, 4};
    return p;
}();
constexpr problem rank = [] {
    problem p = make(error_code::output_shape, 8, 2);
    p.expected = 2;
    p.found = 3;
    return p;
}();
// Behind the end of the text.
constexpr problem arrow = make(error_code::missing_arrow, 4, 1);

}  // namespace

TEST_CASE("text is quoted in one piece, or character by character") {
    static_assert(std::is_same_v<diagnosis::quote<"ij", true>::type, xeinsum::quoted<"ij">>);
    static_assert(
        std::is_same_v<diagnosis::quote<"ij", false>::type, xeinsum::characters<'i', 'j'>>);
    CHECK(diagnosis::part_of<"ij,jk->ik", 4, 2>().view() == "jk");
    CHECK(diagnosis::part_of<"ij", 2, 9>().view().substr(0, 1) == "j");
}

TEST_CASE("a problem is spelled as its code, column, text and what it is about") {
    using diagnosis::quote;
    using xeinsum::column;
    using xeinsum::error_in_equation;
    using text = quote<"ij,jk->il">::type;
    static_assert(std::is_same_v<decltype(diagnosis::of<"ij,jk->il", label>()),
                                 error_in_equation<error_code::unknown_output_label, column<9>,
                                                   text, diagnosis::piece<quote<"l">::type>>>);
    static_assert(
        std::is_same_v<
            decltype(diagnosis::of<"ij,jk->il", clash>()),
            error_in_equation<error_code::extent_mismatch, column<4>, text,
                              diagnosis::label<quote<"j">::type>,
                              diagnosis::extent<diagnosis::operand<0>, diagnosis::axis<1>, 3>,
                              diagnosis::extent<diagnosis::operand<1>, diagnosis::axis<0>, 4>>>);
    static_assert(std::is_same_v<decltype(diagnosis::of<"ij,jk->il", rank>()),
                                 error_in_equation<error_code::output_shape, column<8>, text,
                                                   diagnosis::rank<diagnosis::output, 3>,
                                                   diagnosis::rank<diagnosis::result, 2>>>);
    using behind = decltype(diagnosis::of<"a b", arrow>());
    static_assert(
        std::is_same_v<
            behind, error_in_equation<error_code::missing_arrow, column<4>, quote<"a b">::type>>);
    CHECK_FALSE(behind::none);
}
