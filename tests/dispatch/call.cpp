#include <xeinsum/dispatch/call.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace dispatch = xeinsum::dispatch;
namespace lowerings = xeinsum::lowerings;
using any_cpu = xeinsum::kernel::any_cpu;

TEST_CASE("calls are planned for the processor and run its kernels") {
    CHECK(&lowerings::call_target<double, any_cpu>() == &dispatch::chosen<double>().on);
    // A copy of 2 x 3 elements in the order of columns.
    std::array<std::int64_t, 8> rows{2, 1, 3, 0, 3, 2, 1, 0};
    xeinsum::mode_table table(rows.data(), 1, 2);
    const std::vector<double> in{1, 2, 3, 4, 5, 6};
    std::vector<double> out(6);
    lowerings::copy_scaled<double, any_cpu>(table, in.data(), out.data(), {});
    CHECK(out == std::vector<double>{1, 4, 2, 5, 3, 6});
}
