#include <xeinsum/kernel/gemm/paired_rows.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

using xeinsum::kernel::paired_rows;
using xeinsum::kernel::scaling;
using xeinsum::kernel::small_shape;

namespace {

/// Matrices of rows x N times N x N, whose rhs has rows of N + 1.
template <class T, class Arch>
void check(std::size_t rows, std::size_t batch) {
    using pairs = paired_rows<T, Arch>;
    if constexpr (pairs::exists) {
        constexpr std::size_t n = pairs::part;
        constexpr auto width = static_cast<std::int64_t>(n);
        CAPTURE(rows);
        const small_shape s{.rows = static_cast<std::int64_t>(rows),
                            .columns = width,
                            .depth = width,
                            .lhs_row = width,
                            .lhs_depth = 1,
                            .rhs_depth = width + 1,
                            .out_row = width};
        REQUIRE(pairs::fits(s));
        const std::size_t of_rhs = n * (n + 1);
        const auto a = support::small_numbers<T>(batch * rows * n, 4);
        const auto b = support::small_numbers<T>(batch * of_rhs, 60);
        for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(0)}, {T(3), T(2)}}) {
            auto before = support::small_numbers<T>(batch * rows * n, 700);
            std::vector<T> expected = before;
            for (std::size_t e = 0; e < expected.size(); ++e) {
                const std::size_t p = e / (rows * n);
                T sum = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    sum += a[e / n * n + k] * b[p * of_rhs + k * (n + 1) + e % n];
                }
                expected[e] = alpha * sum + beta * before[e];
            }
            if (beta == 0) {
                before.assign(before.size(), std::numeric_limits<T>::quiet_NaN());
            }
            pairs::run(s,
                       {static_cast<std::int64_t>(batch), s.rows * width, s.rows * width,
                        static_cast<std::int64_t>(of_rhs)},
                       a.data(), b.data(), before.data(), scaling<T>(alpha, beta));
            CHECK(before == expected);
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE("two rows at once", T, float, double) {
    for (const std::size_t rows : {2U, 4U, 6U}) {
        check<T, support::native_arch>(rows, 3);
        check<T, xeinsum::kernel::narrower_t<support::native_arch>>(rows, 3);
    }
}

TEST_CASE_TEMPLATE("only even numbers of dense rows of that width", T, float, double) {
    using pairs = paired_rows<T, support::native_arch>;
    if constexpr (pairs::exists) {
        constexpr auto n = static_cast<std::int64_t>(pairs::part);
        const small_shape fitting{.rows = 4,
                                  .columns = n,
                                  .depth = n,
                                  .lhs_row = n,
                                  .lhs_depth = 1,
                                  .rhs_depth = n,
                                  .out_row = n};
        CHECK(pairs::fits(fitting));
        const auto changed = [&](std::int64_t small_shape::*member, std::int64_t value) {
            small_shape s = fitting;
            s.*member = value;
            return pairs::fits(s);
        };
        CHECK(changed(&small_shape::rhs_depth, n + 3));
        CHECK_FALSE(changed(&small_shape::rows, 3));
        CHECK_FALSE(changed(&small_shape::columns, n + 1));
        CHECK_FALSE(changed(&small_shape::depth, n - 1));
        CHECK_FALSE(changed(&small_shape::pieces, 2));
        CHECK_FALSE(changed(&small_shape::lhs_depth, n));
        CHECK_FALSE(changed(&small_shape::lhs_row, n + 1));
        CHECK_FALSE(changed(&small_shape::out_row, n + 1));
    }
}
