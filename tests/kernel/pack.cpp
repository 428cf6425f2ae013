#include <xeinsum/kernel/pack.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <vector>

using xeinsum::kernel::line_offsets;
using xeinsum::kernel::pack;

namespace {

/// Packs lines x depth elements of numbered memory and compares each with its definition.
void check_pack(const std::vector<std::int64_t>& across, const std::vector<std::int64_t>& depth) {
    constexpr std::size_t width = 4;
    std::vector<float> memory(1000);
    std::iota(memory.begin(), memory.end(), 1.0F);
    const float* origin = memory.data() + 400;
    const std::size_t panels = (across.size() + width - 1) / width;
    std::vector<float> packed(panels * width * depth.size() + 1, -1);
    pack<float, width>(origin, {across.data(), across.size()}, {depth.data(), depth.size()},
                       packed.data());
    for (std::size_t p = 0; p < panels; ++p) {
        for (std::size_t k = 0; k < depth.size(); ++k) {
            for (std::size_t i = 0; i < width; ++i) {
                const std::size_t line = p * width + i;
                const float expected = line < across.size() ? origin[across[line] + depth[k]] : 0;
                CHECK(packed[(p * depth.size() + k) * width + i] == expected);
            }
        }
    }
    CHECK(packed.back() == -1);
}

std::vector<std::int64_t> steps(std::size_t count, std::int64_t step, std::int64_t first = 0) {
    std::vector<std::int64_t> offsets(count);
    for (std::size_t i = 0; i < count; ++i) {
        offsets[i] = first + static_cast<std::int64_t>(i) * step;
    }
    return offsets;
}

}  // namespace

TEST_CASE("lines side by side") {
    check_pack(steps(8, 1), steps(5, 20));
}
TEST_CASE("lines side by side, the last panel not full") {
    check_pack(steps(6, 1), steps(5, 20));
}
TEST_CASE("lines that run side by side in depth") {
    check_pack(steps(7, 30), steps(9, 1));
}
TEST_CASE("lines without unit stride") {
    check_pack(steps(5, 7), steps(6, 37));
}
TEST_CASE("lines that run backwards") {
    check_pack(steps(5, -7), steps(6, -37));
}
TEST_CASE("a single line of a single element") {
    check_pack({3}, {5});
}
TEST_CASE("lines anywhere") {
    check_pack({0, 1, 2, 90, 5, 6, 7, 8, 400}, {0, 3, 100, -50});
}

TEST_CASE("lines side by side are recognised") {
    const std::int64_t offsets[]{4, 5, 6, 8, 9};
    CHECK(line_offsets{offsets, 3}.side_by_side());
    CHECK_FALSE(line_offsets{offsets, 4}.side_by_side());
    CHECK(line_offsets{offsets, 5}.sub(3, 2).side_by_side());
    CHECK(line_offsets{offsets, 1}.side_by_side());
}
