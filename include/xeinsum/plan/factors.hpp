// Axes that are products of labels, taken apart: "b n (h d)" with h = 12 on a row-major (2,5,48)
// has the extents 2 5 12 4 and the strides 240 48 4 1, and nothing moves.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/grouping.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/extents.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::planning {

/// The terms of a call with groups: the network has every label on an axis of its own, the two
/// lists tell how many of these lie on each axis of the arrays.
template <class Storage>
struct basic_grouping {
    basic_network<Storage> network{};
    typename Storage::template list<parsing::axis_labels> axes{};  ///< of all operands
    typename Storage::template list<parsing::axis_labels> output{};
    problem error{};
};

/// Expands "..." and groups for operands of the given ranks. The axes that a repeat adds become
/// axes of its operand.
template <class Storage, class EquationStorage>
[[nodiscard]] constexpr basic_grouping<Storage> group(const basic_equation<EquationStorage>& eq,
                                                      list_view<const std::size_t> ranks,
                                                      call_kind kind) {
    basic_grouping<Storage> g;
    g.network = resolve<Storage>(eq, ranks, groups::split);
    g.error = g.network.error;
    if (!g.error.ok()) {
        return g;
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        parsing::append_axis_labels(eq, static_cast<std::uint32_t>(i),
                                    ranks[i] - parsing::axis_count(eq, i), g.axes);
    }
    parsing::append_axis_labels(eq, label_group::in_output,
                                g.network.label_count - g.network.named_labels, g.output);
    if (kind == call_kind::repeat) {
        for (const label_use& use : eq.output()) {
            const auto& axes = g.network.axes;
            if (use.id != ellipsis_label &&
                std::find(axes.begin(), axes.end(), use.id) == axes.end()) {
                g.network.axes.push_back(use.id);
                ++g.network.ends.back();
            }
        }
    }
    return g;
}

/// One axis of an operand as the functions below see it.
struct grouped_axis {
    list_view<const label> labels{};
    std::size_t operand = 0;
    std::size_t axis = 0;  ///< of the operand
    parsing::axis_labels place{};
};

/// Calls f(grouped_axis) for each axis of each operand as long as f returns true.
template <class Storage, class F>
constexpr bool for_each_axis(const basic_grouping<Storage>& g, list_view<const std::size_t> ranks,
                             F f) {
    const network_view net = g.network.view();
    std::size_t at = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        std::size_t first = 0;
        for (std::size_t a = 0; a < ranks[i]; ++a, ++at) {
            const parsing::axis_labels& place = g.axes[at];
            if (!f(grouped_axis{net.operand(i).subspan(first, place.count), i, a, place})) {
                return false;
            }
            first += place.count;
        }
    }
    return true;
}

/// Extents and strides of all operands' labels, one operand after the other.
template <class Storage>
struct basic_flat_layouts {
    typename Storage::template list<std::int64_t> extents{};
    typename Storage::template list<std::int64_t> strides{};
};

/// Takes the stride of an axis apart; strides are those of its labels.
constexpr void split_stride(std::int64_t stride, list_view<const std::int64_t> extents,
                            list_view<std::int64_t> strides) noexcept {
    for (std::size_t i = extents.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= extents[i];
    }
}

/// The layouts that the network's operands have. Lengths are all known; what a repeat adds has
/// stride 0.
template <class Storage>
[[nodiscard]] constexpr basic_flat_layouts<Storage> split(const basic_grouping<Storage>& g,
                                                          list_view<const std::size_t> ranks,
                                                          list_view<const layout_view> operands,
                                                          list_view<const std::int64_t> lengths) {
    basic_flat_layouts<Storage> flat;
    const auto length_of = [&](label l) { return lengths[static_cast<std::size_t>(l)]; };
    for_each_axis(g, ranks, [&](const grouped_axis& axis) {
        const layout_view& array = operands[axis.operand];
        const std::size_t first = flat.extents.size();
        for (const label l : axis.labels) {
            // An axis of its own may broadcast.
            flat.extents.push_back(axis.place.count == 1 ? array.extents[axis.axis] : length_of(l));
            flat.strides.push_back(0);
        }
        split_stride(array.strides[axis.axis],
                     {flat.extents.data() + first, flat.extents.size() - first},
                     {flat.strides.data() + first, flat.strides.size() - first});
        return true;
    });
    for (std::size_t i = flat.extents.size(); i < g.network.axes.size(); ++i) {
        flat.extents.push_back(length_of(g.network.axes[i]));
        flat.strides.push_back(0);
    }
    return flat;
}

/// Calls f(axis, first label, number of labels) for each axis of the output.
template <class Storage, class F>
constexpr void for_each_output_axis(const basic_grouping<Storage>& g, F f) {
    std::size_t first = 0;
    for (std::size_t a = 0; a < g.output.size(); ++a) {
        f(a, first, g.output[a].count);
        first += g.output[a].count;
    }
}

/// The extent of each axis of the output from those of its labels; false where one exceeds 64 bits.
template <class Storage>
[[nodiscard]] constexpr bool join_extents(const basic_grouping<Storage>& g,
                                          list_view<const std::int64_t> labels,
                                          list_view<std::int64_t> axes) {
    bool fits = true;
    for_each_output_axis(g, [&](std::size_t axis, std::size_t first, std::size_t count) {
        axes[axis] = 1;
        for (std::size_t i = first; i < first + count; ++i) {
            fits = multiply(axes[axis], labels[i], axes[axis]) && fits;
        }
    });
    return fits;
}

}  // namespace xeinsum::planning
