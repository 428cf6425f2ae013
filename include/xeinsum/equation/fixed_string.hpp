// Text as a template argument: einsum<"ij,jk->ik"> takes its equation as fixed_string<9>.
#pragma once

#include <cstddef>
#include <string_view>

namespace xeinsum {

/// A string literal of N - 1 characters that can be a template argument.
template <std::size_t N>
struct fixed_string {
    char characters[N]{};

    // Implicit, so that a literal can stand where a fixed_string parameter is.
    constexpr fixed_string(const char (&text)[N]) noexcept {
        for (std::size_t i = 0; i < N; ++i) {
            characters[i] = text[i];
        }
    }

    [[nodiscard]] static constexpr std::size_t size() noexcept { return N - 1; }

    /// The characters without the closing zero.
    [[nodiscard]] constexpr std::string_view view() const noexcept { return {characters, N - 1}; }
};

}  // namespace xeinsum
