#include <xeinsum/call/with_kernels/few_loops.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using support::native_arch;
using nests = xeinsum::detail::few_loops<double, native_arch, 3, 4, 3>;

TEST_CASE("nests are compiled for their number of loops, up to a few") {
    CHECK(nests::find(1, 0, 0) != nullptr);
    CHECK(nests::find(3, 3, 2) != nullptr);
    CHECK(nests::find(0, 1, 1) == nullptr);
    CHECK(nests::find(4, 1, 1) == nullptr);
    CHECK(nests::find(2, 4, 1) == nullptr);
    CHECK(nests::find(2, 1, 3) == nullptr);
}

TEST_CASE("one of few loops and one of many give the same") {
    // "abcde,e->abcd": rows of extent, strides of output and inputs, and what they are.
    const std::int64_t cells[]{2, 24, 120, 0, 0, 1, 24, 120, 0, 0, 2, 12, 60, 0, 0,
                               3, 4,  20,  0, 0, 4, 1,  5,   0, 0, 5, 0,  1,  1, 0};
    const auto x = support::small_numbers<double>(240, 3);
    const auto y = support::small_numbers<double>(5, 50);
    const double* from[]{x.data(), y.data()};
    std::vector<double> expected(48);
    for (std::size_t r = 0; r < 48; ++r) {
        for (std::size_t e = 0; e < 5; ++e) {
            expected[r] += x[5 * r + e] * y[e];
        }
    }
    for (const std::size_t outputs : {2U, 4U}) {
        // All rows but the first four loops over results, or but the last two.
        xeinsum::recipe how;
        how.groups[0] = static_cast<unsigned char>(outputs);
        how.groups[1] = 1;
        how.chosen = xeinsum::lowering::broadcast_multiply_reduce;
        const xeinsum::kernel::loops all{cells + 5, 5, 5};
        std::vector<double> out(48, 99);
        if (outputs == 4) {
            xeinsum::detail::run_few_loops<double, native_arch>(how, all, 2, from, out.data(), {});
            CHECK(std::equal(out.begin(), out.begin() + 24, expected.begin()));
        } else {
            xeinsum::detail::run_few_loops<double, native_arch>(how, all.from(2), 2, from,
                                                                out.data(), {});
            CHECK(std::equal(out.begin(), out.begin() + 12, expected.begin()));
        }
    }
}
