#include <xeinsum/kernel/reduce/output_line.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using xeinsum::kernel::output_line;
using xeinsum::kernel::scaling;

TEST_CASE_TEMPLATE("every element of a line is put once, and nothing behind it", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::baseline_arch>) {
    using T = typename I::type;
    using line_type = output_line<T, typename I::arch>;
    constexpr std::int64_t width = line_type::width;
    for (std::int64_t extent = 1; extent <= 3 * width + 1; ++extent) {
        CAPTURE(extent);
        const auto values = support::small_numbers<T>(static_cast<std::size_t>(4 * width), 1);
        for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
            const auto before = support::small_numbers<T>(static_cast<std::size_t>(4 * width), 50);
            std::vector<T> found = before;
            const line_type line(extent, scaling<T>(alpha, beta));
            for (std::int64_t v = 0; v < line.registers(); ++v) {
                line.put(found.data(), v,
                         line_type::simd_type::load(values.data() + line.start(v)));
            }
            bool equal = true;
            for (std::size_t x = 0; x < found.size(); ++x) {
                const bool inside = static_cast<std::int64_t>(x) < extent;
                equal = equal &&
                        found[x] == (inside ? T(alpha * values[x] + beta * before[x]) : before[x]);
            }
            CHECK(equal);
        }
    }
}

TEST_CASE("the last register begins where it still ends inside") {
    using line_type = output_line<float, support::baseline_arch>;
    constexpr std::int64_t width = line_type::width;
    const line_type line(2 * width + 1, scaling<float>());
    CHECK(line.registers() == 3);
    CHECK(line.whole() == 2);
    CHECK(line.start(1) == width);
    CHECK(line.start(2) == width + 1);
    CHECK(line.filled() == static_cast<std::size_t>(width));
    const line_type part(width - 1, scaling<float>());
    CHECK(part.registers() == 1);
    CHECK(part.whole() == 0);
    CHECK(part.start(0) == 0);
    CHECK(part.filled() == static_cast<std::size_t>(width - 1));
}
