#include <xeinsum/kernel/reduce/small_nest.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

using support::nest_row;
using xeinsum::kernel::scaling;
using xeinsum::kernel::small_nest;

namespace {

template <class I, std::size_t Inputs>
void check(const std::vector<nest_row>& output, const std::vector<nest_row>& sums) {
    using T = typename I::type;
    std::vector<nest_row> all = output;
    all.insert(all.end(), sums.begin(), sums.end());
    std::vector<std::int64_t> cells;
    for (const nest_row& row : all) {
        cells.insert(cells.end(), row.begin(), row.end());
        cells.push_back(0);  // a class, which nobody reads
    }
    const support::nest_rows free(output);
    const support::nest_rows terms(sums);
    std::vector<std::vector<T>> operands;
    std::vector<const T*> from;
    for (std::size_t i = 0; i < Inputs; ++i) {
        operands.push_back(support::small_numbers<T>(120, 10 * i + 1));
    }
    for (const auto& o : operands) {
        from.push_back(o.data() + 40);
    }
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        std::vector<T> expected = support::small_numbers<T>(60, 5);
        std::vector<T> found = expected;
        support::evaluate_nest<T>({free.loops(), terms.loops(), Inputs}, from, expected.data() + 20,
                                  alpha, beta);
        const scaling<T> scale(alpha, beta);
        const auto run = [&]<std::size_t Outputs, std::size_t Sums>() {
            if (Outputs == output.size() && Sums == sums.size()) {
                small_nest<T, typename I::arch, Inputs, Outputs, Sums>::run(
                    cells.data(), from.data(), found.data() + 20, scale);
            }
        };
        run.template operator()<0, 0>();
        run.template operator()<0, 1>();
        run.template operator()<1, 0>();
        run.template operator()<2, 0>();
        run.template operator()<1, 2>();
        run.template operator()<2, 1>();
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("few loops over one, two and three inputs", I, SUPPORT_ALL_INSTANCES) {
    check<I, 1>({}, {});
    check<I, 1>({}, {{5, 0, 3}});
    check<I, 1>({{3, 5, 1}, {5, 1, 3}}, {});
    check<I, 1>({{3, -4, 6}}, {{2, 0, 3}, {3, 0, 1}});
    check<I, 2>({}, {{7, 0, 1, -1}});
    check<I, 2>({}, {{33, 0, 1, 1}});
    check<I, 2>({}, {{71, 0, 1, 1}});
    check<I, 2>({{4, 1, 0, 2}}, {});
    check<I, 2>({{3, 4, 4, 0}, {4, 1, 0, 1}}, {{4, 0, 1, 4}});
    check<I, 2>({{4, 1, 6, 0}}, {{2, 0, 3, 3}, {3, 0, 1, 1}});
    check<I, 3>({{2, 7, 1, 0, 5}, {3, 2, 0, 4, 1}}, {});
    check<I, 3>({{2, 7, 1, 0, 5}, {3, 2, 0, 4, 1}}, {{5, 0, 2, 3, 0}});
}
