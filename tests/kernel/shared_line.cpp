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

/// So many lines, which groups take all.
template <class I>
void check(std::int64_t extent, std::int64_t count) {
    using lines = shared_line<typename I::type, typename I::arch>;
    check<I>(extent, count,
             [&](const lines& shared, const auto* from, auto step, auto* panel, bool first) {
                 CHECK(shared.add(from, step, count, panel, first) == count);
             });
}

}  // namespace

TEST_CASE_TEMPLATE("eight lines and four, in one block and in several, and nothing beyond them", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    using lines = shared_line<typename I::type, typename I::arch>;
    for (const std::int64_t registers : {1, 2, 3, 7, 19, 64, 130}) {
        for (const std::int64_t more : {std::int64_t{0}, std::int64_t{1}, I::lanes - 1}) {
            for (const std::int64_t count : {4, 8, 20}) {
                check<I>(registers * I::lanes + more, count);
            }
        }
    }
    check<I>(xeinsum::kernel::long_shared_bytes, 8);
    CHECK(lines::suits(I::lanes + 1));
    CHECK_FALSE(lines::suits(I::lanes));
}

TEST_CASE("lines that fill no group are left") {
    using lines = shared_line<float, support::native_arch>;
    const auto one = support::small_numbers<float>(100);
    const auto many = support::small_numbers<float>(700, 3);
    std::vector<lines::reg> panel(7, lines::simd_type::set(77));
    CHECK(lines(one.data(), 100).add(many.data(), 100, 7, panel.data(), true) == 4);
    CHECK(lines::simd_type::sum(panel[4]) == 77 * static_cast<float>(lines::simd_type::lanes));
    CHECK(lines(one.data(), 100).add(many.data(), 100, 3, panel.data(), true) == 0);
}

TEST_CASE("lanes that a line does not fill add nothing, infinities do") {
    using T = float;
    using lines = shared_line<T, support::native_arch>;
    constexpr auto extent = static_cast<std::int64_t>(5 * lines::simd_type::lanes + 1);
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const std::vector<T> one(static_cast<std::size_t>(extent), 1);
    std::vector<T> many(static_cast<std::size_t>(4 * extent), 1);
    many[static_cast<std::size_t>(2 * extent - 1)] = infinity;
    lines::reg sums[4];
    CHECK(lines(one.data(), extent).add(many.data(), extent, 4, sums, true) == 4);
    for (std::size_t n = 0; n < 4; ++n) {
        CHECK(lines::simd_type::sum(sums[n]) == (n == 1 ? infinity : static_cast<T>(extent)));
    }
}
