// Terms to an equation: checks what every notation has in common and derives an implicit output,
// so that "ij,jk" gets the output "ik".
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xeinsum {

/// Receives the labels of an equation in the order of its text. Each function returns what is wrong
/// with the label or mark it was given; after the first problem the equation is of no use.
template <class Storage>
class equation_builder {
public:
    constexpr equation_builder(std::string_view text, notation n, bool guessed) {
        for (const char c : text) {
            equation_.text_.push_back(c);
        }
        equation_.notation_ = n;
        equation_.guessed_ = guessed;
        equation_.ends_.push_back(0);
    }

    /// A label spelled by the given part of the text; number is its value among integer labels.
    constexpr problem add_label(std::size_t column, std::size_t length, std::int64_t number = 0) {
        const label id = find(column, length, number);
        if (!in_output()) {
            use(id, column, length);
            return {};
        }
        if (id == not_found) {
            return blame(error_code::unknown_output_label, column, length);
        }
        if (equation_.holds(equation_.output(), id)) {
            return blame(error_code::repeated_output_label, column, length);
        }
        equation_.output_.push_back(make_use(id, column, length));
        return {};
    }

    constexpr problem add_ellipsis(std::size_t column, std::size_t length) {
        const auto term =
            in_output() ? equation_.output() : equation_.term(equation_.term_count() - 1);
        if (equation_.holds(term, ellipsis_label)) {
            return blame(error_code::two_ellipses, column, length);
        }
        if (in_output()) {
            equation_.output_.push_back(make_use(ellipsis_label, column, length));
        } else {
            use(ellipsis_label, column, length);
        }
        return {};
    }

    constexpr problem begin_term(std::size_t column) {
        if (in_output()) {
            return blame(error_code::comma_in_output, column, 1);
        }
        equation_.ends_.push_back(equation_.uses_.size());
        return {};
    }

    constexpr problem begin_output(std::size_t column, std::size_t length) {
        if (in_output()) {
            return blame(error_code::too_many_arrows, column, length);
        }
        equation_.explicit_output_ = true;
        return {};
    }

    constexpr problem finish() {
        if (!in_output()) {
            if (equation_.notation_ == notation::names) {
                return blame(error_code::missing_arrow, equation_.text().size() + 1, 1);
            }
            derive_output();
        }
        return {};
    }

    [[nodiscard]] constexpr const basic_equation<Storage>& result() const noexcept {
        return equation_;
    }

private:
    static constexpr label not_found = -2;

    [[nodiscard]] constexpr bool in_output() const noexcept { return equation_.explicit_output_; }

    [[nodiscard]] static constexpr problem blame(error_code code, std::size_t column,
                                                 std::size_t length) noexcept {
        problem p;
        p.code = code;
        p.column = column;
        p.length = length;
        return p;
    }

    [[nodiscard]] static constexpr label_use make_use(label id, std::size_t column,
                                                      std::size_t length) noexcept {
        return {id, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(length)};
    }

    /// The id of a label; input labels that are new get the next one.
    constexpr label find(std::size_t column, std::size_t length, std::int64_t number) {
        const bool integers = equation_.notation_ == notation::integers;
        const std::string_view spelling = equation_.text().substr(column - 1, length);
        const auto count = static_cast<label>(equation_.label_count());
        for (label id = 0; id < count; ++id) {
            const label_name& known = equation_.names_[static_cast<std::size_t>(id)];
            if (integers ? known.number == number : equation_.name(id) == spelling) {
                return id;
            }
        }
        if (in_output()) {
            return not_found;
        }
        equation_.names_.push_back(
            {number, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(length)});
        return count;
    }

    constexpr void use(label id, std::size_t column, std::size_t length) {
        equation_.uses_.push_back(make_use(id, column, length));
        ++equation_.ends_.back();
    }

    /// Numpy's rule: "..." first, then the labels used exactly once over all terms, in order of
    /// their spelling (A-Z before a-z) or number.
    constexpr void derive_output() {
        typename Storage::template list<std::size_t> count;
        count.resize(equation_.label_count(), 0);
        bool any_ellipsis = false;
        for (const label_use& use : equation_.uses_) {
            if (use.id == ellipsis_label) {
                any_ellipsis = true;
            } else {
                ++count[static_cast<std::size_t>(use.id)];
            }
        }
        if (any_ellipsis) {
            equation_.output_.push_back(make_use(ellipsis_label, 0, 0));
        }
        const std::size_t first = equation_.output_.size();
        for (std::size_t id = 0; id < count.size(); ++id) {
            if (count[id] == 1) {
                equation_.output_.push_back(make_use(static_cast<label>(id), 0, 0));
            }
        }
        const bool integers = equation_.notation_ == notation::integers;
        std::sort(equation_.output_.data() + first,
                  equation_.output_.data() + equation_.output_.size(),
                  [&](const label_use& a, const label_use& b) {
                      return integers ? equation_.names_[static_cast<std::size_t>(a.id)].number <
                                            equation_.names_[static_cast<std::size_t>(b.id)].number
                                      : equation_.name(a.id) < equation_.name(b.id);
                  });
    }

    basic_equation<Storage> equation_{};
};

}  // namespace xeinsum
