#include <xeinsum/kernel/cursors.hpp>

#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;

TEST_CASE("inputs are sorted by how they step along the vector loop") {
    const std::vector<float> memory(100);
    const float* from[]{memory.data(), memory.data() + 1, memory.data() + 2, memory.data() + 3};
    const support::nest_rows vector({{5, 1, 7, 0, 1, -1}});
    const support::nest_rows row({{6, 5, 11, 12, 13, 14}});
    cursor<float> cells[4];
    cursors<float> inputs(cells, 4);
    inputs.start(from, vector.loops(), row.loops(), {});
    CHECK(inputs.counts().units == 1);
    CHECK(inputs.counts().fixed == 1);
    CHECK(inputs.counts().gathered == 2);
    CHECK(inputs[0].outer == from[2]);
    CHECK(inputs[1].outer == from[1]);
    CHECK(inputs[2].outer == from[0]);
    CHECK(inputs[3].lane == -1);
    CHECK(inputs[3].row == 14);
    CHECK(inputs[3].term == 0);
}

TEST_CASE("terms start where the output loops are, and both visit every iteration") {
    const std::vector<float> memory(1000);
    const float* from[]{memory.data(), memory.data() + 500};
    const support::nest_rows output({{2, 40, 100, 0}, {3, 2, 7, 30}});
    const support::nest_rows contracted({{4, 0, 10, 1}, {2, 0, 1, 200}});
    cursor<float> cells[2];
    cursors<float> inputs(cells, 2);
    inputs.start(from, {}, {}, {});
    std::vector<std::vector<std::int64_t>> expected;
    support::for_each_iteration(output.loops(), 3, [&](const std::vector<std::int64_t>& at) {
        support::for_each_iteration(
            contracted.loops(), 3, [&](const std::vector<std::int64_t>& term) {
                expected.push_back({at[0], at[1] + term[1], at[2] + term[2]});
            });
    });
    std::vector<std::vector<std::int64_t>> found;
    inputs.for_each_output(output.loops(), [&](std::int64_t out) {
        inputs.for_each_term(contracted.loops(), [&] {
            found.push_back({out, inputs[0].at - from[0], inputs[1].at - from[1]});
        });
    });
    CHECK(found == expected);
}
