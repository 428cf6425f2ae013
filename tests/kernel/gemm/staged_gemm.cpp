#include <xeinsum/kernel/gemm/staged_gemm.hpp>

#include "../../support/aligned_bytes.hpp"
#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using support::nest_row;
using xeinsum::kernel::scaling;
using xeinsum::kernel::staged_gemm;
using xeinsum::kernel::staged_tiles;

namespace {

using native = support::instance<float, support::native_arch>;

/// "zaksrb,mk->zbmrsa" with extents of a, s, r, b, k and rows m; z is 2. Columns s r b follow each
/// other in rhs, except that each s begins one element later.
template <class I>
void check(std::int64_t a, std::int64_t s, std::int64_t r, std::int64_t b, std::int64_t k,
           std::int64_t m, staged_tiles tiles = staged_tiles::usual) {
    using T = typename I::type;
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(m);
    const std::int64_t columns = s * (r * b + 1);
    const std::int64_t in_rhs = k * columns;
    const std::int64_t result = a * s * r * m * b;
    const support::nest_rows batch({{2, result, 0, a * in_rhs}, {a, 1, 0, in_rhs}});
    const support::nest_rows rows({{m, a * s * r, k, 0}});
    const support::nest_rows across(
        {{s, a, 0, r * b + 1}, {r, a * s, 0, b}, {b, a * s * r * m, 0, 1}});
    const support::nest_rows depth({{k, 0, 1, columns}});
    const support::nest_rows output({{2, result, 0, a * in_rhs},
                                     {a, 1, 0, in_rhs},
                                     {m, a * s * r, k, 0},
                                     {s, a, 0, r * b + 1},
                                     {r, a * s, 0, b},
                                     {b, a * s * r * m, 0, 1}});
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const auto lhs = support::small_numbers<T>(size(m * k), 2);
    const auto rhs = support::small_numbers<T>(size(2 * a * in_rhs), 30);
    constexpr auto cut = xeinsum::kernel::blocking_of<T, typename I::arch>;
    constexpr std::size_t nr = cut.nv * xeinsum::kernel::simd<T, typename I::arch>::lanes;
    const std::size_t product =
        tiles == staged_tiles::few_rows
            ? xeinsum::kernel::few_rows_gemm_bytes(xeinsum::kernel::usual_few_rows_way(cut.mr), m,
                                                   k, cut.kc, sizeof(T))
            : xeinsum::kernel::memory_of_parts(cut, nr, sizeof(T), m, s * r * b, k);
    const std::size_t bytes = xeinsum::kernel::staged_bytes(tiles) + product;
    support::aligned_bytes scratch(bytes);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        std::vector<T> expected = support::small_numbers<T>(size(2 * result), 800);
        std::vector<T> found = expected;
        support::evaluate_nest<T>({output.loops(), depth.loops(), 2}, {lhs.data(), rhs.data()},
                                  expected.data(), alpha, beta);
        staged_gemm<T, typename I::arch>(
            {batch.loops(), rows.loops(), across.loops(), depth.loops()}, tiles, lhs.data(),
            rhs.data(), found.data(), scaling<T>(alpha, beta), scratch.data());
        CHECK(found == expected);
    }
}

/// "bakn,mk->nmba", each m gap elements longer than b runs of a: the runs of all b follow each
/// other. Results are as many as are written past the caches, and begin some elements behind a
/// cache line.
template <class T>
void check_joined_runs(std::int64_t b, std::int64_t a, std::int64_t gap, std::int64_t off,
                       staged_tiles tiles) {
    using Arch = support::native_arch;
    CAPTURE(a);
    CAPTURE(gap);
    CAPTURE(off);
    constexpr std::int64_t m = 5, k = 2;
    const std::int64_t run = b * a + gap;
    const std::int64_t n =
        (std::int64_t{9} << 20U) / static_cast<std::int64_t>(sizeof(T)) / m / run;
    const support::nest_rows batch({{b, a, 0, a * k * n}, {a, 1, 0, k * n}});
    const support::nest_rows rows({{m, run, k, 0}});
    const support::nest_rows across({{n, m * run, 0, 1}});
    const support::nest_rows depth({{k, 0, 1, n}});
    const support::nest_rows output(
        {{b, a, 0, a * k * n}, {a, 1, 0, k * n}, {m, run, k, 0}, {n, m * run, 0, 1}});
    const auto size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
    const auto lhs = support::small_numbers<T>(size(m * k), 2);
    const auto rhs = support::small_numbers<T>(size(b * a * k * n), 30);
    constexpr auto cut = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t nr = cut.nv * xeinsum::kernel::simd<T, Arch>::lanes;
    const std::size_t product =
        tiles == staged_tiles::few_rows
            ? xeinsum::kernel::few_rows_gemm_bytes(xeinsum::kernel::usual_few_rows_way(cut.mr), m,
                                                   k, cut.kc, sizeof(T))
            : xeinsum::kernel::memory_of_parts(cut, nr, sizeof(T), m, n, k);
    support::aligned_bytes scratch(xeinsum::kernel::staged_bytes(tiles) + product);
    support::aligned_bytes memory(size(n * m * run + off) * sizeof(T));
    T* const found = reinterpret_cast<T*>(memory.data()) + off;
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        std::vector<T> expected = support::small_numbers<T>(size(n * m * run), 800);
        std::copy(expected.begin(), expected.end(), found);
        support::evaluate_nest<T>({output.loops(), depth.loops(), 2}, {lhs.data(), rhs.data()},
                                  expected.data(), alpha, beta);
        staged_gemm<T, Arch>({batch.loops(), rows.loops(), across.loops(), depth.loops()}, tiles,
                             lhs.data(), rhs.data(), found, scaling<T>(alpha, beta),
                             scratch.data());
        CHECK(std::equal(expected.begin(), expected.end(), found));
    }
}

}  // namespace

TEST_CASE("results go to the output side by side in a loop around the products") {
    check<native>(9, 2, 3, 5, 4, 7);
    check<native>(20, 1, 1, 37, 3, 5);
    check<native>(53, 3, 2, 11, 2, 3);  // more products than are staged together
    using numbers = support::instance<std::uint32_t, support::native_arch>;
    check<numbers>(20, 2, 3, 5, 4, 7);
}

TEST_CASE("columns in parts: of the last loop, of the one around it") {
    check<native>(49, 1, 2, 700, 2, 24);
    check<native>(50, 2, 9, 60, 2, 24);
    check<native>(50, 1, 9, 60, 120, 4);  // no more than is prefetched
}

TEST_CASE("one row, and one column of one product left over") {
    check<native>(49, 1, 1, 4097, 2, 1);
}

TEST_CASE("few rows") {
    check<native>(9, 2, 3, 5, 4, 7, staged_tiles::few_rows);
    check<native>(20, 1, 1, 137, 45, 5, staged_tiles::few_rows);
    // columns in parts of whole tiles, and in parts of the loop around them
    check<native>(49, 1, 2, 700, 2, 24, staged_tiles::few_rows);
    check<native>(50, 2, 9, 60, 2, 24, staged_tiles::few_rows);
}

TEST_CASE("runs that go on in the loop around are written in whole lines") {
    for (const std::int64_t off : {0, 4, 13}) {
        check_joined_runs<float>(4, 20, 0, off, staged_tiles::usual);  // waiting for the next b
        check_joined_runs<float>(2, 104, 0, off, staged_tiles::few_rows);
    }
    check_joined_runs<double>(12, 2, 0, 3, staged_tiles::usual);
    check_joined_runs<float>(3, 48, 1, 5,
                             staged_tiles::usual);  // lines begin elsewhere in each row
}
