#include <xeinsum/kernel/inlined.hpp>

#include "../support/instances.hpp"

#include <xeinsum/kernel/gemm/fixed_gemm.hpp>
#include <xeinsum/kernel/reduce/small_nest.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace kernel = xeinsum::kernel;

TEST_CASE("what is declared is what calls have inlined") {
    constexpr kernel::small_shape shape{.rows = 2,
                                        .columns = 3,
                                        .depth = 2,
                                        .lhs_row = 2,
                                        .lhs_depth = 1,
                                        .rhs_depth = 3,
                                        .out_row = 3};
    const std::vector<float> a{1, 2, 3, 4}, b{5, 6, 7, 8, 9, 10};
    std::vector<float> out(6, 99);
    kernel::fixed_gemm<float, support::native_arch, shape>(a.data(), b.data(), out.data(), {});
    CHECK(out == std::vector<float>{21, 24, 27, 47, 54, 61});
    // "ij,j->i"
    const std::int64_t rows[]{2, 1, 2, 0, 0, 2, 0, 1, 1, 0};
    const float* from[]{a.data(), b.data()};
    kernel::small_nest<float, support::native_arch, 2, 1, 1>::run(rows, from, out.data(), {});
    CHECK(out[0] == 17);
    CHECK(out[1] == 39);
}
