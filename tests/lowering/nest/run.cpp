#include <xeinsum/lowering/nest/run.hpp>

#include <xeinsum/lowering/element_target.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_kernels.hpp"
#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using support::built_table;
using xeinsum::lowerings::broadcast_multiply_reduce;

TEST_CASE("a nest runs along the loop that was chosen for it") {
    // "bij,bj->ib" of 7 b, 5 i and 30 j
    built_table t("bij,bj->ib", {{7, 5, 30}, {7, 30}});
    const auto how = broadcast_multiply_reduce::build(
        t.get(), xeinsum::lowerings::target_of<double, support::native_arch>());
    const auto x = support::small_numbers<double>(1050, 1);
    const auto y = support::small_numbers<double>(210, 77);
    const double* from[]{x.data(), y.data()};
    std::vector<double> out(35, 99);
    std::vector<double> memory(how.scratch_bytes / sizeof(double) + 8);
    xeinsum::lowerings::run_lowering<double, support::native_arch, xeinsum::kernel::all_steps>(
        broadcast_multiply_reduce(), how, {t.get().row(0), t.get().pitch(), t.get().size()}, 2,
        from, out.data(), {}, reinterpret_cast<std::byte*>(memory.data()));
    for (std::size_t b = 0; b < 7; ++b) {
        for (std::size_t i = 0; i < 5; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 30; ++j) {
                sum += x[(b * 5 + i) * 30 + j] * y[b * 30 + j];
            }
            CHECK(out[i * 7 + b] == sum);
        }
    }
}
