#include <xeinsum/reference/wide.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace reference = xeinsum::reference;

TEST_CASE("sums are formed in a wider type") {
    CHECK(std::is_same_v<reference::wide_t<float>, double>);
    CHECK(std::is_same_v<reference::wide_t<double>, long double>);
    CHECK(std::is_same_v<reference::wide_t<std::complex<float>>, std::complex<double>>);
    CHECK(std::is_same_v<reference::wide_t<std::int8_t>, std::uint64_t>);
    CHECK(std::is_same_v<reference::wide_t<bool>, bool>);
}

TEST_CASE("truth values are joined by or, and by and") {
    CHECK(reference::plus(true, true) == true);
    CHECK(reference::times(true, false) == false);
    CHECK(reference::plus(2.0, 3.0) == 5);
    CHECK(reference::times(2.0, 3.0) == 6);
}
