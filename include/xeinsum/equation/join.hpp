// Words and numbers to one text: join("label '", 'j', "' has extent ", 3).
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace xeinsum::parsing {

inline void append(std::string& text, std::string_view part) {
    text += part;
}
inline void append(std::string& text, char part) {
    text += part;
}
template <std::integral Number>
void append(std::string& text, Number part) {
    text += std::to_string(part);
}

/// One text of all parts. (A chain of "literal" + std::string would do, if g++ 12 did not warn of
/// it.)
template <class... Parts>
[[nodiscard]] std::string join(const Parts&... parts) {
    std::string text;
    (append(text, parts), ...);
    return text;
}

}  // namespace xeinsum::parsing
