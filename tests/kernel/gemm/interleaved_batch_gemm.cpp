#include <xeinsum/kernel/gemm/interleaved_batch_gemm.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

using support::nest_row;
using xeinsum::kernel::batched_shape;
using xeinsum::kernel::interleaved_batch_blocks;
using xeinsum::kernel::interleaved_batch_gemm;
using xeinsum::kernel::scaling;

namespace {

/// A vector for panels that ends where memory_bytes says.
template <class I>
std::vector<double> panels_of(std::int64_t columns, std::int64_t depth) {
    const std::size_t bytes = interleaved_batch_blocks::memory_bytes(
        static_cast<double>(columns), static_cast<double>(depth),
        sizeof(typename xeinsum::kernel::simd<typename I::type, typename I::arch>::type));
    return std::vector<double>(bytes / sizeof(double) + 1);
}

/// "oipjb,opjkb->oikb" with gaps: o around, p summed around j.
template <class I>
void check(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
           std::int64_t outer = 1, std::int64_t pieces = 1, std::int64_t gap = 0) {
    using T = typename I::type;
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(batch);
    const std::int64_t row = batch + gap;
    const std::int64_t depth = pieces * k;
    const nest_row around{outer, m * n * row, m * depth * row, depth * n * row};
    const nest_row piece{pieces, 0, k * row, k * n * row};
    const support::nest_rows outside({around});
    const support::nest_rows inside({piece});
    const support::nest_rows output(
        {around, {m, n * row, depth * row, 0}, {n, row, 0, row}, {batch, 1, 1, 1}});
    const support::nest_rows sums({piece, {k, 0, row, n * row}});
    const auto size = [&](std::int64_t x) { return static_cast<std::size_t>(outer * x * row); };
    const auto a = support::small_numbers<T>(size(m * depth), 2);
    const auto b = support::small_numbers<T>(size(depth * n), 30);
    const batched_shape s{.rows = m,
                          .columns = n,
                          .depth = k,
                          .lhs_row = depth * row,
                          .lhs_depth = row,
                          .rhs_column = row,
                          .rhs_depth = n * row,
                          .out_row = n * row,
                          .out_column = row};
    support::check_product<T>({output.loops(), sums.loops(), 2}, a, b, size(m * n),
                              [&](const scaling<T>& scale, T* found) {
                                  auto memory = panels_of<I>(n, k);
                                  interleaved_batch_gemm<T, typename I::arch>(
                                      outside.loops(), inside.loops(), s, batch, a.data(), b.data(),
                                      found, scale, reinterpret_cast<std::byte*>(memory.data()));
                              });
}

}  // namespace

#define BATCHED_INSTANCES                                       \
    support::instance<float, support::native_arch>,             \
        support::instance<double, support::native_arch>,        \
        support::instance<std::uint32_t, support::native_arch>, \
        support::instance<std::complex<float>, support::native_arch>

TEST_CASE_TEMPLATE("tiles of every height and width", I, BATCHED_INSTANCES) {
    for (const std::int64_t m : {2, 3, 4, 5, 6, 7, 8, 9}) {
        for (const std::int64_t n : {2, 3, 4, 5, 7}) {
            check<I>(m, n, 3, 17);
        }
    }
}

TEST_CASE_TEMPLATE("batches of every length, packed or not", I, BATCHED_INSTANCES) {
    for (const std::int64_t batch : {2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 33, 100}) {
        check<I>(3, 2, 4, batch);
        check<I>(9, 11, 10, batch);
    }
}

TEST_CASE_TEMPLATE("loops around, sums in two loops, distances that collide in the cache", I,
                   BATCHED_INSTANCES) {
    check<I>(2, 3, 4, 10, 3);
    check<I>(2, 3, 4, 10, 1, 3);
    check<I>(4, 2, 2, 21, 2, 3, 2);
    check<I>(4, 5, 4, 70, 1, 1, 1024 - 70);
}

TEST_CASE_TEMPLATE("columns and depth in blocks", I, BATCHED_INSTANCES) {
    check<I>(5, 7, 150, 9);
    check<I>(3, 150, 70, 20);
}

TEST_CASE("far arrays, whose lines are prefetched, those of short and of long rows") {
    using I = support::instance<float, support::native_arch>;
    check<I>(9, 7, 20, 3001);
    check<I>(30, 31, 5, 900);
    check<I>(24, 19, 40, 3100);
}

TEST_CASE_TEMPLATE("results of many pages, by non-temporal stores where they begin with lines", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>) {
    using T = typename I::type;
    constexpr std::int64_t m = 9, n = 4, k = 2;
    constexpr std::int64_t batch = (std::int64_t{9} << 20U) / (m * n * sizeof(T)) + 5;
    constexpr std::int64_t row = (batch + 31) / 16 * 16;
    const auto size = [](std::int64_t x) { return static_cast<std::size_t>(x * row); };
    const auto a = support::small_numbers<T>(size(m * k), 2);
    const auto b = support::small_numbers<T>(size(k * n), 30);
    const std::vector<T> before = support::small_numbers<T>(size(m * n) + 64, 500);
    const batched_shape s{m, n, k, k * row, row, row, n * row, n * row, row};
    auto memory = panels_of<I>(n, k);
    for (const T beta : {T(0), T(3)}) {
        std::vector<T> out = before;
        // The first line that begins in it.
        const auto odd = reinterpret_cast<std::uintptr_t>(out.data()) % 64 / sizeof(T);
        const std::size_t first = (64 / sizeof(T) - odd) % (64 / sizeof(T));
        interleaved_batch_gemm<T, typename I::arch>({}, {}, s, batch, a.data(), b.data(),
                                                    out.data() + first, {T(1), beta},
                                                    reinterpret_cast<std::byte*>(memory.data()));
        std::vector<T> expected = before;
        for (std::int64_t x = 0; x < batch; ++x) {
            for (std::int64_t i = 0; i < m; ++i) {
                for (std::int64_t j = 0; j < n; ++j) {
                    T sum = 0;
                    for (std::int64_t p = 0; p < k; ++p) {
                        sum += a[size(i * k + p) + static_cast<std::size_t>(x)] *
                               b[size(p * n + j) + static_cast<std::size_t>(x)];
                    }
                    T& result = expected[first + size(i * n + j) + static_cast<std::size_t>(x)];
                    result = sum + beta * result;
                }
            }
        }
        CHECK(out == expected);
    }
}

TEST_CASE("lanes that are left out do not disturb the others, nor what was in the output") {
    using I = support::instance<float, support::native_arch>;
    constexpr float inf = std::numeric_limits<float>::infinity();
    // two products: inf in one, numbers in the other, NaN in the output before
    const std::vector<float> a{inf, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<float> b{0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<float> out(8, std::numeric_limits<float>::quiet_NaN());
    const batched_shape s{2, 2, 2, 4, 2, 2, 4, 4, 2};
    auto memory = panels_of<I>(2, 2);
    interleaved_batch_gemm<float, I::arch>({}, {}, s, 2, a.data(), b.data(), out.data(), {},
                                           reinterpret_cast<std::byte*>(memory.data()));
    CHECK(out[0] != out[0]);
    CHECK(out[2] == inf);
    CHECK(out[1] == 1 * 1 + 3 * 5);
    CHECK(out[3] == 1 * 3 + 3 * 7);
    CHECK(out[5] == 5 * 1 + 7 * 5);
    CHECK(out[7] == 5 * 3 + 7 * 7);
}
