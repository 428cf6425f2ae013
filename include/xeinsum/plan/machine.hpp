// The numbers that predictions rest on: "ij,jk->ik" at 512 takes 2 * 512^3 flops, and seconds only
// through this table.
#pragma once

#include <cstddef>

namespace xeinsum {

/// One core of a machine, in round figures; exact ones only shift the borders between lowerings.
/// Those of the machine at hand are measured by bench_calibrate, which writes them as a header, and
/// given to plans and calls as options::machine.
struct machine {
    /// Cycles per second.
    double hertz = 3.0e9;
    double fused_multiply_adds_per_cycle = 1.8;  ///< vector instructions
    double loads_per_cycle = 1.6;                ///< vector instructions
    double bytes_per_second = 2.0e10;            ///< main memory, one core, reading or writing
    double cached_bytes_per_second = 6.0e10;     ///< working sets that fit the last-level cache
    double near_bytes_per_second = 1.2e11;       ///< those that fit the near cache
    std::size_t cache_bytes = std::size_t{8} << 20U;  ///< of the last-level cache
    /// What fits here may be read in any order.
    std::size_t near_cache_bytes = std::size_t{256} << 10U;
    std::size_t first_cache_bytes = std::size_t{32} << 10U;  ///< costs nothing to read
    double near_line_cycles = 1.7;      ///< waiting for a cache line from the near cache
    double cached_line_cycles = 2.5;    ///< waiting for a cache line from the last-level cache
    double distant_line_cycles = 5.0;   ///< waiting for a cache line from main memory
    double page_cycles = 10.0;          ///< waiting for a cache line of another page of main memory
    double line_cycles = 10.0;          ///< beginning a line of results of a loop nest
    double term_line_cycles = 5.0;      ///< beginning a line of terms for a register of results
    double lane_sum_cycles = 6.0;       ///< a line of terms whose lanes are added up, one of four
    double lone_sum_cycles = 18.0;      ///< the same where there are fewer than four
    double rows_cycles = 45.0;          ///< beginning any number of rows anew for another line
    double window_line_cycles = 6.0;    ///< a line of a depthwise convolution's window
    double window_cycles = 15.0;        ///< beginning a window, for up to four registers of results
    double window_sum_cycles = 5.0;     ///< adding up a register's lanes, and writing the sum
    double gather_cycles = 3.0;         ///< putting an element into a lane of a register
    double sum_cycles = 3.5;            ///< waiting for a multiply-add before the next
    double input_cycles = 10.0;         ///< a register of an input, where inputs are many
    double tile_cycles = 30.0;          ///< beginning and ending a micro-tile of a matrix product
    double scatter_cycles = 3.0;        ///< a result of a matrix product that is written alone
    double scalar_cycles = 1.3;         ///< a term of a sum without vectors, of four at a time
    double scalar_result_cycles = 5.5;  ///< a result of a loop nest without vectors
    double scalar_window_cycles = 3.3;  ///< a term of a depthwise convolution without vectors
    double step_seconds = 6.5e-8;       ///< entering any kernel
    double product_seconds = 1.7e-7;    ///< beginning a matrix product of a batch
    double pack_seconds = 2.7e-10;      ///< packing one element of a matrix product
    double piece_seconds = 1.0e-5;      ///< a piece of work that another thread is worth
    double reorder_seconds = 8.0e-6;    ///< work that planning copies in another order is worth

    [[nodiscard]] friend constexpr bool operator==(const machine&, const machine&) = default;
};

}  // namespace xeinsum
