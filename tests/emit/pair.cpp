#include <xeinsum/emit/pair.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace xeinsum::emission;

using any_pair = pair<builder<label_table>>;

TEST_CASE("labels of a pair have parts") {
    // bij,bjk->bik with b = 2, i = 3, j = 4, k = 5.
    const builder b({{2, 3, 4, 5}, {false, false, false, false}, {"b", "i", "j", "k"}},
                    {{{0}, {1}, {2}}, {{0}, {2}, {3}}});
    const pair p(b, 0, 1, {0, 1, 3}, true);
    CHECK(p.batch == std::vector<xeinsum::label>{0});
    CHECK(p.contracted == std::vector<xeinsum::label>{2});
    CHECK(p.free[0] == std::vector<xeinsum::label>{1});
    CHECK(p.free[1] == std::vector<xeinsum::label>{3});
    CHECK(p.iterations() == 120);
    CHECK(p.result_elements() == 30);

    way w;
    w.first = {{0}, {1}, {2}};
    w.second = {{0}, {2}, {3}};
    w.result = {{0}, {1}, {3}};
    CHECK(p.arranging(w) == 0);
    w.result = {{1}, {0}, {3}};
    CHECK(p.arranging(w) > 0);
}

TEST_CASE("a term is aligned with extents of 1, none of them in front") {
    CHECK(any_pair::aligned({0, 1, 2}, {0, 2}) == shape{{0}, {}, {2}});
    CHECK(any_pair::aligned({0, 1, 2}, {1}) == shape{{1}, {}});
    CHECK(any_pair::aligned({0, 1}, {}).empty());
}

TEST_CASE("labels are sorted by a list, unknown ones in front") {
    CHECK(any_pair::sorted({1, 2, 3}, {3, 1}) == std::vector<xeinsum::label>{2, 3, 1});
}
