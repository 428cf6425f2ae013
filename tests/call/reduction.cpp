#include <xeinsum/call/reduction.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>

using xeinsum::reduction;
using xeinsum::reduction_argument;

TEST_CASE("a reduction has a name") {
    CHECK(reduction_argument("mean").get() == reduction::mean);
    CHECK(reduction_argument(std::string("prod")).get() == reduction::prod);
    CHECK(reduction_argument(reduction::max).get() == reduction::max);
    static_assert(!xeinsum::detail::reduces<static_cast<reduction>(77), float>);
    // The name is no equation and has no caret.
    CHECK_THROWS_WITH_AS(reduction_argument("Max"),
                         "xeinsum: a reduction is sum, mean, min, max or prod: 'Max'",
                         xeinsum::einsum_error);
}

TEST_CASE("some reductions have no meaning for some elements") {
    using xeinsum::detail::reduces;
    static_assert(reduces<reduction::mean, std::complex<float>>);
    static_assert(!reduces<reduction::mean, std::int32_t>);
    static_assert(!reduces<reduction::max, std::complex<float>>);
    static_assert(reduces<reduction::min, std::int8_t>);
    CHECK(reduces<reduction::prod, std::complex<double>>);
}
