#include <xeinsum/emit/cost.hpp>

#include <doctest/doctest.h>

using namespace xeinsum::emission;

TEST_CASE("a reshape is cheap, a transposed matrix dearer, a copy dearest") {
    const label_table table{{20, 30, 50}, {false, false, false}, {"i", "j", "k"}};
    const shape from{{0}, {1}, {2}};
    const double same = arrange_cost(table, from, from);
    const double merged = arrange_cost(table, from, {{0}, {1, 2}});
    const double transposed = arrange_cost(table, from, {{0}, {2}, {1}});
    const double copied = arrange_cost(table, from, {{2}, {0}, {1}});
    CHECK(same == 0);
    CHECK(merged > 0);
    CHECK(transposed > merged + 20 * 30 * 50 - 1);
    CHECK(copied > transposed);
}

TEST_CASE("extents that must be read first are dear") {
    const label_table table{{20, 30, 50}, {true, true, false}, {"i", "j", "k"}};
    CHECK(arrange_cost(table, {{0, 1}, {2}}, {{0}, {1}, {2}}) >
          2 * arrange_cost(table, {{0, 1}, {2}}, {{0, 1, 2}}));
}

TEST_CASE("thin matrices are slow") {
    CHECK(matmul_cost(1000, 64000, 1, 64) > matmul_cost(1000, 64000, 64, 64));
    CHECK(matmul_cost(1000, 64000, 64, 1) > matmul_cost(1000, 64000, 64, 64));
}
