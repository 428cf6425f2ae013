#include <xeinsum/emit/matmul.hpp>

#include <doctest/doctest.h>

using namespace xeinsum::emission;

namespace {

label_table extents(std::vector<std::int64_t> list) {
    return {list, std::vector<bool>(list.size(), false), std::vector<std::string>(list.size())};
}

}  // namespace

TEST_CASE("free labels become a batch so that the large operand stays as it is") {
    // nctw,cd->ndtw
    const builder b(extents({8, 64, 30, 25, 128}), {{{0}, {1}, {2}, {3}}, {{1}, {4}}});
    const auto w = matmul_search(pair(b, 0, 1, {0, 4, 2, 3}, true), {}).run();
    REQUIRE(w.has_value());
    CHECK(w->swapped);
    CHECK(w->first == shape{{4}, {1}});
    CHECK(w->second == shape{{0}, {1}, {2, 3}});
    CHECK(w->result == shape{{0}, {4}, {2, 3}});
}

TEST_CASE("vectors stay vectors") {
    // ij,j->i
    const builder b(extents({30, 40}), {{{0}, {1}}, {{1}}});
    const auto w = matmul_search(pair(b, 0, 1, {0}, true), {}).run();
    REQUIRE(w.has_value());
    CHECK(w->first == shape{{0}, {1}});
    CHECK(w->second == shape{{1}});
    CHECK(w->result == shape{{0}});
}

TEST_CASE("without vectors, a product of two is one of matrices") {
    // i,i->
    const builder b(extents({30}), {{{0}}, {{0}}});
    const auto w = matmul_search(pair(b, 0, 1, {}, true), {.vectors = false}).run();
    REQUIRE(w.has_value());
    CHECK(w->first == shape{{}, {0}});
    CHECK(w->second == shape{{0}});
}

TEST_CASE("without batches, a batch of products has no matmul") {
    // bij,bjk->bik
    const builder b(extents({2, 3, 4, 5}), {{{0}, {1}, {2}}, {{0}, {2}, {3}}});
    CHECK(!matmul_search(pair(b, 0, 1, {0, 1, 3}, true), {.batches = false}).run().has_value());
}
