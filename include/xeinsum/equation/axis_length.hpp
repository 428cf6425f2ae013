// The length of an axis, given with a call: the 12 heads of rearrange<"b n (h d) -> b h n d">(x,
// axis<"h">(12)), or {{"h", 12}} for a pattern that is known at run time only.
#pragma once

#include <xeinsum/equation/fixed_string.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace xeinsum {

/// Stands for an extent that a call gives and that 63 bits do not hold.
inline constexpr std::int64_t excessive_length = std::numeric_limits<std::int64_t>::min();

/// The length of an axis whose name the compiler knows; made by axis<"h">(12).
template <fixed_string Name>
struct named_length {
    /// The length.
    std::int64_t extent = 0;
};

/// The length of an axis whose name is known at run time; made by axis("h", 12).
struct axis_length {
    /// Of the axis.
    std::string name{};
    /// The length.
    std::int64_t extent = 0;
};

/// A list of lengths: axis_lengths{{"h", 12}, {"w", 2}}.
using axis_lengths = std::vector<axis_length>;

namespace detail {

/// An extent of any integer type; calls refuse excessive ones.
template <std::integral I>
[[nodiscard]] constexpr std::int64_t given_extent(I extent) noexcept {
    const auto number = static_cast<std::int64_t>(extent);
    return std::is_unsigned_v<I> && number < 0 ? excessive_length : number;
}

}  // namespace detail

/// The length of an axis whose name the compiler knows: axis<"h">(12).
template <fixed_string Name>
[[nodiscard]] constexpr named_length<Name> axis(std::integral auto extent) noexcept {
    return {detail::given_extent(extent)};
}
/// The length of an axis whose name is known at run time: axis("h", 12).
[[nodiscard]] inline axis_length axis(std::string name, std::integral auto extent) {
    return {std::move(name), detail::given_extent(extent)};
}

namespace detail {

template <class L>
struct is_named_length : std::false_type {};
template <fixed_string Name>
struct is_named_length<named_length<Name>> : std::true_type {};

/// axis<"h">(12)
template <class L>
concept static_length = is_named_length<L>::value;

/// axis<"h">(12) or axis("h", 12)
template <class L>
concept length_like = static_length<L> || std::is_same_v<L, axis_length>;

}  // namespace detail

}  // namespace xeinsum
