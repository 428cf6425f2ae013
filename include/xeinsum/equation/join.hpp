// Words and numbers as one text: join("label '", 'j', "' has extent ", 3).
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace xeinsum::parsing {

/// A word, a character or a number, as text.
class word {
public:
    // NOLINTBEGIN(google-explicit-constructor): what may stand in a list of words.
    word(std::string_view text) : text_(text) {}
    word(const std::string& text) : text_(text) {}
    word(const char* text) : text_(text) {}
    word(char c) : digits_{c}, length_(1) {}
    template <std::integral Number>
    word(Number n)
        : word(n < Number{} ? ~static_cast<std::uint64_t>(n) + 1 : static_cast<std::uint64_t>(n),
               n < Number{}) {}
    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] std::string_view text() const {
        return length_ > 0 ? std::string_view(digits_.data(), length_) : text_;
    }

private:
    [[gnu::cold, gnu::noinline]] word(std::uint64_t magnitude, bool negative)
        : digits_{'-'}, length_(negative ? 1 : 0) {
        char* const end = digits_.data() + digits_.size();
        length_ = static_cast<std::size_t>(
            std::to_chars(digits_.data() + length_, end, magnitude).ptr - digits_.data());
    }

    std::string_view text_{};
    std::array<char, 24> digits_{};
    std::size_t length_ = 0;
};

inline void append(std::string& text, const word& part) {
    text += part.text();
}

/// One text of all words.
[[nodiscard, gnu::cold]] inline std::string join(std::initializer_list<word> words) {
    std::string text;
    for (const word& w : words) {
        append(text, w);
    }
    return text;
}
/// The same. Not inlined: a message is not worth its code in each place that may fail.
template <class... Parts>
[[nodiscard, gnu::cold, gnu::noinline]] std::string join(const Parts&... parts) {
    return join({word(parts)...});
}

}  // namespace xeinsum::parsing
