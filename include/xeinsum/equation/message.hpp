// A problem in words, for people:
//   xeinsum: an output label that no input term has: 'l'
//     ij,jk->il
//             ^
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace xeinsum::parsing {

/// Makes control characters visible; the rest stays as it is.
[[nodiscard]] inline std::string printable(std::string_view text) {
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

/// "operand 0 has extent 3 on axis 1"
[[nodiscard]] inline std::string place_text(const problem::axis_place& place) {
    return "operand " + std::to_string(place.array) + " has extent " +
           std::to_string(place.extent) + " on axis " + std::to_string(place.axis);
}

/// What describe() cannot know: label, operand, axis, extents.
[[nodiscard]] inline std::string particulars(const problem& p, std::string_view text) {
    const std::string_view token =
        p.column > 0 && p.column <= text.size() ? text.substr(p.column - 1, p.length) : "";
    switch (p.code) {
        case error_code::operand_count:
            return ": " + std::to_string(p.expected) + " in the equation, " +
                   std::to_string(p.found) + " given";
        case error_code::rank_mismatch:
            return ": operand " + std::to_string(p.second.array) + " has rank " +
                   std::to_string(p.found) + ", its term has " + std::to_string(p.expected) +
                   (p.expected == 1 ? " label" : " labels") +
                   (p.reason != nullptr ? std::string(p.reason) : std::string());
        case error_code::extent_mismatch:
        case error_code::diagonal_mismatch:
        case error_code::ellipsis_mismatch:
            return ": label '" + std::string(token) + "': " + place_text(p.first) + ", " +
                   place_text(p.second);
        case error_code::operand_shape:
            return ": operand " + std::to_string(p.second.array) +
                   (p.second.axis == problem::nowhere
                        ? " has rank " + std::to_string(p.found) + ", planned was "
                        : " has extent " + std::to_string(p.found) + " on axis " +
                              std::to_string(p.second.axis) + ", planned was ") +
                   std::to_string(p.expected);
        case error_code::output_shape:
            if (p.second.axis == problem::nowhere) {
                return ": it has rank " + std::to_string(p.found) + ", the result has " +
                       std::to_string(p.expected);
            }
            return ": it has extent " + std::to_string(p.found) + " on axis " +
                   std::to_string(p.second.axis) + ", the result has " + std::to_string(p.expected);
        case error_code::workspace_too_small:
        case error_code::memory_limit:
            if (p.reason != nullptr) {
                return ": " + std::string(p.reason);
            }
            return ": " + std::to_string(p.expected) + " bytes are needed, " +
                   std::to_string(p.found) + " allowed";
        case error_code::lowering_not_applicable:
        case error_code::path_not_available:
        case error_code::output_overlaps_itself:
            return p.reason != nullptr ? ": " + std::string(p.reason) : std::string();
        default: return token.empty() ? std::string() : ": '" + printable(token) + "'";
    }
}

/// The whole text of an einsum_error; note is a last line, or empty.
[[nodiscard]] inline std::string message(const problem& p, std::string_view text,
                                         std::string_view note = {}) {
    std::string out = "xeinsum: " + std::string(describe(p.code)) + particulars(p, text);
    out += "\n  " + printable(text);
    if (p.column > 0) {
        const std::string before = printable(text.substr(0, p.column - 1));
        out += "\n  " + std::string(display_width(before), ' ') + '^';
    }
    if (!note.empty()) {
        out += "\n  ";
        out += note;
    }
    return out;
}

}  // namespace xeinsum::parsing
