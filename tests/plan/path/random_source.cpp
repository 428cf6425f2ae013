#include <xeinsum/plan/path/random_source.hpp>

#include <doctest/doctest.h>

using xeinsum::planning::random_source;

TEST_CASE("the numbers are those that splitmix64 is published with") {
    random_source zero(0);
    CHECK(zero.next() == 0xE220A8397B1DCDAFU);
    CHECK(zero.next() == 0x6E789E6AA1B965F4U);
    random_source other(1234567);
    CHECK(other.next() == 6457827717110365317U);
    CHECK(other.next() == 3203168211198807973U);
}

TEST_CASE("uniform numbers lie between 0 and 1, around the middle") {
    random_source random(5);
    double sum = 0;
    for (int i = 0; i < 1000; ++i) {
        const double u = random.uniform();
        CHECK(u > 0);
        CHECK(u < 1);
        sum += u;
    }
    CHECK(sum == doctest::Approx(500).epsilon(0.05));
}
