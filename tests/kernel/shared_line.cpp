#include <xeinsum/kernel/shared_line.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using xeinsum::kernel::shared_line;

namespace {

/// Five lines with NaN between them times one line, in two parts.
template <class I>
void check(std::int64_t extent) {
    using T = typename I::type;
    using lines = shared_line<T, typename I::arch>;
    using simd_type = typename lines::simd_type;
    CAPTURE(extent);
    REQUIRE(lines::holds(extent));
    constexpr std::int64_t count = 5;
    const std::int64_t step = extent + 3;
    std::vector<T> many(static_cast<std::size_t>(count * step),
                        T(std::numeric_limits<float>::quiet_NaN()));
    for (std::int64_t n = 0; n < count; ++n) {
        for (std::int64_t x = 0; x < extent; ++x) {
            many[static_cast<std::size_t>(n * step + x)] =
                support::small_number<T>(static_cast<std::size_t>(31 * n + x));
        }
    }
    const auto one = support::small_numbers<T>(static_cast<std::size_t>(extent), 4);
    std::vector<typename lines::reg> panel(count + 1, simd_type::set(T(77)));
    const lines shared(one.data(), extent);
    shared.add(many.data(), step, count, panel.data(), true);
    shared.add(many.data() + step, step, count - 1, panel.data() + 1, false);
    for (std::int64_t n = 0; n < count; ++n) {
        T sum(0);
        for (std::int64_t x = 0; x < extent; ++x) {
            sum += many[static_cast<std::size_t>(n * step + x)] * one[static_cast<std::size_t>(x)];
        }
        CHECK(simd_type::sum(panel[static_cast<std::size_t>(n)]) == (n == 0 ? sum : sum + sum));
    }
    T behind[simd_type::lanes];
    simd_type::store(behind, panel.back());
    CHECK(behind[0] == T(77));
}

template <class I>
void check_all() {
    using lines = shared_line<typename I::type, typename I::arch>;
    constexpr auto width = static_cast<std::int64_t>(lines::simd_type::lanes);
    for (std::int64_t whole = lines::least_registers; whole <= lines::most_registers; ++whole) {
        for (const std::int64_t more : {std::int64_t{0}, std::int64_t{1}, width - 1}) {
            check<I>(whole * width + more);
        }
    }
    CHECK_FALSE(lines::holds(lines::least_registers * width - 1));
    CHECK_FALSE(lines::holds((lines::most_registers + 1) * width));
}

}  // namespace

TEST_CASE("a line in registers times lines of memory, and nothing beyond them") {
    check_all<support::instance<float, support::native_arch>>();
    check_all<support::instance<double, support::native_arch>>();
    check_all<support::instance<std::complex<double>, support::native_arch>>();
    check_all<support::instance<float, support::baseline_arch>>();
}

TEST_CASE("lanes that a line does not fill add nothing, infinities do") {
    using T = float;
    using lines = shared_line<T, support::native_arch>;
    constexpr auto extent = static_cast<std::int64_t>(5 * lines::simd_type::lanes + 1);
    std::vector<T> line(static_cast<std::size_t>(extent), 1), one = line;
    line.back() = std::numeric_limits<T>::infinity();
    lines::reg sum = lines::simd_type::zero();
    lines(one.data(), extent).add(line.data(), extent, 1, &sum, true);
    CHECK(lines::simd_type::sum(sum) == std::numeric_limits<T>::infinity());
}
