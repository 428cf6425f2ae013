// Which memory an array covers: the output of "j,ijk->ijk" may be a view of an operand, or lie
// between its elements.
#pragma once

#include <xeinsum/array/stride_sums.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::array {

/// Addresses from the first byte of an array to the one behind its last.
struct memory_range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    [[nodiscard]] constexpr bool meets(const memory_range& other) const noexcept {
        // Not so for nothing in the midst of something.
        return std::max(begin, other.begin) < std::min(end, other.end);
    }
};

/// Elements that an array covers, gaps included, counted from its first one.
struct element_range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

template <class Axes>
[[nodiscard]] constexpr element_range elements_of(const Axes& extents,
                                                  const Axes& strides) noexcept {
    // First of all: the others may then be anything.
    if (std::find(extents.begin(), extents.end(), 0) != extents.end()) {
        return {};
    }
    element_range covered{0, 1};
    for (std::size_t a = 0; a < extents.size(); ++a) {
        const std::int64_t reach = (extents[a] - 1) * strides[a];
        (reach < 0 ? covered.begin : covered.end) += reach;
    }
    return covered;
}

/// The memory of such elements.
template <class T>
[[nodiscard]] memory_range range_of(const T* first, const element_range& covered) noexcept {
    // Unsigned, since a plan may be for more bytes than a signed number counts.
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    return {address + static_cast<std::uintptr_t>(covered.begin) * sizeof(T),
            address + static_cast<std::uintptr_t>(covered.end) * sizeof(T)};
}
template <class T, class Axes>
[[nodiscard]] memory_range range_of(const T* first, const Axes& extents,
                                    const Axes& strides) noexcept {
    return range_of(first, elements_of(extents, strides));
}

/// Whether there is a stride for each extent, none of which is negative, and elements, if there are
/// any, lie less than 2^62 apart: then twice that, and what two arrays reach, are numbers, too.
[[nodiscard, gnu::noinline]] constexpr bool fits_memory(
    list_view<const std::int64_t> extents, list_view<const std::int64_t> strides) noexcept {
    constexpr std::int64_t most = std::int64_t{1} << 62U;
    if (extents.size() != strides.size()) {
        return false;
    }
    std::int64_t reach = 0;
    bool fits = true;
    bool empty = false;
    for (std::size_t a = 0; a < extents.size(); ++a) {
        if (extents[a] < 0) {
            return false;
        }
        empty = empty || extents[a] == 0;
        fits = fits && -most < strides[a] && strides[a] < most;
        if (fits && extents[a] > 1) {
            const std::int64_t stride = strides[a] < 0 ? -strides[a] : strides[a];
            std::int64_t steps = 0;
            fits = !__builtin_mul_overflow(extents[a] - 1, stride, &steps) && steps < most - reach;
            reach += fits ? steps : 0;
        }
    }
    return fits || empty;
}

/// Whether each axis steps over all that the axes behind it reach, as in a row-major array.
template <class Axes>
[[nodiscard]] constexpr bool is_nested(const Axes& extents, const Axes& strides) noexcept {
    std::int64_t reach = 0;
    for (std::size_t a = extents.size(); a-- > 0;) {
        const std::int64_t stride = strides[a] < 0 ? -strides[a] : strides[a];
        if (extents[a] > 1 && stride <= reach) {
            return false;
        }
        reach += (extents[a] - 1) * stride;
    }
    return true;
}

/// Whether two indices name the same element. Exact but for strides on which stride_sums gives up.
template <class Axes>
[[nodiscard]] bool overlaps_itself(const Axes& extents, const Axes& strides) noexcept {
    for (const std::int64_t e : extents) {
        if (e == 0) {
            return false;
        }
    }
    if (is_nested(extents, strides)) {
        return false;
    }
    for (std::size_t a = 0; a < extents.size(); ++a) {
        if (extents[a] > 1 && strides[a] == 0) {
            return true;
        }
    }
    // Say that the indices differ along axis a first, by one step at least. The axes behind it, by
    // up to all their steps in both directions, would have to lead back.
    for (std::size_t a = 0; a < extents.size(); ++a) {
        if (extents[a] == 1) {
            continue;
        }
        std::int64_t distance = strides[a] < 0 ? strides[a] : -strides[a];
        stride_sums sums;
        sums.add(strides[a], extents[a] - 2);
        for (std::size_t b = a + 1; b < extents.size(); ++b) {
            sums.add(strides[b], 2 * (extents[b] - 1));
            distance += (extents[b] - 1) * (strides[b] < 0 ? -strides[b] : strides[b]);
        }
        if (sums.may_reach(distance)) {
            return true;
        }
    }
    return false;
}

/// Whether arrays whose memory meets share a byte of an element: steps along the axes of both, up
/// through a and down through b, then lead from the lowest element of a to the highest of b. Exact
/// as overlaps_itself.
[[nodiscard]] inline bool shares_elements(const memory_range& a, const memory_range& b,
                                          std::size_t element_bytes, stride_sums& steps) noexcept {
    // Elements that begin within each other are one step apart in two ways.
    const std::uintptr_t bytes = b.end - a.begin;
    const auto distance = static_cast<std::int64_t>(bytes / element_bytes);
    return steps.may_reach(distance - 1) ||
           (bytes % element_bytes != 0 && steps.may_reach(distance));
}

/// The same of arrays anywhere.
template <class T, class Axes, class OtherAxes>
[[nodiscard]] bool share_memory(const T* a, const Axes& extents, const Axes& strides, const T* b,
                                const OtherAxes& other_extents,
                                const OtherAxes& other_strides) noexcept {
    const memory_range first = range_of(a, extents, strides);
    const memory_range second = range_of(b, other_extents, other_strides);
    if (!first.meets(second)) {
        return false;
    }
    stride_sums steps;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        steps.add(strides[i], extents[i] - 1);
    }
    for (std::size_t i = 0; i < other_extents.size(); ++i) {
        steps.add(other_strides[i], other_extents[i] - 1);
    }
    return shares_elements(first, second, sizeof(T), steps);
}

}  // namespace xeinsum::array
