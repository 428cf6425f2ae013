#include <xeinsum/emit/builder.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace xeinsum::emission;

namespace {

// i = 2, j = 3, k = 1, l = 5.
builder<label_table> of(shape operand) {
    return {{{2, 3, 1, 5}, {false, false, false, false}, {"i", "j", "k", "l"}},
            {std::move(operand)}};
}

std::vector<operation> operations(const program& p) {
    std::vector<operation> all;
    for (const node& n : p.nodes) {
        all.push_back(n.what);
    }
    return all;
}

}  // namespace

TEST_CASE("nothing is done where nothing changes") {
    builder b = of({{0}, {1}});
    CHECK(b.permute(0, {0, 1}) == 0);
    CHECK(b.reshape(0, {{0}, {1}}) == 0);
    CHECK(b.arrange(0, {{0}, {1}}) == 0);
}

TEST_CASE("axes of extent 1 move by a reshape") {
    builder b = of({{0}, {1}, {2}});
    const program p = b.finish(b.permute(0, {2, 0, 1}));
    CHECK(operations(p) == std::vector{operation::reshape});
    CHECK(p.shape_of(p.result) == shape{{2}, {0}, {1}});
}

TEST_CASE("two reshapes are one") {
    builder b = of({{0}, {1}, {3}});
    const program p = b.finish(b.reshape(b.reshape(0, {{0, 1}, {3}}), {{0}, {1, 3}}));
    CHECK(operations(p) == std::vector{operation::reshape});
    CHECK(p.nodes.front().inputs == std::vector<std::size_t>{0});
}

TEST_CASE("axes that stay together are permuted together") {
    builder b = of({{0, 1}, {3}});
    const program p = b.finish(b.arrange(0, {{3}, {0}, {1}}));
    CHECK(operations(p) == std::vector{operation::permute, operation::reshape});
    CHECK(p.nodes.front().numbers == std::vector<std::size_t>{1, 0});
}

TEST_CASE("axes that part are split first") {
    builder b = of({{0, 1}, {3}});
    const program p = b.finish(b.arrange(0, {{1}, {3}, {0}}));
    CHECK(operations(p) == std::vector{operation::reshape, operation::permute});
    CHECK(p.nodes.back().numbers == std::vector<std::size_t>{1, 2, 0});
}

TEST_CASE("a sum over extents of 1 is a reshape") {
    builder b = of({{0}, {2}, {1}});
    CHECK(operations(b.finish(b.sum(0, {1}))) == std::vector{operation::reshape});
    const program p = b.finish(b.sum(0, {1, 2}));
    CHECK(operations(p) == std::vector{operation::sum});
    CHECK(p.shape_of(p.result) == shape{{0}});
}
