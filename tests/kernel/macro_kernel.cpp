#include <xeinsum/kernel/macro_kernel.hpp>

#include <xeinsum/kernel/blocking.hpp>
#include <xeinsum/kernel/pack.hpp>

#include "../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::kernel::line_offsets;
using xeinsum::kernel::macro_kernel;
using xeinsum::kernel::packer;
using xeinsum::kernel::scaling;
using xeinsum::kernel::tile_height;
using xeinsum::kernel::tile_source;

namespace {

struct steps {
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> runs;

    steps(std::size_t count, std::int64_t step) : offsets(count), runs(count) {
        for (std::size_t i = 0; i < count; ++i) {
            offsets[i] = static_cast<std::int64_t>(i) * step;
            runs[i] = step == 1 ? static_cast<std::int64_t>(count - i) : 1;
        }
    }
    [[nodiscard]] line_offsets view() const {
        return {offsets.data(), runs.data(), offsets.size()};
    }
};

/// How the tiles of a block follow each other, whether lhs is read from its panels, and how many
/// lines are fetched on the way.
struct walk {
    bool along_rows = false;
    bool packed_lhs = true;
    std::size_t fetched = 0;
};

/// A rows x columns block into an output with the given steps, everything around it untouched.
template <class T, class Arch>
void check_block(std::size_t rows, std::size_t columns, std::int64_t row_step,
                 std::int64_t column_step, const T& alpha, const T& beta, walk how) {
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t nr = b.nv * xeinsum::kernel::simd<T, Arch>::lanes;
    constexpr std::size_t depth = 5;
    const auto lhs = support::small_numbers<T>(rows * depth, 1);
    const auto rhs = support::small_numbers<T>(depth * columns, 70);
    std::vector<T> packed_lhs((rows + b.mr) * depth + xeinsum::kernel::pack_slack);
    std::vector<T> packed_rhs((columns + nr) * depth + xeinsum::kernel::pack_slack);
    packer<T, Arch, b.mr>::pack(lhs.data(), steps(rows, depth).view(), steps(depth, 1).view(),
                                packed_lhs.data());
    packer<T, Arch, nr>::pack(rhs.data(), steps(columns, 1).view(),
                              steps(depth, static_cast<int>(columns)).view(), packed_rhs.data());

    const auto reach =
        static_cast<std::size_t>((static_cast<std::int64_t>(rows) - 1) * row_step +
                                 (static_cast<std::int64_t>(columns) - 1) * column_step);
    const auto before = support::small_numbers<T>(reach + 1, 200);
    std::vector<T> out = before;
    std::vector<bool> written(out.size(), false);
    const steps out_rows(rows, row_step), out_columns(columns, column_step);
    const std::int64_t begin = 0;
    xeinsum::kernel::macro_block<T> block;
    block.depth = {1, depth};
    block.lhs = how.packed_lhs ? tile_source<T>{packed_lhs.data(), 1, b.mr, &begin}
                               : tile_source<T>{lhs.data(), depth, 1, &begin};
    block.rhs = {packed_rhs.data(), 1, nr, &begin};
    block.out = out.data();
    block.rows = out_rows.view();
    block.columns = out_columns.view();
    macro_kernel<T, Arch, b.mr, b.nv>(block, {b.mr, depth, depth, how.along_rows},
                                      scaling<T>(alpha, beta),
                                      {lhs.data(), depth, how.fetched, depth * sizeof(T)});
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
            check_block<T, Arch>(rows, columns, n, 1, T(1), T(0), {false, true});
            check_block<T, Arch>(rows, columns, n + 3, 1, T(2), T(3), {true, true});
            check_block<T, Arch>(rows, columns, 1, m, T(1), T(1), {false, false});
            check_block<T, Arch>(rows, columns, 2 * n, 2, T(3), T(0), {true, false});
            check_block<T, Arch>(rows, columns, n + 1, 1, T(1), T(0), {true, false});
        }
    }
}

TEST_CASE_TEMPLATE("runs of tiles, with fetches between them and without", I,
                   SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto b = xeinsum::kernel::blocking_of<T, Arch>;
    constexpr std::size_t nr = b.nv * xeinsum::kernel::simd<T, Arch>::lanes;
    const std::size_t columns = 4 * nr + 3;
    const auto n = static_cast<std::int64_t>(columns);
    for (const std::size_t rows : {3 * b.mr, 4 * b.mr + 1, 5 * b.mr + b.mr / 2}) {
        for (const std::size_t fetched : {std::size_t{0}, std::size_t{2}, rows}) {
            check_block<T, Arch>(rows, columns, n, 1, T(1), T(0), {false, true, fetched});
            check_block<T, Arch>(rows, columns, n + 1, 1, T(1), T(1), {false, false, fetched});
            check_block<T, Arch>(rows, columns, n, 1, T(1), T(0), {true, true, fetched});
            check_block<T, Arch>(rows, columns, n + 2, 1, T(2), T(0), {true, false, fetched});
        }
    }
}

TEST_CASE("a last tile of few rows shares with the one before") {
    CHECK(tile_height(20, 6, true) == 6);
    CHECK(tile_height(10, 6, true) == 6);
    CHECK(tile_height(9, 6, true) == 5);
    CHECK(tile_height(7, 6, true) == 4);
    CHECK(tile_height(7, 6, false) == 6);
    CHECK(tile_height(6, 6, true) == 6);
    CHECK(tile_height(3, 6, true) == 3);
    CHECK(tile_height(1, 6, false) == 1);
}
