// How kernels for loop nests cut them, for planners as well: of "ij,j->i" eight lines of j are
// added up at once, and "ij,ji->" transposes tiles of 256 by 64.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/reduce/cascade.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// The most terms that are added one by one.
inline constexpr std::int64_t few_terms = 32;

/// Inputs that multiply_reduce counts through without scratch memory.
inline constexpr std::size_t few_inputs = 4;

/// Whether sums wait in scratch memory, if so many loops are summed and there are results to loop
/// over: those of inputs in DRAM, which along a line have other terms.
[[nodiscard]] constexpr bool sums_in_scratch(vector_loop along, std::size_t sums, bool results,
                                             bool dram_resident) noexcept {
    return dram_resident && results && along != vector_loop::none &&
           sums > (along == vector_loop::contracted ? 1U : 0U);
}

/// Bytes of scratch memory that multiply_reduce needs for a number of inputs, and for such sums.
[[nodiscard]] constexpr std::size_t multiply_reduce_scratch_bytes(std::size_t inputs,
                                                                  bool has_sums) noexcept {
    return panel_scratch_bytes(has_sums) +
           (inputs <= few_inputs ? 0 : inputs * sizeof(cursor<std::byte>));
}

/// Rows that load a line together, at most: groups that are cut add up in another order.
inline constexpr std::size_t rows_at_once = 8;

/// A line of so many bytes does not stay in the first-level cache while another one is read.
inline constexpr std::int64_t long_shared_bytes = 1 << 14;

/// Fewer rows do not gain from loading lines together that they share. For planners: a kernel may
/// see a part of the rows, and the order of its sums must not depend on that.
inline constexpr std::int64_t sharing_rows = 16;

/// Lines of fewer registers are summed for as many rows at once as a register has lanes: longer
/// ones had better be read one by one, as rows are streams of their own. From caches that matters
/// for registers of 64 bytes, of which a core loads fewer at once.
[[nodiscard]] constexpr std::int64_t short_line_registers(std::size_t inputs,
                                                          std::size_t register_bytes,
                                                          bool dram_resident) noexcept {
    if (dram_resident || register_bytes >= line_bytes) {
        return inputs == 1 ? 5 : 3;
    }
    return inputs == 1 ? 24 : 9;
}

/// Whether lines of so many terms are groups of lanes that lane_sums knows.
[[nodiscard]] constexpr bool is_group(std::int64_t terms, std::size_t lanes) noexcept {
    return (terms == 2 || terms == 3 || terms == 4 || terms == 8) &&
           2 * terms <= static_cast<std::int64_t>(lanes);
}

/// Iterations of a tile along the vector loop and across it: a few cache lines of what is
/// transposed.
inline constexpr std::int64_t transposed_along = 256;
inline constexpr std::int64_t transposed_across = 64;
/// A tile has at least so many of either; higher ones are preferred.
inline constexpr std::int64_t least_tile = 8;
inline constexpr std::int64_t high_tile = 16;

/// Elements that a tile takes in scratch: whole cache lines of them.
[[nodiscard]] constexpr std::size_t tile_room(std::size_t elements,
                                              std::size_t element_bytes) noexcept {
    return round_up(elements, line_bytes / element_bytes);
}
/// Scratch for so many inputs that are transposed, of a nest of so many iterations.
[[nodiscard]] constexpr std::size_t transposed_nest_scratch_bytes(
    std::size_t transposed, double iterations, std::size_t element_bytes) noexcept {
    constexpr double most = transposed_along * transposed_across;
    const auto tile = static_cast<std::size_t>(iterations < most ? iterations : most);
    return transposed * tile_room(tile, element_bytes) * element_bytes;
}

// Sums of one input whose results wait in its order, and are then permuted.

/// The most bytes of such results: they stay in a near cache.
inline constexpr std::size_t permuted_bytes = std::size_t{256} << 10U;

/// Gives rows, pitch numbers apart, the strides of an array whose elements follow each other in
/// their order. Returns how many they are.
[[gnu::cold]] constexpr std::int64_t set_dense(std::int64_t* rows, std::size_t pitch,
                                               std::size_t count, std::size_t array) noexcept {
    std::int64_t elements = 1;
    for (std::size_t m = count; m-- > 0;) {
        rows[m * pitch + 1 + array] = elements;
        elements *= rows[m * pitch];
    }
    return elements;
}

/// Writes loops over results that follow each other in the order of the given ones: rows of extent,
/// stride of the result and stride in the input. Returns how many. Inner loops that are one stretch
/// of the input become one; the outermost, which threads may share, stays alone.
[[nodiscard, gnu::cold]] constexpr std::size_t dense_results(const loops& output,
                                                             std::int64_t* rows) noexcept {
    std::size_t count = 0;
    for (std::size_t m = 0; m < output.count; ++m) {
        const std::int64_t extent = output.extent(m);
        const std::int64_t stride = output.stride(m, 1);
        std::int64_t* row = rows + 3 * count;
        if (count > 1 && row[-1] == stride * extent) {
            row -= 3;
            row[0] *= extent;
        } else {
            row[0] = extent;
            ++count;
        }
        row[2] = stride;
    }
    set_dense(rows, 3, count, 0);
    return count;
}

/// So short a loop of terms side by side is better crossed by a block of results.
inline constexpr std::int64_t shortest_line = 8;

// Depthwise convolutions.

/// Loops with strides in the output (0), the data (1) and the weights (2). The weights do not
/// depend on positions, the output does not depend on the window.
struct depthwise_loops {
    loops groups{};
    loops positions{};
    loops window{};
};

/// Which loop runs in vectors; it is the last of its kind and all arrays that depend on it lie side
/// by side along it. Where none does, a convolution is a nest as any other.
enum class depthwise_vectors : unsigned char { none, groups, positions, window };

}  // namespace xeinsum::kernel
