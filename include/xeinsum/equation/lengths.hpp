// Lengths of axes that a call gives, beside an equation: the 12 of axis<"h">(12), or of {{"h",
// 12}}, is the length of h in "b n (h d) -> b h n d", and d is still unknown.
#pragma once

#include <xeinsum/equation/axis_length.hpp>
#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/fixed_string.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace xeinsum::parsing {

/// An extent that a call gives for an axis.
struct length_view {
    const char* name = nullptr;  ///< ends with a zero
    std::int64_t extent = 0;
};

inline constexpr std::int64_t unknown_length = -1;

/// Writes the lengths that a call gives, and those spelled in the text; the others are unknown.
template <class EquationStorage>
[[nodiscard]] constexpr problem take_lengths(const basic_equation<EquationStorage>& eq,
                                             list_view<const length_view> given,
                                             list_view<std::int64_t> lengths) {
    problem p;
    for (std::size_t l = 0; l < lengths.size(); ++l) {
        const std::int64_t spelled = eq.spelled_extent(static_cast<label>(l));
        lengths[l] = spelled == 0 ? unknown_length : spelled;
    }
    for (const length_view& g : given) {
        const std::string_view name = g.name;
        std::size_t l = 0;
        while (l < lengths.size() && eq.name(static_cast<label>(l)) != name) {
            ++l;
        }
        p.reason = g.name;
        if (l == lengths.size() || eq.spelled_extent(static_cast<label>(l)) != 0) {
            p.code = error_code::unknown_axis;
            return p;
        }
        if (lengths[l] != unknown_length) {
            p.code = error_code::repeated_length;
            return p;
        }
        if (g.extent < 0) {
            p.code =
                g.extent == excessive_length ? error_code::extent_overflow : error_code::bad_extent;
            return p;
        }
        lengths[l] = g.extent;
    }
    return {};
}

/// The first label whose length is unknown, as a problem.
template <class EquationStorage>
[[nodiscard]] constexpr problem first_unknown(const basic_equation<EquationStorage>& eq,
                                              list_view<const std::int64_t> lengths) {
    problem p;
    for (std::size_t l = 0; l < lengths.size(); ++l) {
        if (lengths[l] == unknown_length) {
            p.code = error_code::missing_length;
            const std::string_view name = eq.name(static_cast<label>(l));
            p.column = static_cast<std::size_t>(name.data() - eq.text().data()) + 1;
            p.length = name.size();
            break;
        }
    }
    return p;
}

}  // namespace xeinsum::parsing

namespace xeinsum::detail {

template <fixed_string Name>
[[nodiscard]] constexpr parsing::length_view view_of(const named_length<Name>& length) noexcept {
    return {Name.characters, length.extent};
}
[[nodiscard]] inline parsing::length_view view_of(const axis_length& length) noexcept {
    return {length.name.c_str(), length.extent};
}

/// Lengths given one by one.
template <class... Ls>
[[nodiscard]] constexpr std::array<parsing::length_view, sizeof...(Ls)> views_of(
    const Ls&... lengths) {
    return {view_of(lengths)...};
}

/// Lengths given as a list.
template <length_like L>
[[nodiscard]] std::vector<parsing::length_view> views_of(const std::vector<L>& lengths) {
    std::vector<parsing::length_view> views;
    for (const L& l : lengths) {
        views.push_back(view_of(l));
    }
    return views;
}

}  // namespace xeinsum::detail
