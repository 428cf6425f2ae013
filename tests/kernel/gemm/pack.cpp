#include <xeinsum/kernel/gemm/pack.hpp>

#include "../../support/instances.hpp"
#include "../../support/line_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <numeric>
#include <vector>

using xeinsum::kernel::pack_slack;
using xeinsum::kernel::packer;

using lines = support::line_list;

namespace {

template <class T>
T numbered(std::size_t n) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(n);
    } else {
        using real = typename T::value_type;
        return {static_cast<real>(n), -static_cast<real>(n)};
    }
}

/// Packs lines x depth elements of numbered memory and compares each with its definition.
template <class T, class Arch, std::size_t Width>
void check_width(const lines& across, const lines& depth) {
    std::vector<T> memory(6000);
    for (std::size_t n = 0; n < memory.size(); ++n) {
        memory[n] = numbered<T>(n + 1);
    }
    const T* origin = memory.data() + 1000;
    const std::size_t count = across.offsets.size();
    const std::size_t deep = depth.offsets.size();
    const std::size_t panels = (count + Width - 1) / Width;
    const std::size_t used = panels * Width * deep;
    std::vector<T> packed(used + pack_slack / sizeof(T) + 1, numbered<T>(7000));
    packer<T, Arch>(Width).pack(origin, across.view(), depth.view(), packed.data());
    std::vector<T> prefetched(packed.size(), numbered<T>(7000));
    packer<T, Arch>(Width).pack(origin, across.view(), depth.view(), prefetched.data(), true);
    CHECK(std::equal(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(used),
                     prefetched.begin()));
    bool right = packed.back() == numbered<T>(7000);
    for (std::size_t p = 0; p < panels; ++p) {
        for (std::size_t k = 0; k < deep; ++k) {
            for (std::size_t i = 0; i < Width; ++i) {
                const std::size_t line = p * Width + i;
                const T expected =
                    line < count ? origin[across.offsets[line] + depth.offsets[k]] : T(0);
                right = right && packed[(p * deep + k) * Width + i] == expected;
            }
        }
    }
    CAPTURE(Width);
    CHECK(right);
}

template <class I>
void check_pack(const lines& across, const lines& depth) {
    using T = typename I::type;
    using Arch = typename I::arch;
    check_width<T, Arch, 3>(across, depth);
    check_width<T, Arch, 6>(across, depth);
    check_width<T, Arch, 14>(across, depth);
    check_width<T, Arch, 8>(across, depth);
    check_width<T, Arch, 16>(across, depth);
    check_width<T, Arch, 48>(across, depth);
}

lines steps(std::size_t count, std::int64_t step, std::int64_t first = 0) {
    std::vector<std::int64_t> offsets(count);
    for (std::size_t i = 0; i < count; ++i) {
        offsets[i] = first + static_cast<std::int64_t>(i) * step;
    }
    return lines(offsets);
}

}  // namespace

TEST_CASE_TEMPLATE("lines side by side", I, SUPPORT_ALL_INSTANCES) {
    check_pack<I>(steps(48, 1), steps(5, 50));
    check_pack<I>(steps(48, 1), steps(37, 50));
    check_pack<I>(steps(41, 1), steps(37, 50));
}
TEST_CASE_TEMPLATE("lines that run side by side in depth", I, SUPPORT_ALL_INSTANCES) {
    check_pack<I>(steps(7, 60), steps(53, 1));
    check_pack<I>(steps(48, 60), steps(16, 1));
    check_pack<I>(steps(1, 60), steps(9, 1));
}
TEST_CASE_TEMPLATE("lines without unit stride, and backwards", I, SUPPORT_ALL_INSTANCES) {
    check_pack<I>(steps(5, 7), steps(6, 37));
    check_pack<I>(steps(17, -7), steps(6, -37));
}
TEST_CASE_TEMPLATE("lines that share memory with their neighbours", I, SUPPORT_ALL_INSTANCES) {
    check_pack<I>(steps(40, 1), steps(35, 1));
}
TEST_CASE_TEMPLATE("a single line of a single element", I, SUPPORT_ALL_INSTANCES) {
    check_pack<I>(steps(1, 0, 3), steps(1, 0, 5));
}
TEST_CASE_TEMPLATE("lines and depths anywhere, in pieces", I, SUPPORT_ALL_INSTANCES) {
    check_pack<I>(lines({0, 1, 2, 90, 5, 6, 7, 8, 400}), lines({0, 3, 100, -50}));
    std::vector<std::int64_t> pieces;
    for (std::int64_t begin : {500, 0, 300, 100}) {
        for (std::int64_t i = 0; i < 19; ++i) {
            pieces.push_back(begin + i);
        }
    }
    check_pack<I>(steps(9, 20), lines(pieces));
    check_pack<I>(lines(pieces), steps(7, 20));
}

namespace {

/// outer x inner lines, those of one inner side by side.
lines stacked(std::int64_t outer, std::int64_t inner, std::int64_t step) {
    std::vector<std::int64_t> offsets;
    for (std::int64_t o = 0; o < outer; ++o) {
        for (std::int64_t i = 0; i < inner; ++i) {
            offsets.push_back(o + i * step);
        }
    }
    lines all(offsets);
    all.period = static_cast<std::size_t>(inner);
    return all;
}

/// Lines from begin on.
lines behind(const lines& all, std::size_t begin) {
    lines rest(std::vector<std::int64_t>(all.offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                                         all.offsets.end()));
    rest.period = all.period;
    return rest;
}

}  // namespace

TEST_CASE_TEMPLATE("lines side by side across the innermost loop", I, SUPPORT_ALL_INSTANCES) {
    check_pack<I>(stacked(8, 8, 20), steps(7, 200));
    check_pack<I>(stacked(19, 12, 20), steps(5, 300));
    check_pack<I>(stacked(17, 21, 18), steps(3, 400));
    // beginning and ending anywhere
    for (const std::size_t begin : {1U, 7U, 12U, 30U}) {
        check_pack<I>(behind(stacked(19, 12, 20), begin), steps(5, 300));
    }
    // two stacks, one behind the other
    lines twice = stacked(9, 8, 20);
    const std::vector<std::int64_t> once = twice.offsets;
    for (const std::int64_t offset : once) {
        twice.offsets.push_back(offset + 500);
    }
    twice.runs.resize(twice.offsets.size(), 1);
    check_pack<I>(twice, steps(5, 300));
    check_pack<I>(behind(twice, 5), steps(5, 300));
}

TEST_CASE_TEMPLATE("depths side by side across the innermost loop", I, SUPPORT_ALL_INSTANCES) {
    check_pack<I>(steps(16, 40), stacked(16, 5, 600));
    check_pack<I>(steps(21, 40), stacked(19, 3, 700));
    check_pack<I>(steps(3, 40), behind(stacked(19, 3, 700), 7));
}
