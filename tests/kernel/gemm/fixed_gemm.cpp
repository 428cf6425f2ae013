#include <xeinsum/kernel/gemm/fixed_gemm.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using xeinsum::kernel::fixed_gemm;
using xeinsum::kernel::scaling;
using xeinsum::kernel::small_shape;

namespace {

/// Rows of lhs lie side by side, the depth comes in two pieces with a gap of lhs between them, and
/// rows of rhs and of the output are three elements longer than their columns.
constexpr small_shape shape_of(std::int64_t m, std::int64_t n, std::int64_t k) {
    return {.rows = m,
            .columns = n,
            .depth = k,
            .pieces = 2,
            .lhs_row = 1,
            .lhs_depth = m,
            .lhs_piece = m * k + 2,
            .rhs_depth = n + 3,
            .rhs_piece = k * (n + 3),
            .out_row = n + 3};
}

template <class I, std::int64_t M, std::int64_t N, std::int64_t K>
void check() {
    using T = typename I::type;
    constexpr small_shape s = shape_of(M, N, K);
    CAPTURE(M);
    CAPTURE(N);
    CAPTURE(K);
    const auto count = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const auto a = support::small_numbers<T>(count(2 * s.lhs_piece), 2);
    const auto b = support::small_numbers<T>(count(2 * s.rhs_piece), 30);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        const auto before = support::small_numbers<T>(count(M * s.out_row), 800);
        std::vector<T> expected = before;
        for (std::int64_t i = 0; i < M; ++i) {
            for (std::int64_t j = 0; j < N; ++j) {
                T sum = 0;
                for (std::int64_t p = 0; p < 2; ++p) {
                    for (std::int64_t k = 0; k < K; ++k) {
                        sum = sum + a[count(i + k * s.lhs_depth + p * s.lhs_piece)] *
                                        b[count(j + k * s.rhs_depth + p * s.rhs_piece)];
                    }
                }
                T& to = expected[count(i * s.out_row + j)];
                to = alpha * sum + (beta == T(0) ? T(0) : beta * to);
            }
        }
        std::vector<T> found = before;
        fixed_gemm<T, typename I::arch, s>(a.data(), b.data(), found.data(),
                                           scaling<T>(alpha, beta));
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("products whose shape is a constant", I, SUPPORT_ALL_REAL_INSTANCES) {
    check<I, 4, 4, 2>();
    check<I, 1, 3, 5>();
    check<I, 7, 9, 3>();
    check<I, 13, 25, 2>();
    check<I, 20, 19, 11>();  // too many multiply-adds for code of its own
}
