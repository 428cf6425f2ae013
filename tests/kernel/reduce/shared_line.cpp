#include <xeinsum/kernel/reduce/shared_line.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_nests.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using xeinsum::kernel::shared_line;

namespace {

/// Lines with NaN between them times one line: all of them, and all but the first a second time.
template <class I>
void check(std::int64_t extent, std::int64_t count, bool together) {
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
    const auto add = [&](const T* from, typename lines::reg* sums, bool first) {
        if (together) {
            shared.add_together(from, step, count, sums, first);
        } else {
            shared.add(from, step, count, sums, first);
        }
    };
    add(many.data(), panel.data(), true);
    panel[places] = simd_type::zero();
    add(many.data() + step, panel.data() + 1, false);
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

}  // namespace

TEST_CASE_TEMPLATE("lines in groups and alone, in one block and in several, and nothing beyond", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    for (const bool together : {true, false}) {
        for (const std::int64_t registers : {0, 1, 2, 3, 7, 19, 64, 130}) {
            for (const std::int64_t more : {std::int64_t{0}, std::int64_t{1}, I::lanes - 1}) {
                for (const std::int64_t count : {1, 3, 4, 7, 8, 14, 20}) {
                    if (const std::int64_t extent = registers * I::lanes + more; extent > 0) {
                        check<I>(extent, count, together);
                    }
                }
            }
        }
        check<I>(xeinsum::kernel::long_shared_bytes, 8, together);
    }
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
    const lines shared(one.data(), extent);
    for (const bool together : {true, false}) {
        if (together) {
            shared.add_together(many.data(), extent, 4, sums, true);
        } else {
            shared.add(many.data(), extent, 4, sums, true);
        }
        for (std::size_t n = 0; n < 4; ++n) {
            CHECK(lines::simd_type::sum(sums[n]) == (n == 1 ? infinity : static_cast<T>(extent)));
        }
    }
}
