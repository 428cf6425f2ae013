// Lengths of axes as calls pass them on: the 12 of axis<"h">(12), or of {{"h", 12}} in a list, become
// a view of a name and a number.
#pragma once

#include <xeinsum/equation/axis_length.hpp>
#include <xeinsum/equation/fixed_string.hpp>
#include <xeinsum/plan/lengths.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace xeinsum::detail {

template <fixed_string Name>
[[nodiscard]] constexpr planning::length_view view_of(const named_length<Name>& length) noexcept {
    return {Name.characters, length.extent};
}
[[nodiscard]] inline planning::length_view view_of(const axis_length& length) noexcept {
    return {length.name.c_str(), length.extent};
}

/// Lengths given one by one.
template <class... Ls>
[[nodiscard]] constexpr std::array<planning::length_view, sizeof...(Ls)> views_of(
    const Ls&... lengths) {
    return {view_of(lengths)...};
}

/// Lengths given as a list.
template <length_like L>
[[nodiscard]] std::vector<planning::length_view> views_of(const std::vector<L>& lengths) {
    std::vector<planning::length_view> views;
    for (const L& l : lengths) {
        views.push_back(view_of(l));
    }
    return views;
}

}  // namespace xeinsum::detail
