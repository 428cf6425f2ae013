#include <xeinsum/kernel/macro_kernel.hpp>

#include <xeinsum/kernel/blocking.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::kernel::line_offsets;
using xeinsum::kernel::macro_kernel;
using xeinsum::kernel::pack;
using xeinsum::kernel::scaling;

namespace {

std::vector<std::int64_t> steps(std::size_t count, std::int64_t step) {
    std::vector<std::int64_t> offsets(count);
    for (std::size_t i = 0; i < count; ++i) {
        offsets[i] = static_cast<std::int64_t>(i) * step;
    }
    return offsets;
}

/// A rows x columns block into an output with the given steps, everything around it untouched.
template <class T, class Arch>
void check_block(std::size_t rows, std::size_t columns, std::int64_t row_step,
                 std::int64_t column_step, const T& alpha, const T& beta) {
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t nr = b.nv * xeinsum::kernel::simd<T, Arch>::lanes;
    constexpr std::size_t depth = 5;
    const auto lhs = support::small_numbers<T>(rows * depth, 1);
    const auto rhs = support::small_numbers<T>(depth * columns, 70);
    std::vector<T> packed_lhs((rows + b.mr) * depth);
    std::vector<T> packed_rhs((columns + nr) * depth);
    const auto lhs_rows = steps(rows, depth), lhs_depth = steps(depth, 1);
    const auto rhs_columns = steps(columns, 1), rhs_depth = steps(depth, static_cast<int>(columns));
    pack<T, b.mr>(lhs.data(), {lhs_rows.data(), rows}, {lhs_depth.data(), depth},
                  packed_lhs.data());
    pack<T, nr>(rhs.data(), {rhs_columns.data(), columns}, {rhs_depth.data(), depth},
                packed_rhs.data());

    const auto reach =
        static_cast<std::size_t>((static_cast<std::int64_t>(rows) - 1) * row_step +
                                 (static_cast<std::int64_t>(columns) - 1) * column_step);
    const auto before = support::small_numbers<T>(reach + 1, 200);
    std::vector<T> out = before;
    std::vector<bool> written(out.size(), false);
    const auto out_rows = steps(rows, row_step), out_columns = steps(columns, column_step);
    macro_kernel<T, Arch, b.mr, b.nv>(depth, packed_lhs.data(), packed_rhs.data(), out.data(),
                                      {out_rows.data(), rows}, {out_columns.data(), columns},
                                      scaling<T>(alpha, beta));
    bool right = true;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            T sum(0);
            for (std::size_t k = 0; k < depth; ++k) {
                sum = T(sum + lhs[i * depth + k] * rhs[k * columns + j]);
            }
            const auto at = static_cast<std::size_t>(out_rows[i] + out_columns[j]);
            right = right && out[at] == T(alpha * sum + beta * before[at]);
            written[at] = true;
        }
    }
    for (std::size_t at = 0; at < out.size(); ++at) {
        right = right && (written[at] || out[at] == before[at]);
    }
    CAPTURE(rows);
    CAPTURE(columns);
    CHECK(right);
}

}  // namespace

TEST_CASE_TEMPLATE("blocks of every edge, written along rows, along columns and with gaps", I,
                   SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t nr = b.nv * xeinsum::kernel::simd<T, Arch>::lanes;
    for (std::size_t rows = 1; rows <= 2 * b.mr + 1; ++rows) {
        for (std::size_t columns = 1; columns <= 2 * nr + 1; columns += columns < nr ? 1 : 3) {
            const auto m = static_cast<std::int64_t>(rows);
            const auto n = static_cast<std::int64_t>(columns);
            check_block<T, Arch>(rows, columns, n, 1, T(1), T(0));
            check_block<T, Arch>(rows, columns, n + 3, 1, T(2), T(3));
            check_block<T, Arch>(rows, columns, 1, m, T(1), T(1));
            check_block<T, Arch>(rows, columns, 2 * n, 2, T(3), T(0));
        }
    }
}
