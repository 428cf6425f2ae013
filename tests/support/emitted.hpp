// Programs for the printers' tests, such as the operations of "ij,jk->ik".
#pragma once

#include <xeinsum/emit/program.hpp>
#include <xeinsum/plan/options.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace support {

/// The program of an equation of letters; those in dynamic are known at run time only.
[[nodiscard]] xeinsum::emission::program emitted(
    std::string_view text, const std::vector<std::vector<std::int64_t>>& extents,
    std::string_view dynamic = "", xeinsum::emission::abilities able = {},
    xeinsum::lowering forced = xeinsum::lowering::automatic);

}  // namespace support
