#include <xeinsum/kernel/simd/element.hpp>

#include "../../support/brain_float.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <type_traits>

using xeinsum::accumulator_t;
using xeinsum::kernel::compute_t;
using xeinsum::kernel::computes_in_place;

namespace {

struct half {
    float value = 0;
};
struct implicit {
    implicit(float x = 0) : value(x) {}
    operator float() const { return value; }
    float value;
};
struct heavy {
    heavy() = default;
    heavy(const heavy& other) : value(other.value) {}
    heavy& operator=(const heavy&) = default;
    double value = 0;
};

}  // namespace

template <>
struct xeinsum::accumulator<half> {
    using type = float;
};

TEST_CASE("narrow types are summed in wider ones") {
    static_assert(std::is_same_v<accumulator_t<std::int8_t>, std::int32_t>);
    static_assert(std::is_same_v<accumulator_t<std::uint16_t>, std::int32_t>);
    static_assert(std::is_same_v<accumulator_t<std::int32_t>, std::int32_t>);
    static_assert(std::is_same_v<accumulator_t<float>, float>);
    static_assert(std::is_same_v<accumulator_t<half>, float>);
    CHECK_FALSE(computes_in_place<std::int8_t>);
    CHECK_FALSE(computes_in_place<half>);
}

TEST_CASE("what can be an element") {
    using xeinsum::element;
    static_assert(element<float> && element<long double> && element<bool> && element<std::int8_t>);
    static_assert(element<std::uint64_t> && element<std::complex<double>>);
    static_assert(element<support::brain_float>);
    // No conversion to the accumulator, which is float; no sums; sums of another type, which
    // converts back and forth.
    static_assert(!element<half>);
    static_assert(!element<heavy>);
    static_assert(!element<implicit>);
    CHECK_FALSE(element<const char*>);
}

TEST_CASE("integers are computed as unsigned ones, in place") {
    static_assert(std::is_same_v<compute_t<std::int32_t>, std::uint32_t>);
    static_assert(std::is_same_v<compute_t<std::int64_t>, std::uint64_t>);
    static_assert(std::is_same_v<compute_t<std::int8_t>, std::uint32_t>);
    static_assert(std::is_same_v<compute_t<double>, double>);
    CHECK(computes_in_place<std::int32_t>);
    CHECK(computes_in_place<std::uint64_t>);
    CHECK(computes_in_place<std::complex<float>>);
    CHECK(computes_in_place<long double>);
}

TEST_CASE("elements that are more than their bytes are computed in one pass only") {
    CHECK_FALSE(computes_in_place<heavy>);
}

TEST_CASE("truth values are summed by or, multiplied by and") {
    using logical = accumulator_t<bool>;
    CHECK(static_cast<bool>(logical(true) + logical(true)));
    CHECK(static_cast<bool>(logical(false) + logical(true)));
    CHECK_FALSE(static_cast<bool>(logical(false) + logical(false)));
    CHECK_FALSE(static_cast<bool>(logical(true) * logical(false)));
    CHECK_FALSE(computes_in_place<bool>);
}
