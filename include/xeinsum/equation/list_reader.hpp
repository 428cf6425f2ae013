// Lists, numbers and strings as JSON and Python write them: [["k", 4], "m"].
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace xeinsum::parsing {

/// Reads text from its start. Throws einsum_error with the column of what does not fit.
class list_reader {
public:
    /// A refusal has this code, and begins with these words on what the text should be.
    list_reader(std::string_view text, error_code code, std::string_view expected)
        : text_(text), code_(code), expected_(expected) {}

    [[noreturn]] void refuse(std::string_view why) const {
        refuse_call(code_, at_ + 1, join("xeinsum: ", expected_, ": ", why, ", column ", at_ + 1));
    }
    /// What is read from here on is to blame for a later refusal, once it went back().
    [[nodiscard]] std::size_t here() {
        skip_blanks();
        return at_;
    }
    void back(std::size_t to) noexcept { at_ = to; }

    /// Whether the next character is this one; it is not passed.
    [[nodiscard]] bool sees(char c) {
        skip_blanks();
        return at_ < text_.size() && text_[at_] == c;
    }
    /// Whether the next character is this one, which is then passed.
    [[nodiscard]] bool take(char c) {
        const bool found = sees(c);
        at_ += found ? 1 : 0;
        return found;
    }
    /// The same for several characters.
    [[nodiscard]] bool take_all(std::string_view word) {
        skip_blanks();
        const bool found = text_.substr(at_).starts_with(word);
        at_ += found ? word.size() : 0;
        return found;
    }
    /// The text is to end here.
    void end() {
        skip_blanks();
        if (at_ < text_.size()) {
            refuse("nothing follows");
        }
    }

    /// Calls element() at each element; tuples of Python may end in a comma.
    template <class F>
    void list(F element) {
        const bool tuple = take('(');
        if (!tuple && !take('[')) {
            refuse("a list begins with '['");
        }
        const char end = tuple ? ')' : ']';
        while (!take(end)) {
            element();
            if (!take(',')) {
                if (!take(end)) {
                    refuse("elements are divided by ','");
                }
                return;
            }
        }
    }
    /// A number in the range of its type, without a fraction.
    template <class Number>
    [[nodiscard]] Number number(std::string_view what = "a number is expected") {
        skip_blanks();
        Number n = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, fault] = std::from_chars(begin, text_.data() + text_.size(), n);
        if (fault != std::errc{}) {
            refuse(what);
        }
        at_ += static_cast<std::size_t>(end - begin);
        return n;
    }
    /// A list of lists of two numbers.
    template <class A, class B>
    [[nodiscard]] std::vector<std::pair<A, B>> pairs(std::string_view what) {
        std::vector<std::pair<A, B>> out;
        list([&] {
            const std::size_t begin = here();
            std::size_t parts = 0;
            std::pair<A, B> one;
            list([&] {
                if (parts == 0) {
                    one.first = number<A>(what);
                } else {
                    one.second = number<B>(what);
                }
                ++parts;
            });
            if (parts != 2) {
                back(begin);
                refuse("each entry is a pair of numbers");
            }
            out.push_back(one);
        });
        return out;
    }
    /// What there is up to a blank; empty at the end.
    [[nodiscard]] std::string_view word() {
        skip_blanks();
        const std::size_t begin = at_;
        at_ = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
        return text_.substr(begin, at_ - begin);
    }
    /// A string in quotes of either kind. Backslashes stand before quotes and backslashes.
    [[nodiscard]] std::string string() {
        skip_blanks();
        if (!sees('"') && !sees('\'')) {
            refuse("a string begins with '\"'");
        }
        const char quote = text_[at_++];
        std::string out;
        while (at_ < text_.size() && text_[at_] != quote) {
            at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 1 : 0;
            out += text_[at_++];
        }
        if (at_ == text_.size()) {
            refuse("a string lacks its end");
        }
        ++at_;
        return out;
    }

private:
    void skip_blanks() noexcept {
        at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    }

    std::string_view text_;
    error_code code_;
    std::string_view expected_;
    std::size_t at_ = 0;
};

/// A string as list_reader::string reads it.
[[nodiscard]] inline std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        out += c == '"' || c == '\\' ? "\\" : "";
        out += c;
    }
    return out + '"';
}

}  // namespace xeinsum::parsing
