// Terms to an equation: checks what every notation has in common and derives an implicit output,
// so that "ij,jk" gets the output "ik"; what the groups of "b n (h d)" hold.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/label_index.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace xeinsum {

/// Receives the labels of an equation in the order of its text. Each function returns what is wrong
/// with the label or mark it was given; after the first problem the equation is of no use.
template <class Storage>
class equation_builder {
public:
    /// Writes to an empty equation.
    constexpr equation_builder(basic_equation<Storage>& to, std::string_view text, notation n,
                               bool guessed, call_kind kind = call_kind::einsum)
        : equation_(to), kind_(kind) {
        equation_.text_.reserve(text.size());
        for (const char c : text) {
            equation_.text_.push_back(c);
        }
        equation_.notation_ = n;
        equation_.guessed_ = guessed;
        equation_.ends_.push_back(0);
    }

    /// A label spelled by the given part of the text; number is its value among integer labels.
    constexpr problem add_label(std::size_t column, std::size_t length, std::int64_t number = 0) {
        const std::size_t known = equation_.label_count();
        const label id = find(column, length, number);
        if (!in_output()) {
            // Patterns have one operand, so that a label which is known stands in it.
            if (kind_ != call_kind::einsum && static_cast<std::size_t>(id) < known) {
                return blame(error_code::repeated_axis, column, length);
            }
            use(id, column, length);
            return {};
        }
        if (id == not_found) {
            return blame(error_code::unknown_output_label, column, length);
        }
        if (is_in_output(id)) {
            return blame(error_code::repeated_output_label, column, length);
        }
        use_in_output(id, column, length);
        return {};
    }

    /// An axis spelled as its extent, grouped notation only.
    constexpr problem add_extent(std::size_t column, std::size_t length) {
        std::int64_t extent = 0;
        for (const char digit : equation_.text().substr(column - 1, length)) {
            constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
            if (extent > (most - (digit - '0')) / 10) {
                return blame(error_code::bad_extent, column, length);
            }
            extent = extent * 10 + (digit - '0');
        }
        if (extent == 0) {
            return blame(error_code::bad_extent, column, length);
        }
        if (extent == 1) {
            // A unit axis is a group of nothing; within a group it changes nothing.
            if (!in_group_) {
                open(column, length);
                close();
            }
            return {};
        }
        if (in_output() && kind_ != call_kind::repeat) {
            return blame(error_code::unknown_output_label, column, length);
        }
        const label id = add_name(column, length, extent);
        if (in_output()) {
            use_in_output(id, column, length);
        } else {
            use(id, column, length);
        }
        return {};
    }

    constexpr problem begin_group(std::size_t column) {
        if (in_group_) {
            return blame(error_code::nested_parenthesis, column, 1);
        }
        open(column, 1);
        in_group_ = true;
        return {};
    }

    constexpr problem end_group(std::size_t column) {
        if (!in_group_) {
            return blame(error_code::unbalanced_parenthesis, column, 1);
        }
        close();
        label_group& group = equation_.groups_.back();
        group.length = static_cast<std::uint32_t>(column) - group.column + 1;
        in_group_ = false;
        return {};
    }

    constexpr problem add_ellipsis(std::size_t column, std::size_t length) {
        if (equation_.holds(last_term(), ellipsis_label)) {
            return blame(error_code::two_ellipses, column, length);
        }
        if (in_group_ && !in_output()) {
            return blame(error_code::grouped_ellipsis, column, length);
        }
        if (in_output() && kind_ != call_kind::einsum &&
            !equation_.holds(equation_.term(0), ellipsis_label)) {
            return blame(error_code::unknown_output_label, column, length);
        }
        if (in_output()) {
            equation_.output_.push_back(make_use(ellipsis_label, column, length));
        } else {
            use(ellipsis_label, column, length);
        }
        return {};
    }

    constexpr problem begin_term(std::size_t column) {
        if (in_group_) {
            return blame_open_group();
        }
        if (kind_ != call_kind::einsum) {
            return blame(error_code::comma_in_pattern, column, 1);
        }
        if (in_output()) {
            return blame(error_code::comma_in_output, column, 1);
        }
        equation_.ends_.push_back(equation_.uses_.size());
        return {};
    }

    constexpr problem begin_output(std::size_t column, std::size_t length) {
        if (in_group_) {
            return blame_open_group();
        }
        if (in_output()) {
            return blame(error_code::too_many_arrows, column, length);
        }
        equation_.explicit_output_ = true;
        return {};
    }

