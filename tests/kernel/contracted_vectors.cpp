#include <xeinsum/kernel/contracted_vectors.hpp>

#include "../support/instances.hpp"
#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using support::nest_row;
using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::scaling;

namespace {

/// Runs a nest and compares every element of the output's memory with the definition.
template <class I, std::size_t Units, std::size_t Fixed>
void check(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
           std::size_t inputs) {
    using T = typename I::type;
    const support::nest_rows outer(output);
    const support::nest_rows inner(contracted);
    const xeinsum::kernel::loop_nest nest{outer.loops(), inner.loops(), inputs};
    std::vector<std::vector<T>> memory;
    std::vector<const T*> from;
    for (std::size_t i = 0; i < inputs; ++i) {
        memory.push_back(support::small_numbers<T>(40000, 100 * i + 1));
        from.push_back(memory.back().data());
    }
    std::vector<cursor<T>> cells(inputs);
    cursors<T> at(cells.data(), inputs);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        const auto before = support::small_numbers<T>(20000, 900);
        std::vector<T> expected = before;
        std::vector<T> found = before;
        support::evaluate_nest<T>(nest, from, expected.data(), alpha, beta);
        xeinsum::kernel::contracted_vectors<T, typename I::arch, Units, Fixed>(
            nest, at, from.data(), found.data(), scaling<T>(alpha, beta))
            .run();
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("short lines, long lines and ends of lines", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    for (const std::int64_t n : {1, 7, 16, 67, 300, 1100}) {
        check<I, 1, 0>({{21, 1, n}}, {{n, 0, 1}}, 1);
        check<I, 2, 0>({{2, 60, 0, 3}, {19, 3, n, 0}}, {{n, 0, 1, 1}}, 2);
        check<I, 1, 1>({{11, 2, n, 1}}, {{n, 0, 1, 0}}, 2);
    }
}

TEST_CASE_TEMPLATE("results wait in a panel, and in more than one", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    check<I, 1, 0>({{19, 1, 20}}, {{5, 0, 400}, {20, 0, 1}}, 1);
    check<I, 1, 0>({{600, 1, 9}}, {{3, 0, 6000}, {9, 0, 1}}, 1);
}

TEST_CASE_TEMPLATE("a single result", I, support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    check<I, 2, 0>({}, {{131, 0, 1, 1}}, 2);
}
