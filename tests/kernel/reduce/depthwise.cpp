#include <xeinsum/kernel/reduce/depthwise.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <vector>

using support::nest_row;
using xeinsum::kernel::depthwise_vectors;
using xeinsum::kernel::scaling;

namespace {

/// Rows are extent, out, data, weights.
template <class I>
void check_depthwise(const std::vector<nest_row>& groups, const std::vector<nest_row>& positions,
                     const std::vector<nest_row>& window, depthwise_vectors along) {
    using T = typename I::type;
    const support::nest_rows g(groups), p(positions), w(window);
    std::vector<nest_row> free = groups;
    free.insert(free.end(), positions.begin(), positions.end());
    const support::nest_rows output(free);
    const auto data = support::small_numbers<T>(20000, 3);
    const auto weights = support::small_numbers<T>(20000, 70);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        const auto before = support::small_numbers<T>(8000, 500);
        std::vector<T> expected = before;
        std::vector<T> found = before;
        support::evaluate_nest<T>({output.loops(), w.loops(), 2},
                                  {data.data() + 2000, weights.data() + 2000},
                                  expected.data() + 2000, alpha, beta);
        xeinsum::kernel::depthwise_convolution<T, typename I::arch>(
            {g.loops(), p.loops(), w.loops()}, along, data.data() + 2000, weights.data() + 2000,
            found.data() + 2000, scaling<T>(alpha, beta));
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("vectors of positions: the window's weights are one number each", I,
                   SUPPORT_ALL_INSTANCES) {
    for (const std::int64_t n : {1, 5, 16, 37, 70}) {
        check_depthwise<I>({{3, n, n, 1}}, {{n, 1, 1, 0}}, {{4, 0, 3 * n, 3}},
                           depthwise_vectors::positions);
        check_depthwise<I>({{2, 3 * n, n, 1}}, {{3, n, 2 * n, 0}, {n, 1, 1, 0}},
                           {{2, 0, 6 * n, 5}, {3, 0, 12 * n, -7}}, depthwise_vectors::positions);
    }
}

TEST_CASE_TEMPLATE("vectors of groups: channels last", I, SUPPORT_ALL_INSTANCES) {
    for (const std::int64_t n : {1, 5, 16, 37}) {
        check_depthwise<I>({{2, n, 10 * n, 10 * n}, {n, 1, 1, 1}}, {},
                           {{5, 0, n, n}, {2, 0, 5 * n, 5 * n}}, depthwise_vectors::groups);
        check_depthwise<I>({{n, 1, 1, 1}}, {{7, n, n, 0}}, {{3, 0, 7 * n, n}},
                           depthwise_vectors::groups);
    }
}

TEST_CASE_TEMPLATE("vectors of the window: dot products", I, SUPPORT_ALL_INSTANCES) {
    for (const std::int64_t n : {1, 5, 16, 37}) {
        check_depthwise<I>({{6, 1, n, n}}, {}, {{n, 0, 1, 1}}, depthwise_vectors::window);
        check_depthwise<I>({{3, 9, 9 * n, n}}, {{9, 1, n, 0}},
                           {{2, 0, 40 * n, 5 * n}, {n, 0, 1, 1}}, depthwise_vectors::window);
    }
}

TEST_CASE_TEMPLATE("no groups, no window", I, SUPPORT_ALL_INSTANCES) {
    check_depthwise<I>({}, {{4, 1, 1, 0}}, {{5, 0, 30, 9}}, depthwise_vectors::positions);
    check_depthwise<I>({}, {{4, 3, 5, 0}}, {{5, 0, 1, 1}}, depthwise_vectors::window);
    check_depthwise<I>({}, {}, {{600, 0, 1, 1}}, depthwise_vectors::window);
    check_depthwise<I>({{4, 1, 1, 1}}, {}, {}, depthwise_vectors::groups);
    check_depthwise<I>({{4, 1, 1, 1}}, {}, {{300, 0, 4, 4}}, depthwise_vectors::groups);
}
