#include <xeinsum/kernel/lane_sums.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

TEST_CASE_TEMPLATE("every register becomes the lane that is its sum", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>,
                   support::instance<double, support::baseline_arch>) {
    using T = typename I::type;
    using sums = xeinsum::kernel::lane_sums<T, typename I::arch>;
    typename sums::reg registers[sums::lanes];
    std::vector<T> expected(sums::lanes);
    for (std::size_t r = 0; r < sums::lanes; ++r) {
        const auto lane = support::small_numbers<T>(sums::lanes, r * r * 17);
        registers[r] = sums::simd_type::load(lane.data());
        for (const T x : lane) {
            expected[r] += x;
        }
    }
    std::vector<T> found(sums::lanes);
    sums::simd_type::store(found.data(), sums::of(registers));
    CHECK(found == expected);
}
