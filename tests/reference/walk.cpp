#include <xeinsum/reference/walk.hpp>

#include "../support/shared_equations.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

using xeinsum::reference::shape;
using xeinsum::reference::walk;

namespace {

walk over(std::string_view text, std::vector<shape> shapes) {
    return {xeinsum::parse(text), std::move(shapes)};
}

}  // namespace

TEST_CASE("shape of the result and number of terms") {
    const walk w = over("b...i,i->...b", {{2, 5, 7, 3}, {3}});
    CHECK(w.result_shape() == shape{5, 7, 2});
    CHECK(w.terms_per_element() == 3);
    CHECK(over("ij->", {{0, 4}}).terms_per_element() == 0);
}

TEST_CASE("an element is named by its labels") {
    const walk w = over("b...i,i->...b", {{2, 5, 7, 3}, {3}});
    CHECK(w.index_text(0) == "...[0]=0, ...[1]=0, b=0");
    CHECK(w.index_text(69) == "...[0]=4, ...[1]=6, b=1");
    CHECK(over("ij->", {{3, 4}}).index_text(0) == "the only element");
}

TEST_CASE("clashes are refused with column and places") {
    try {
        over("ij,jk->ik", {{2, 3}, {4, 5}});
        FAIL("it was not refused");
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.code() == xeinsum::error_code::extent_mismatch);
        CHECK(e.column() == 4);
    }
    CHECK_THROWS_AS(over("ii", {{2, 3}}), xeinsum::einsum_error);
    CHECK_THROWS_AS(over("ij", {{2}}), xeinsum::einsum_error);
}
