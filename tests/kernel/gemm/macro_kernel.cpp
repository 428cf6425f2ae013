#include <xeinsum/kernel/gemm/macro_kernel.hpp>

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/pack.hpp>
#include <xeinsum/kernel/memory/cache.hpp>

#include "../../support/instances.hpp"
#include "../../support/line_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using support::line_list;
using xeinsum::kernel::macro_kernel;
using xeinsum::kernel::packer;
using xeinsum::kernel::scaling;
using xeinsum::kernel::tile_height;
using xeinsum::kernel::tile_source;

namespace {

/// How the tiles of a block follow each other, whether lhs is read from its panels, how many lines
/// are prefetched on the way, and whether results go by non-temporal stores, for which the output
/// begins with a cache line or so many elements behind one.
struct walk {
    bool along_rows = false;
    bool packed_lhs = true;
    std::size_t prefetched = 0;
    bool streams = false;
    std::size_t behind_line = 0;
};

/// A block into an output with the given steps, everything around it untouched. Where lhs is read
/// from rows that do not fill a tile, it is read from its panels.
template <class T, class Arch>
void check_block(const line_list& out_rows, const line_list& out_columns, const T& alpha,
                 const T& beta, walk how) {
    const std::size_t rows = out_rows.offsets.size(), columns = out_columns.offsets.size();
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t nr = b.nv * xeinsum::kernel::simd<T, Arch>::lanes;
    constexpr std::size_t depth = 5;
    how.packed_lhs = how.packed_lhs || rows < b.mr;
    const auto lhs = support::small_numbers<T>(rows * depth, 1);
    const auto rhs = support::small_numbers<T>(depth * columns, 70);
    std::vector<T> packed_lhs((rows + b.mr) * depth + xeinsum::kernel::pack_slack);
    std::vector<T> packed_rhs((columns + nr) * depth + xeinsum::kernel::pack_slack);
    packer<T, Arch>(b.mr).pack(lhs.data(), line_list(rows, depth).view(),
                               line_list(depth, 1).view(), packed_lhs.data());
    packer<T, Arch>(nr).pack(rhs.data(), line_list(columns, 1).view(),
                             line_list(depth, static_cast<int>(columns)).view(), packed_rhs.data());

    const auto reach =
        static_cast<std::size_t>(out_rows.offsets.back() + out_columns.offsets.back());
    const auto before = support::small_numbers<T>(reach + 1, 200);
    constexpr std::size_t line = xeinsum::kernel::line_elements<T>;
    std::vector<T> memory(before.size() + 2 * line);
    const auto past = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(T) % line;
    T* const out = memory.data() + (line - past) + how.behind_line;
    std::copy(before.begin(), before.end(), out);
    std::vector<bool> written(before.size(), false);
    const std::int64_t begin = 0;
    xeinsum::kernel::macro_block<T> block;
    block.depth = {1, depth};
    block.lhs = how.packed_lhs ? tile_source<T>{packed_lhs.data(), 1, b.mr, &begin}
                               : tile_source<T>{lhs.data(), depth, 1, &begin};
    block.rhs = {packed_rhs.data(), 1, nr, &begin};
    block.out = out;
    block.streams = how.streams;
    block.rows = out_rows.view();
    block.columns = out_columns.view();
    macro_kernel<T, Arch, b.mr, b.nv>(block, {b.mr, depth, depth, how.along_rows, !how.packed_lhs},
                                      scaling<T>(alpha, beta),
                                      {lhs.data(), depth, how.prefetched, depth * sizeof(T)});
    bool right = true;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            T sum(0);
            for (std::size_t k = 0; k < depth; ++k) {
                sum = T(sum + lhs[i * depth + k] * rhs[k * columns + j]);
            }
            const auto at = static_cast<std::size_t>(out_rows.offsets[i] + out_columns.offsets[j]);
            right = right && out[at] == T(alpha * sum + beta * before[at]);
            written[at] = true;
        }
    }
    for (std::size_t at = 0; at < before.size(); ++at) {
        right = right && (written[at] || out[at] == before[at]);
    }
    CAPTURE(rows);
    CAPTURE(columns);
    CHECK(right);
}

/// The same with equal steps.
template <class T, class Arch>
void check_block(std::size_t rows, std::size_t columns, std::int64_t row_step,
                 std::int64_t column_step, const T& alpha, const T& beta, walk how) {
    check_block<T, Arch>(line_list(rows, row_step), line_list(columns, column_step), alpha, beta,
                         how);
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
            check_block<T, Arch>(rows, columns, n, 1, T(1), T(0), {false, true});
            check_block<T, Arch>(rows, columns, n + 3, 1, T(2), T(3), {true, true});
            check_block<T, Arch>(rows, columns, 1, m, T(1), T(1), {false, false});
            check_block<T, Arch>(rows, columns, 2 * n, 2, T(3), T(0), {true, false});
            check_block<T, Arch>(rows, columns, n + 1, 1, T(1), T(0), {true, false});
        }
    }
}

