// Calls resolved for row-major arrays: what a planner is given of "ij,jk->ik" on (2,3) and (3,4).
#pragma once

#include <xeinsum/equation/network.hpp>
#include "shared_equations.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/layout.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace support {

using shapes = std::vector<std::vector<std::int64_t>>;

/// Calls f(network, layouts, output strides).
template <class F>
auto with_layouts(std::string_view text, const shapes& operands,
                  const std::vector<std::int64_t>& output, F f) {
    const auto eq = xeinsum::parse(text);
    std::vector<std::size_t> ranks;
    shapes strides;
    for (const auto& s : operands) {
        ranks.push_back(s.size());
        strides.push_back(xeinsum::row_major(s).strides);
    }
    std::vector<xeinsum::layout_view> views;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        views.push_back({operands[i], strides[i]});
    }
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    REQUIRE(net.error.ok());
    return f(net.view(), views, xeinsum::row_major(output).strides);
}

}  // namespace support
