// What the lowering gemm makes of "ij,jk->ik": its loops in order, and how they are grouped.
#pragma once

#include "table_of.hpp"

#include <xeinsum/lowering/gemm/decide.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace support {

struct built_product {
    built_product(const char* text, const std::vector<std::vector<std::int64_t>>& shapes,
                  const xeinsum::planning::target& on) {
        built_table t(text, shapes);
        const xeinsum::recipe how = xeinsum::lowerings::gemm::build(t.get(), on);
        groups = how.groups;
        scratch_bytes = how.scratch_bytes;
        words = xeinsum::lowerings::gemm::describe(
            how, {t.get().row(0), t.get().pitch(), t.get().size()});
        for (std::size_t m = 0; m < t.get().size(); ++m) {
            extents.push_back(t.get().extent(m));
        }
    }

    std::vector<std::int64_t> extents{};
    std::array<unsigned char, 4> groups{};
    std::string words{};
    std::size_t scratch_bytes = 0;
};

}  // namespace support
