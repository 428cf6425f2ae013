#include <xeinsum/kernel/gemm/gemm_memory.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::blocking;
using xeinsum::kernel::cut_memory;
using xeinsum::kernel::depth_of_block;
using xeinsum::kernel::gemm_buffers;
using xeinsum::kernel::gemm_memory;
using xeinsum::kernel::kept_lines;
using xeinsum::kernel::line_offsets;
using xeinsum::kernel::line_table;
using xeinsum::kernel::memory_of_parts;

namespace {

constexpr blocking cut{.mr = 6, .nv = 2, .mc = 12, .kc = 7, .nc = 32};

std::vector<std::int64_t> offsets_of(const line_offsets& lines) {
    return {lines.offsets, lines.offsets + lines.count};
}

}  // namespace

TEST_CASE("a small product needs little memory, whole micro-panels of it") {
    constexpr gemm_memory memory = cut_memory(cut, 16, 4, 4, 6, 5);
    CHECK(memory.mc == 4);
    CHECK(memory.nc == 6);
    CHECK(memory.kc == 5);
    CHECK(memory.lhs_bytes == 128 + 64);  // 6 x 5 floats in whole cache lines, and slack
    CHECK(memory.rhs_bytes == 320 + 64);  // 16 x 5 floats
    // two tables of each direction, three lists of segments
    CHECK(memory.bytes() == 192 + 384 + 8 * (2 * (3 * 4 + 2 * 6 + 3 * 5) + 3 * 5));
}

TEST_CASE("a large product needs no more than its blocks") {
    constexpr std::int64_t long_extent = std::int64_t{1} << 40U;
    constexpr gemm_memory memory =
        cut_memory(cut, 16, 8, long_extent, 3 * long_extent, 5 * long_extent);
    CHECK(memory.mc == 12);
    CHECK(memory.nc == 32);
    CHECK(memory.kc == 7);
    CHECK(memory.lhs_bytes == 704 + 64);  // 12 x 7 doubles
    CHECK(memory.bytes() == cut_memory(cut, 16, 8, 12, 32, 7).bytes());
}

TEST_CASE("blocks have more rows where they are less deep, and equally many") {
    const auto rows = [](std::int64_t m, std::int64_t k) {
        return cut_memory(cut, 16, 4, m, 50, k).mc;
    };
    CHECK(rows(100, 7) == 12);
    CHECK(rows(13, 7) == 12);
    CHECK(rows(24, 3) == 24);
    CHECK(rows(25, 3) == 18);
    CHECK(rows(60, 3) == 24);
    CHECK(rows(1000, 1) == 84);
    CHECK(rows(1000, 0) == 84);
    CHECK(rows(0, 3) == 0);
}

TEST_CASE("blocks of large tiles are deeper than the table says rather than of different depths") {
    static constexpr blocking large{.mr = 14, .nv = 2, .mc = 70, .kc = 512, .nc = 512};
    const auto depth = [](std::int64_t k) { return depth_of_block(large, k); };
    CHECK(depth(0) == 0);
    CHECK(depth(509) == 509);
    CHECK(depth(512) == 512);
    CHECK(depth(521) == 521);
    CHECK(depth(768) == 768);
    CHECK(depth(769) == 400);  // 385 in whole lines
    CHECK(depth(1024) == 512);
    CHECK(depth(1100) == 560);
    CHECK(depth(1537) == 528);
    CHECK(depth(2000) == 672);
    CHECK(depth(std::int64_t{1} << 40U) == 512);
    CHECK(depth((std::int64_t{1} << 40U) + 1) <= 768);
    CHECK(depth_of_block(cut, 8) == 7);
    for (const std::int64_t k : {521, 769, 1100, 2000}) {
        const gemm_memory memory = cut_memory(large, 32, 4, 1000, 1000, k);
        CHECK(memory.kc >= depth(k));
        CHECK(memory.lhs_bytes + memory.rhs_bytes <= std::size_t{2} << 20U);
        CHECK(memory.bytes() <= memory_of_parts(large, 32, 4, 1000, 1000, k));
    }
}

TEST_CASE("a block has all columns where they are few and shallow") {
    static constexpr blocking low{.mr = 2, .nv = 2, .mc = 12, .kc = 16, .nc = 32};
    const auto columns = [](std::int64_t n, std::int64_t k) {
        return cut_memory(low, 16, 4, 50, n, k).nc;
    };
    CHECK(columns(32, 16) == 32);
    CHECK(columns(33, 2) == 33);
    CHECK(columns(48, 2) == 48);
    CHECK(columns(49, 2) == 49);
    CHECK(columns(49, 3) == 32);
    CHECK(columns(64, 2) == 64);
    CHECK(columns(65, 1) == 32);
    CHECK(columns(std::int64_t{1} << 40U, 1) == 32);
}

