#include <xeinsum/lowering/gemm/run.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_kernels.hpp"
#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using support::avx2;
using support::built_table;
using xeinsum::recipe;
using xeinsum::lowerings::interleaved_batch_product;
using xeinsum::lowerings::run_interleaved_batch;
using xeinsum::lowerings::run_small;
using xeinsum::lowerings::small_loops;
using xeinsum::lowerings::small_product;

TEST_CASE("products of an interleaved batch") {
    built_table t("ijcb,cjkab->aikb", {{4, 5, 2, 7}, {2, 5, 6, 3, 7}});
    recipe how;
    interleaved_batch_product::build(t.get(), interleaved_batch_product::find(t.get(), avx2), how);
    const auto x = support::small_numbers<double>(280, 1);
    const auto y = support::small_numbers<double>(1260, 50);
    const double* from[]{x.data(), y.data()};
    std::vector<double> out(504, 99);
    std::vector<double> memory(40000);
    run_interleaved_batch<double, support::native_arch>(
        how, {t.get().row(0), t.get().pitch(), t.get().size()}, from, out.data(), {},
        reinterpret_cast<std::byte*>(memory.data()));
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t k = 0; k < 6; ++k) {
                for (std::size_t b = 0; b < 7; ++b) {
                    double sum = 0;
                    for (std::size_t j = 0; j < 5; ++j) {
                        for (std::size_t c = 0; c < 2; ++c) {
                            sum += x[((i * 5 + j) * 2 + c) * 7 + b] *
                                   y[(((c * 5 + j) * 6 + k) * 3 + a) * 7 + b];
                        }
                    }
                    CHECK(out[((a * 4 + i) * 6 + k) * 7 + b] == sum);
                }
            }
        }
    }
}

TEST_CASE("small products around which a loop runs") {
    built_table t("nctw,cd->ndtw", {{2, 3, 4, 5}, {3, 6}});
    recipe how;
    small_product::build(t.get(), small_loops::find(t.get(), avx2), how);
    const auto x = support::small_numbers<double>(120, 1);
    const auto w = support::small_numbers<double>(18, 50);
    const double* from[]{x.data(), w.data()};
    std::vector<double> out(240, 99);
    run_small<double, support::native_arch>(how, {t.get().row(0), t.get().pitch(), t.get().size()},
                                            from, out.data(), {});
    for (std::size_t n = 0; n < 2; ++n) {
        for (std::size_t d = 0; d < 6; ++d) {
            for (std::size_t p = 0; p < 20; ++p) {
                double sum = 0;
                for (std::size_t c = 0; c < 3; ++c) {
                    sum += x[(3 * n + c) * 20 + p] * w[6 * c + d];
                }
                CHECK(out[(6 * n + d) * 20 + p] == sum);
            }
        }
    }
}
