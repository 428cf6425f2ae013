// Which labels share an axis: in "b n (h d) 1" on rank 4 the first two axes have one label each,
// the third has two and the last none.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::parsing {

[[nodiscard]] constexpr bool has_ellipsis(list_view<const label_use> term) noexcept {
    return std::any_of(term.begin(), term.end(),
                       [](const label_use& use) { return use.id == ellipsis_label; });
}

/// Axes that a term names, not counting those under "...".
[[nodiscard]] constexpr std::size_t named_axes(list_view<const label_use> term) noexcept {
    return term.size() - (has_ellipsis(term) ? 1 : 0);
}

/// Axes of input term t, not counting those under "...". A group is one.
template <class Storage>
[[nodiscard]] constexpr std::size_t axis_count(const basic_equation<Storage>& eq,
                                               std::size_t t) noexcept {
    std::size_t count = named_axes(eq.term(t));
    for (const label_group& group : eq.groups()) {
        count = group.term == t ? count + 1 - group.count : count;
    }
    return count;
}

/// How many labels an axis has, and the part of the text that names it.
struct axis_labels {
    std::size_t count = 1;
    std::uint32_t column = 0;
    std::uint32_t length = 0;
};

/// Calls f(axis_labels, index of the first label in the term) for each axis of an input term, or of
/// the output, where "..." stands for the given number of axes.
template <class Storage, class F>
constexpr void for_each_axis(const basic_equation<Storage>& eq, std::uint32_t term,
                             std::size_t covered, F f) {
    const auto uses = term == label_group::in_output ? eq.output() : eq.term(term);
    const auto add = [&](std::size_t begin, std::size_t end) {
#pragma GCC unroll 1
        for (std::size_t i = begin; i < end; ++i) {
            const bool open = uses[i].id == ellipsis_label;
#pragma GCC unroll 1
            for (std::size_t n = open ? covered : 1; n > 0; --n) {
                f(axis_labels{1, uses[i].column, uses[i].length}, i);
            }
        }
    };
    std::size_t at = 0;
    for (const label_group& group : eq.groups()) {
        if (group.term == term) {
            add(at, group.first);
            at = group.first + group.count;
            const bool open = has_ellipsis(uses.subspan(group.first, group.count));
            f(axis_labels{open ? group.count - 1 + covered : group.count, group.column,
                          group.length},
              group.first);
        }
    }
    add(at, uses.size());
}

/// Appends one entry for each of these axes.
template <class Storage, class List>
constexpr void append_axis_labels(const basic_equation<Storage>& eq, std::uint32_t term,
                                  std::size_t covered, List& axes) {
    for_each_axis(eq, term, covered,
                  [&](const axis_labels& axis, std::size_t) { axes.push_back(axis); });
}

}  // namespace xeinsum::parsing
