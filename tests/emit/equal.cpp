#include <xeinsum/emit/equal.hpp>

#include <doctest/doctest.h>

using namespace xeinsum::emission;

namespace {

builder<label_table> values(std::vector<std::int64_t> extents, const shape& lhs, const shape& rhs) {
    const std::size_t n = extents.size();
    return builder({std::move(extents), std::vector<bool>(n, false), std::vector<std::string>(n)},
                   {lhs, rhs});
}

}  // namespace

TEST_CASE("variables are a matmul of three axes, or a product of equal shapes") {
    // bqhd,bkhd->bhqk
    builder b = values({2, 3, 4, 5, 6}, {{0}, {1}, {2}, {3}}, {{0}, {4}, {2}, {3}});
    way w = equal_search(pair(b, 0, 1, {0, 2, 1, 4}, true), false, false).run();
    CHECK(w.what == operation::matmul);
    CHECK(!w.swapped);
    CHECK(w.first == shape{{0, 2}, {1}, {3}});
    CHECK(w.second == shape{{0, 2}, {3}, {4}});
    CHECK(w.result == shape{{0, 2}, {1}, {4}});

    // ij,kl->ijkl: no batch, depth 1
    b = values({2, 3, 4, 5}, {{0}, {1}}, {{2}, {3}});
    w = equal_search(pair(b, 0, 1, {0, 1, 2, 3}, true), false, false).run();
    CHECK(w.what == operation::matmul);
    CHECK(w.first == shape{{}, {0, 1}, {}});
    CHECK(w.second == shape{{}, {}, {2, 3}});

    // ij,ji->ji
    b = values({2, 3}, {{0}, {1}}, {{1}, {0}});
    w = equal_search(pair(b, 0, 1, {1, 0}, true), false, false).run();
    CHECK(w.what == operation::multiply);
    CHECK(w.first == shape{{1}, {0}});
    CHECK(w.second == w.first);
    CHECK(w.summed.empty());
}

TEST_CASE("a constant is a matrix on the right") {
    // kj,bij->bik: the first is constant
    const builder b = values({2, 3, 4, 5}, {{3}, {2}}, {{0}, {1}, {2}});
    const way w = equal_search(pair(b, 0, 1, {0, 1, 3}, true), true, false).run();
    CHECK(w.what == operation::matmul);
    CHECK(w.swapped);
    CHECK(w.first == shape{{0, 1}, {2}});
    CHECK(w.second == shape{{2}, {3}});
    CHECK(w.result == shape{{0, 1}, {3}});
}

TEST_CASE("a constant whose labels all survive is a row") {
    // bld,d->bld
    const builder b = values({2, 3, 4}, {{0}, {1}, {2}}, {{2}});
    const way w = equal_search(pair(b, 0, 1, {0, 1, 2}, true), false, true).run();
    CHECK(w.what == operation::multiply);
    CHECK(w.first == shape{{0, 1}, {2}});
    CHECK(w.second == shape{{2}});
    CHECK(w.result == w.first);
}

TEST_CASE("a constant that shares surviving labels and has others is a convolution's weights") {
    // bgcl,gcd->bgdl: b positions in front, l behind
    const builder b = values({2, 3, 4, 5, 6}, {{0}, {1}, {2}, {3}}, {{1}, {2}, {4}});
    const way w = equal_search(pair(b, 0, 1, {0, 1, 4, 3}, true), false, true).run();
    CHECK(w.what == operation::convolution);
    CHECK(w.first == shape{{0}, {1, 2}, {3}, {}});
    CHECK(w.second == shape{{1, 4}, {2}, {}, {}});
    CHECK(w.result == shape{{0}, {1, 4}, {3}, {}});
}
