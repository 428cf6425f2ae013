// The workspace of a matrix product: "ij,jk->ik" on (4,5) and (5,6) packs 4 x 5 and 5 x 6
// elements and keeps where their lines lie; larger products are cut into blocks.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// The most rows of a block of lhs whose depth is kc at most: more than b.mc where that is less
/// than b.kc.
[[nodiscard]] constexpr std::int64_t most_rows_of_block(const blocking& b,
                                                        std::size_t kc) noexcept {
    constexpr std::size_t most_times = 8;  // offsets of rows take memory, too
    const std::size_t deep = std::max({kc, b.kc / most_times, std::size_t{1}});
    return static_cast<std::int64_t>(b.mc * b.kc / deep / b.mr * b.mr);
}

/// Rows of such a block, as many in each block.
[[nodiscard]] constexpr std::size_t rows_of_block(const blocking& b, std::size_t kc,
                                                  std::int64_t m) noexcept {
    const std::int64_t most = most_rows_of_block(b, kc);
    if (m <= most) {
        return static_cast<std::size_t>(m);
    }
    const std::int64_t blocks = 1 + (m - 1) / most;
    return round_up(static_cast<std::size_t>(1 + (m - 1) / blocks), b.mr);
}

[[nodiscard]] constexpr std::size_t least(std::size_t limit, std::int64_t x) noexcept {
    return static_cast<std::uint64_t>(x) < limit ? static_cast<std::size_t>(x) : limit;
}

/// The most columns that a block of rhs may have, whatever its depth is.
[[nodiscard]] constexpr std::size_t most_columns_of_block(const blocking& b) noexcept {
    constexpr std::size_t most_times = 2;  // offsets of columns take memory, too
    return most_times * b.nc;
}
/// Columns of a block of rhs whose depth is kc at most: all of a few, if it is so shallow that they
/// stay in the second-level cache. Products of one rhs then pack it once.
[[nodiscard]] constexpr std::size_t columns_of_block(const blocking& b, std::size_t nr,
                                                     std::size_t kc, std::int64_t n) noexcept {
    const std::size_t columns = least(most_columns_of_block(b) + 1, n);
    const bool fit =
        columns <= most_columns_of_block(b) && round_up(columns, nr) * kc <= b.nc * b.kc / 4;
    return fit ? columns : least(b.nc, n);
}

/// The most depth of a block: half as much again where panels of rhs are too large for the
/// first-level cache anyway, which spares reading results as often.
[[nodiscard]] constexpr std::size_t most_depth_of_block(const blocking& b) noexcept {
    return b.mr > 8 ? b.kc + b.kc / 2 : b.kc;
}
/// Depth of blocks that may be so deep: about as much in each, unless blocks of b.kc are all whole.
[[nodiscard]] constexpr std::size_t depth_of_block(const blocking& b, std::int64_t k) noexcept {
    constexpr std::size_t unit = 16;
    const std::size_t most = most_depth_of_block(b);
    if (static_cast<std::uint64_t>(k) <= most) {
        return static_cast<std::size_t>(k);
    }
    if (most == b.kc || k % static_cast<std::int64_t>(b.kc) == 0) {
        return b.kc;
    }
    const std::int64_t blocks = 1 + (k - 1) / static_cast<std::int64_t>(most);
    return std::min(round_up(static_cast<std::size_t>(1 + (k - 1) / blocks), unit), most);
}

/// How the memory of one product is cut, in elements; blocks are no larger than the product needs.
struct gemm_memory {
    std::size_t mc = 0;
    std::size_t nc = 0;
    std::size_t kc = 0;
    std::size_t lhs_bytes = 0;
    std::size_t rhs_bytes = 0;

    [[nodiscard]] constexpr std::size_t bytes() const noexcept {
        return lhs_bytes + rhs_bytes + bytes_of_lines(mc, nc, kc);
    }

    /// Where the lines of a block lie.
    [[nodiscard]] static constexpr std::size_t bytes_of_lines(std::size_t rows, std::size_t columns,
                                                              std::size_t depth) noexcept {
        return line_table::width * (3 * rows + 2 * columns + 3 * depth) * sizeof(std::int64_t) +
               3 * depth * sizeof(std::int64_t);
    }
};

