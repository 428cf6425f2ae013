// Characters to tokens, one function per notation: "ij, jk" is i j , j k as letters and
// ij , jk as names.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace xeinsum::parsing {

enum class token_kind : unsigned char {
    label,
    ellipsis,
    number,  ///< grouped notation only, as are open and close
    open,
    close,
    comma,
    arrow,
    end,
    error
};

struct token {
    token_kind kind = token_kind::end;
    std::size_t begin = 0;  ///< offset in the text, from 0
    std::size_t length = 0;
    error_code error = error_code::none;
};

[[nodiscard]] constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_word(char c) noexcept {
    return is_letter(c) || is_digit(c) || c == '_';
}

/// Length of the run that starts at begin and whose characters satisfy the predicate.
template <class Predicate>
[[nodiscard]] constexpr std::size_t run_length(std::string_view text, std::size_t begin,
                                               Predicate predicate) {
    std::size_t end = begin;
    while (end < text.size() && predicate(text[end])) {
        ++end;
    }
    return end - begin;
}

/// Bytes of the character at begin; a UTF-8 sequence counts as one, so that a message shows it
/// whole.
[[nodiscard]] constexpr std::size_t character_length(std::string_view text,
                                                     std::size_t begin) noexcept {
    if (static_cast<unsigned char>(text[begin]) < 0x80) {
        return 1;
    }
    return 1 + run_length(text, begin + 1,
                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; });
}

[[nodiscard]] constexpr token refuse(error_code code, std::size_t begin,
                                     std::size_t length) noexcept {
    return {token_kind::error, begin, length, code};
}

/// What both notations read alike: "," "->" and the end; else an error of kind otherwise.
[[nodiscard]] constexpr token punctuation(std::string_view text, std::size_t at,
                                          error_code otherwise = error_code::bad_character) {
    if (at == text.size()) {
        return {token_kind::end, at, 0, error_code::none};
    }
    if (text[at] == ',') {
        return {token_kind::comma, at, 1, error_code::none};
    }
    if (text.substr(at, 2) == "->") {
        return {token_kind::arrow, at, 2, error_code::none};
    }
    if (text[at] == '-' || text[at] == '>' || text.substr(at, 2) == "<-") {
        return refuse(error_code::malformed_arrow, at, 1);
    }
    return refuse(otherwise, at, character_length(text, at));
}

/// The token at or after position at, every letter being a label.
[[nodiscard]] constexpr token next_letter(std::string_view text, std::size_t at) {
    at += run_length(text, at, [](char c) { return c == ' '; });
    if (at < text.size() && is_letter(text[at])) {
        return {token_kind::label, at, 1, error_code::none};
    }
    if (at < text.size() && text[at] == '.') {
        // "......" is two ellipses, which the parser refuses with its own words.
        const std::size_t dots = run_length(text, at, [](char c) { return c == '.'; });
        return dots % 3 == 0 ? token{token_kind::ellipsis, at, 3, error_code::none}
                             : refuse(error_code::malformed_ellipsis, at, dots);
    }
    if (at < text.size() && (text[at] == '(' || text[at] == ')')) {
        return refuse(error_code::unsupported_axis, at, 1);
    }
    return punctuation(text, at);
}

/// The token at or after position at, every identifier being a label. groups tells whether
/// parentheses and numbers are tokens as well.
[[nodiscard]] constexpr token next_name(std::string_view text, std::size_t at,
                                        bool groups = false) {
    at += run_length(text, at, [](char c) { return c == ' '; });
    if (at == text.size()) {
        return punctuation(text, at);
    }
    if (text[at] == '(' || text[at] == ')') {
        if (groups) {
            return {text[at] == '(' ? token_kind::open : token_kind::close, at, 1,
                    error_code::none};
        }
        return refuse(error_code::unsupported_axis, at, 1);
    }
    if (!is_word(text[at]) && text[at] != '.') {
        return punctuation(text, at);
    }
    const std::size_t length = run_length(text, at, [](char c) { return is_word(c) || c == '.'; });
    const std::string_view word = text.substr(at, length);
    // Not word.find: it compares pointers to null, which under -fsanitize=undefined is no constant
    // expression to g++ 12 if they point into a template argument.
    if (std::find(word.begin(), word.end(), '.') != word.end()) {
        return word == "..." ? token{token_kind::ellipsis, at, 3, error_code::none}
                             : refuse(error_code::malformed_ellipsis, at, length);
    }
    if (is_letter(word[0])) {
        return {token_kind::label, at, length, error_code::none};
    }
    const bool number = run_length(word, 0, is_digit) == length;
    if (number && groups) {
        return {token_kind::number, at, length, error_code::none};
    }
    return refuse(number ? error_code::unsupported_axis : error_code::bad_axis_name, at, length);
}

/// Whether the text holds a word that is a name and not a row of letters: one with '_' or a digit,
/// or, when some term holds two words apart, one of several letters.
[[nodiscard]] constexpr bool looks_like_names(std::string_view text) {
    const auto tells = [](char c) { return c == ' ' || c == '_' || is_digit(c); };
    if (std::none_of(text.begin(), text.end(), tells)) {
        return false;
    }
    bool named = false;
    bool long_word = false;
    bool apart = false;
    std::size_t words = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = run_length(text, at, is_word);
        if (length == 0) {
            words = text[at] == ',' || text[at] == '>' ? 0 : words;
            ++at;
            continue;
        }
        const bool after_blank = at > 0 && text[at - 1] == ' ';
        apart = apart || (words > 0 && after_blank);
        long_word = long_word || length > 1;
        named = named || (is_letter(text[at]) && run_length(text, at, is_letter) < length);
        ++words;
        at += length;
    }
    return named || (apart && long_word);
}

}  // namespace xeinsum::parsing
