#include <xeinsum/kernel/reduce/contracted_vectors.hpp>

#include "../../support/aligned_bytes.hpp"
#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_nests.hpp"
#include "../../support/vector_nest.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

using support::nest_row;

namespace {

template <class I, std::size_t Units, std::size_t Fixed>
void check(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
           std::size_t inputs) {
    using T = typename I::type;
    support::check_vector_nest<T>(
        output, contracted, inputs, [](const auto& nest, auto&&... arguments) {
            support::aligned_bytes scratch(xeinsum::kernel::panel_scratch_bytes(
                nest.dram_resident && nest.output.count > 0 && nest.contracted.count > 1));
            xeinsum::kernel::contracted_vectors<T, typename I::arch, Units, Fixed>(
                nest, arguments..., scratch.data())
                .run();
        });
}

}  // namespace

TEST_CASE_TEMPLATE("short lines of rows that are as many as lanes, fewer and more", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>,
                   support::instance<std::complex<float>, support::native_arch>) {
    constexpr std::int64_t lanes = I::lanes;
    for (const std::int64_t n :
         {std::int64_t{1}, lanes - 1, lanes, lanes + 1, 2 * lanes, 2 * lanes + 1, 3 * lanes - 1}) {
        for (const std::int64_t rows :
             {lanes - 1, lanes, lanes + 1, 2 * lanes - 1, 2 * lanes + lanes / 2, 3 * lanes}) {
            CAPTURE(n);
            CAPTURE(rows);
            check<I, 1, 0>({{2, 500, 9000}, {rows, 1, n}}, {{n, 0, 1}}, 1);
            check<I, 2, 0>({{rows, 3, n + 2, n}}, {{n, 0, 1, 1}}, 2);
            check<I, 1, 1>({{3, 200, n, 70}, {rows, 1, 3 * n, 1}}, {{n, 0, 1, 0}}, 2);
        }
    }
}

TEST_CASE_TEMPLATE("more short lines than a panel has lanes", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    check<I, 1, 0>({{5001, 1, 5}}, {{5, 0, 1}}, 1);
    check<I, 2, 0>({{5001, 3, 7, 5}}, {{5, 0, 1, 1}}, 2);
}

TEST_CASE_TEMPLATE("short lines, long lines and ends of lines", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    for (const std::int64_t n : {1, 2, 4, 7, 8, 16, 32, 67, 300, 1100, 1800}) {
        check<I, 1, 0>({{21, 1, n}}, {{n, 0, 1}}, 1);
        check<I, 2, 0>({{2, 60, 0, 3}, {19, 3, n, 0}}, {{n, 0, 1, 1}}, 2);
        check<I, 1, 1>({{11, 2, n, 1}}, {{n, 0, 1, 0}}, 2);
    }
}

TEST_CASE_TEMPLATE("lines of few registers and parts of one, in more rows than wait together", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    for (std::int64_t registers = 1; registers <= 9; ++registers) {
        for (const std::int64_t missing : {std::int64_t{0}, I::lanes / 2}) {
            const std::int64_t n = registers * I::lanes - missing;
            CAPTURE(n);
            check<I, 1, 0>({{150, 2, n}}, {{n, 0, 1}}, 1);
            check<I, 2, 1>({{23, 1, n + 1, n, 3}}, {{n, 0, 1, 1, 0}}, 3);
            check<I, 1, 1>({{9, 1, n, 1}}, {{3, 0, 10 * n, 2}, {n, 0, 1, 0}}, 2);
        }
    }
}

TEST_CASE_TEMPLATE("results wait in a panel, and in more than one", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    check<I, 1, 0>({{19, 1, 20}}, {{5, 0, 400}, {20, 0, 1}}, 1);
    check<I, 1, 0>({{600, 1, 9}}, {{3, 0, 6000}, {9, 0, 1}}, 1);
}

TEST_CASE_TEMPLATE("lines of rows times one that they share, either way around", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    constexpr std::int64_t lanes = I::lanes;
    for (const std::int64_t n : {3 * lanes, 4 * lanes, 6 * lanes + 1, 11 * lanes, 20 * lanes - 1}) {
        CAPTURE(n);
        check<I, 2, 0>({{39, 2, n, 0}}, {{n, 0, 1, 1}}, 2);
        check<I, 2, 0>({{3, 90, 7, 400}, {37, 2, 0, n + 1}}, {{n, 0, 1, 1}}, 2);
        // terms around: the line is another one for each
        check<I, 2, 0>({{33, 1, 0, n}}, {{2, 0, n + 3, 34 * n}, {n, 0, 1, 1}}, 2);
        // not shared
        check<I, 2, 0>({{39, 2, n, n + 1}}, {{n, 0, 1, 1}}, 2);
    }
    // one block of sums and several, lines that go in fours, and long ones that go in eights
    for (const std::int64_t n : {65 * lanes + 1, std::int64_t{1100}}) {
        CAPTURE(n);
        check<I, 2, 0>({{35, 2, n, 0}}, {{n, 0, 1, 1}}, 2);
        check<I, 2, 0>({{2, 40, 9000, 3}, {8, 3, n, 0}}, {{2, 0, n, n}, {n, 0, 1, 1}}, 2);
    }
    check<I, 2, 0>({{33, 2, 900, 0}}, {{4100, 0, 1, 1}}, 2);
}

