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
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
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
    if (wanted > notation::grouped || wanted == notation::integers) {
        problem p;
        p.code = error_code::bad_option;
        p.reason = "notation";
        p.found = static_cast<std::int64_t>(wanted);
        return p;
    }
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

/// What to tell where an equation, whose notation was guessed, reads in the other one as well.
template <class Storage = heap_storage>
[[nodiscard]] constexpr std::string_view other_reading(std::string_view text, notation read_as,
                                                       bool guessed) {
    const bool names = read_as == notation::names;
    if (!guessed || !read<Storage>(text, names ? notation::letters : notation::names).error.ok()) {
        return {};
    }
    return names ? "(read as axis names; with notation::letters every letter is a label)"
                 : "(read as letters; with notation::names every word is a label)";
}

/// Throws einsum_error, whose message ends with the other reading where that may be to blame.
[[noreturn, gnu::cold]] inline void raise_noted(const problem& p, std::string_view text,
                                                std::string_view other) {
    refuse_call(p.code, p.column,
                message(p, text, notation_may_be_to_blame(p.code) ? other : std::string_view()));
}
template <class Storage = heap_storage>
[[noreturn, gnu::cold]] void raise(const problem& p, std::string_view text, notation read_as,
                                   bool guessed) {
    raise_noted(p, text, other_reading<Storage>(text, read_as, guessed));
}
template <class Storage>
[[noreturn, gnu::cold]] void raise(const problem& p, const basic_equation<Storage>& eq) {
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

namespace parsing {

/// Writes integer labels out, "[0,1],[1,...]->[0,...]": messages quote the text and point into it.
/// A template on the text, so that a program compiles it only for equations of integer labels.
template <class Text = std::string>
class label_writer {
public:
    struct piece {
        std::int64_t label;
        std::size_t column;
        std::size_t length;
        bool fits;
    };
    struct term {
        std::size_t mark;  ///< column of the comma or arrow before it
        std::vector<piece> pieces;
    };

    /// A term behind a mark, which the first one lacks.
    template <std::integral I>
    void write(const char* mark, const std::vector<I>& labels) {
        begin(mark);
        for (const I l : labels) {
            const auto label = static_cast<std::int64_t>(l);
            add(label, std::is_signed_v<I> || label >= 0);
        }
        text_ += ']';
    }

    [[nodiscard]] const Text& text() const noexcept { return text_; }
    [[nodiscard]] const std::vector<term>& terms() const noexcept { return terms_; }

private:
    void begin(const char* mark) {
        terms_.push_back({text_.size() + 1, {}});
        text_ += mark;
        text_ += '[';
    }
    void add(std::int64_t label, bool fits) {
        std::vector<piece>& pieces = terms_.back().pieces;
        text_ += pieces.empty() ? "" : ",";
        const Text spelling = !fits ? std::to_string(static_cast<std::uint64_t>(label))
                              : label == ellipsis ? "..."
                                                  : std::to_string(label);
        pieces.push_back({label, text_.size() + 1, spelling.size(), fits});
        text_ += spelling;
    }

    Text text_{};
    std::vector<term> terms_{};
};

/// Reads what was written, the last term being the output where there is one.
template <class Storage, class Text>
void read_labels(basic_equation<Storage>& to, const label_writer<Text>& written, bool has_output) {
    const Text& text = written.text();
    const auto check = [&text](const problem& p) {
        if (!p.ok()) {
            raise(p, text, notation::integers, false);
        }
    };
    equation_builder<Storage> builder(to, text, notation::integers, false);
    const std::size_t inputs = written.terms().size() - (has_output ? 1 : 0);
    if (inputs == 0) {
        problem p;
        p.code = error_code::no_operand;
        check(p);
    }
    for (std::size_t t = 0; t < written.terms().size(); ++t) {
        const auto& term = written.terms()[t];
        if (t == inputs) {
            check(builder.begin_output(term.mark, 2));
        } else if (t > 0) {
            check(builder.begin_term(term.mark));
        }
        for (const auto& p : term.pieces) {
            if (!p.fits) {
                problem too_large;
                too_large.code = error_code::label_out_of_range;
                too_large.column = p.column;
                too_large.length = p.length;
                check(too_large);
            }
            check(p.label == ellipsis ? builder.add_ellipsis(p.column, p.length)
                                      : builder.add_label(p.column, p.length, p.label));
        }
    }
    check(builder.finish());
}

}  // namespace parsing

/// Reads labels of any integer type; see from_labels.
template <class Storage>
template <class Term, class Output>
basic_equation<Storage> basic_equation<Storage>::from_any_labels(
    const std::vector<Term>& terms, const std::optional<Output>& output) {
    parsing::label_writer<> written;
    for (const Term& term : terms) {
        written.write(written.terms().empty() ? "" : ",", term);
    }
    if (output) {
        written.write("->", *output);
    }
    basic_equation<Storage> result;
    parsing::read_labels(result, written, output.has_value());
    return result;
}

}  // namespace xeinsum
