// A right result and, shown only when asked for, a wrong one, under Catch2 2 or 3.
#include <xeinsum/testing.hpp>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

namespace {

const xt::xtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};

}  // namespace

TEST_CASE("right") {
    CHECK(xeinsum::testing::check(xt::transpose(a), "ij->ji", a));
}

TEST_CASE("wrong", "[.]") {
    CHECK(xeinsum::testing::check(a, "ij->ij", 2 * a));
}
