#include <xeinsum/kernel/permute.hpp>

#include "../support/instances.hpp"
#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <vector>

using support::nest_row;
using xeinsum::kernel::scaling;

namespace {

template <class I>
void check_permute(const std::vector<nest_row>& rows) {
    using T = typename I::type;
    const support::nest_rows loops(rows);
    const auto in = support::small_numbers<T>(20000, 3);
    const auto before = support::small_numbers<T>(20000, 500);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(1)}}) {
        std::vector<T> expected = before;
        std::vector<T> found = before;
        support::evaluate_nest<T>({loops.loops(), {}, 1}, {in.data() + 9000},
                                  expected.data() + 9000, alpha, beta);
        xeinsum::kernel::permute<T, typename I::arch>(loops.loops(), in.data() + 9000,
                                                      found.data() + 9000, scaling<T>(alpha, beta));
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("transposes larger and smaller than a block", I, SUPPORT_ALL_INSTANCES) {
    check_permute<I>({{7, 5, 1}, {5, 1, 7}});
    check_permute<I>({{40, 50, 1}, {50, 1, 40}});
    check_permute<I>({{16, 33, 1}, {33, 1, 16}});
}

TEST_CASE_TEMPLATE("permutes of more axes, gaps and reversed axes", I, SUPPORT_ALL_INSTANCES) {
    check_permute<I>({{3, 340, 17}, {17, 20, 1}, {20, 1, 51}});
    check_permute<I>({{20, 34, 1}, {3, -700, 340}, {17, 2, -20}});
    check_permute<I>({{5, 1, 3}});
    check_permute<I>({{4, 100, 7}, {9, 3, 2}});
}
