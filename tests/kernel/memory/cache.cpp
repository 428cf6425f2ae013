#include <xeinsum/kernel/memory/cache.hpp>

#include <doctest/doctest.h>

#include <complex>

TEST_CASE("lines a multiple of 4 KiB apart, or nearly so, meet in one set") {
    using xeinsum::kernel::share_a_set;
    CHECK(share_a_set(4096));
    CHECK(share_a_set(-3 * 4096));
    CHECK(share_a_set(2 * 4096 + 60));
    CHECK_FALSE(share_a_set(2048));
    CHECK_FALSE(share_a_set(4096 + 64));
}

TEST_CASE("sets hold few lines at distances that are powers of two, and many at odd ones") {
    using xeinsum::kernel::sets_hold;
    CHECK(sets_hold(8, 4096));
    CHECK_FALSE(sets_hold(9, 4096));
    CHECK_FALSE(sets_hold(9, -3 * 8192));
    CHECK(sets_hold(32, 5 * 1024));
    CHECK_FALSE(sets_hold(33, 5 * 1024));
    CHECK(sets_hold(500, 4096 + 64));
    CHECK(sets_hold(100, 0));
}

TEST_CASE("a line has at least one element") {
    using xeinsum::kernel::line_elements;
    struct matrix {
        double elements[12];
    };
    CHECK(line_elements<float> == 16);
    CHECK(line_elements<std::complex<double>> == 4);
    CHECK(line_elements<matrix> == 1);
}
