// Text to equation, the same code in the compiler and at run time:
// static_assert(parse("bij,bjk->bik").classify(0, 1).contracted == "j").
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/equation/builder.hpp>
#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/lexer.hpp>
#include <xeinsum/equation/message.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xeinsum {

namespace parsing {

/// An equation, or what is wrong with its text.
template <class Storage>
struct parsed {
    basic_equation<Storage> equation{};
    problem error{};
};

template <class Storage>
[[nodiscard]] constexpr problem feed(equation_builder<Storage>& builder, const token& t) {
    const std::size_t column = t.begin + 1;
    switch (t.kind) {
        case token_kind::label: return builder.add_label(column, t.length);
        case token_kind::ellipsis: return builder.add_ellipsis(column, t.length);
        case token_kind::number: return builder.add_extent(column, t.length);
        case token_kind::open: return builder.begin_group(column);
        case token_kind::close: return builder.end_group(column);
        case token_kind::comma: return builder.begin_term(column);
        case token_kind::arrow: return builder.begin_output(column, t.length);
        case token_kind::end: return builder.finish();
        case token_kind::error: break;
    }
    problem p;
    p.code = t.error;
    p.column = column;
    p.length = t.length;
    return p;
}

/// What is wrong with a label of an output that is followed by another one, as in "ij->jk->ik", is
/// the second arrow.
[[nodiscard]] constexpr problem blame_second_arrow(problem p, std::string_view text) {
    if (p.code == error_code::unknown_output_label || p.code == error_code::repeated_output_label ||
        p.code == error_code::comma_in_output) {
        for (std::size_t at = p.column; at < text.size(); ++at) {
            if (text.substr(at, 2) == "->") {
                p.code = error_code::too_many_arrows;
                p.column = at + 1;
                p.length = 2;
                return p;
            }
        }
    }
    return p;
}

/// Reads text into an empty equation, without throwing; the problem says whether it may be used.
template <class Storage>
[[nodiscard]] constexpr problem read_into(basic_equation<Storage>& to, std::string_view text,
                                          notation wanted, call_kind kind) {
    const bool guess = wanted == notation::automatic;
    const bool groups = wanted == notation::grouped;
    const bool names = wanted == notation::names || (guess && looks_like_names(text));
    equation_builder<Storage> builder(to, text,
                                      groups  ? notation::grouped
                                      : names ? notation::names
                                              : notation::letters,
                                      guess, kind);
    for (std::size_t at = 0;;) {
        const token t = names || groups ? next_name(text, at, groups) : next_letter(text, at);
        const problem error = feed(builder, t);
        if (!error.ok()) {
            return blame_second_arrow(error, text);
        }
        if (t.kind == token_kind::end) {
            return {};
        }
        at = t.begin + t.length;
    }
}
/// The same as a value.
template <class Storage>
[[nodiscard]] constexpr parsed<Storage> read(std::string_view text, notation wanted,
                                             call_kind kind = call_kind::einsum) {
    parsed<Storage> result;
    result.error = read_into(result.equation, text, wanted, kind);
    return result;
}

/// Whether reading the text in the other notation might be what its author meant.
[[nodiscard]] constexpr bool notation_may_be_to_blame(error_code code) noexcept {
    return code <= error_code::repeated_output_label || code == error_code::rank_mismatch;
}

/// Throws einsum_error. Where the notation was guessed and the other one reads the text as well,
/// the message says so.
template <class Storage = heap_storage>
[[noreturn]] void raise(const problem& p, std::string_view text, notation read_as, bool guessed) {
    std::string_view note;
    if (guessed && notation_may_be_to_blame(p.code)) {
        const bool names = read_as == notation::names;
        if (read<Storage>(text, names ? notation::letters : notation::names).error.ok()) {
            note = names ? "(read as axis names; with notation::letters every letter is a label)"
                         : "(read as letters; with notation::names every word is a label)";
        }
    }
    refuse_call(p.code, p.column, message(p, text, note));
}

template <class Storage>
[[noreturn]] void raise(const problem& p, const basic_equation<Storage>& eq) {
    raise(p, eq.text(), eq.notation(), eq.notation_was_guessed());
}

/// Room for any equation of that many characters, in few sizes so that equations of like length
/// share their code.
[[nodiscard]] constexpr std::size_t capacity_for(std::size_t characters) noexcept {
    return std::max<std::size_t>(32, std::bit_ceil(characters + 1));
}

template <class Storage>
[[nodiscard]] constexpr basic_equation<Storage> parse_or_raise(std::string_view text, notation n,
                                                               call_kind kind = call_kind::einsum) {
    basic_equation<Storage> result;
    const problem error = read_into(result, text, n, kind);
    if (!error.ok()) {
        raise(error, text, result.notation(), n == notation::automatic);
    }
    return result;
}

}  // namespace parsing

