#include <xeinsum/kernel/reduce/scalar_nest.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

using support::nest_row;
using xeinsum::kernel::any;
using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::loop_nest;
using xeinsum::kernel::places;
using xeinsum::kernel::scalar_nest;
using xeinsum::kernel::scaling;

namespace {

/// Compares every element of the output's memory with the definition.
template <class I, std::size_t Count>
void check_nest(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
                std::size_t inputs) {
    using T = typename I::type;
    const support::nest_rows outer(output);
    const support::nest_rows inner(contracted);
    const loop_nest nest{outer.loops(), inner.loops(), inputs};
    std::vector<std::vector<T>> memory;
    std::vector<const T*> from;
    for (std::size_t i = 0; i < inputs; ++i) {
        memory.push_back(support::small_numbers<T>(2000, 100 * i + 1));
        from.push_back(memory.back().data() + 1000);
    }
    std::vector<cursor<T>> room(inputs);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        auto expected = support::small_numbers<T>(2000, 900);
        auto found = expected;
        support::evaluate_nest<T>(nest, from, expected.data() + 1000, alpha, beta);
        cursors<T> at(room.data(), inputs);
        scalar_nest<T, typename I::arch, Count>(nest, at, from.data(), found.data() + 1000,
                                                scaling<T>(alpha, beta))
            .run();
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("rows in fours and what is left of them", I, SUPPORT_ALL_INSTANCES) {
    for (const std::int64_t rows : {1, 3, 4, 7, 8}) {
        check_nest<I, 1>({{3, 90, 1}, {rows, 2, 50}}, {{5, 0, 9}}, 1);
        check_nest<I, 2>({{3, -90, 1, 0}, {rows, 2, 50, -3}}, {{5, 0, 9, 1}}, 2);
        check_nest<I, 3>({{rows, 7, 1, 0, 2}}, {{2, 0, 300, 4, 1}, {3, 0, 11, 5, 60}}, 3);
        check_nest<I, any>({{rows, 7, 1, 0, 2, 3}}, {{2, 0, 300, 4, 1, 0}, {3, 0, 11, 5, 60, 2}},
                           4);
    }
}

TEST_CASE_TEMPLATE("nests that lack sums, results or both", I, SUPPORT_ALL_INSTANCES) {
    check_nest<I, 2>({{3, 90, 1, 0}, {6, 2, 50, -3}}, {}, 2);
    check_nest<I, 2>({}, {{4, 0, 3, 5}, {2, 0, 70, 1}}, 2);
    check_nest<I, 1>({}, {}, 1);
    check_nest<I, any>({{2, 1, 1, 2}}, {}, 2);
}

TEST_CASE("inputs return to where they were") {
    const std::array<std::int64_t, 6> rows{3, 100, 5, 2, 10, 1};
    const std::vector<int> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    std::array<cursor<int>, 1> room;
    cursors<int> from(room.data(), 1);
    const int* first = numbers.data();
    from.start(&first, {}, {}, {});
    places<int, 1> at(from);
    std::vector<std::int64_t> out;
    std::vector<int> read;
    at.for_each({rows.data(), 3, 2}, [&](std::int64_t o) {
        out.push_back(o);
        read.push_back(at(0, 0, 0));
    });
    CHECK(out == std::vector<std::int64_t>{0, 10, 100, 110, 200, 210});
    CHECK(read == std::vector<int>{0, 1, 5, 6, 10, 11});
    CHECK(at(0, 0, 0) == 0);
}
