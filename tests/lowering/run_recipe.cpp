#include <xeinsum/lowering/run_recipe.hpp>

#include "../support/instances.hpp"
#include "../support/shared_kernels.hpp"
#include "../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace lowerings = xeinsum::lowerings;

TEST_CASE("every lowering runs what it has built") {
    // "bij,bj->bi" of 4 b, 6 i and 9 j
    for (const xeinsum::lowering chosen : xeinsum::lowerings_in_order) {
        support::built_table t("bij,bj->bi", {{4, 6, 9}, {4, 9}});
        const auto on = lowerings::target_of<double, support::native_arch>();
        const auto how = lowerings::all::decide.build(chosen, t.get(), on);
        CHECK(how.chosen == chosen);
        const auto x = support::small_numbers<double>(216, 1);
        const auto y = support::small_numbers<double>(36, 77);
        const double* from[]{x.data(), y.data()};
        std::vector<double> out(24, 99);
        std::vector<double> memory(how.scratch_bytes / sizeof(double) + 8);
        lowerings::run_recipe<double, support::native_arch>(
            how, {t.get().row(0), t.get().pitch(), t.get().size()}, 2, from, out.data(), {},
            reinterpret_cast<std::byte*>(memory.data()));
        for (std::size_t b = 0; b < 4; ++b) {
            for (std::size_t i = 0; i < 6; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < 9; ++j) {
                    sum += x[(b * 6 + i) * 9 + j] * y[b * 9 + j];
                }
                CHECK(out[b * 6 + i] == sum);
            }
        }
    }
}
