// What a batched product is made of: in "bhqd,bkhd->bhqk" the batch is b h, the rows q, the columns
// k and the depth d, wherever they lie in memory.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Loops with strides in the output (0), in lhs (1) and in rhs (2).
struct gemm_groups {
    loops batch{};
    loops m{};
    loops n{};
    loops k{};
};

/// Which operands are copied into panels first. The others are read where they lie:
/// lhs needs one loop m, rhs one loop n of stride 1, and either a depth that direct_depth() takes.
struct gemm_packing {
    bool lhs = true;
    bool rhs = true;
    // What is to be packed but is in panels already, those that prepack_lhs and prepack_rhs wrote.
    bool lhs_prepacked = false;
    bool rhs_prepacked = false;
};

/// Whether a block of depth can be read in equal segments from operands that are not packed.
[[nodiscard]] constexpr bool direct_depth(const loops& k, std::size_t kc) noexcept {
    return k.count <= 1 || k.extent(k.count - 1) <= static_cast<std::int64_t>(kc);
}

/// The stride in array of the innermost loop, 0 where there is none.
[[nodiscard]] constexpr std::int64_t inner_stride(const loops& over, std::size_t array) noexcept {
    return over.count == 0 ? 0 : over.stride(over.count - 1, array);
}

/// Elements from the first to the last that some loops reach in an array.
[[nodiscard, gnu::noinline]] constexpr std::int64_t span_of(const loops& over,
                                                            std::size_t array) noexcept {
    std::int64_t elements = 0;
#pragma GCC unroll 1
    for (std::size_t m = 0; m < over.count; ++m) {
        elements += (over.extent(m) - 1) * magnitude(over.stride(m, array));
    }
    return elements;
}

/// A product by its extents and its strides in elements. Columns lie side by side in the output,
/// and in rhs unless small_gemm is to transpose it. Depth is one loop inside another; a product
/// with one has pieces = 1.
struct small_shape {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t depth = 1;
    std::int64_t pieces = 1;
    std::int64_t lhs_row = 0, lhs_depth = 0, lhs_piece = 0;
    std::int64_t rhs_depth = 0, rhs_piece = 0, rhs_column = 1;
    std::int64_t out_row = 0;
};

/// Bytes of the largest rhs that a small product transposes.
inline constexpr std::size_t transposed_bytes = std::size_t{32} << 10U;
/// From so much depth on, low tiles of a small product add two chains of terms for each result.
inline constexpr std::int64_t two_chains_depth = 48;
/// So many rows of a small product are whole tiles, whatever their height: cutting there leaves
/// all tiles as they are.
inline constexpr std::int64_t small_rows_unit = 48;

}  // namespace xeinsum::kernel
