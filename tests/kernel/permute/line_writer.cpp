#include <xeinsum/kernel/permute/line_writer.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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
