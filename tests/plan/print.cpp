#include <xeinsum/plan/print.hpp>

#include "../support/shared_equations.hpp"

#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <string>

using xeinsum::planning::count_text;
using xeinsum::planning::label_speller;
using xeinsum::planning::seconds_text;

TEST_CASE("times have a unit that fits") {
    CHECK(seconds_text(1.5e-6) == "1.5 us");
    CHECK(seconds_text(0.0234) == "23.4 ms");
    CHECK(seconds_text(2.0e-8) == "20 ns");
    CHECK(seconds_text(3) == "3 s");
}

TEST_CASE("counts are exact as long as they are short") {
    CHECK(count_text(288000) == "288000");
    CHECK(count_text(2.88e8) == "2.88e+08");
}

TEST_CASE("axes under an ellipsis get letters that the equation leaves free") {
    const auto eq = xeinsum::parse(std::string_view("...iA,...->...i"));
    const std::size_t ranks[]{4, 2};
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const label_speller spell(eq, net.view());
    CHECK(spell.term(net.view().operand(0)) == "BCiA");
    CHECK(spell.term(net.view().operand(1)) == "BC");
    CHECK(spell.legend() == "... stands for B C");
}

TEST_CASE("names stand apart") {
    const auto eq = xeinsum::parse(std::string_view("b l d_in, d_in n -> b l n"));
    const std::size_t ranks[]{3, 2};
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const label_speller spell(eq, net.view());
    CHECK(spell.term(net.view().operand(0)) == "b l d_in");
    CHECK(spell.legend().empty());
}
