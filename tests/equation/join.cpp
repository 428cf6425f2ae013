#include <xeinsum/equation/join.hpp>

#include <doctest/doctest.h>

TEST_CASE("texts, characters and numbers are joined") {
    const std::string text = "b";
    CHECK(xeinsum::parsing::join("a", text, 'c', -7, std::size_t{8}, std::string_view("d")) ==
          "abc-78d");
    CHECK(xeinsum::parsing::join().empty());
}
