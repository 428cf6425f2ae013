// Where the lines of a tile begin, as a stride or as a table: the columns of "ij->ji" on (4, 5) are
// even_lines{4}, those of "abc->cab" on (3, 4, 5) a table of five.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Lines a stride apart.
struct even_lines {
    std::int64_t stride;

    /// These without the first ones, of which line 0 begins at begin.
    template <class E>
    [[nodiscard]] even_lines without(std::size_t first, E*& begin) const noexcept {
        begin = at(begin, first);
        return *this;
    }
    template <class E>
    [[nodiscard]] E* at(E* begin, std::size_t line) const noexcept {
        return begin + static_cast<std::int64_t>(line) * stride;
    }
    /// Whether lines of so many elements are known to follow each other.
    [[nodiscard]] bool follow(std::size_t elements) const noexcept {
        return stride == static_cast<std::int64_t>(elements);
    }
};

/// Lines where a table says.
struct listed_lines {
    const std::int64_t* offsets;

    template <class E>
    [[nodiscard]] listed_lines without(std::size_t first, E*&) const noexcept {
        return {offsets + first};
    }
    template <class E>
    [[nodiscard]] E* at(E* begin, std::size_t line) const noexcept {
        return begin + offsets[line];
    }
    [[nodiscard]] static bool follow(std::size_t) noexcept { return false; }
};

}  // namespace xeinsum::kernel
