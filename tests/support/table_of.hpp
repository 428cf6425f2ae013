// Mode tables in tests, from terms: table_of("ij,jk->ik", {{2, 3}, {3, 4}}) is what the planner
// gives a lowering.
#pragma once

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/build_table.hpp>
#include <xeinsum/plan/mode_table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace support {

/// Extents of operands.
using operand_shapes = std::vector<std::vector<std::int64_t>>;

/// A built mode table with its memory: row-major operands and output.
class built_table {
public:
    built_table(std::string_view text, const operand_shapes& shapes)
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
        static_cast<void>(xeinsum::planning::build_table(table_, {labels.back(), strides.back()},
                                                         terms, extents));
    }
    built_table(const built_table&) = delete;
    built_table& operator=(const built_table&) = delete;

    [[nodiscard]] xeinsum::mode_table& get() { return table_; }

private:
    std::vector<std::int64_t> cells_;
    xeinsum::mode_table table_;
};

}  // namespace support
