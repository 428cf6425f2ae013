#include <xeinsum/version.hpp>

#include <doctest/doctest.h>

#include <string>

TEST_CASE("the package has the version of the headers") {
    CHECK(std::string(XEINSUM_TEST_VERSION) == std::to_string(XEINSUM_VERSION_MAJOR) + '.' +
                                                   std::to_string(XEINSUM_VERSION_MINOR) + '.' +
                                                   std::to_string(XEINSUM_VERSION_PATCH));
    CHECK(XEINSUM_VERSION == 100);
}
