#include <xeinsum/equation/argument.hpp>

#include "../support/shared_equations.hpp"

#include <doctest/doctest.h>

#include <string>

using xeinsum::equation_argument;
using xeinsum::notation;

TEST_CASE("an equation comes as text of any kind or parsed") {
    const std::string text = "ij,jk->ik";
    for (const equation_argument& a :
         {equation_argument("ij,jk->ik"), equation_argument(text),
          equation_argument(std::string_view(text)), equation_argument(xeinsum::parse(text)),
          equation_argument(xeinsum::parse("ij,jk->ik"))}) {
        CHECK(a.get().text() == text);
        CHECK(a.get().term_count() == 2);
    }
}

TEST_CASE("the notation is the reader's, a parsed equation keeps its own") {
    CHECK(equation_argument("ab->a").get(notation::letters).label_count() == 2);
    CHECK_THROWS_AS(static_cast<void>(equation_argument("ab->a").get(notation::names)),
                    xeinsum::einsum_error);
    CHECK(equation_argument(xeinsum::parse("ab->a")).get(notation::names).label_count() == 2);
}