TEST_CASE_TEMPLATE("a single result", I, support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    check<I, 2, 0>({}, {{131, 0, 1, 1}}, 2);
    // more lines than a block adds up
    check<I, 2, 0>({}, {{150, 0, 40, 33}, {33, 0, 1, 1}}, 2);
    check<I, 2, 0>({}, {{19, 0, 40, 33}, {33, 0, 1, 1}}, 2);
    check<I, 2, 0>({}, {{3, 0, 700, 35}, {9, 0, 70, 110}, {35, 0, 1, 1}}, 2);
    check<I, 1, 1>({}, {{8, 0, 21, 2}, {21, 0, 1, 0}}, 2);
}

TEST_CASE_TEMPLATE("short lines that follow each other, several to a register", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    for (const std::int64_t n : {2, 3, 4, 8}) {
        CAPTURE(n);
        for (const std::int64_t rows : {15, 16, 43, 600, 1100}) {
            CAPTURE(rows);
            check<I, 1, 0>({{rows, 3, n}}, {{n, 0, 1}}, 1);
            check<I, 1, 0>({{2, 1, rows * n + 5}, {rows, 2, n}}, {{n, 0, 1}}, 1);
            check<I, 2, 0>({{rows, 1, n, n}}, {{n, 0, 1, 1}}, 2);
            check<I, 3, 0>({{rows, 1, n, n, n}}, {{n, 0, 1, 1, 1}}, 3);
            // One input does not follow; then there are other terms around.
            check<I, 2, 0>({{rows, 1, n, n + 1}}, {{n, 0, 1, 1}}, 2);
            check<I, 1, 0>({{rows, 1, n}}, {{19, 0, rows + 7}, {n, 0, 1}}, 1);
            check<I, 2, 0>({{rows, 1, n, n}}, {{18, 0, 5, rows}, {n, 0, 1, 1}}, 2);
        }
    }
}

TEST_CASE_TEMPLATE("rows of far lines, a sum in each lane, while other terms come", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    constexpr std::int64_t lanes = I::lanes;
    for (const std::int64_t n :
         {std::int64_t{3}, lanes, lanes + 1, 2 * lanes, 3 * lanes - 1, 3 * lanes, 5 * lanes + 1,
          7 * lanes + 1, 16 * lanes - 1, 16 * lanes, 17 * lanes + 3}) {
        for (const std::int64_t rows :
             {std::int64_t{1}, lanes - 1, lanes, lanes + 1, 2 * lanes - 1}) {
            CAPTURE(n);
            CAPTURE(rows);
            const std::int64_t plane = rows * (n + 1);
            check<I, 1, 0>({{2, 300, 11}, {rows, 3, n + 1}}, {{3, 0, plane}, {n, 0, 1}}, 1);
            check<I, 2, 0>({{rows, 1, n, n + 1}}, {{3, 0, rows * n, plane}, {n, 0, 1, 1}}, 2);
        }
    }
}

TEST_CASE_TEMPLATE("sums do not depend on how rows are cut", T, float, double) {
    using Arch = support::native_arch;
    constexpr std::int64_t rows = 41;
    constexpr std::int64_t terms = 3;
    for (const std::int64_t n : {3, 4, 11, 16, 19, 32, 37, 53, 140, 610}) {
        CAPTURE(n);
        std::vector<T> in(static_cast<std::size_t>(terms * rows * n));
        for (std::size_t i = 0; i < in.size(); ++i) {
            in[i] = 1 / static_cast<T>(3 + i * 7919 % 1013);
        }
        // Of lines; of products with one line; of products with an element of each row; of far
        // lines while other terms come, and of all lines of a row one after the other.
        const auto check_cuts = [&]<std::size_t Units, std::size_t Fixed>(
                                    const support::nest_row& row,
                                    const std::vector<support::nest_row>& summed,
                                    bool row_by_row = false) {
            const support::nest_rows contracted(summed);
            const auto put = [&](T* out, std::int64_t begin, std::int64_t end) {
                support::nest_row loop = row;
                loop[0] = end - begin;
                const support::nest_rows output({loop});
                const T* from[]{in.data() + begin * row[2], in.data()};
                const std::size_t inputs = Units + Fixed;
                xeinsum::kernel::cursor<T> cells[2];
                xeinsum::kernel::cursors<T> at(cells, inputs);
                xeinsum::kernel::loop_nest nest{output.loops(), contracted.loops(), inputs};
                nest.shares_lines = Units == 2;
                nest.dram_resident = nest.fills_lanes = summed.size() > 1;
                nest.row_by_row = row_by_row;
                support::aligned_bytes scratch(
                    xeinsum::kernel::panel_scratch_bytes(nest.dram_resident));
                xeinsum::kernel::contracted_vectors<T, Arch, Units, Fixed>(
                    nest, at, from, out + begin, xeinsum::kernel::scaling<T>(), scratch.data())
                    .run();
            };
            std::vector<T> whole(rows);
            put(whole.data(), 0, rows);
            for (const std::int64_t cut : {1, 2, 7, 13, 16, 32, 38, 40}) {
                std::vector<T> parts(rows);
                put(parts.data(), 0, cut);
                put(parts.data(), cut, rows);
                CAPTURE(cut);
                CHECK(parts == whole);
            }
        };
        using row = support::nest_row;
        check_cuts.template operator()<1, 0>(row{rows, 1, n}, {row{n, 0, 1}});
        check_cuts.template operator()<2, 0>(row{rows, 1, n, 0}, {row{n, 0, 1, 1}});
        check_cuts.template operator()<1, 1>(row{rows, 1, n, 0}, {row{n, 0, 1, 0}});
        check_cuts.template operator()<1, 0>(row{rows, 1, n},
                                             {row{terms, 0, rows * n}, row{n, 0, 1}});
        check_cuts.template operator()<1, 0>(row{rows, 1, n},
                                             {row{terms, 0, rows * n}, row{n, 0, 1}}, true);
    }
}
