#include <xeinsum/kernel/simd/opaque.hpp>

#include <doctest/doctest.h>

using xeinsum::kernel::opaque;

TEST_CASE("an address stays what it is, whatever is read or written there") {
    float numbers[3]{5, 6, 7};
    CHECK(opaque(numbers + 1) == numbers + 1);
    *opaque(numbers + 2) = 8;
    CHECK(numbers[2] == 8);
    const float* const none = nullptr;
    CHECK(opaque(none) == nullptr);
}
