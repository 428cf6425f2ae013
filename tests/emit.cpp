#include <xeinsum/emit.hpp>

#include "support/shared_emission.hpp"

#include <xeinsum/compiled.hpp>

#include <doctest/doctest.h>

#include <vector>

using xeinsum::make_plan;
using xeinsum::target;

TEST_CASE("a plan is written down by default and as asked") {
    const auto plan = make_plan<float>("ij,kj->ik", {{20, 30}, {40, 30}});
    CHECK(plan.emit(target::torch) ==
          "# ij,kj->ik for (20, 30), (40, 30)\n"
          "def einsum(a, b):\n"
          "    return a @ b.permute(1, 0)\n");
    CHECK(plan.emit(target::torch, {.function = "scores"}) ==
          "# ij,kj->ik for (20, 30), (40, 30)\n"
          "def scores(a, b):\n"
          "    return a @ b.permute(1, 0)\n");
}

TEST_CASE("the operations of a plan as data") {
    const auto plan = make_plan<float>("bchw,chw->bc", {{2, 3, 4, 5}, {3, 4, 5}},
                                       {.lowering = xeinsum::lowering::depthwise_convolution});
    const auto count = [](const xeinsum::emission::program& made,
                          xeinsum::emission::operation wanted) {
        std::size_t found = 0;
        for (const auto& node : made.nodes) {
            found += node.what == wanted ? 1U : 0U;
        }
        return found;
    };
    const std::vector<bool> known(4, false);
    using xeinsum::emission::operation;
    CHECK(count(plan.operations(known), operation::convolution) == 1);
    CHECK(count(plan.operations(known, {.convolution = false}), operation::convolution) == 0);
}
