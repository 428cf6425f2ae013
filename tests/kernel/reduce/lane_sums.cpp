#include <xeinsum/kernel/reduce/lane_sums.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

TEST_CASE_TEMPLATE("every register becomes the lane that is its sum", I,
                   SUPPORT_FLOATING_INSTANCES) {
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

TEST_CASE_TEMPLATE("sums are put side by side and apart, however many there are", I,
                   SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using simd_type = xeinsum::kernel::simd<T, typename I::arch>;
    constexpr std::size_t lanes = simd_type::lanes;
    for (std::size_t count = 0; count <= 3 * lanes; ++count) {
        for (const std::size_t step : {1U, 3U}) {
            const xeinsum::kernel::scaling<T> scale(T(2), T(3));
            const auto before = support::small_numbers<T>(step * count + 1, 40);
            std::vector<T> expected = before;
            std::vector<typename simd_type::type> registers(count + 1);
            for (std::size_t r = 0; r < count; ++r) {
                const auto lane = support::small_numbers<T>(lanes, 17 * r);
                registers[r] = simd_type::load(lane.data());
                T sum(0);
                for (const T& x : lane) {
                    sum += x;
                }
                expected[step * r] = T(2) * sum + T(3) * before[step * r];
            }
            std::vector<T> found = before;
            xeinsum::kernel::put_lane_sums<T, typename I::arch>(
                registers.data(), static_cast<std::int64_t>(count), found.data(),
                static_cast<std::int64_t>(step), scale);
            CAPTURE(count);
            CAPTURE(step);
            CHECK(found == expected);
        }
    }
}

TEST_CASE_TEMPLATE("groups of lanes are added up in order, however many there are", I,
                   SUPPORT_FLOATING_INSTANCES) {
    using T = typename I::type;
    using simd_type = xeinsum::kernel::simd<T, typename I::arch>;
    constexpr std::size_t lanes = simd_type::lanes;
    for (const std::int64_t terms : {1, 5, 6, 7, 9, 16}) {
        CHECK_FALSE(xeinsum::kernel::is_group(terms, lanes));
    }
    for (const std::size_t group : {2U, 3U, 4U, 8U}) {
        const auto terms = static_cast<std::int64_t>(group);
        CHECK(xeinsum::kernel::is_group(terms, lanes) == (2 * group <= lanes));
        for (std::size_t count = 1; 2 * group <= lanes && count <= 3 * lanes + 1; ++count) {
            const auto in = support::small_numbers<T>(count * group + lanes, 3 * group);
            std::vector<typename simd_type::type> registers((count * group + lanes - 1) / lanes);
            for (std::size_t r = 0; r < registers.size(); ++r) {
                registers[r] = simd_type::load(in.data() + r * lanes);
            }
            for (const std::size_t step : {1U, 3U}) {
                const auto before = support::small_numbers<T>(step * count + 1, 40);
                std::vector<T> expected = before;
                for (std::size_t i = 0; i < count; ++i) {
                    T sum(0);
                    for (std::size_t t = 0; t < group; ++t) {
                        sum += in[i * group + t];
                    }
                    expected[step * i] = T(2) * sum + T(3) * before[step * i];
                }
                std::vector<T> found = before;
                xeinsum::kernel::put_group_sums<T, typename I::arch>(
                    registers.data(), static_cast<std::int64_t>(count), terms, found.data(),
                    static_cast<std::int64_t>(step), xeinsum::kernel::scaling<T>(T(2), T(3)));
                CAPTURE(group);
                CAPTURE(count);
                CAPTURE(step);
                CHECK(found == expected);
            }
        }
    }
}