TEST_CASE_TEMPLATE("runs of tiles, with prefetches between them and without", I,
                   SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t nr = b.nv * xeinsum::kernel::simd<T, Arch>::lanes;
    const std::size_t columns = 4 * nr + 3;
    const auto n = static_cast<std::int64_t>(columns);
    for (const std::size_t rows : {3 * b.mr, 4 * b.mr + 1, 5 * b.mr + b.mr / 2}) {
        for (const std::size_t prefetched : {std::size_t{0}, std::size_t{2}, rows}) {
            check_block<T, Arch>(rows, columns, n, 1, T(1), T(0), {false, true, prefetched});
            check_block<T, Arch>(rows, columns, n + 1, 1, T(1), T(1), {false, false, prefetched});
            check_block<T, Arch>(rows, columns, n, 1, T(1), T(0), {true, true, prefetched});
            check_block<T, Arch>(rows, columns, n + 2, 1, T(2), T(0), {true, false, prefetched});
        }
    }
}

TEST_CASE_TEMPLATE("columns in runs of registers, halves of them and less", I,
                   SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t lanes = xeinsum::kernel::simd<T, Arch>::lanes;
    const std::size_t rows = b.mr + 2;
    const std::size_t columns = 2 * b.nv * lanes + lanes / 2 + 1;
    for (const std::size_t run :
         {lanes / 2, lanes, lanes + lanes / 2, 2 * lanes + lanes / 4, std::size_t{3}}) {
        if (run == 0) {
            continue;
        }
        const line_list across = line_list::in_runs(columns, run, 2);
        const std::int64_t row = across.offsets.back() + 2;
        check_block<T, Arch>(line_list(rows, row), across, T(1), T(0), {});
        check_block<T, Arch>(line_list(rows, row), across, T(2), T(3), {true});
    }
}

TEST_CASE_TEMPLATE("results that go by non-temporal stores where they fill lines", I,
                   SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t nr = b.nv * xeinsum::kernel::simd<T, Arch>::lanes;
    constexpr std::size_t line = xeinsum::kernel::line_elements<T>;
    const std::size_t rows = 2 * b.mr + 1;
    for (const std::size_t columns : {nr, 2 * nr + nr / b.nv, 2 * nr + 3}) {
        const auto row = static_cast<std::int64_t>((columns + line - 1) / line * line);
        for (const bool along_rows : {true, false}) {
            for (const std::size_t behind_line : {std::size_t{0}, line / 2, line - 1}) {
                const walk how{along_rows, true, 0, true, behind_line};
                check_block<T, Arch>(rows, columns, row, 1, T(1), T(0), how);
                check_block<T, Arch>(rows, columns, row, 1, T(3), T(0), how);
            }
        }
    }
}

TEST_CASE("tiles have a few heights, and two low ones take what is little more than a high one") {
    CHECK(tile_height(20, 6, true) == 6);
    CHECK(tile_height(9, 6, true) == 6);
    CHECK(tile_height(8, 6, true) == 4);
    CHECK(tile_height(7, 6, false) == 6);
    CHECK(tile_height(6, 6, true) == 6);
    CHECK(tile_height(5, 6, false) == 6);
    CHECK(tile_height(3, 6, true) == 4);
    CHECK(tile_height(1, 6, false) == 2);
    CHECK(tile_height(16, 14, true) == 8);
    CHECK(tile_height(9, 14, true) == 14);
    CHECK(tile_height(5, 14, false) == 8);
    CHECK(tile_height(4, 14, false) == 4);
    CHECK(tile_height(2, 3, false) == 2);
}

TEST_CASE_TEMPLATE("exact columns are whole tiles and one register", I, SUPPORT_ALL_INSTANCES) {
    constexpr std::size_t lanes = I::lanes;
    using two = xeinsum::kernel::tile_kernels<typename I::type, typename I::arch, 4, 2>;
    using four = xeinsum::kernel::tile_kernels<typename I::type, typename I::arch, 4, 4>;
    for (std::size_t more = 0; more < lanes; ++more) {
        CHECK(two::exact_columns(more, false) == 0);
        CHECK(two::exact_columns(lanes + more, false) == lanes);
        CHECK(two::exact_columns(5 * lanes + more, false) == 5 * lanes);
        CHECK(four::exact_columns(3 * lanes + more, false) == lanes);
        CHECK(four::exact_columns(4 * lanes + more, false) == 4 * lanes);
        CHECK(four::exact_columns(7 * lanes + more, false) == 5 * lanes);
        // A register is not alone if with what is left it makes a tile.
        CHECK(two::exact_columns(5 * lanes + more, true) == (more == 0 ? 5 : 4) * lanes);
        CHECK(four::exact_columns(4 * lanes + more, true) == 4 * lanes);
        CHECK(four::exact_columns(6 * lanes + more, true) == 4 * lanes);
    }
}
