// Which memory an array covers: the output of "j,ijk->ijk" may be a view of an operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace xeinsum::array {

/// Addresses from the first byte of an array to the one behind its last.
struct memory_range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    [[nodiscard]] constexpr bool meets(const memory_range& other) const noexcept {
        return begin < other.end && other.begin < end;
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
    element_range covered{0, 1};
    for (std::size_t a = 0; a < extents.size(); ++a) {
        if (extents[a] == 0) {
            return {};
        }
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

/// Whether steps along two axes, or along one that stands still, lead to the same element.
template <class Axes>
[[nodiscard]] constexpr bool overlaps_itself(const Axes& extents, const Axes& strides) noexcept {
    for (const std::int64_t e : extents) {
        if (e == 0) {
            return false;
        }
    }
    const auto size = [](std::int64_t x) { return x < 0 ? -x : x; };
    if (is_nested(extents, strides)) {
        return false;
    }
    for (std::size_t a = 0; a < extents.size(); ++a) {
        if (extents[a] > 1 && strides[a] == 0) {
            return true;
        }
        for (std::size_t b = 0; b < a; ++b) {
            if (extents[a] > 1 && extents[b] > 1) {
                const std::int64_t common = std::gcd(strides[a], strides[b]);
                // The shortest way to meet: strides[b] / common steps of a, as many of b crosswise.
                if (size(strides[b]) / common < extents[a] &&
                    size(strides[a]) / common < extents[b]) {
                    return true;
                }
            }
        }
    }
    return false;
}

}  // namespace xeinsum::array
