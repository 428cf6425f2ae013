// Terms to a loop nest: the labels of "ij,jk->ik" with their strides in each array become the three
// modes of one step.
#pragma once

#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/mode_table.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::planning {

/// Merges the axes of one array into its labels above extent 1: repeated labels add their strides,
/// which is the diagonal. Appends to the two lists and returns how many labels were added.
template <class LabelList, class StrideList>
constexpr std::size_t merge_axes(list_view<const label> axes, const layout_view& layout,
                                 LabelList& labels, StrideList& strides) {
    const std::size_t begin = labels.size();
    for (std::size_t a = 0; a < axes.size(); ++a) {
        if (layout.extents[a] == 1) {
            continue;
        }
        std::size_t at = begin;
        while (at < labels.size() && labels[at] != axes[a]) {
            ++at;
        }
        if (at < labels.size()) {
            strides[at] += layout.strides[a];
        } else {
            labels.push_back(axes[a]);
            strides.push_back(layout.strides[a]);
        }
    }
    return labels.size() - begin;
}

/// The stride of a label in a term, 0 where the term lacks it.
[[nodiscard]] constexpr std::int64_t stride_of(const strided_term& term, label id) noexcept {
    for (std::size_t i = 0; i < term.labels.size(); ++i) {
        if (term.labels[i] == id) {
            return term.strides[i];
        }
    }
    return 0;
}

/// Fills an empty table, which has room for every label of the inputs, and fuses its modes;
/// those that survive come first. The output's labels all occur in some input. False where the nest
/// has more than 2^63 - 1 iterations.
[[nodiscard]] constexpr bool build_table(mode_table& table, const strided_term& output,
                                         list_view<const strided_term> inputs,
                                         list_view<const std::int64_t> extents) noexcept {
    std::int64_t iterations = 1;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (const label id : inputs[i].labels) {
            bool seen = false;
            for (std::size_t before = 0; before < i && !seen; ++before) {
                seen = inputs[before].holds(id);
            }
            if (seen) {
                continue;
            }
            const std::int64_t extent = extents[static_cast<std::size_t>(id)];
            if (extent == 1) {
                continue;  // one slice of a longer label
            }
            if (!multiply(iterations, extent, iterations)) {
                return false;
            }
            const std::size_t m = table.push(extent);
            table.stride(m, 0) = stride_of(output, id);
            for (std::size_t j = 0; j < inputs.size(); ++j) {
                table.stride(m, 1 + j) = stride_of(inputs[j], id);
            }
            table.set_kind(m,
                           class_among(inputs.size(), inputs[0].holds(id),
                                       inputs.size() > 1 && inputs[1].holds(id), output.holds(id)));
        }
    }
    fuse(table);
    survivors_first(table);
    return true;
}

}  // namespace xeinsum::planning
