// What kernels take every cache to be like, for choices that cost little where it is not so:
// "ij->ji" moves in whole lines, and rows of lhs in "ij,jk->ik" that push each other out are
// packed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Bytes that move between caches together.
inline constexpr std::size_t line_bytes = 64;

/// Elements in a line: 1 if they are larger.
template <class T>
inline constexpr std::size_t line_elements = sizeof(T) < line_bytes ? line_bytes / sizeof(T) : 1;

/// What is read once from an array so large comes from behind the near caches.
inline constexpr std::int64_t far_bytes = std::int64_t{4} << 20U;
template <class T>
inline constexpr std::int64_t far_elements = far_bytes / static_cast<std::int64_t>(sizeof(T));

/// Whether cores foresee several long streams of reads, and asking for their lines only takes time:
/// Zen 5 and Sapphire Rapids do and Zen 4 does not, which the instructions that came with them
/// tell.
inline constexpr bool foresees_streams =
#if defined(__AVX512F__) && defined(__AVXVNNI__)
    true;
#else
    false;
#endif

/// Whether tiles of a large output take less time around the caches, a line at once, than through
/// them: on Zen 4, and not on Zen 5 or Sapphire Rapids.
inline constexpr bool tiles_leave_around_caches = !foresees_streams;

/// Whether the cores are Intel's, of those with registers of 64 bytes: AMD's have an instruction
/// set that these lack.
inline constexpr bool intel_cores =
#if defined(__AVX512F__) && !defined(__SSE4A__)
    true;
#else
    false;
#endif

/// Whether units multiply all of a register of 64 bytes at once, so that a half of one costs the
/// same: those of Zen 4 take it in halves.
inline constexpr bool whole_wide_registers = intel_cores || foresees_streams;

/// Whether a tile that takes some hundred cycles waits less if it asks for the lines of its
/// results.
inline constexpr bool short_tiles_ask = !intel_cores;

/// Whether an output is best written line after line, even if the input is read out of order.
inline constexpr bool writes_in_order = intel_cores;

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
