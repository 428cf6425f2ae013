#include <xeinsum/kernel/permute/line_writer.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

using xeinsum::kernel::line_writer;
using xeinsum::kernel::scaling;

TEST_CASE_TEMPLATE("lines are copied and scaled", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    for (const bool streams : {false, true}) {
        for (std::size_t count = 0; count <= 70; ++count) {
            const auto in = support::small_numbers<T>(count);
            const auto before = support::small_numbers<T>(count + 1, 4);
            for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(3), T(2)}}) {
                std::vector<T> expected = before;
                std::vector<T> found = before;
                for (std::size_t i = 0; i < count; ++i) {
                    expected[i] = T(alpha * in[i] + beta * expected[i]);
                }
                line_writer<T, typename I::arch>(scaling<T>(alpha, beta), streams)
                    .write(in.data(), found.data(), count);
                CHECK(found == expected);
            }
        }
    }
}

TEST_CASE_TEMPLATE("by non-temporal stores, what is no whole line is copied to the byte", T,
                   std::int8_t, std::int16_t, float) {
    constexpr std::size_t line = xeinsum::kernel::line_elements<T>;
    const auto in = support::small_numbers<T>(3 * line);
    for (std::size_t begin = 0; begin < line; ++begin) {
        for (std::size_t count = 0; count + begin < 3 * line; ++count) {
            alignas(64) T found[3 * line]{};
            T expected[3 * line]{};
            std::copy_n(in.data(), count, expected + begin);
            line_writer<T, support::native_arch>(scaling<T>(), true)
                .write(in.data(), found + begin, count);
            xeinsum::kernel::simd<float, support::native_arch>::end_stream();
            CAPTURE(begin);
            CAPTURE(count);
            CHECK(std::equal(found, found + 3 * line, expected));
        }
    }
}

TEST_CASE("a line that is not added to may hold NaN") {
    const std::vector<float> in{1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::vector<float> out(in.size(), std::numeric_limits<float>::quiet_NaN());
    const scaling<float> twice(2.0F, 0.0F);
    line_writer<float, support::native_arch>(twice, false).write(in.data(), out.data(), in.size());
    CHECK(out == std::vector<float>{2, 4, 6, 8, 10, 12, 14, 16, 18});
}

TEST_CASE("what does not fill a line waits for what follows, unless it is the last") {
    using xeinsum::kernel::stream_whole_lines;
    using Arch = support::native_arch;
    constexpr std::size_t line = xeinsum::kernel::line_elements<float>;
    for (std::size_t off = 0; off < line; ++off) {
        alignas(64) std::array<float, 6 * line> out{};
        std::array<float, 4 * line> from{};
        std::iota(from.begin(), from.end(), 1.0F);
        // Of 45 elements that begin there, first 40 and then 5.
        float* const begin = out.data() + off;
        const std::size_t left =
            stream_whole_lines<float, Arch>(from.data(), 40, begin + 40, false);
        CHECK(left == (off + 40) % line);
        CHECK(std::count(out.begin(), out.end(), 0.0F) ==
              static_cast<std::ptrdiff_t>(out.size() - 40 + left));
        std::iota(from.begin() + static_cast<std::ptrdiff_t>(left), from.end(), 41.0F);
        CHECK(stream_whole_lines<float, Arch>(from.data(), left + 5, begin + 45, true) == 0);
        for (std::size_t i = 0; i < out.size(); ++i) {
            CHECK(out[i] == (i < off || i >= off + 45 ? 0.0F : static_cast<float>(i - off + 1)));
        }
    }
}
