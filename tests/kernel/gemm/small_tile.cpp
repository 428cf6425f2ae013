#include <xeinsum/kernel/gemm/small_tile.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using xeinsum::kernel::scaling;
using xeinsum::kernel::simd;
using xeinsum::kernel::small_batch;
using xeinsum::kernel::small_columns;
using xeinsum::kernel::small_shape;
using xeinsum::kernel::small_tile;

namespace {

template <class T, class Arch, std::size_t R, std::size_t NV>
void check_tile(std::int64_t columns, std::int64_t done,
                std::int64_t rows = static_cast<std::int64_t>(R)) {
    CAPTURE(columns);
    CAPTURE(done);
    CAPTURE(rows);
    // Two products, depth 3 in 2 pieces; rows of the output have a gap.
    const small_shape s{.rows = rows,
                        .columns = columns,
                        .depth = 3,
                        .pieces = 2,
                        .lhs_row = 7,
                        .lhs_depth = 2,
                        .lhs_piece = 7 * rows,
                        .rhs_depth = columns,
                        .rhs_piece = 3 * columns,
                        .out_row = columns + 1};
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const small_batch batch{2, rows * (columns + 1), 1, 6 * columns};
    const auto lhs = support::small_numbers<T>(size(14 * rows + 1), 3);
    // Ends with the last column: reading beyond is seen by a sanitizer.
    const auto rhs = support::small_numbers<T>(size(12 * columns), 40);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(3), T(0)}, {T(2), T(3)}}) {
        const auto before = support::small_numbers<T>(size(2 * rows * (columns + 1) - 1), 90);
        std::vector<T> expected = before;
        for (std::int64_t p = 0; p < 2; ++p) {
            for (std::int64_t i = 0; i < rows; ++i) {
                for (std::int64_t j = done; j < columns; ++j) {
                    T sum(0);
                    for (std::int64_t k = 0; k < 6; ++k) {
                        sum = T(sum + lhs[size(p + 7 * i + 2 * (k % 3) + 7 * rows * (k / 3))] *
                                          rhs[size((6 * p + k) * columns + j)]);
                    }
                    T& out = expected[size(p * batch.out + i * (columns + 1) + j)];
                    out = T(alpha * sum + beta * out);
                }
            }
        }
        const scaling<T> scale(alpha, beta);
        const bool reads = beta != T(0);
        using tile = small_tile<T, Arch, R, NV>;
        const auto check = [&](auto run) {
            std::vector<T> found = before;
            run(found.data());
            if (!reads) {
                // What was done before may be written again.
                for (std::int64_t line = 0; line < 2 * rows; ++line) {
                    for (std::int64_t j = 0; j < done; ++j) {
                        found[size(line * (columns + 1) + j)] =
                            expected[size(line * (columns + 1) + j)];
                    }
                }
            }
            CHECK(found == expected);
        };
        check([&](T* out) {
            tile::run(s, {scale, {columns, done}, rows}, batch, lhs.data(), rhs.data(), out);
        });
        check([&](T* out) {
            for (std::int64_t p = 0; p < 2; ++p) {
                tile::run_fixed(s, {scale, {columns, done}, rows}, lhs.data() + p * batch.lhs,
                                rhs.data() + p * batch.rhs, out + p * batch.out);
            }
        });
    }
}

}  // namespace

TEST_CASE_TEMPLATE("tiles of every width", I, SUPPORT_ALL_REAL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    for (std::int64_t columns = 1; columns <= lanes; ++columns) {
        check_tile<T, Arch, 1, 1>(columns, 0);
        check_tile<T, Arch, 5, 1>(columns, 0);
        check_tile<T, Arch, 8, 1>(columns, 0);
    }
    for (std::int64_t columns = lanes; columns <= 2 * lanes; ++columns) {
        check_tile<T, Arch, 3, 2>(columns, 0);
        check_tile<T, Arch, 6, 2>(columns, 0);
    }
}

TEST_CASE_TEMPLATE("tiles of less rows than their height", I, SUPPORT_ALL_REAL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    for (const std::int64_t columns : {std::int64_t{1}, lanes - 1, lanes}) {
        if (columns == 0) {
            continue;
        }
        check_tile<T, Arch, 2, 1>(columns, 0, 1);
        check_tile<T, Arch, 4, 1>(columns, 0, 3);
        for (std::int64_t rows = 5; rows < 8; ++rows) {
            check_tile<T, Arch, 8, 1>(columns, 0, rows);
        }
        for (std::int64_t rows = 9; rows < 16; ++rows) {
            check_tile<T, Arch, 16, 1>(columns, 0, rows);
        }
        check_tile<T, Arch, 2, 2>(lanes + columns, 0, 1);
        check_tile<T, Arch, 6, 2>(lanes + columns, 0, 5);
        check_tile<T, Arch, 4, 1>(lanes, columns - 1, 3);
    }
}

TEST_CASE_TEMPLATE("columns that are written already get nothing added", I,
                   SUPPORT_ALL_REAL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    for (std::int64_t done = 0; done < lanes; ++done) {
        check_tile<T, Arch, 4, 1>(lanes, done);
    }
}

TEST_CASE("beta 0 does not read the output") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> a{2, 3};
    const std::vector<float> b{5, 7, 11};
    std::vector<float> out(6, nan);
    const small_shape s{.rows = 2, .columns = 3, .lhs_row = 1, .out_row = 3};
    const scaling<float> scale(2, 0);
    small_tile<float, support::native_arch, 2, 1>::run(s, {scale, {3, 0}, 2}, {}, a.data(),
                                                       b.data(), out.data());
    CHECK(out == std::vector<float>{20, 28, 44, 30, 42, 66});
}
