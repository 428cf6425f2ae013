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

/// Lines with NaN between them times one line: all of them, and all but the first a second time.
/// add(shared, from, step, panel, first) adds count of them.
template <class I, class Add>
void check(std::int64_t extent, std::int64_t count, Add add) {
    using T = typename I::type;
    using lines = shared_line<T, typename I::arch>;
    using simd_type = typename lines::simd_type;
    CAPTURE(extent);
    const std::int64_t step = extent + 3;
    std::vector<T> many(static_cast<std::size_t>((count + 1) * step),
                        T(std::numeric_limits<float>::quiet_NaN()));
    for (std::int64_t n = 0; n <= count; ++n) {
        for (std::int64_t x = 0; x < extent; ++x) {
            many[static_cast<std::size_t>(n * step + x)] =
                support::small_number<T>(static_cast<std::size_t>(31 * n + x));
        }
    }
    const auto one = support::small_numbers<T>(static_cast<std::size_t>(extent), 4);
    const auto places = static_cast<std::size_t>(count);
    std::vector<typename lines::reg> panel(places + 2, simd_type::set(T(77)));
    const lines shared(one.data(), extent);
    add(shared, many.data(), step, panel.data(), true);
    panel[places] = simd_type::zero();
    add(shared, many.data() + step, step, panel.data() + 1, false);
    for (std::int64_t n = 0; n <= count; ++n) {
        T sum(0);
        for (std::int64_t x = 0; x < extent; ++x) {
            sum += many[static_cast<std::size_t>(n * step + x)] * one[static_cast<std::size_t>(x)];
        }
        CHECK(simd_type::sum(panel[static_cast<std::size_t>(n)]) ==
              (n == 0 || n == count ? sum : sum + sum));
    }
    T behind[simd_type::lanes];
    simd_type::store(behind, panel.back());
    CHECK(behind[0] == T(77));
}

template <class I>
void check(std::int64_t extent) {
    using lines = shared_line<typename I::type, typename I::arch>;
    REQUIRE(lines::holds(extent));
    constexpr std::int64_t count = 5;
    check<I>(extent, count,
             [](const lines& shared, const auto* from, auto step, auto* panel, bool first) {
                 shared.add(from, step, count, panel, first);
             });
}

/// The sums of lines that registers do not hold.
template <class I>
void check_at_once(std::int64_t extent) {
    using lines = shared_line<typename I::type, typename I::arch>;
    check<I>(extent, 8,
             [](const lines& shared, const auto* from, auto step, auto* panel, bool first) {
                 shared.template add_at_once<8>(from, step, panel, first);
             });
    check<I>(extent, 4,
             [](const lines& shared, const auto* from, auto step, auto* panel, bool first) {
                 shared.template add_at_once<4>(from, step, panel, first);
             });
}

template <class I>
void check_all() {
    using lines = shared_line<typename I::type, typename I::arch>;
    constexpr auto width = static_cast<std::int64_t>(lines::simd_type::lanes);
    for (std::int64_t whole = 1; whole <= lines::most_registers; ++whole) {
        for (const std::int64_t more : {std::int64_t{0}, std::int64_t{1}, width - 1}) {
            if (more > 0 || whole >= lines::least_registers) {
                check<I>(whole * width + more);
            }
        }
    }
    CHECK_FALSE(lines::holds(width - 1));
    CHECK_FALSE(lines::holds((lines::least_registers - 1) * width));
    CHECK_FALSE(lines::holds((lines::most_registers + 1) * width));
}

}  // namespace

TEST_CASE("a line in registers times lines of memory, and nothing beyond them") {
    check_all<support::instance<float, support::native_arch>>();
    check_all<support::instance<double, support::native_arch>>();
    check_all<support::instance<std::complex<double>, support::native_arch>>();
    check_all<support::instance<float, support::baseline_arch>>();
}

TEST_CASE_TEMPLATE("lines that registers do not hold, in one block and in several", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    using lines = shared_line<typename I::type, typename I::arch>;
    for (const std::int64_t registers :
         {lines::most_registers, std::int64_t{64}, std::int64_t{130}}) {
        for (const std::int64_t more : {std::int64_t{0}, std::int64_t{1}, I::lanes - 1}) {
            check_at_once<I>(registers * I::lanes + more);
        }
    }
    CHECK(lines::is_long((lines::most_registers + 1) * I::lanes));
    CHECK_FALSE(lines::is_long((lines::most_registers + 1) * I::lanes - 1));
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
