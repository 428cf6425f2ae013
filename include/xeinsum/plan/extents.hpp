// Shapes against labels: "ij,jk->ik" on (2,3) and (3,4) gives i = 2, j = 3, k = 4; a label may also
// be 1 in some operands.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum {

/// Extents of an array and strides in elements, one of each for every axis.
struct layout_view {
    list_view<const std::int64_t> extents{};
    list_view<const std::int64_t> strides{};
};

namespace planning {

/// a * b for non-negative factors; false where it exceeds 64 bits.
[[nodiscard]] constexpr bool multiply(std::int64_t a, std::int64_t b,
                                      std::int64_t& product) noexcept {
    std::int64_t exact = 0;
    if (__builtin_mul_overflow(a, b, &exact)) {
        return false;
    }
    product = exact;
    return true;
}

[[nodiscard]] constexpr problem extents_clash(const network_view& net, std::size_t operand,
                                              std::size_t axis, std::int64_t extent,
                                              problem::axis_place before) noexcept {
    problem p;
    const label id = net.operand(operand)[axis];
    p.code = before.array == operand                            ? error_code::diagonal_mismatch
             : static_cast<std::size_t>(id) >= net.named_labels ? error_code::ellipsis_mismatch
                                                                : error_code::extent_mismatch;
    p.first = before;
    p.second = {operand, axis, extent};
    return p;
}

/// The first axis with that label and extent, searched where the clash was found.
[[nodiscard]] constexpr problem::axis_place place_of(const network_view& net,
                                                     list_view<const layout_view> operands,
                                                     label id, std::int64_t extent) noexcept {
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto axes = net.operand(i);
        for (std::size_t a = 0; a < axes.size(); ++a) {
            if (axes[a] == id && operands[i].extents[a] == extent) {
                return {i, a, extent};
            }
        }
    }
    return {};
}

/// Writes the extent of every label, the operands' common one or, where they differ from it, 1.
/// The operands' ranks fit the network. Returns extent_mismatch, diagonal_mismatch or
/// ellipsis_mismatch where two extents clash; within one operand 1 does not broadcast. Returns
/// extent_overflow for a negative extent: one that was too large for the type.
[[nodiscard]] constexpr problem find_extents(const network_view& net,
                                             list_view<const layout_view> operands,
                                             list_view<std::int64_t> extents) noexcept {
    for (std::int64_t& e : extents) {
        e = 1;
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto axes = net.operand(i);
        for (std::size_t a = 0; a < axes.size(); ++a) {
            const std::int64_t extent = operands[i].extents[a];
            if (extent < 0) {
                problem p;
                p.code = error_code::extent_overflow;
                p.second = {i, a, extent};
                return p;
            }
            for (std::size_t b = 0; b < a; ++b) {
                if (axes[b] == axes[a] && operands[i].extents[b] != extent) {
                    return extents_clash(net, i, a, extent, {i, b, operands[i].extents[b]});
                }
            }
            std::int64_t& known = extents[static_cast<std::size_t>(axes[a])];
            if (extent == known || extent == 1) {
                continue;
            }
            if (known != 1) {
                return extents_clash(net, i, a, extent, place_of(net, operands, axes[a], known));
            }
            known = extent;
        }
    }
    return {};
}

/// The number of a result's elements. False where it exceeds 64 bits, an extent of 0 aside.
[[nodiscard]] constexpr bool count_elements(list_view<const label> output,
                                            list_view<const std::int64_t> extents,
                                            std::int64_t& elements) noexcept {
    elements = 1;
    bool fits = true;
    for (const label l : output) {
        const std::int64_t e = extents[static_cast<std::size_t>(l)];
        if (e == 0) {
            elements = 0;
            return true;
        }
        fits = fits && multiply(elements, e, elements);
    }
    return fits;
}

}  // namespace planning
}  // namespace xeinsum
