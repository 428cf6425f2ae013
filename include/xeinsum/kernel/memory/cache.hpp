// What kernels take every cache to be like, for choices that cost little where it is not so:
// "ij->ji" moves in whole lines, and rows of lhs in "ij,jk->ik" that push each other out are
// packed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// x, or the next multiple of a unit.
[[nodiscard]] constexpr std::size_t round_up(std::size_t x, std::size_t unit) noexcept {
    return (x + unit - 1) / unit * unit;
}

/// Bytes that move between caches together.
inline constexpr std::size_t line_bytes = 64;

/// Elements in a line: 1 if they are larger.
template <class T>
inline constexpr std::size_t line_elements = sizeof(T) < line_bytes ? line_bytes / sizeof(T) : 1;

/// Elements before the first that begins a line.
template <class T>
[[nodiscard]] std::int64_t elements_before_line(const T* from) noexcept {
    return static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(from) % line_bytes /
                                     sizeof(T));
}
/// Elements in front of one that are in its line.
template <class T>
[[nodiscard]] std::int64_t elements_since_line(const T* to) noexcept {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % line_bytes / sizeof(T));
}

/// What is read once from an array so large comes from beyond the second-level cache.
inline constexpr std::int64_t beyond_l2_bytes = std::int64_t{4} << 20U;
template <class T>
inline constexpr std::int64_t beyond_l2_elements = beyond_l2_bytes /
                                                   static_cast<std::int64_t>(sizeof(T));

/// The first-level cache keeps so many lines that are a multiple of so many bytes apart.
inline constexpr std::size_t cache_ways = 8;
inline constexpr std::int64_t cache_way_bytes = 4096;

/// Whether lines so far apart push each other out of the first-level cache.
[[nodiscard]] constexpr bool share_a_set(std::int64_t bytes_apart) noexcept {
    constexpr auto line = static_cast<std::int64_t>(line_bytes);
    const std::int64_t rest = bytes_apart % cache_way_bytes;
    return rest < line && rest > -line;
}

/// Whether the first-level cache has sets enough for so many lines at equal distances: of an even
/// distance only the power of two in it counts.
[[nodiscard]] constexpr bool sets_hold(std::int64_t lines, std::int64_t bytes_apart) noexcept {
    const std::int64_t step = std::min(bytes_apart & -bytes_apart, cache_way_bytes);
    return lines * step <= static_cast<std::int64_t>(cache_ways) * cache_way_bytes;
}

}  // namespace xeinsum::kernel
