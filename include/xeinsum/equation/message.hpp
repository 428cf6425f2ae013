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

/// "operand 0 has extent 3 on axis 1"
template <class Place>
[[nodiscard, gnu::cold]] std::string place_text(const Place& place) {
    return join("operand ", place.array, " has extent ", place.extent, " on axis ", place.axis);
}

/// "(2, 3)"
template <class Extents>
[[nodiscard, gnu::cold]] std::string shape_text(const Extents& extents) {
    std::string text = "(";
    for (const auto extent : extents) {
        append(text, join(text.size() == 1 ? "" : ", ", extent));
    }
    text += ')';
    return text;
}

/// How an array's shape differs from the expected one: in rank, or in the extent of an axis.
template <class Problem>
[[nodiscard, gnu::cold]] std::string shapes_text(const Problem& p, std::string_view token,
                                                 std::string_view array,
                                                 std::string_view expected) {
    const std::string shapes = join(array, " has shape ", shape_text(p.shape), ", ", expected, ' ',
                                    shape_text(p.expected_shape));
    return p.second.axis == Problem::nowhere
               ? join(shapes, ": rank ", p.found, " and not ", p.expected)
               : join(shapes, ": label '", token, "' has extent ", p.found, " and not ", p.expected,
                      " on axis ", p.second.axis);
}

/// What describe() cannot know: label, operand, axis, extents; empty where there is no more to say.
template <class Problem>
[[nodiscard, gnu::cold]] std::string particulars(const Problem& p, std::string_view text) {
    const std::string_view token =
        p.column > 0 && p.column <= text.size() ? text.substr(p.column - 1, p.length) : "";
    const std::string_view reason = p.reason != nullptr ? p.reason : "";
    switch (p.code) {
        case error_code::operand_count:
            return join(p.expected, reason.empty() ? " in the equation" : reason, ", ", p.found,
                        " given");
        case error_code::operand_not_open: return join("operand ", p.found, reason);
        case error_code::rank_mismatch:
            return join("operand ", p.second.array, " has rank ", p.found, ", its term has ",
                        p.expected, p.expected == 1 ? " axis" : " axes", reason);
        case error_code::extent_mismatch:
        case error_code::diagonal_mismatch:
        case error_code::ellipsis_mismatch:
            return join("label '", token, "': ", place_text(p.first), ", ", place_text(p.second));
        case error_code::bad_option:
            return p.found < 0 ? std::string(reason) : join(reason, " is ", p.found);
        case error_code::bad_layout:
        case error_code::layout_overflow: {
            std::string words = p.second.array == Problem::nowhere
                                    ? std::string("the output")
                                    : join("operand ", p.second.array);
            append(words, join(" has extents ", shape_text(p.shape), " and strides ",
                               shape_text(p.expected_shape)));
            return words;
        }
        case error_code::extent_overflow:
            if (p.second.array != Problem::nowhere && p.second.axis == Problem::nowhere) {
                return join("operand ", p.second.array);
            }
            if (p.second.array != Problem::nowhere && p.second.extent < 0) {
                // Extents of a layout are signed; others were too large to be.
                if (!p.shape.empty()) {
                    return place_text(p.second);
                }
                return join("operand ", p.second.array, " has extent ",
                            static_cast<std::uint64_t>(p.second.extent), " on axis ",
                            p.second.axis);
            }
            return token.empty() && reason.empty()
                       ? std::string()
                       : join('\'', printable(token.empty() ? reason : token), '\'');
        case error_code::bad_extent:
            return join('\'', printable(token.empty() ? reason : token), '\'');
        case error_code::unknown_axis:
        case error_code::repeated_length: return join('\'', printable(reason), '\'');
        case error_code::length_mismatch:
            return join('\'', token, "': ", place_text(p.second), ", expected is ", p.expected);
        case error_code::not_divisible:
            return join('\'', token, "': ", place_text(p.second), ", the known lengths make ",
                        p.expected);
        case error_code::operand_shape:
            return shapes_text(p, token, join("operand ", p.second.array), "planned was");
        case error_code::output_shape: return shapes_text(p, token, "it", "the result has");
        case error_code::workspace_too_small:
            if (p.first.array != Problem::nowhere) {
                return join("the output overlaps operand ", p.first.array,
                            ", for which a run needs ", p.expected, " bytes, ", p.found, " given");
            }
            return join(p.expected, " bytes are needed, ", p.found, " given");
        case error_code::no_such_slice:
            return join("slice ", p.found, " of ", p.expected, ", counted from 0");
        case error_code::memory_limit:
            return reason.empty() ? join(p.expected, " bytes are needed, ", p.found, " allowed")
                                  : std::string(reason);
        case error_code::malformed_path:
            return reason.empty() ? join(p.expected, " pairs are needed, ", p.found, " given")
                                  : join("pair ", p.expected, " is (", p.first.array, ", ",
                                         p.first.axis, "): ", reason);
        case error_code::lowering_not_applicable:
        case error_code::path_not_available:
        case error_code::not_emittable:
        case error_code::scale_not_held:
        case error_code::output_overlaps_itself: return std::string(reason);
        default: return token.empty() ? std::string() : join('\'', printable(token), '\'');
    }
}

/// The whole text of an einsum_error; note is a last line, or empty.
template <class Problem>
[[nodiscard, gnu::cold]] std::string message(const Problem& p, std::string_view text,
                                             std::string_view note = {}) {
    const std::string more = particulars(p, text);
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
