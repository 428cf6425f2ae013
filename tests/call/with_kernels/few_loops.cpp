#include <xeinsum/call/with_kernels/few_loops.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using support::native_arch;
using nests = xeinsum::detail::few_loops<double, native_arch>;

namespace {

bool found(std::size_t inputs, std::size_t outputs, std::size_t sums) {
    return nests::find(inputs, outputs, sums) != nullptr;
}

}  // namespace

TEST_CASE("nests are compiled for their number of loops, up to a few") {
    CHECK(found(1, 0, 0));
    CHECK(found(3, 3, 2));
    CHECK_FALSE(found(0, 1, 1));
    CHECK_FALSE(found(4, 1, 1));
    CHECK_FALSE(found(2, 4, 1));
    CHECK_FALSE(found(2, 1, 3));
}

TEST_CASE("nests of few loops and of many") {
    // "abcde,e->abcd": extents, strides in the output and in both inputs, and a kind.
    const std::int64_t cells[]{2, 60, 360, 0, 0, 3, 20, 120, 0, 0, 4, 5, 30,
                               0, 0,  5,   1, 6, 0, 0,  6,   0, 1, 1, 0};
    const xeinsum::kernel::loops all{cells, 5, 5};
    const auto x = support::small_numbers<double>(720, 3);
    const auto y = support::small_numbers<double>(6, 50);
    const double* from[]{x.data(), y.data()};
    for (const std::size_t outputs : {2U, 3U, 4U}) {  // the last ones
        const auto rows = all.from(4 - outputs);
        xeinsum::recipe how;
        how.groups[0] = static_cast<unsigned char>(outputs);
        how.groups[1] = 1;
        how.chosen = xeinsum::lowering::broadcast_multiply_reduce;
        std::vector<double> out(120, 99);
        xeinsum::detail::run_few_loops<double, native_arch>(how, rows, 2, from, out.data(), {});
        const auto results = static_cast<std::size_t>(rows.first(outputs).iterations());
        for (std::size_t r = 0; r < results; ++r) {
            double sum = 0;
            for (std::size_t e = 0; e < 6; ++e) {
                sum += x[6 * r + e] * y[e];
            }
            CHECK(out[r] == sum);
        }
    }
}
