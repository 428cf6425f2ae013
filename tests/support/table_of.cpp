// The table as the planner builds it.
#include "table_of.hpp"

#include "shared_equations.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/step/build_table.hpp>

#include <cstddef>

namespace support {

built_table::built_table(std::string_view text, const operand_shapes& shapes)
    : cells_(1000), table_(cells_.data(), shapes.size()) {
    const auto eq = xeinsum::parse(text);
    std::vector<std::int64_t> extents(eq.label_count(), 1);
    std::vector<std::vector<xeinsum::label>> labels(shapes.size() + 1);
    std::vector<std::vector<std::int64_t>> strides(shapes.size() + 1);
    std::vector<xeinsum::planning::strided_term> terms;
    const auto lay = [&](std::size_t i, auto term, const std::vector<std::int64_t>& shape) {
        std::int64_t stride = 1;
        for (std::size_t a = shape.size(); a-- > 0;) {
            labels[i].insert(labels[i].begin(), term[a].id);
            strides[i].insert(strides[i].begin(), stride);
            stride *= shape[a];
        }
    };
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        lay(i, eq.term(i), shapes[i]);
        for (std::size_t a = 0; a < shapes[i].size(); ++a) {
            extents[static_cast<std::size_t>(labels[i][a])] = shapes[i][a];
        }
        terms.push_back({labels[i], strides[i]});
    }
    std::vector<std::int64_t> output;
    for (const auto& use : eq.output()) {
        output.push_back(extents[static_cast<std::size_t>(use.id)]);
    }
    lay(shapes.size(), eq.output(), output);
    static_cast<void>(
        xeinsum::planning::build_table(table_, {labels.back(), strides.back()}, terms, extents));
}

}  // namespace support
