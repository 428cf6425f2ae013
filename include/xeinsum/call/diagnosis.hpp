// What is wrong with a call, as types that a compiler's message shows: of "ij,jk->il"
// error_in_equation<error_code::unknown_output_label, column<9>, quoted<"ij,jk->il">, ...>.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/fixed_string.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum {

/// Position in an equation, in bytes from 1.
template <std::size_t Column>
struct column {};

/// Text in a diagnostic.
template <fixed_string Text>
struct quoted {};
/// The same for compilers that show text in template arguments as numbers.
template <char... Characters>
struct characters {};

/// Is named by the diagnostic of a call that cannot be: the error code, the column, the equation,
/// and what the error is about, in words of diagnosis.
template <error_code Code, class Column, class Equation, class... Particulars>
struct error_in_equation {
    static constexpr bool none = false;
};

namespace diagnosis {

template <class Text>
struct label {};
template <class Text>
struct piece {};

// Arrays, and what they should fit.
template <std::size_t Number>
struct operand {};
template <std::size_t Number>
struct term {};
struct output {};
struct result {};

template <std::size_t Number>
struct axis {};
template <class Array, class Axis, std::int64_t Extent>
struct extent {};
template <class Array, std::int64_t Rank>
struct rank {};
template <std::int64_t Count>
struct terms {};
template <std::int64_t Count>
struct operands {};

#if defined(__clang__) && __clang_major__ < 15
inline constexpr bool shows_text = false;
#else
inline constexpr bool shows_text = true;
#endif

template <fixed_string Text, std::size_t... I>
auto characters_of(std::index_sequence<I...>) -> characters<Text.characters[I]...>;

template <fixed_string Text, bool AsText = shows_text>
struct quote {
    using type = quoted<Text>;
};
template <fixed_string Text>
struct quote<Text, false> {
    using type = decltype(characters_of<Text>(std::make_index_sequence<Text.size()>()));
};

/// The part of a text that a problem is about.
template <fixed_string Text, std::size_t Column, std::size_t Length>
[[nodiscard]] constexpr auto part_of() {
    char part[Length + 1]{};
    for (std::size_t i = 0; i < Length && Column - 1 + i < Text.size(); ++i) {
        part[i] = Text.characters[Column - 1 + i];
    }
    return fixed_string<Length + 1>(part);
}
template <fixed_string Text, const problem& P>
using part_to_blame = typename quote<part_of<Text, P.column, P.length>()>::type;

/// error_in_equation for a problem that is a constant.
template <fixed_string Text, const problem& P>
[[nodiscard]] constexpr auto of() {
    using at = column<P.column>;
    using equation = typename quote<Text>::type;
    if constexpr (P.code == error_code::extent_mismatch ||
                  P.code == error_code::diagonal_mismatch ||
                  P.code == error_code::ellipsis_mismatch) {
        return error_in_equation<
            P.code, at, equation, label<part_to_blame<Text, P>>,
            extent<operand<P.first.array>, axis<P.first.axis>, P.first.extent>,
            extent<operand<P.second.array>, axis<P.second.axis>, P.second.extent>>();
    } else if constexpr (P.code == error_code::rank_mismatch) {
        return error_in_equation<P.code, at, equation, rank<operand<P.second.array>, P.found>,
                                 rank<term<P.second.array>, P.expected>>();
    } else if constexpr (P.code == error_code::operand_count || P.code == error_code::no_operand) {
        return error_in_equation<P.code, at, equation, terms<P.expected>, operands<P.found>>();
    } else if constexpr (P.code == error_code::output_shape && P.second.axis == problem::nowhere) {
        return error_in_equation<P.code, at, equation, rank<output, P.found>,
                                 rank<result, P.expected>>();
    } else if constexpr (P.code == error_code::output_shape) {
        return error_in_equation<P.code, at, equation, label<part_to_blame<Text, P>>,
                                 extent<output, axis<P.second.axis>, P.found>,
                                 extent<result, axis<P.second.axis>, P.expected>>();
    } else if constexpr (P.column > 0 && P.length > 0 && P.column <= Text.size()) {
        return error_in_equation<P.code, at, equation, piece<part_to_blame<Text, P>>>();
    } else {
        return error_in_equation<P.code, at, equation>();
    }
}

}  // namespace diagnosis

namespace detail {

/// Refuses to compile, showing an error_in_equation.
template <error_code Code, class Error>
constexpr void refuse() {
    if constexpr (Code == error_code::unsupported_axis) {
        static_assert(Error::none,
                      "xeinsum: a group, or an axis spelled as its extent, needs the length of "
                      "some axis behind the operands, as axis<\"h\">(12)");
    } else if constexpr (Code == error_code::output_shape) {
        static_assert(Error::none,
                      "xeinsum: the output has another shape than the result; the column, the "
                      "equation and both shapes are the arguments of error_in_equation");
    } else {
        static_assert(Error::none,
                      "xeinsum: the equation, or its use with these operands, is wrong; the error "
                      "code, the column and the equation are the arguments of error_in_equation");
    }
}

/// Refuses to compile if a problem that is a constant is one; whether it is none.
template <fixed_string Text, const problem& P>
[[nodiscard]] constexpr bool check_problem() {
    if constexpr (!P.ok()) {
        refuse<P.code, decltype(diagnosis::of<Text, P>())>();
    }
    return P.ok();
}

}  // namespace detail
}  // namespace xeinsum
