// Machines that tests plan for: extents around their figures decide what "ij,jk->ik" becomes.
#pragma once

#include <xeinsum/plan/target.hpp>

namespace support {

inline constexpr xeinsum::planning::target avx2{
    .lanes = 8, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};
/// The same, whose small products may use registers of half the size.
inline constexpr xeinsum::planning::target avx2_or_narrower{
    .lanes = 8, .least_lanes = 4, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};
inline constexpr xeinsum::planning::target avx512{
    .lanes = 16, .mr = 14, .nr = 32, .mc = 70, .nc = 512, .kc = 512};

/// A machine on which copies cost nothing, and all else a lot.
inline constexpr xeinsum::machine copying_machine{.line_cycles = 1e4,
                                                  .scatter_cycles = 1e4,
                                                  .scalar_cycles = 1e4,
                                                  .scalar_result_cycles = 1e4,
                                                  .step_seconds = 0,
                                                  .reorder_seconds = 0};

}  // namespace support
