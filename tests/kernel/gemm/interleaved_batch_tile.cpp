#include <xeinsum/kernel/gemm/interleaved_batch_tile.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using xeinsum::kernel::batched_lanes;
using xeinsum::kernel::batched_shape;
using xeinsum::kernel::interleaved_batch_prefetch;
using xeinsum::kernel::interleaved_batch_tile;
using xeinsum::kernel::scaling;

namespace {

constexpr std::size_t rows = 2;
constexpr std::size_t columns = 2;
constexpr std::size_t depth = 3;

/// "ijb,jkb->ikb" of 2 x 3 and 3 x 2 matrices, whose batch fills two registers.
template <class I>
struct product {
    using T = typename I::type;
    static constexpr std::size_t width = xeinsum::kernel::simd<T, typename I::arch>::lanes;
    static constexpr std::size_t batch = 2 * width;

    std::vector<T> a = support::small_numbers<T>(rows * depth * batch, 3);
    std::vector<T> b = support::small_numbers<T>(depth * columns * batch, 40);
    std::vector<T> before = support::small_numbers<T>(rows * columns * batch, 500);

    [[nodiscard]] std::vector<T> run(const batched_lanes& lanes, std::size_t first,
                                     const scaling<T>& scale, bool far = false) const {
        std::vector<T> out = before;
        constexpr auto n = static_cast<std::int64_t>(batch);
        const batched_shape s{.rows = rows,
                              .columns = columns,
                              .depth = depth,
                              .lhs_row = depth * n,
                              .lhs_depth = n,
                              .rhs_column = n,
                              .rhs_depth = columns * n,
                              .out_row = columns * n,
                              .out_column = n};
        using tile = interleaved_batch_tile<T, typename I::arch, rows, columns>;
        interleaved_batch_prefetch<T> ahead;
        if (far) {
            ahead = {{b.data(), columns, n, static_cast<std::int64_t>(columns) * n},
                     {a.data(), 1, static_cast<std::int64_t>(depth) * n, n},
                     n};
        }
        tile::run(s, lanes, a.data() + first, b.data() + first, out.data() + first, scale, ahead);
        return out;
    }

    /// alpha * product + beta * before from one place of the batch to another.
    [[nodiscard]] std::vector<T> expect(std::size_t from, std::size_t to, T alpha, T beta) const {
        std::vector<T> out = before;
        for (std::size_t x = from; x < to; ++x) {
            for (std::size_t i = 0; i < rows; ++i) {
                for (std::size_t k = 0; k < columns; ++k) {
                    T sum(0);
                    for (std::size_t j = 0; j < depth; ++j) {
                        sum = T(sum + T(a[(i * depth + j) * batch + x] *
                                        b[(j * columns + k) * batch + x]));
                    }
                    T& result = out[(i * columns + k) * batch + x];
                    result = T(T(alpha * sum) + T(beta * result));
                }
            }
        }
        return out;
    }
};

}  // namespace

TEST_CASE_TEMPLATE("a tile of several registers of the batch", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    const product<I> p;
    constexpr auto w = static_cast<std::int64_t>(product<I>::width);
    const batched_lanes both{.registers = 2, .lhs = w, .rhs = w, .end = w};
    CHECK(p.run(both, 0, {}) == p.expect(0, 2 * product<I>::width, T(1), T(0)));
    CHECK(p.run(both, 0, {T(3), T(2)}) == p.expect(0, 2 * product<I>::width, T(3), T(2)));
    CHECK(p.run(both, 0, {}, true) == p.expect(0, 2 * product<I>::width, T(1), T(0)));
    CHECK(p.run(both, 0, {T(3), T(2)}, true) == p.expect(0, 2 * product<I>::width, T(3), T(2)));
}

TEST_CASE_TEMPLATE("lanes are left out at either end", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    const product<I> p;
    constexpr std::size_t width = product<I>::width;
    constexpr auto w = static_cast<std::int64_t>(width);
    if (width > 1) {
        const std::size_t first = 1;
        // the first lanes: written again where that changes nothing, left out where it would
        const batched_lanes end{.done = w - 1, .end = w};
        CHECK(p.run(end, first, {}) == p.expect(first, first + width, T(1), T(0)));
        CHECK(p.run(end, first, {T(2), T(0)}) == p.expect(first, first + width, T(2), T(0)));
        CHECK(p.run(end, first, {T(2), T(3)}) ==
              p.expect(first + width - 1, first + width, T(2), T(3)));
        // the last ones
        const batched_lanes begin{.end = w - 1};
        CHECK(p.run(begin, first, {}) == p.expect(first, first + width - 1, T(1), T(0)));
        CHECK(p.run(begin, first, {T(2), T(3)}) == p.expect(first, first + width - 1, T(2), T(3)));
    }
}

TEST_CASE("beta 0 does not read the output, NaN of a lane stays in it") {
    using I = support::instance<double, support::native_arch>;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto w = static_cast<std::int64_t>(product<I>::width);
    product<I> p;
    const auto expected = p.expect(0, product<I>::batch, 2, 0);
    p.before.assign(p.before.size(), nan);
    CHECK(p.run({.registers = 2, .lhs = w, .rhs = w, .end = w}, 0, {2, 0}) == expected);
    p.a[1] = nan;
    const auto found = p.run({.registers = 2, .lhs = w, .rhs = w, .end = w}, 0, {});
    for (std::size_t n = 0; n < found.size(); ++n) {
        const std::size_t x = n % product<I>::batch;
        const bool first_row = n < columns * product<I>::batch;
        CHECK((found[n] != found[n]) == (x == 1 && first_row));
    }
}