/// Of some packed elements.
[[nodiscard]] constexpr std::size_t packed_bytes(std::size_t elements,
                                                 std::size_t element_bytes) noexcept {
    return round_up(elements * element_bytes, 64) + pack_slack;
}

/// b holds mr, mc, nc and kc; nr is the width of its micro-tile.
[[nodiscard]] constexpr gemm_memory cut_memory(const blocking& b, std::size_t nr,
                                               std::size_t element_bytes, std::int64_t m,
                                               std::int64_t n, std::int64_t k) noexcept {
    gemm_memory memory;
    memory.kc = std::max(depth_of_block(b, k), least(b.kc, k));
    memory.nc = columns_of_block(b, nr, memory.kc, n);
    memory.mc = rows_of_block(b, memory.kc, m);
    memory.lhs_bytes = packed_bytes(round_up(memory.mc, b.mr) * memory.kc, element_bytes);
    memory.rhs_bytes = packed_bytes(round_up(memory.nc, nr) * memory.kc, element_bytes);
    return memory;
}

/// Bytes for any part of a product, such as a thread's: fewer rows or columns, or less depth, may
/// make larger blocks.
[[nodiscard]] constexpr std::size_t memory_of_parts(const blocking& b, std::size_t nr,
                                                    std::size_t element_bytes, std::int64_t m,
                                                    std::int64_t n, std::int64_t k) noexcept {
    const std::size_t columns = least(most_columns_of_block(b), n);
    const std::size_t depth = least(most_depth_of_block(b), k);
    const std::size_t rows = least(static_cast<std::size_t>(most_rows_of_block(b, 0)), m);
    const std::size_t lhs = std::min(round_up(rows, b.mr) * depth, b.mc * b.kc);
    const std::size_t rhs =
        std::min(round_up(columns, nr) * depth,
                 std::max(round_up(least(b.nc, n), nr) * depth, b.nc * b.kc / 4));
    return packed_bytes(lhs, element_bytes) + packed_bytes(rhs, element_bytes) +
           gemm_memory::bytes_of_lines(rows, columns, depth);
}

/// The lines of a block, kept until another block is prefetched: most products have one.
struct kept_lines {
    line_table table{};
    line_offsets lines{};
    std::int64_t begin = -1;

    [[gnu::noinline]] const line_offsets& at(const loops& over, std::int64_t from,
                                             std::size_t count, std::size_t array) {
        if (begin != from) {
            lines = table.fill(over, from, count, array);
            begin = from;
        }
        return lines;
    }
};

/// The buffers of one product in scratch of memory.bytes() bytes, aligned to 64.
template <class T>
struct gemm_buffers {
    gemm_buffers(const gemm_memory& memory, std::byte* scratch) noexcept
        : packed_lhs(reinterpret_cast<T*>(scratch)),
          packed_rhs(reinterpret_cast<T*>(scratch + memory.lhs_bytes)) {
        auto* numbers =
            reinterpret_cast<std::int64_t*>(scratch + memory.lhs_bytes + memory.rhs_bytes);
        const auto table = [&](std::size_t capacity) {
            const line_table t(numbers, capacity);
            numbers += line_table::width * capacity;
            return t;
        };
        row_out.table = table(memory.mc);
        row_lhs.table = table(memory.mc);
        column_out.table = table(memory.nc);
        column_rhs.table = table(memory.nc);
        depth_lhs.table = table(memory.kc);
        depth_rhs.table = table(memory.kc);
        next_row.table = table(memory.mc);
        next_depth.table = table(memory.kc);
        lhs_segments = numbers;
        rhs_segments = numbers + memory.kc;
        direct_rhs_segments = numbers + 2 * memory.kc;
    }

    T* packed_lhs;
    T* packed_rhs;
    kept_lines row_out{}, row_lhs{}, column_out{}, column_rhs{}, depth_lhs{}, depth_rhs{};
    kept_lines next_row{}, next_depth{};  ///< of the block of lhs that follows
    std::int64_t* lhs_segments = nullptr;
    std::int64_t* rhs_segments = nullptr;
    std::int64_t* direct_rhs_segments = nullptr;
};

}  // namespace xeinsum::kernel
