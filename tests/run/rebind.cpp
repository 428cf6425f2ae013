#include <xeinsum/run/rebind.hpp>

#include "../support/instances.hpp"
#include "../support/shared_planner.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/planner.hpp>
#include <xeinsum/run/execute.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using xeinsum::layout_view;

TEST_CASE("a step is rebuilt for arrays that lie otherwise") {
    // "iij,jk->ki": a diagonal and an exchanged output, planned row-major
    const auto eq = xeinsum::parse(std::string_view("iij,jk->ki"));
    const std::vector<std::size_t> ranks{3, 2};
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const std::array<std::int64_t, 3> ea{3, 3, 4}, sa{12, 4, 1};
    const std::array<std::int64_t, 2> eb{4, 5}, sb{5, 1}, so{3, 1};
    const std::vector<layout_view> planned{{ea, sa}, {eb, sb}};
    xeinsum::basic_plan_data<xeinsum::plan_storage> data;
    xeinsum::planning::planner<xeinsum::plan_storage, xeinsum::lowerings::all> planner(
        net.view(), planned, {}, xeinsum::lowerings::target_of<float, support::native_arch>(),
        data);
    REQUIRE(planner.measure().ok());
    REQUIRE(planner.make(so).ok());
    const auto plan = data.view();
    REQUIRE(plan.steps.size() == 1);

    const std::array<std::int64_t, 3> reversed{1, 3, 9};
    const std::array<std::int64_t, 2> gapped{20, -2}, transposed{1, 5};
    const std::vector<layout_view> actual{{ea, reversed}, {eb, gapped}};
    std::vector<std::byte> memory(xeinsum::lowerings::rebind_bytes(plan));
    const auto table = xeinsum::lowerings::rebuild_table(plan, plan.steps[0],
                                                         {net.view(), actual, transposed, memory});
    REQUIRE(table.size() == 3);
    for (std::size_t m = 0; m < 3; ++m) {
        const std::vector<std::int64_t> row{table.stride(m, 0), table.stride(m, 1),
                                            table.stride(m, 2)};
        if (table.extent(m) == 3) {
            CHECK(row == std::vector<std::int64_t>{5, 4, 0});  // i: the diagonal of strides 1 and 3
        } else if (table.extent(m) == 4) {
            CHECK(row == std::vector<std::int64_t>{0, 9, 20});  // j
        } else {
            CHECK(row == std::vector<std::int64_t>{1, 0, -2});  // k
        }
    }
}