/// Reads an equation. A literal gives a type that can be a constexpr variable; a wrong one then
/// does not compile. Otherwise throws einsum_error. integers is not a notation of text.
template <std::size_t N>
[[nodiscard]] constexpr auto parse(const char (&text)[N], notation n = notation::automatic) {
    using storage = fixed_storage<parsing::capacity_for(N)>;
    return parsing::parse_or_raise<storage>(std::string_view(text), n);
}

/// Reads an equation of any length. Throws einsum_error.
template <class Storage = heap_storage>
[[nodiscard]] basic_equation<Storage> parse(std::string_view text,
                                            notation n = notation::automatic) {
    return parsing::parse_or_raise<Storage>(text, n);
}

template <class Storage>
basic_equation<Storage> basic_equation<Storage>::from_labels(
    const std::vector<std::vector<std::int64_t>>& terms,
    const std::optional<std::vector<std::int64_t>>& output) {
    // The labels are written out first: messages quote the text and point into it.
    struct piece {
        std::int64_t label;
        std::size_t column;
        std::size_t length;
    };
    std::string text;
    const auto write = [&text](const std::vector<std::int64_t>& labels) {
        std::vector<piece> pieces;
        text += '[';
        for (const std::int64_t l : labels) {
            text += pieces.empty() ? "" : ",";
            const std::string spelling = l == ellipsis ? "..." : std::to_string(l);
            pieces.push_back({l, text.size() + 1, spelling.size()});
            text += spelling;
        }
        text += ']';
        return pieces;
    };
    std::vector<std::vector<piece>> written;
    std::vector<std::size_t> term_columns;
    for (const auto& term : terms) {
        text += written.empty() ? "" : ",";
        term_columns.push_back(text.size());
        written.push_back(write(term));
    }
    std::vector<piece> written_output;
    const std::size_t arrow_column = text.size() + 1;
    if (output) {
        text += "->";
        written_output = write(*output);
    }

    basic_equation<Storage> result;
    equation_builder<Storage> builder(result, text, xeinsum::notation::integers, false);
    const auto check = [&text](const problem& p) {
        if (!p.ok()) {
            parsing::raise(p, text, xeinsum::notation::integers, false);
        }
    };
    if (terms.empty()) {
        problem p;
        p.code = error_code::no_operand;
        check(p);
    }
    const auto add = [&](const std::vector<piece>& pieces) {
        for (const piece& p : pieces) {
            check(p.label == ellipsis ? builder.add_ellipsis(p.column, p.length)
                                      : builder.add_label(p.column, p.length, p.label));
        }
    };
    for (std::size_t t = 0; t < written.size(); ++t) {
        if (t > 0) {
            check(builder.begin_term(term_columns[t]));
        }
        add(written[t]);
    }
    if (output) {
        check(builder.begin_output(arrow_column, 2));
        add(written_output);
    }
    check(builder.finish());
    return result;
}

}  // namespace xeinsum
