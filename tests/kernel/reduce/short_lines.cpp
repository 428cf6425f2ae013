#include <xeinsum/kernel/reduce/short_lines.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::factors_of_lines;

namespace {

/// Sums of rows 1 to before 1 + rows, of lines of the first input or of products with the second.
template <class T, class Arch, factors_of_lines Factors>
void check_sums(std::int64_t extent, std::int64_t rows, bool begins) {
    using lines = xeinsum::kernel::short_lines<T, Arch, Factors>;
    using simd_type = typename lines::simd_type;
    constexpr auto lanes = static_cast<std::int64_t>(lines::lanes);
    const std::int64_t first_step = extent + 3;
    const std::int64_t second_step = Factors == factors_of_lines::shared ? 0 : extent + 1;
    const auto size = [&](std::int64_t step) {
        return static_cast<std::size_t>((rows + 1) * step + extent);
    };
    const auto first = support::small_numbers<T>(size(first_step), 5);
    const auto second = support::small_numbers<T>(size(second_step), 31);
    const std::int64_t registers = (rows + lanes - 1) / lanes;
    const auto before = support::small_numbers<T>(static_cast<std::size_t>(registers * lanes), 77);
    std::vector<T> expected = before;
    for (std::int64_t r = 0; r < rows; ++r) {
        T sum(0);
        for (std::int64_t x = 0; x < extent; ++x) {
            const T a = first[static_cast<std::size_t>((r + 1) * first_step + x)];
            const T b = second[static_cast<std::size_t>((r + 1) * second_step + x)];
            sum += Factors == factors_of_lines::one ? a : a * b;
        }
        T& to = expected[static_cast<std::size_t>(r)];
        to = begins ? sum : to + sum;
    }
    std::vector<typename lines::reg> panel(static_cast<std::size_t>(registers) + 1);
    for (std::int64_t i = 0; i < registers; ++i) {
        panel[static_cast<std::size_t>(i)] = simd_type::load(before.data() + i * lanes);
    }
    lines(first.data(), first_step, second.data(), second_step, extent, rows % 2 == 0)
        .add(panel.data(), 1, rows, begins);
    std::vector<T> found(expected.size());
    for (std::int64_t i = 0; i < registers; ++i) {
        simd_type::store(found.data() + i * lanes, panel[static_cast<std::size_t>(i)]);
    }
    const auto all = static_cast<std::ptrdiff_t>(rows);
    CAPTURE(extent);
    CAPTURE(rows);
    CHECK(std::vector<T>(found.begin(), found.begin() + all) ==
          std::vector<T>(expected.begin(), expected.begin() + all));
}

}  // namespace

TEST_CASE_TEMPLATE("sums of short lines, of fewer rows than lanes and of more", I,
                   SUPPORT_FLOATING_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto lanes = static_cast<std::int64_t>(xeinsum::kernel::simd<T, Arch>::lanes);
    static_assert(xeinsum::kernel::short_lines<T, Arch, factors_of_lines::one>::exists);
    static_assert(!xeinsum::kernel::short_lines<int, Arch, factors_of_lines::one>::exists);
    for (std::int64_t extent = 1; extent <= 3 * lanes + 1; ++extent) {
        for (const std::int64_t rows : {std::int64_t{1}, lanes - 1, lanes, 2 * lanes + 1}) {
            check_sums<T, Arch, factors_of_lines::one>(extent, rows, true);
            check_sums<T, Arch, factors_of_lines::shared>(extent, rows, true);
            check_sums<T, Arch, factors_of_lines::two>(extent, rows, false);
        }
    }
}
