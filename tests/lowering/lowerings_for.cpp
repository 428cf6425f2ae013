#include <xeinsum/lowering/lowerings_for.hpp>

#include <xeinsum/plan/step/one_step.hpp>

#include "../support/instances.hpp"
#include "../support/table_of.hpp"
#include "../support/targets.hpp"
#include "../support/with_layouts.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <string_view>
#include <vector>

TEST_CASE("only lowerings that labels allow compete") {
    using xeinsum::lowering;
    namespace kernel = xeinsum::kernel;
    const auto chosen = [](const xeinsum::planning::contest& among, std::string_view text,
                           const support::shapes& operands,
                           const std::vector<std::int64_t>& output) {
        return support::with_layouts(text, operands, output,
                                     [&](const auto& net, const auto& views, const auto& strides) {
                                         xeinsum::planning::one_step plan(among);
                                         REQUIRE(plan.make(net, views, strides, support::avx2));
                                         return plan.how().chosen;
                                     });
    };
    using xeinsum::lowerings::lowerings_for;
    CHECK(chosen(lowerings_for<float, support::native_arch, kernel::matrix_steps>(), "ij,jk->ik",
                 {{300, 400}, {400, 500}}, {300, 500}) == lowering::gemm);
    CHECK(chosen(lowerings_for<float, support::native_arch, kernel::vector_steps>(), "ij,j->i",
                 {{300, 400}, {400}}, {300}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen(lowerings_for<float, support::native_arch, kernel::batch_nest_steps>(),
                 "bjc,bjcp->bcp", {{5, 7, 12}, {5, 7, 12, 96}},
                 {5, 12, 96}) == lowering::depthwise_convolution);
    CHECK(chosen(lowerings_for<float, support::native_arch, kernel::batch_product_sum_steps>(),
                 "bij,bjk->bik", {{2, 300, 400}, {2, 400, 500}}, {2, 300, 500}) == lowering::gemm);
}

TEST_CASE("row-major products are matrix products, or one with a vector, of real numbers") {
    using xeinsum::lowering;
    using xeinsum::kernel::vector_loop;
    using xeinsum::lowerings::lowerings_for;
    namespace kernel = xeinsum::kernel;
    using native = support::native_arch;
    using xeinsum::lowerings::has_nests;
    CHECK_FALSE(has_nests<float, native, kernel::row_major_matrix_steps>);
    CHECK(has_nests<std::complex<float>, native, kernel::row_major_matrix_steps>);
    CHECK(has_nests<float, native, kernel::matrix_steps>);
    const auto built = [](const support::operand_shapes& shapes) {
        support::built_table t("ij,jk->ik", shapes);
        xeinsum::recipe how;
        lowerings_for<float, native, kernel::row_major_matrix_steps>().build_best(
            t.get(), support::avx2, how);
        CHECK(how.chosen == lowering::gemm);
        return how;
    };
    CHECK(xeinsum::lowerings::kind_of(built({{30, 40}, {40, 50}})) ==
          xeinsum::lowerings::product_kind::small);
    const auto along = [&](const support::operand_shapes& shapes) {
        const auto how = built(shapes);
        CHECK(how.nest.matrix_vector);
        return xeinsum::lowerings::vector_loop_of(how);
    };
    CHECK(along({{1, 400}, {400, 50}}) == vector_loop::output);
    CHECK(along({{50, 400}, {400, 1}}) == vector_loop::contracted);
    CHECK(along({{1, 400}, {400, 1}}) == vector_loop::contracted);
    CHECK(along({{50, 1}, {1, 40}}) == vector_loop::output);
    CHECK(along({{5, 1}, {1, 4}}) == vector_loop::none);
    CHECK(along({{1, 8}, {8, 5}}) == vector_loop::none);
}
