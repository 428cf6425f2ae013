#include <xeinsum/kernel/gemm/short_runs_gemm.hpp>

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

using xeinsum::kernel::runs_of_tile;
using xeinsum::kernel::scaling;
using xeinsum::kernel::short_runs_gemm;
using xeinsum::kernel::short_runs_gemm_run;

namespace {

/// "zbk,cak->zcba", each c being gap elements longer than b rows of a.
struct extents {
    std::int64_t z, b, c, a, k;
    std::int64_t gap = 0;
};

/// What either kernel needs.
template <class T, class Arch>
std::size_t scratch_bytes(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    constexpr std::size_t lanes = xeinsum::kernel::simd<T, Arch>::lanes;
    constexpr auto cut = xeinsum::kernel::blocking_of<T, Arch>;
    return std::max(
        xeinsum::kernel::cut_memory(cut, cut.nv * lanes, sizeof(T), rows, columns, depth).bytes(),
        xeinsum::kernel::short_runs_gemm_bytes(rows, columns, depth, sizeof(T), lanes));
}

/// Results that begin so many elements behind the beginning of a cache line.
template <class I>
void check(const extents& e, bool suits, std::int64_t off = 0) {
    using T = typename I::type;
    using Arch = typename I::arch;
    CAPTURE(e.b);
    CAPTURE(e.c);
    CAPTURE(e.a);
    const std::int64_t one = e.b * e.a + e.gap;
    const support::nest_rows batch({{e.z, e.c * one, e.b * e.k, 0}});
    const support::nest_rows rows({{e.b, e.a, e.k, 0}});
    const support::nest_rows columns({{e.c, one, 0, e.a * e.k}, {e.a, 1, 0, e.k}});
    const support::nest_rows depth({{e.k, 0, 1, 1}});
    const support::nest_rows output({{e.z, e.c * one, e.b * e.k, 0},
                                     {e.b, e.a, e.k, 0},
                                     {e.c, one, 0, e.a * e.k},
                                     {e.a, 1, 0, e.k}});
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const auto lhs = support::small_numbers<T>(size(e.z * e.b * e.k), 2);
    const auto rhs = support::small_numbers<T>(size(e.c * e.a * e.k), 31);
    const std::size_t results = size(e.z * e.c * one);

    support::aligned_bytes scratch(scratch_bytes<T, Arch>(e.b, e.c * e.a, e.k));
    support::aligned_bytes memory((results + size(off)) * sizeof(T));
    T* const found = reinterpret_cast<T*>(memory.data()) + off;
    const xeinsum::kernel::gemm_groups groups{batch.loops(), rows.loops(), columns.loops(),
                                              depth.loops()};
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(3), T(0)}, {T(2), T(3)}}) {
        std::vector<T> expected = support::small_numbers<T>(results, 800);
        std::copy(expected.begin(), expected.end(), found);
        support::evaluate_nest<T>({output.loops(), depth.loops(), 2}, {lhs.data(), rhs.data()},
                                  expected.data(), alpha, beta);
        const scaling<T> scale(alpha, beta);
        if constexpr (short_runs_gemm_run<T, Arch>::exists) {
            CHECK(short_runs_gemm_run<T, Arch>::suits(groups, scale) == (suits && beta == T(0)));
        }
        short_runs_gemm<T, Arch>(groups, lhs.data(), rhs.data(), found, scale, scratch.data());
        CHECK(std::equal(expected.begin(), expected.end(), found));
    }
}

}  // namespace

TEST_CASE_TEMPLATE("runs of half a register to three of them, fewer than fill a tile too", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    constexpr std::int64_t half = I::lanes / 2;
    for (const std::int64_t run : {half, half + 1, 2 * half, 3 * half - 1, 3 * half, 6 * half}) {
        for (const std::int64_t b : {1, 2, 5, 8, 20}) {
            for (const std::int64_t c : {1, 2, 7}) {
                check<I>({2, b, c, run, 5}, runs_of_tile(run, I::lanes) != 0);
            }
        }
    }
}

TEST_CASE("runs that suit no tile are packed products") {
    using I = support::instance<float, support::native_arch>;
    check<I>({2, 4, 3, 2 * I::lanes, 4}, false);
    check<I>({2, 4, 3, I::lanes / 2 - 1, 4}, false);
}

TEST_CASE("runs that begin within lines, and with gaps between them") {
    using I = support::instance<float, support::native_arch>;
    constexpr std::int64_t run = 3 * I::lanes / 2;
    for (const std::int64_t off : {1, 7, 15}) {
        check<I>({2, 9, 3, run, 4}, true, off);
        check<I>({2, 21, 3, run - 1, 4}, true, off);
        check<I>({2, 10, 3, run, 4, 1}, true, off);
    }
    check<I>({2, 10, 3, run, 4, I::lanes}, true);
    check<I>({2, 10, 3, run, 4, I::lanes}, true, I::lanes / 2);
}

TEST_CASE("the order of sums is that of packed products") {
    using T = float;
    using Arch = support::native_arch;
    constexpr std::size_t lanes = xeinsum::kernel::simd<T, Arch>::lanes;
    constexpr auto run = static_cast<std::int64_t>(lanes / 2 * 3);
    constexpr std::int64_t b = 6, c = 2, k = 19;
    const support::nest_rows rows({{b, run, 1, 0}});
    const support::nest_rows columns({{c, b * run, 0, run}, {run, 1, 0, 1}});
    const support::nest_rows depth({{k, 0, b, c * run}});
    const xeinsum::kernel::gemm_groups groups{{}, rows.loops(), columns.loops(), depth.loops()};
    std::vector<T> lhs(b * k);
    std::vector<T> rhs(c * run * k);
    for (std::size_t i = 0; i < lhs.size(); ++i) {
        lhs[i] = T(1) / static_cast<T>(i + 3);
    }
    for (std::size_t i = 0; i < rhs.size(); ++i) {
        rhs[i] = T(1) / static_cast<T>(3 * i + 1);
    }
    support::aligned_bytes scratch(scratch_bytes<T, Arch>(b, c * run, k));
    const auto results = static_cast<std::size_t>(b * c * run);
    support::aligned_bytes memory(results * sizeof(T));
    auto* const found = reinterpret_cast<T*>(memory.data());
    std::vector<T> packed(results);
    short_runs_gemm<T, Arch>(groups, lhs.data(), rhs.data(), found, {}, scratch.data());
    xeinsum::kernel::gemm<T, Arch>(groups, {}, lhs.data(), rhs.data(), packed.data(), {},
                                   scratch.data());
    CHECK(std::equal(packed.begin(), packed.end(), found));
}
