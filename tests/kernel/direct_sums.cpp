#include <xeinsum/kernel/direct_sums.hpp>

#include "../support/instances.hpp"
#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

using support::nest_row;
using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::direct_sums;
using xeinsum::kernel::output_line;
using xeinsum::kernel::scaling;

namespace {

/// Three rows of lines, 5 elements apart; each input moves along the line unless it is Fixed.
/// Behind each line of an input lies NaN.
template <class I, std::size_t Units, std::size_t Fixed>
void check(std::int64_t extent, std::int64_t terms) {
    using T = typename I::type;
    using Arch = typename I::arch;
    CAPTURE(extent);
    CAPTURE(terms);
    constexpr std::int64_t rows = 3;
    constexpr std::size_t inputs = Units + Fixed;
    const std::int64_t pitch = extent + 2;
    nest_row row{rows, extent + 5};
    nest_row line{extent, 1};
    nest_row term{terms, 0};
    std::vector<std::vector<T>> memory;
    std::vector<const T*> from;
    for (std::size_t i = 0; i < inputs; ++i) {
        row.push_back(terms * pitch);
        line.push_back(i < Units ? 1 : 0);
        term.push_back(pitch);
        memory.push_back(
            support::small_numbers<T>(static_cast<std::size_t>(rows * terms * pitch), 100 * i + 1));
        for (std::int64_t l = 0; l < rows * terms; ++l) {
            for (std::int64_t x = extent; x < pitch; ++x) {
                memory.back()[static_cast<std::size_t>(l * pitch + x)] =
                    T(std::numeric_limits<float>::quiet_NaN());
            }
        }
        from.push_back(memory.back().data());
    }
    const support::nest_rows output({row, line});
    const support::nest_rows summed({term});
    cursor<T> cells[inputs];
    cursors<T> at(cells, inputs);
    at.start(from.data(), output.loops().from(1), output.loops().first(1), summed.loops());
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        const auto before =
            support::small_numbers<T>(static_cast<std::size_t>(rows * (extent + 5)), 700);
        std::vector<T> expected = before;
        std::vector<T> found = before;
        support::evaluate_nest<T>({output.loops(), summed.loops(), inputs}, from, expected.data(),
                                  alpha, beta);
        const output_line<T, Arch> results(extent, scaling<T>(alpha, beta));
        direct_sums<T, Arch, Units, Fixed>(results, terms, true)
            .run(at, found.data(), extent + 5, rows);
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("lines of one to four registers and of parts of them", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    for (std::int64_t registers = 1; registers <= xeinsum::kernel::direct_registers; ++registers) {
        for (const std::int64_t missing : {std::int64_t{0}, I::lanes / 2}) {
            const std::int64_t extent = registers * I::lanes - missing;
            check<I, 1, 0>(extent, 7);
            check<I, 1, 1>(extent, 12);
            check<I, 2, 0>(extent, 13);
            check<I, 2, 1>(extent, 5);
        }
    }
    check<I, 1, 2>(1, 3);
    check<I, 3, 0>(I::lanes + 1, 2);
    // One level of blocks, more, and many.
    for (const std::int64_t terms : {128, 129, 300, 2050}) {
        check<I, 1, 0>(2 * I::lanes, terms);
        check<I, 2, 0>(I::lanes - I::lanes / 2, terms);
    }
}
