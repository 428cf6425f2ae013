// The numbers that predictions rest on: "ij,jk->ik" at 512 takes 2 * 512^3 flops, and seconds only
// through this table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xeinsum {

/// One core of a machine, in round figures; exact ones only shift the borders between lowerings.
/// Rates are for 4-byte elements and scale with the element's size where that matters.
struct machine {
    double hertz = 3.0e9;
    double fused_multiply_adds_per_cycle = 2.0;  ///< vector instructions
    double loads_per_cycle = 2.0;                ///< vector instructions
    double bytes_per_second = 8.0e9;             ///< main memory, one core, reading or writing
    double cached_bytes_per_second = 4.0e10;     ///< working sets that fit the last-level cache
    std::size_t cache_bytes = std::size_t{8} << 20U;
    /// What fits here may be read in any order.
    std::size_t near_cache_bytes = std::size_t{256} << 10U;
    double cached_line_cycles = 6.0;    ///< waiting for a cache line from the last-level cache
    double distant_line_cycles = 30.0;  ///< waiting for a cache line from main memory
    double line_cycles = 8.0;           ///< beginning a line of a loop nest
    double gather_cycles = 2.0;         ///< putting an element into a lane of a register
    double scalar_nest_cycles = 5.0;    ///< an iteration of a loop nest without vectors
    double scalar_window_cycles = 3.0;  ///< the same of a depthwise convolution
    double step_seconds = 2.0e-8;       ///< entering any kernel
    double pack_seconds = 1.5e-10;      ///< packing one element of a matrix product
    double piece_seconds = 1.0e-5;      ///< a piece of work that another thread is worth
};

namespace planning {

/// What the planner knows of the element type and of the kernels that will run it.
struct target {
    machine core{};
    std::size_t element_bytes = 4;
    std::size_t lanes = 1;    ///< elements in one vector register
    bool fused_only = false;  ///< the type can only take part in one pass without intermediates
    std::uint32_t threads = 1;
    double flop_weight = 1.0;  ///< a multiply-add of the type, in those of a real number
    // Blocking of the matrix product: micro-tile and cache blocks, in elements.
    std::size_t mr = 1;
    std::size_t nr = 1;
    std::size_t mc = 1;
    std::size_t nc = 1;
    std::size_t kc = 1;
};

}  // namespace planning
}  // namespace xeinsum