    constexpr problem finish() {
        if (in_group_) {
            return blame_open_group();
        }
        if (!in_output()) {
            if (equation_.notation_ == notation::names ||
                equation_.notation_ == notation::grouped) {
                return blame(error_code::missing_arrow, equation_.text().size() + 1, 1);
            }
            derive_output();
        }
        if (kind_ == call_kind::rearrange || kind_ == call_kind::repeat) {
            for (const label_use& use : equation_.term(0)) {
                if (!is_in_output(use.id)) {
                    return blame(error_code::lost_axis, use.column, use.length);
                }
            }
        }
        return {};
    }

private:
    static constexpr label not_found = -2;

    [[nodiscard]] constexpr bool in_output() const noexcept { return equation_.explicit_output_; }

    /// The term that is being read.
    [[nodiscard]] constexpr list_view<const label_use> last_term() const noexcept {
        return in_output() ? equation_.output() : equation_.term(equation_.term_count() - 1);
    }

    constexpr void open(std::size_t column, std::size_t length) {
        label_group group;
        group.term = in_output() ? label_group::in_output
                                 : static_cast<std::uint32_t>(equation_.term_count() - 1);
        group.first = static_cast<std::uint32_t>(last_term().size());
        group.column = static_cast<std::uint32_t>(column);
        group.length = static_cast<std::uint32_t>(length);
        equation_.groups_.push_back(group);
    }
    constexpr void close() {
        label_group& group = equation_.groups_.back();
        group.count = static_cast<std::uint32_t>(last_term().size()) - group.first;
    }
    [[nodiscard]] constexpr problem blame_open_group() const noexcept {
        return blame(error_code::unbalanced_parenthesis, equation_.groups_.back().column, 1);
    }

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

    /// The id of a label; a new one gets the next id, in the output only where axes may be added.
    constexpr label find(std::size_t column, std::size_t length, std::int64_t number) {
        const bool integers = equation_.notation_ == notation::integers;
        const std::string_view spelling = equation_.text().substr(column - 1, length);
        const auto is_wanted = [&](label id) {
            const label_name& known = equation_.names_[static_cast<std::size_t>(id)];
            // Most names are one letter, and most differ in the first.
            return integers ? known.number == number
                            : known.length == length &&
                                  equation_.text_[known.column - 1] == spelling[0] &&
                                  (length == 1 || equation_.name(id) == spelling);
        };
        label id = not_found;
        bool searched = false;
        if constexpr (may_be_indexed) {
            if (index_.in_use()) {
                id = index_.find(hash_of(spelling, number), not_found, is_wanted);
                searched = true;
            }
        }
        const auto count = static_cast<label>(searched ? 0 : equation_.label_count());
        for (label candidate = 0; candidate < count; ++candidate) {
            if (is_wanted(candidate)) {
                return candidate;
            }
        }
        const bool may_be_new = !in_output() || kind_ == call_kind::repeat;
        return id == not_found && may_be_new ? add_name(column, length, number) : id;
    }

    constexpr label add_name(std::size_t column, std::size_t length, std::int64_t number) {
        equation_.names_.push_back(
            {number, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(length)});
        const auto id = static_cast<label>(equation_.label_count()) - 1;
        if constexpr (may_be_indexed) {
            if (equation_.label_count() > label_index::few) {
                add_to_index();
            }
        }
        return id;
    }

    /// Adds the last label, the first time all labels.
    constexpr void add_to_index() {
        const bool all = !index_.in_use();
        const std::size_t count = equation_.label_count();
        for (std::size_t id = all ? 0 : count - 1; id < count; ++id) {
            index_.add(
                hash_of(equation_.name(static_cast<label>(id)), equation_.names_[id].number));
        }
        for (std::size_t i = 0; all && i < equation_.output_.size(); ++i) {
            if (equation_.output_[i].id != ellipsis_label) {
                index_.put_in_output(equation_.output_[i].id);
            }
        }
    }
    [[nodiscard]] constexpr std::size_t hash_of(std::string_view spelling,
                                                std::int64_t number) const {
        return equation_.notation_ == notation::integers ? label_index::hash(number)
                                                         : label_index::hash(spelling);
    }

    [[nodiscard]] constexpr bool is_in_output(label id) const {
        if constexpr (may_be_indexed) {
            if (index_.in_use() && id != ellipsis_label) {
                return index_.is_in_output(id);
            }
        }
        return equation_.holds(equation_.output(), id);
    }
    constexpr void use_in_output(label id, std::size_t column, std::size_t length) {
        equation_.output_.push_back(make_use(id, column, length));
        if constexpr (may_be_indexed) {
            if (index_.in_use()) {
                index_.put_in_output(id);
            }
        }
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

    // Not in the compiler: texts are shorter there, and the table's memory is the heap's.
    static constexpr bool may_be_indexed = std::is_same_v<Storage, heap_storage>;
    struct no_index {};

    basic_equation<Storage>& equation_;
    call_kind kind_;
    bool in_group_ = false;
    [[no_unique_address]] std::conditional_t<may_be_indexed, label_index, no_index> index_{};
};

}  // namespace xeinsum
