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

    /// The same for lines in any order.
    [[nodiscard]] even_lines each() const noexcept { return *this; }
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

    /// The same for lines in any order.
    [[nodiscard]] listed_lines each() const noexcept { return *this; }
};

/// The same, if runs of lines are a stride apart.
struct lines_in_runs : listed_lines {
    std::int64_t stride;
    std::size_t run;     ///< lines of each
    std::size_t before;  ///< lines of the first one that come before line 0

    /// One line after the other. Only where runs begin is read from the table: an address that is
    /// loaded between two stores holds up the second one.
    template <class E>
    class walk_type {
    public:
        walk_type(E* begin, const lines_in_runs& lines) noexcept
            : begin_(begin),
              starts_(lines.offsets + (lines.run - lines.before)),
              stride_(lines.stride),
              run_(lines.run),
              left_(lines.run - lines.before),
              at_(lines.offsets[0]) {}
        [[nodiscard, gnu::always_inline]] E* next() noexcept {
            if (left_ == 0) {
                at_ = *starts_;
                starts_ += run_;
                left_ = run_;
            }
            E* const here = begin_ + at_;
            at_ += stride_;
            --left_;
            return here;
        }

    private:
        E* begin_;
        const std::int64_t* starts_;  ///< of the next run
        std::int64_t stride_;
        std::size_t run_;
        std::size_t left_;  ///< lines of this run
        std::int64_t at_;
    };
    template <class E>
    [[nodiscard]] walk_type<E> walk(E* begin) const noexcept {
        return {begin, *this};
    }
};

}  // namespace xeinsum::kernel
