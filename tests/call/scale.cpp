#include <xeinsum/call/scale.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>

using xeinsum::error_code;
using xeinsum::scale;
using xeinsum::detail::to_scaling;

TEST_CASE("scales take numbers of any type") {
    const auto check = [](const auto& scaling, auto value, auto old, auto expected) {
        auto out = old;
        scaling.template put<support::native_arch>(out, value);
        CHECK(out == expected);
    };
    check(to_scaling<float>(scale{2, 0.5}), 3.0F, 4.0F, 8.0F);
    check(to_scaling<std::int32_t>(scale{-1.0, 1}), 3U, 10U, 7U);
    check(to_scaling<double>(scale{2}), 3.0, 5.0, 6.0);
    using number = std::complex<float>;
    check(to_scaling<number>(scale{2, 1}), number(3, 1), number(0, 4), number(6, 6));
}

TEST_CASE("integers hold whole numbers of their range, negative ones too") {
    using xeinsum::detail::holds_number;
    CHECK(holds_number<std::int32_t>(2.0));
    CHECK(holds_number<std::int32_t>(-2147483648.0));
    CHECK(holds_number<std::int32_t>(2147483647LL));
    CHECK(holds_number<std::int8_t>(300));  // summed in 32 bits
    CHECK(holds_number<std::uint32_t>(-1.0));
    CHECK(holds_number<std::uint32_t>(-1));
    CHECK(holds_number<std::uint64_t>(18446744073709549568.0));
    CHECK(holds_number<std::int64_t>(std::numeric_limits<std::int64_t>::min()));
    CHECK(holds_number<bool>(1.0));
    CHECK(holds_number<float>(0.1));
    CHECK(holds_number<std::complex<float>>(0.5));
    for (const double wrong : {0.5, -1e-300, 2147483648.0, -2147483649.0, 1e300,
                               std::numeric_limits<double>::infinity(), std::nan("")}) {
        CAPTURE(wrong);
        CHECK_FALSE(holds_number<std::int32_t>(wrong));
        CHECK_FALSE(holds_number<std::int8_t>(wrong));
        CHECK_FALSE(holds_number<bool>(wrong));
    }
    CHECK_FALSE(holds_number<std::int32_t>(2147483648LL));
    CHECK_FALSE(holds_number<std::int64_t>(~std::uint64_t{0}));
    CHECK_FALSE(holds_number<std::int64_t>(9223372036854775808.0));
    CHECK_FALSE(holds_number<std::uint32_t>(-4294967296LL));
    CHECK_FALSE(holds_number<bool>(2));
    CHECK(xeinsum::detail::check_scale<std::int32_t>(scale{2.0, 1}).ok());
    const auto alpha = xeinsum::detail::check_scale<std::int32_t>(scale{0.5, 0.5});
    CHECK(alpha.code == error_code::scale_not_held);
    CHECK(std::string(alpha.reason) == "alpha");
    const auto beta = xeinsum::detail::check_scale<std::int32_t>(scale{2.0, 0.5});
    CHECK(std::string(beta.reason) == "beta");
}

TEST_CASE("negative scales of unsigned elements wrap") {
    std::uint32_t out = 10;
    to_scaling<std::uint32_t>(scale{-1.0, 1.0}).put<support::native_arch>(out, 3U);
    CHECK(out == 7);
}
