#include <xeinsum/language.hpp>

#include <doctest/doctest.h>

// That earlier standards are refused is shown by compile_fail/language.cpp; here is one that may
// not be.

TEST_CASE("C++20 passes") {
    CHECK(__cplusplus >= 202002L);
}
