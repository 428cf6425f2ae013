#include <xeinsum/kernel/instances.hpp>

#include "../support/nest.hpp"
#include "../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace kernel = xeinsum::kernel;
using arch = kernel::native_arch;

// Another file has XEINSUM_INSTANTIATE_REAL_KERNELS(, float), and budgets/instances sees that this
// one has none of it.
TEST_CASE("kernels that another file has compiled are called") {
    const support::nest_rows loops({{2, 1, 3}, {3, 2, 1}});
    const std::vector<float> in{1, 2, 3, 4, 5, 6};
    std::vector<float> out(6);
    kernel::permute<float, arch>(loops.loops(), in.data(), out.data(), {});
    CHECK(out == std::vector<float>{1, 4, 2, 5, 3, 6});
    CHECK(kernel::dot<float, arch>(in.data(), in.data() + 1, 5) == 70);
    kernel::small_shape shape{.rows = 2, .columns = 1, .depth = 3};
    shape.lhs_row = 3;
    shape.lhs_depth = shape.rhs_depth = shape.out_row = 1;
    kernel::small_gemm<float, arch>(shape, in.data(), in.data() + 1, out.data(), {});
    CHECK(out == std::vector<float>{20, 47, 2, 5, 3, 6});
}

TEST_CASE("so are those that take more than a line to call") {
    const volatile auto gemm = &kernel::gemm<float, arch>;
    const volatile auto batched = &kernel::interleaved_batch_gemm<float, arch>;
    const volatile auto nest = &kernel::multiply_reduce<float, arch, kernel::product_sum_steps>;
    const volatile auto depthwise = &kernel::depthwise_convolution<float, arch>;
    CHECK((gemm && batched && nest && depthwise));
}
