#include <xeinsum/emit/product.hpp>

#include <doctest/doctest.h>

using namespace xeinsum::emission;

TEST_CASE("the result's order where nothing is summed") {
    // ij,k->kij with i = 2, j = 3, k = 5
    const builder b({{2, 3, 5}, {false, false, false}, {"i", "j", "k"}}, {{{0}, {1}}, {{2}}});
    const way w = find_product(pair(b, 0, 1, {2, 0, 1}, true));
    CHECK(w.first == shape{{0}, {1}});
    CHECK(w.second == shape{{2}, {}, {}});
    CHECK(w.result == shape{{2}, {0}, {1}});
    CHECK(w.summed.empty());
}

TEST_CASE("the large operand's order where labels are summed") {
    // ab,abc->bc: nothing is permuted
    const builder b({{20, 30, 50}, {false, false, false}, {"a", "b", "c"}},
                    {{{0}, {1}}, {{0}, {1}, {2}}});
    const way w = find_product(pair(b, 0, 1, {1, 2}, true));
    CHECK(w.first == shape{{0}, {1}, {}});
    CHECK(w.second == shape{{0}, {1}, {2}});
    CHECK(w.summed == std::vector<std::size_t>{0});
}