TEST_CASE("the memory of a product is enough for any part of it") {
    constexpr blocking low{.mr = 2, .nv = 2, .mc = 12, .kc = 16, .nc = 32};
    constexpr std::int64_t m = 60, n = 40, k = 20;
    const std::size_t bytes = memory_of_parts(low, 16, 4, m, n, k);
    std::size_t most = 0;
    for (std::int64_t rows = 0; rows <= m; ++rows) {
        for (std::int64_t columns = 0; columns <= n; ++columns) {
            for (std::int64_t depth = 0; depth <= k; ++depth) {
                most = std::max(most, cut_memory(low, 16, 4, rows, columns, depth).bytes());
            }
        }
    }
    CHECK(most <= bytes);
    // Fewer rows, larger blocks.
    CHECK(cut_memory(low, 16, 4, 12, n, k).bytes() > cut_memory(low, 16, 4, 13, n, k).bytes());
    CHECK(memory_of_parts(low, 16, 4, 0, 0, 0) == cut_memory(low, 16, 4, 0, 0, 0).bytes());
    constexpr std::int64_t long_extent = std::int64_t{1} << 40U;
    CHECK(memory_of_parts(low, 16, 4, long_extent, long_extent, long_extent) <
          2 * cut_memory(low, 16, 4, long_extent, long_extent, long_extent).bytes());
}

TEST_CASE("buffers share the memory without overlap and use all of it") {
    const gemm_memory memory = cut_memory(cut, 16, 4, 4, 6, 5);
    std::vector<std::int64_t> scratch(memory.bytes() / sizeof(std::int64_t) + 1, -7);
    auto* begin = reinterpret_cast<std::byte*>(scratch.data());
    gemm_buffers<float> buffers(memory, begin);
    CHECK(reinterpret_cast<std::byte*>(buffers.packed_lhs) == begin);
    CHECK(reinterpret_cast<std::byte*>(buffers.packed_rhs) == begin + memory.lhs_bytes);

    // Every list is written before the first is read.
    const support::nest_rows rows({{4, 100}}), columns({{6, 20}}), depth({{5, 3}});
    struct list {
        kept_lines& lines;
        const support::nest_rows& over;
        std::int64_t count;
        std::int64_t step;
    };
    std::vector<list> lists{
        {buffers.row_out, rows, 4, 100},      {buffers.row_lhs, rows, 4, 100},
        {buffers.column_out, columns, 6, 20}, {buffers.column_rhs, columns, 6, 20},
        {buffers.depth_lhs, depth, 5, 3},     {buffers.depth_rhs, depth, 5, 3},
        {buffers.next_row, rows, 4, 100},     {buffers.next_depth, depth, 5, 3}};
    for (const list& l : lists) {
        l.lines.at(l.over.loops(), 0, static_cast<std::size_t>(l.count), 0);
    }
    std::int64_t number = 1000;
    for (std::int64_t* segments :
         {buffers.lhs_segments, buffers.rhs_segments, buffers.direct_rhs_segments}) {
        for (std::size_t i = 0; i < memory.kc; ++i) {
            segments[i] = number++;
        }
    }
    for (const list& l : lists) {
        for (std::int64_t i = 0; i < l.count; ++i) {
            CHECK(l.lines.lines[static_cast<std::size_t>(i)] == i * l.step);
            CHECK(l.lines.lines.runs[i] == 1);
        }
    }
    CHECK(buffers.lhs_segments[4] == 1004);
    CHECK(buffers.rhs_segments[4] == 1009);
    CHECK(buffers.direct_rhs_segments[4] == 1014);
    CHECK(scratch[scratch.size() - 2] == 1014);
    CHECK(scratch.back() == -7);
}

TEST_CASE("lines are written again only for another block") {
    std::vector<std::int64_t> numbers(3 * line_table::width);
    kept_lines kept{line_table(numbers.data(), 3)};
    const support::nest_rows first({{9, 10}}), second({{9, 7}});
    CHECK(offsets_of(kept.at(first.loops(), 0, 3, 0)) == std::vector<std::int64_t>{0, 10, 20});
    CHECK(offsets_of(kept.at(second.loops(), 0, 3, 0)) == std::vector<std::int64_t>{0, 10, 20});
    CHECK(offsets_of(kept.at(second.loops(), 6, 2, 0)) == std::vector<std::int64_t>{42, 49});
}
