#include <xeinsum/kernel/batched_blocks.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

using xeinsum::kernel::batched_blocks;
using xeinsum::kernel::batched_limits;
using xeinsum::kernel::batched_shape;

TEST_CASE("a tile has rows and columns, and fits the registers") {
    const auto scalar = batched_limits::of<double, support::scalar_arch>();
    CHECK(scalar.rows * scalar.columns == 4);
    const auto native = batched_limits::of<float, support::native_arch>();
    CHECK(native.rows * native.columns + native.columns + 1 <= 16);
    CHECK(native.least >= 1);
}

TEST_CASE("small operands are read where they lie, others in blocks that fit the caches") {
    const auto blocks = [](std::int64_t n, std::int64_t distance, std::int64_t registers) {
        const batched_shape s{
            n, n, n, n * distance, distance, distance, n * distance, n * distance, distance};
        return batched_blocks::of(s, registers, {2, 4, 3}, 4, 32);
    };
    CHECK_FALSE(blocks(4, 1000, 125).packs);
    CHECK_FALSE(blocks(8, 1000, 125).packs);
    CHECK(blocks(16, 1000, 125).packs == !xeinsum::kernel::intel_cores);
    CHECK(blocks(16, 20000, 125).packs);  // 128 bytes in a multiple of 4 KiB from one to the next
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
              batched_blocks::memory_bytes(static_cast<double>(n), static_cast<double>(n), 32));
    }
}
