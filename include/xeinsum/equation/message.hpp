// A problem in words, for people; what is wrong with "ij,jk->il":
//   xeinsum: an output label that no input term has: 'l'
//     ij,jk->il
//             ^
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xeinsum::parsing {

/// Makes control characters visible; the rest stays as it is.
[[nodiscard, gnu::cold]] inline std::string printable(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\t') {
            out += "\\t";
        } else if (c == '\n') {
            out += "\\n";
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\x";
            out += digits[byte >> 4U];
            out += digits[byte & 0xFU];
        } else {
            out += c;
        }
    }
    return out;
}

/// "'text'", visible.
[[nodiscard, gnu::cold]] inline std::string in_quotes(std::string_view text) {
    return join('\'', printable(text), '\'');
}

/// Columns that text takes on a screen: a UTF-8 sequence takes one.
[[nodiscard]] inline std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (const char c : text) {
        width += (static_cast<unsigned char>(c) & 0xC0U) == 0x80 ? 0 : 1;
    }
    return width;
}

// What puts words together is a template on the problem: a program that calls nothing need not
// compile it.

/// "(2, 3)"
template <class Extents>
[[nodiscard, gnu::cold]] std::string shape_text(const Extents& extents) {
    std::string text = "(";
    for (const auto extent : extents) {
        text += text.size() == 1 ? "" : ", ";
        append(text, extent);
    }
    text += ')';
    return text;
}

/// A pattern with the numbers and words of a problem, as one for "operand 0 has extent 3 on axis 1"
/// is "operand %a has extent %n on axis %x". Patterns are data: text put together in code would be
/// a tenth of what a call compiles.
///   %a %n %x    array, extent and axis of the second place
///   %A %N %X    of the first one
///   %u          the extent of the second one, which is too large for its type
///   %f %e       what was found and expected
///   %s %S       the shape and the expected one
///   %r %t       the reason; what the equation's text has at the column
///   %q %Q       what it has there, or else the reason, in quotes; the reason in quotes
template <class Problem>
[[nodiscard, gnu::cold]] std::string filled(std::string_view pattern, const Problem& p,
                                            std::string_view token) {
    const std::string_view reason = p.reason != nullptr ? p.reason : "";
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            text += pattern[i];
            continue;
        }
        switch (pattern[++i]) {
            case 'a': append(text, p.second.array); break;
            case 'n': append(text, p.second.extent); break;
            case 'x': append(text, p.second.axis); break;
            case 'A': append(text, p.first.array); break;
            case 'N': append(text, p.first.extent); break;
            case 'X': append(text, p.first.axis); break;
            case 'u': append(text, static_cast<std::uint64_t>(p.second.extent)); break;
            case 'f': append(text, p.found); break;
            case 'e': append(text, p.expected); break;
            case 's': text += shape_text(p.shape); break;
            case 'S': text += shape_text(p.expected_shape); break;
            case 'r': text += reason; break;
            case 't': text += token; break;
            case 'q': text += in_quotes(token.empty() ? reason : token); break;
            default: text += in_quotes(reason);
        }
    }
    return text;
}

/// What to say beyond describe(): label, operand, axis, extents; empty where there is no more.
template <class Problem>
[[nodiscard]] std::string_view pattern_for(const Problem& p, bool has_token) {
    const bool has_reason = p.reason != nullptr && p.reason[0] != '\0';
    const bool has_second = p.second.array != Problem::nowhere;
    switch (p.code) {
        case error_code::operand_count:
            return has_reason ? "%e%r, %f given" : "%e in the equation, %f given";
        case error_code::operand_not_open: return "operand %f%r";
        case error_code::rank_mismatch:
            return p.expected == 1 ? "operand %a has rank %f, its term has %e axis%r"
                                   : "operand %a has rank %f, its term has %e axes%r";
        case error_code::extent_mismatch:
        case error_code::diagonal_mismatch:
        case error_code::ellipsis_mismatch:
            return "label '%t': operand %A has extent %N on axis %X, "
                   "operand %a has extent %n on axis %x";
        case error_code::bad_option: return p.found < 0 ? "%r" : "%r is %f";
        case error_code::bad_layout:
        case error_code::layout_overflow:
            return has_second ? "operand %a has extents %s and strides %S"
                              : "the output has extents %s and strides %S";
        case error_code::extent_overflow:
            if (has_second && p.second.axis == Problem::nowhere) {
                return "operand %a";
            }
            if (has_second && p.second.extent < 0) {
                // Extents of a layout are signed; others were too large to be.
                return p.shape.empty() ? "operand %a has extent %u on axis %x"
                                       : "operand %a has extent %n on axis %x";
            }
            return has_token || has_reason ? "%q" : "";
        case error_code::bad_extent: return "%q";
        case error_code::unknown_axis:
        case error_code::repeated_length: return "%Q";
        case error_code::length_mismatch:
            return "'%t': operand %a has extent %n on axis %x, expected is %e";
        case error_code::not_divisible:
            return "'%t': operand %a has extent %n on axis %x, the known lengths make %e";
        case error_code::operand_shape:
            return p.second.axis == Problem::nowhere
                       ? "operand %a has shape %s, planned was %S: rank %f and not %e"
                       : "operand %a has shape %s, planned was %S: "
                         "label '%t' has extent %f and not %e on axis %x";
        case error_code::output_shape:
            return p.second.axis == Problem::nowhere
                       ? "it has shape %s, the result has %S: rank %f and not %e"
                       : "it has shape %s, the result has %S: "
                         "label '%t' has extent %f and not %e on axis %x";
        case error_code::workspace_too_small:
            return p.first.array != Problem::nowhere
                       ? "the output overlaps operand %A, for which a run needs %e bytes, %f given"
                       : "%e bytes are needed, %f given";
        case error_code::no_such_slice: return "slice %f of %e, counted from 0";
        case error_code::memory_limit: return has_reason ? "%r" : "%e bytes are needed, %f allowed";
        case error_code::malformed_path:
            return has_reason ? "pair %e is (%A, %X): %r" : "%e pairs are needed, %f given";
        case error_code::lowering_not_applicable:
        case error_code::path_not_available:
        case error_code::not_emittable:
        case error_code::scale_not_held:
        case error_code::output_overlaps_itself: return "%r";
        default: return has_token ? "%q" : "";
    }
}

/// The whole text of an einsum_error; note is a last line, or empty.
template <class Problem>
[[nodiscard, gnu::cold]] std::string message(const Problem& p, std::string_view text,
                                             std::string_view note = {}) {
    const std::string_view token =
        p.column > 0 && p.column <= text.size() ? text.substr(p.column - 1, p.length) : "";
    const std::string more = filled(pattern_for(p, !token.empty()), p, token);
    std::string out = join("xeinsum: ", describe(p.code), more.empty() ? "" : ": ", more, "\n  ",
                           printable(text));
    if (p.column > 0) {
        const std::string before = printable(text.substr(0, p.column - 1));
        append(out, join("\n  ", std::string(display_width(before), ' '), '^'));
    }
    if (!note.empty()) {
        append(out, join("\n  ", note));
    }
    return out;
}

}  // namespace xeinsum::parsing
