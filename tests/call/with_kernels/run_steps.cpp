#include <xeinsum/call/with_kernels/run_steps.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::detail::deliver;
using xeinsum::detail::destination;

TEST_CASE("a row-major result is delivered through strides, zeros where there is none") {
    const std::vector<double> result{1, 2, 3, 4, 5, 6};
    const std::vector<std::int64_t> extents{2, 1, 3}, strides{1, 0, -2};
    std::vector<double> out(8, 9);
    const destination<double> to{out.data() + 5, extents, strides};
    deliver<double, support::native_arch>(result.data(), to, {10, 1});
    CHECK(out == std::vector<double>{9, 39, 69, 29, 59, 19, 49, 9});
    deliver<double, support::native_arch>(nullptr, to, {1, 0});
    CHECK(out == std::vector<double>{9, 0, 0, 0, 0, 0, 0, 9});
    const std::vector<std::int64_t> empty{2, 0, 3};
    deliver<double, support::native_arch>(nullptr, {out.data(), empty, strides}, {1, 0});
    CHECK(out[0] == 9);
}
