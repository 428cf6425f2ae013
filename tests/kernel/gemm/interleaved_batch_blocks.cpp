#include <xeinsum/kernel/gemm/interleaved_batch_blocks.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

using xeinsum::kernel::batched_limits;
using xeinsum::kernel::batched_shape;
using xeinsum::kernel::interleaved_batch_blocks;

TEST_CASE("a tile has rows and columns, and fits the registers") {
    const auto scalar = batched_limits::of<double, support::scalar_arch>();
    CHECK(scalar.rows * scalar.columns == 4);
    const auto native = batched_limits::of<float, support::native_arch>();
    const std::int64_t registers =
        xeinsum::kernel::register_count<support::native_arch> == 32 ? 32 : 16;
    CHECK(native.rows * native.columns + native.columns + 1 <= registers);
    CHECK(native.least >= 1);
}

namespace {

/// Products of n x n matrices, whose elements lie so far from each other.
batched_shape squares(std::int64_t n, std::int64_t distance) {
    return {n, n, n, n * distance, distance, distance, n * distance, n * distance, distance};
}

}  // namespace

TEST_CASE("small operands are read where they lie, others in blocks that fit the caches") {
    const auto blocks = [](std::int64_t n, std::int64_t distance, std::int64_t registers) {
        return interleaved_batch_blocks::of(squares(n, distance), registers, {2, 4, 3}, 4, 32);
    };
    CHECK_FALSE(blocks(4, 1000, 125).packs);
    CHECK_FALSE(blocks(8, 1000, 125).packs);
    CHECK(blocks(16, 1000, 125).packs);
    CHECK(blocks(32, 1000, 125).packs);
    CHECK(blocks(4, 1024, 128).packs);        // 4 KiB from one to the next
    CHECK(blocks(4, 7, 0).packs);             // fewer than a register has lanes
    CHECK_FALSE(blocks(3, 1024, 128).packs);  // but is read once
    CHECK(blocks(32, 1000, 125).registers == 8);
    CHECK(blocks(32, 1000, 3).registers == 3);
    for (const std::int64_t n : {16, 32, 64, 128, 1000}) {
        const auto b = blocks(n, 1000, 125);
        CAPTURE(n);
        const std::int64_t depth = std::min(b.depth, n);
        CHECK(4 * depth * b.registers * 32 <= 32 << 10);
        CHECK(b.columns * depth * b.registers * 32 <= 512 << 10);
        CHECK(b.registers >= 4);
        CHECK(static_cast<std::size_t>((4 + b.columns) * depth * b.registers * 32) <=
              interleaved_batch_blocks::memory_bytes(static_cast<double>(n), static_cast<double>(n),
                                                     32));
    }
}

TEST_CASE("registers that are cache lines are read where they lie if the second cache holds them") {
    const auto blocks = [](std::int64_t n, std::int64_t distance, std::int64_t registers) {
        return interleaved_batch_blocks::of(squares(n, distance), registers, {2, 6, 3, 1}, 4, 64);
    };
    CHECK_FALSE(blocks(8, 1000, 62).packs);
    CHECK_FALSE(blocks(16, 1000, 62).packs);
    CHECK(blocks(16, 1000, 62).registers == 4);
    CHECK(blocks(16, 20000, 62).packs);  // 128 bytes in a multiple of 4 KiB from one to the next
    CHECK(blocks(32, 1000, 62).packs);
    for (const std::int64_t n : {16, 32, 64, 128, 1000}) {
        const auto b = blocks(n, 20000, 125);
        CAPTURE(n);
        REQUIRE(b.packs);
        const std::int64_t depth = std::min(b.depth, n);
        CHECK(b.rows * depth * b.at_once * 64 <= 32 << 10);
        CHECK(b.rows * depth * b.registers * 64 <= 128 << 10);
        CHECK(b.columns * depth * b.registers * 64 <= 512 << 10);
        CHECK(b.registers >= 4);
        CHECK(static_cast<std::size_t>((b.rows + b.columns) * depth * b.registers * 64) <=
              interleaved_batch_blocks::memory_bytes(static_cast<double>(n), static_cast<double>(n),
                                                     64));
    }
}

TEST_CASE("tiles are half as high where their results would meet in few sets of the cache") {
    const auto rows = [](std::int64_t distance) {
        return interleaved_batch_blocks::of(squares(16, distance), 20, {2, 6, 3, 1}, 4, 64).rows;
    };
    CHECK(rows(1000) == 6);
    CHECK(rows(1008) == 6);
    CHECK(rows(1024) == 3);
    CHECK(rows(2048) == 3);
}
