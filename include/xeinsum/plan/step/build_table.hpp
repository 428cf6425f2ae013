// Terms to a loop nest: the labels of "ij,jk->ik" with their strides in each array become the three
// modes of one step.
#pragma once

#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/step/mode_table.hpp>

#include <array>
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
    std::array<label, max_modes> labels;        // by row
    std::array<unsigned char, max_modes> held;  // by row: where the label occurs
    const auto row_of = [&](label id) {
        std::size_t m = 0;
        while (m < table.size() && labels[m] != id) {
            ++m;
        }
        return m;
    };
    std::int64_t iterations = 1;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const strided_term& term = inputs[i];
        for (std::size_t a = 0; a < term.labels.size(); ++a) {
            const label id = term.labels[a];
            const std::int64_t extent = extents[static_cast<std::size_t>(id)];
            if (extent == 1) {
                continue;  // one slice of a longer label
            }
            const std::size_t m = row_of(id);
            if (m == table.size()) {
                if (!multiply(iterations, extent, iterations)) {
                    return false;
                }
                table.push(extent);
                labels[m] = id;
                held[m] = 0;
            }
            table.stride(m, 1 + i) = term.strides[a];
            held[m] |= in_input(i);
        }
    }
    for (std::size_t a = 0; a < output.labels.size(); ++a) {
        const std::size_t m = row_of(output.labels[a]);
        if (m < table.size()) {
            table.stride(m, 0) = output.strides[a];
            held[m] |= in_output;
        }
    }
    classify_and_fuse(table, held.data());
    return true;
}

}  // namespace xeinsum::planning
