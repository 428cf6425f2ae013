#include <xeinsum/lowering/depthwise/run.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_kernels.hpp"
#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using support::avx2;
using support::built_table;
using xeinsum::lowerings::depthwise_convolution;

TEST_CASE("each group has a window of its own, which positions share") {
    // "gwp,gw->gp" of 3 g, a window of 5 and 20 p; weights first
    built_table t("gw,gwp->gp", {{3, 5}, {3, 5, 20}});
    const auto how = depthwise_convolution::build(t.get(), avx2);
    CHECK(how.swapped);
    const auto w = support::small_numbers<double>(15, 1);
    const auto x = support::small_numbers<double>(300, 50);
    const double* from[]{w.data(), x.data()};
    std::vector<double> out(60, 99);
    xeinsum::lowerings::run_lowering<double, support::native_arch, xeinsum::kernel::all_steps>(
        depthwise_convolution(), how, {t.get().row(0), t.get().pitch(), t.get().size()}, 2, from,
        out.data(), {}, nullptr);
    for (std::size_t g = 0; g < 3; ++g) {
        for (std::size_t p = 0; p < 20; ++p) {
            double sum = 0;
            for (std::size_t k = 0; k < 5; ++k) {
                sum += w[g * 5 + k] * x[(g * 5 + k) * 20 + p];
            }
            CHECK(out[g * 20 + p] == sum);
        }
    }
}
