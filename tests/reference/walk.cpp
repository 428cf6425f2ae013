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

TEST_CASE("every term is visited with its indices") {
    std::vector<std::vector<std::size_t>> visits;
    over("ij,jk->ik", {{1, 2}, {2, 2}}).run([&](const shape& at, const std::vector<shape>& from) {
        visits.push_back({at[0], at[1], from[0][0], from[0][1], from[1][0], from[1][1]});
    });
    // labels i j k; extents 1 2 2
    CHECK(visits ==
          std::vector<std::vector<std::size_t>>{
              {0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 1}, {0, 0, 0, 1, 1, 0}, {0, 1, 0, 1, 1, 1}});
}

TEST_CASE("an extent of 1 stands for all, a diagonal for itself") {
    int terms = 0;
    over("ii,i->", {{3, 3}, {1}}).run([&](const shape&, const std::vector<shape>& from) {
        CHECK(from[0][0] == from[0][1]);
        CHECK(from[1][0] == 0);
        ++terms;
    });
    CHECK(terms == 3);
}

TEST_CASE("shape of the result and number of terms") {
    const walk w = over("b...i,i->...b", {{2, 5, 7, 3}, {3}});
    CHECK(w.result_shape() == shape{5, 7, 2});
    CHECK(w.terms_per_element() == 3);
    CHECK(over("ij->", {{0, 4}}).terms_per_element() == 0);
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
