#include <xeinsum/kernel/scaling.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using xeinsum::kernel::scaling;
using xeinsum::kernel::simd;

TEST_CASE_TEMPLATE("alpha * value + beta * out, alone, in registers and in parts", I,
                   SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using S = simd<T, typename I::arch>;
    const auto value = support::small_numbers<T>(S::lanes, 3);
    const auto old = support::small_numbers<T>(S::lanes, 40);
    for (const auto& [alpha, beta] :
         {std::pair{T(1), T(0)}, {T(3), T(0)}, {T(1), T(2)}, {T(3), T(2)}}) {
        const scaling<T> scale(alpha, beta);
        std::vector<T> one = old;
        std::vector<T> whole = old;
        std::vector<T> part = old;
        for (std::size_t l = 0; l < S::lanes; ++l) {
            scale.template put<typename I::arch>(one[l], value[l]);
        }
        scale.template put_register<S>(whole.data(), S::load(value.data()));
        constexpr std::size_t some = S::lanes == 1 ? 1 : S::lanes - 1;
        scale.template put_part<S>(part.data(), S::load(value.data()), some);
        for (std::size_t l = 0; l < S::lanes; ++l) {
            const T expected = T(alpha * value[l] + beta * old[l]);
            CHECK(one[l] == expected);
            CHECK(whole[l] == expected);
            CHECK(part[l] == (l < some ? expected : old[l]));
        }
    }
}

TEST_CASE("beta 0 does not read the output") {
    using S = simd<float, support::native_arch>;
    const scaling<float> scale(2, 0);
    std::vector<float> out(S::lanes, std::numeric_limits<float>::quiet_NaN());
    scale.put_register<S>(out.data(), S::set(3));
    CHECK(out.back() == 6);
    out.assign(S::lanes, std::numeric_limits<float>::quiet_NaN());
    scale.put_part<S>(out.data(), S::set(3), 1);
    CHECK(out[0] == 6);
    out[0] = std::numeric_limits<float>::infinity();
    scale.put<support::native_arch>(out[0], 3);
    CHECK(out[0] == 6);
}

TEST_CASE("later parts of a sum are added to what is there") {
    const auto later = scaling<double>(2, 0).accumulating();
    double out = 5;
    later.put<support::native_arch>(out, 3);
    CHECK(out == 11);
    CHECK(later.adds());
    CHECK_FALSE(scaling<double>().adds());
}

TEST_CASE("narrow elements are scaled in their accumulator") {
    const scaling<std::int8_t> scale(3U, 1U);
    std::int8_t out = 10;
    scale.put<support::scalar_arch>(out, 30U);
    CHECK(out == 100);
    const scaling<bool> either(xeinsum::accumulator_t<bool>(true),
                               xeinsum::accumulator_t<bool>(true));
    bool truth = false;
    either.put<support::scalar_arch>(truth, xeinsum::accumulator_t<bool>(true));
    CHECK(truth);
}
