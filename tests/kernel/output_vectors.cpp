#include <xeinsum/kernel/output_vectors.hpp>

#include "../support/instances.hpp"
#include "../support/nest.hpp"
#include "../support/vector_nest.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

using support::nest_row;
using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::scaling;

namespace {

template <class I, std::size_t Units, std::size_t Fixed>
void check(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
           std::size_t inputs) {
    using T = typename I::type;
    support::check_vector_nest<xeinsum::kernel::output_vectors<T, typename I::arch, Units, Fixed>,
                               T>(output, contracted, inputs);
}

}  // namespace

TEST_CASE_TEMPLATE("panels of many rows, of one row and of parts of a row", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    // Rows closer than terms; then terms closer than rows; then a line longer than a panel.
    check<I, 1, 0>({{3, 200, 70}, {7, 25, 10}, {9, 1, 1}}, {{19, 0, 210}}, 1);
    check<I, 1, 0>({{5, 25, 1000}, {9, 1, 1}}, {{2, 0, 500}, {11, 0, 10}}, 1);
    check<I, 1, 1>({{2, 5000, 0, 9}, {4100, 1, 1, 0}}, {{11, 0, 3000, 1}}, 2);
    check<I, 1, 1>({{70, 40, 37, 1}, {37, 1, 1, 0}}, {{3, 0, 2600, 70}}, 2);
}

TEST_CASE_TEMPLATE("lines shorter than a register", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    check<I, 2, 0>({{13, 3, 3, 0}, {3, 1, 1, 1}}, {{10, 0, 50, 3}}, 2);
    check<I, 1, 2>({{13, 5, 0, 1, 2}, {1, 1, 1, 0, 0}}, {}, 3);
}

TEST_CASE_TEMPLATE("lines that registers hold, in blocks of terms and levels of them", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<float>, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    constexpr std::int64_t lanes = I::lanes;
    for (const std::int64_t registers : {4, 5, 6, 7, 12, 13, 17, 24, 25}) {
        for (const std::int64_t missing : {std::int64_t{0}, lanes - 1}) {
            const std::int64_t extent = registers * lanes - missing;
            CAPTURE(extent);
            check<I, 1, 0>({{extent, 1, 1}}, {{33, 0, extent}}, 1);
            check<I, 2, 0>({{3, 500, 5000, 7}, {extent, 1, 1, 1}}, {{10, 0, extent, extent + 1}},
                           2);
            check<I, 1, 1>({{2, 400, 20000, 0}, {extent, 1, 1, 0}}, {{32, 0, extent, 3}}, 2);
        }
    }
    // 40 blocks of terms, which fill a level
    check<I, 1, 1>({{5 * lanes, 1, 1, 0}}, {{1270, 0, 3, 1}}, 2);
}

TEST_CASE("outputs that no cache holds") {
    // Written around the caches if they lie right; compared with the product itself.
    using T = float;
    constexpr std::int64_t rows = 4200;
    constexpr std::int64_t extent = 2048;
    const auto a = support::small_numbers<T>(rows, 3);
    const auto b = support::small_numbers<T>(extent, 5);
    const T* from[]{b.data(), a.data()};
    std::vector<T> memory(rows * extent + 1);
    const support::nest_rows output({{rows, extent, 0, 1}, {extent, 1, 1, 0}});
    for (const std::size_t shift : {std::size_t{0}, std::size_t{1}}) {
        T* out = memory.data() + shift;
        cursor<T> cells[2];
        cursors<T> at(cells, 2);
        xeinsum::kernel::output_vectors<T, support::native_arch, 1, 1>(
            {output.loops(), {}, 2}, at, from, out, scaling<T>(T(2), T(0)))
            .run();
        bool equal = true;
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < extent; ++j) {
                equal = equal && out[i * extent + j] == 2 * a[static_cast<std::size_t>(i)] *
                                                            b[static_cast<std::size_t>(j)];
            }
        }
        CHECK(equal);
    }
}
