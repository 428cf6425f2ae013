#include <xeinsum/lowering/runs.hpp>

#include "../support/instances.hpp"

#include <xeinsum/lowering/run_recipe.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

TEST_CASE("zeros and copies are delivered through strides") {
    std::array<std::int64_t, 8> cells{};
    xeinsum::mode_table table(cells.data(), 1);
    const std::size_t m = table.push(3);
    table.stride(m, 0) = -2;
    table.stride(m, 1) = 1;
    table.set_kind(m, xeinsum::index_class::lhs_free);
    const std::vector<float> in{1, 2, 3};
    std::vector<float> out(5, 7);
    xeinsum::lowerings::copy_scaled<float, support::native_arch>(table, in.data(), out.data() + 4,
                                                                 {1, 0});
    CHECK(out == std::vector<float>{3, 7, 2, 7, 1});
    xeinsum::lowerings::copy_scaled<float, support::native_arch>(
        table, static_cast<const float*>(nullptr), out.data() + 4, {1, 2});
    CHECK(out == std::vector<float>{6, 7, 4, 7, 2});
}
