// Mode tables in tests, from terms: table_of("ij,jk->ik", {{2, 3}, {3, 4}}) is what the planner
// gives a lowering.
#pragma once

#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace support {

/// A machine with eight elements in a register.
inline constexpr xeinsum::planning::target vectors_of_8{.lanes = 8};

/// Extents of operands.
using operand_shapes = std::vector<std::vector<std::int64_t>>;

/// A built mode table with its memory: row-major operands and output.
class built_table {
public:
    built_table(std::string_view text, const operand_shapes& shapes);
    built_table(const built_table&) = delete;
    built_table& operator=(const built_table&) = delete;

    [[nodiscard]] xeinsum::mode_table& get() { return table_; }

private:
    std::vector<std::int64_t> cells_;
    xeinsum::mode_table table_;
};

}  // namespace support
