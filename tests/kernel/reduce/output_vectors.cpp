#include <xeinsum/kernel/reduce/output_vectors.hpp>

#include "../../support/aligned_bytes.hpp"
#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_nests.hpp"
#include "../../support/vector_nest.hpp"

#include <doctest/doctest.h>

#include <cmath>
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
    support::check_vector_nest<T>(
        output, contracted, inputs, [](const auto& nest, auto&&... arguments) {
            // As many bytes as are promised, for the address sanitizer.
            const std::size_t bytes = xeinsum::kernel::panel_scratch_bytes(nest.dram_resident);
            support::aligned_bytes scratch(bytes);
            using Arch = typename I::arch;
            xeinsum::kernel::output_vectors<T, Arch>(
                nest, xeinsum::kernel::output_kernels_of<T, Arch, Units, Fixed>::all, arguments...,
                scratch.data())
                .run();
        });
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
    check<I, 1, 0>({{14000, 1, 1}}, {{11, 0, 2000}}, 1);
    check<I, 1, 1>({{70, 40, 37, 1}, {37, 1, 1, 0}}, {{3, 0, 2600, 70}}, 2);
    check<I, 1, 2>({{20, 70, 69, 1, 2}, {69, 1, 1, 0, 0}}, {{13, 0, 1400, 20, 41}}, 3);
    // Inputs that the run counts.
    using xeinsum::kernel::any;
    check<I, any, any>({{3, 200, 70, 2}, {7, 25, 10, 9}, {9, 1, 1, 2}}, {{19, 0, 210, 1}}, 2);
    check<I, any, any>({{2, 600, 3, 9}, {290, 1, 2, 1}}, {{2, 0, 5, 300}, {11, 0, 700, 13}}, 2);
}

TEST_CASE_TEMPLATE("lines shorter than a register", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    check<I, 2, 0>({{13, 3, 3, 0}, {3, 1, 1, 1}}, {{10, 0, 50, 3}}, 2);
    check<I, 1, 2>({{13, 5, 0, 1, 2}, {1, 1, 1, 0, 0}}, {}, 3);
}

TEST_CASE_TEMPLATE("products of short and long lines in several loops", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::baseline_arch>) {
    for (std::int64_t n = 2; n <= 2 * I::lanes + 3; ++n) {
        CAPTURE(n);
        check<I, 1, 1>({{3, 20 * n + 1, 0, 5}, {5, 4 * n, n, 1}, {n, 1, 1, 0}}, {}, 2);
        check<I, 2, 0>(
            {{2, 100 * n, 7, 80 * n}, {3, 30 * n, 0, 23 * n}, {4, 7 * n, n, 3 * n}, {n, 1, 1, 1}},
            {}, 2);
        check<I, xeinsum::kernel::any, xeinsum::kernel::any>(
            {{3, 20 * n + 1, 0, 5}, {5, 4 * n, n, 1}, {n, 1, 1, 2}}, {}, 2);
    }
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

TEST_CASE("sums do not depend on how a line is cut") {
    // Of six registers in a panel, and of their first four, which need none.
    using T = float;
    using Arch = support::native_arch;
    constexpr auto lanes = support::instance<T, Arch>::lanes;
    constexpr std::int64_t pitch = 6 * lanes;
    for (const std::int64_t terms : {3, 8, 37, 128, 129, 2040, 2049}) {
        CAPTURE(terms);
        std::vector<T> a(static_cast<std::size_t>(terms * pitch));
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = i % pitch == 1 ? -T(0) : 1 / static_cast<T>(3 + (i * 7919) % 1013);
        }
        const T* from[]{a.data()};
        const support::nest_rows contracted({{terms, 0, pitch}});
        const auto sums = [&](std::int64_t extent) {
            std::vector<T> out(static_cast<std::size_t>(extent));
            const support::nest_rows output({{extent, 1, 1}});
            cursor<T> cells[1];
            cursors<T> at(cells, 1);
            xeinsum::kernel::output_vectors<T, Arch>(
                {output.loops(), contracted.loops(), 1},
                xeinsum::kernel::output_kernels_of<T, Arch, 1, 0>::all, at, from, out.data(),
                scaling<T>(), nullptr)
                .run();
            out.resize(4 * static_cast<std::size_t>(lanes));
            return out;
        };
        const std::vector<T> cut = sums(4 * lanes);
        CHECK(cut == sums(pitch));
        CHECK(std::signbit(cut[1]));
        CHECK(std::signbit(sums(pitch)[1]));
    }
}
