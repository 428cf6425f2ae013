// A pair as a grouped convolution: "bchw,chw->bc" has positions b, groups c and the window h w.
#pragma once

#include <xeinsum/emit/pair.hpp>
#include <xeinsum/emit/program.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace xeinsum::emission {

/// The data are (positions, groups, window, more positions), the weights (groups, 1, window, 1).
/// Nothing where both values have free labels, where no label is contracted or shared and kept, or
/// where groups or window are known at run time only.
template <class Pair>
[[nodiscard]] std::optional<way> find_convolution(const Pair& p) {
    const bool swapped = !p.free[1].empty();
    const std::size_t data = swapped ? 1 : 0;
    const auto fixed = [&](const std::vector<label>& list) { return !p.table.is_dynamic(list); };
    if (!p.free[1 - data].empty() || p.table.elements(p.contracted) <= 1 ||
        p.table.elements(p.batch) <= 1 || !fixed(p.batch) || !fixed(p.contracted)) {
        return std::nullopt;
    }
    const std::vector<label>& order = p.in_order ? p.wanted : p.terms[data];
    const axis groups = Pair::sorted(p.batch, order);
    const axis window = Pair::sorted(p.contracted, p.terms[data]);
    const auto first_group =
        std::find_if(order.begin(), order.end(), [&](label l) { return holds(groups, l); });
    axis before;
    axis after;
    for (const label l : Pair::sorted(p.free[data], order)) {
        const bool leads = std::find(order.begin(), first_group, l) != first_group;
        (leads ? before : after).push_back(l);
    }
    const bool square = after.empty() && window.size() == 2;
    way w;
    w.what = operation::convolution;
    w.swapped = swapped;
    w.first = {before, groups, square ? axis{window[0]} : window, square ? axis{window[1]} : after};
    w.second = {groups, {}, w.first[2], square ? w.first[3] : axis{}};
    w.result = {before, groups, {}, after};
    return w;
}

}  // namespace xeinsum::emission
