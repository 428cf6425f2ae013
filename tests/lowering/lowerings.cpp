#include <xeinsum/lowering/lowerings.hpp>

#include <xeinsum/plan/one_step.hpp>

#include "../support/instances.hpp"
#include "../support/targets.hpp"
#include "../support/with_layouts.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

TEST_CASE("every lowering that can be forced is in the list") {
    for (const xeinsum::lowering l : xeinsum::lowerings_in_order) {
        std::set<xeinsum::lowering> found;
        xeinsum::lowerings::all::with(l, [&]<class Lowering>() { found.insert(Lowering::id); });
        CHECK(found == std::set{l});
    }
}

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
