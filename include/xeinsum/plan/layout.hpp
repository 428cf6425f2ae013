// How an array lies, as a value that plans keep: row_major({2, 3}) of the first operand of
// "ij,jk->ik" has strides 3 and 1.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/extents.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace xeinsum {

/// Extents, and strides in elements, of an array that a plan is made for.
struct layout {
    /// One for each axis.
    std::vector<std::int64_t> extents{};
    /// In elements, one for each axis.
    std::vector<std::int64_t> strides{};

    /// Refers to this layout and does not copy it.
    [[nodiscard]] operator layout_view() const noexcept { return {extents, strides}; }
};

/// Writes the strides of a contiguous array whose last axis is the closest.
constexpr void lay_row_major(list_view<const std::int64_t> extents,
                             list_view<std::int64_t> strides) noexcept {
    std::int64_t stride = 1;
    for (std::size_t a = extents.size(); a-- > 0;) {
        strides[a] = stride;
        // Beyond 64 bits there is an extent of 0, and no element to find.
        static_cast<void>(
            planning::multiply(stride, std::max<std::int64_t>(extents[a], 1), stride));
    }
}
/// The layout of such an array.
[[nodiscard]] inline layout row_major(std::vector<std::int64_t> extents) {
    layout l{std::move(extents), {}};
    l.strides.resize(l.extents.size());
    lay_row_major(l.extents, l.strides);
    return l;
}

/// Whether an array has the given extents, and the given strides wherever these matter: along axes
/// with more than one element.
template <class Extents, class Strides>
[[nodiscard]] constexpr bool lies_as(const layout_view& wanted, const Extents& extents,
                                     const Strides& strides) noexcept {
    if (extents.size() != wanted.extents.size()) {
        return false;
    }
    for (std::size_t a = 0; a < wanted.extents.size(); ++a) {
        if (static_cast<std::int64_t>(extents[a]) != wanted.extents[a] ||
            (wanted.extents[a] > 1 && static_cast<std::int64_t>(strides[a]) != wanted.strides[a])) {
            return false;
        }
    }
    return true;
}
/// The same of two layouts.
[[nodiscard]] constexpr bool lie_alike(const layout_view& a, const layout_view& b) noexcept {
    return lies_as(a, b.extents, b.strides);
}

}  // namespace xeinsum
