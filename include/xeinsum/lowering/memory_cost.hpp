// What it costs to bring the arrays of a step from memory: each byte of "ij,j->i" once at the rate
// of the cache that holds it, and a wait for each cache line of "ij,ji->" that is not used whole.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

using planning::target;

inline constexpr double line_bytes = kernel::line_bytes;
inline constexpr std::int64_t page_bytes = 4096;       ///< whose address is looked up at once
inline constexpr double dram_output_bytes = 8 << 20U;  ///< an output so large is not in a cache

[[nodiscard]] constexpr kernel::arrangement arrangement_of(const mode_table& table) noexcept {
    return {table.row(0), table.pitch(), table.inputs(), table.output_count(), table.size()};
}

/// Bytes that must move between memory and core, each array once.
[[nodiscard]] constexpr double bytes_moved(const mode_table& table, const target& on) noexcept {
    double elements = 0;
    // Not "array <= inputs()", in which g++ 12 sees a loop without end and warns the user.
    for (std::size_t array = 0; array + mode_table::row_length(0) <= table.pitch(); ++array) {
        elements += table.elements(array);
    }
    return elements * static_cast<double>(on.element_bytes);
}

/// Seconds for moving bytes that live in memory or, if few, in one of the caches.
[[nodiscard]] constexpr double transfer_seconds(double bytes, const target& on) noexcept {
    const auto fits = [bytes](std::size_t cache) { return bytes <= static_cast<double>(cache); };
    return fits(on.core.first_cache_bytes)  ? 0
           : fits(on.core.near_cache_bytes) ? bytes / on.core.near_bytes_per_second
           : fits(on.core.cache_bytes)      ? bytes / on.core.cached_bytes_per_second
                                            : bytes / on.core.bytes_per_second;
}

/// Seconds for computing and moving, which overlap only in part.
[[nodiscard]] constexpr double overlapped(double cycles, double transfer,
                                          const target& on) noexcept {
    const double computing = cycles / on.core.hertz;
    return std::max(computing, transfer) + 0.5 * std::min(computing, transfer);
}

/// Whether loop m runs inside loop of: sums run inside results, short strides inside long ones.
[[nodiscard]] constexpr bool runs_inside(const kernel::arrangement& a, std::size_t m,
                                         std::size_t of, std::size_t leader) noexcept {
    const bool sums = m >= a.output_count;
    if (sums != (of >= a.output_count)) {
        return sums;
    }
    return sums ? kernel::reach(a, m, 1) < kernel::reach(a, of, 1)
                : kernel::magnitude(a.stride(m, leader)) < kernel::magnitude(a.stride(of, leader));
}

/// Cycles that a step along a loop waits for an array: for the part of a cache line that it moves
/// on, where the array does not fit the near cache. A line that is used again along another loop
/// before too many others are is still there, unless the kernel takes that loop at once.
[[nodiscard]] constexpr double wait_cycles(const mode_table& table, std::size_t row,
                                           std::size_t array, const target& on,
                                           bool used_again = true) noexcept {
    const auto element_bytes = static_cast<double>(on.element_bytes);
    const kernel::arrangement a = arrangement_of(table);
    std::size_t closest = row;
    for (std::size_t m = 0; m < a.count; ++m) {
        const std::int64_t step = kernel::magnitude(a.stride(m, array));
        const std::int64_t least = kernel::magnitude(a.stride(closest, array));
        closest = step > 0 && (least == 0 || step < least) ? m : closest;
    }
    const auto part_of_line = [&](std::size_t m) {
        const auto step = static_cast<double>(kernel::magnitude(a.stride(m, array)));
        return std::min(step * element_bytes / line_bytes, 1.0);
    };
    const double bytes =
        table.elements(array) * std::max(part_of_line(closest) * line_bytes, element_bytes);
    const std::int64_t step =
        kernel::magnitude(a.stride(row, array)) * static_cast<std::int64_t>(on.element_bytes);
    if (bytes <= static_cast<double>(on.core.near_cache_bytes)) {
        // Lines a page apart share the few places of a set of the first cache.
        const bool conflicts = step > 0 && step % page_bytes == 0 &&
                               bytes > static_cast<double>(on.core.first_cache_bytes);
        return conflicts ? on.core.cached_line_cycles : 0;
    }
    const bool is_far = bytes > static_cast<double>(on.core.cache_bytes);
    const double line = is_far ? on.core.distant_line_cycles : on.core.cached_line_cycles;
    if (used_again && closest != row) {
        const std::size_t leader = kernel::leading_array(a);
        double lines = 1;
        for (std::size_t m = 0; m < a.count; ++m) {
            const bool between = m == row || runs_inside(a, m, closest, leader);
            lines *= between && a.stride(m, array) != 0 ? static_cast<double>(a.extent(m)) : 1.0;
        }
        if (lines * line_bytes <= static_cast<double>(on.core.near_cache_bytes)) {
            return std::min(part_of_line(row), part_of_line(closest)) * line;
        }
    }
    const bool transposes_page = is_far && step >= page_bytes;
    return part_of_line(row) * (transposes_page ? on.core.page_cycles : line);
}

}  // namespace xeinsum::lowerings
