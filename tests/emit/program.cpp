#include <xeinsum/emit/program.hpp>

#include <doctest/doctest.h>

using namespace xeinsum::emission;

namespace {

// i = 2, j = 1, k = 5, n known at run time only.
const label_table table{{2, 1, 5, 7}, {false, false, false, true}, {"i", "j", "k", "n"}};

}  // namespace

TEST_CASE("axes have the product of their labels' extents") {
    CHECK(table.extent(axis{0, 2}) == 10);
    CHECK(table.extent(axis{}) == 1);
    CHECK(table.elements({0, 2, 3}) == 70);
}

TEST_CASE("labels that are always 1 do not tell axes apart") {
    CHECK(table.essence(axis{1, 2}) == axis{2});
    CHECK(table.essence(shape{{1}, {0, 1}}) == shape{{}, {0}});
    CHECK(table.is_dynamic(axis{0, 3}));
    CHECK(!table.is_dynamic(axis{0, 2}));
}

TEST_CASE("a product is told from one that is summed") {
    program p{table, {{{0}, {2}}, {{0}, {2}}}, {}, 3};
    p.nodes.push_back({operation::multiply, {0, 1}, {}, {{0}, {2}}});
    CHECK(!p.is_summed_product(2));
    p.nodes.push_back({operation::sum, {2}, {1}, {{0}}});
    CHECK(p.is_summed_product(2));
    CHECK(!p.is_summed_product(3));
    CHECK(!p.is_summed_product(0));
    CHECK(p.elements(2) == 10);
    CHECK(p.shape_of(3) == shape{{0}});
}
