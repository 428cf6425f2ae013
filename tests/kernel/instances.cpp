#include <xeinsum/kernel/instances.hpp>

#include "../support/nest.hpp"
#include "../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <vector>

// The program links because another file has XEINSUM_INSTANTIATE_REAL_KERNELS(, float).
TEST_CASE("kernels that another file has compiled are called") {
    const support::nest_rows loops({{2, 1, 3}, {3, 2, 1}});
    const std::vector<float> in{1, 2, 3, 4, 5, 6};
    std::vector<float> out(6);
    xeinsum::kernel::permute<float, xeinsum::kernel::native_arch>(loops.loops(), in.data(),
                                                                  out.data(), {});
    CHECK(out == std::vector<float>{1, 4, 2, 5, 3, 6});
}
