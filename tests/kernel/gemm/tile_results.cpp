#include <xeinsum/kernel/gemm/tile_results.hpp>

#include "../../support/instances.hpp"
#include "../../support/line_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using support::line_list;
using xeinsum::kernel::micro_tile;
using xeinsum::kernel::result_place;
using xeinsum::kernel::scaling;

namespace {

constexpr std::size_t rows = 3;
constexpr std::size_t registers = 2;

/// Sums of rows x registers lanes, and what is expected where they go.
template <class I>
class results {
    using T = typename I::type;
    using tile_type = micro_tile<T, typename I::arch, rows, registers>;

public:
    static constexpr std::size_t lanes = tile_type::lanes;
    static constexpr std::size_t width = registers * lanes;

    results() : sums_(support::small_numbers<T>(rows * width, 3)) {
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t v = 0; v < registers; ++v) {
                tile_.sums[i][v] = tile_type::simd_type::load(&sums_[i * width + v * lanes]);
            }
        }
    }

    /// put(tile, place, skipped, scale) writes the columns of as many rows, and nothing beside
    /// them.
    template <class Put>
    void check(const line_list& columns, const T& alpha, const T& beta, const Put& put,
               std::int64_t gap = 2, std::size_t skipped = 0, std::size_t count = rows) const {
        const std::int64_t row = columns.offsets.back() + gap;
        const std::int64_t row_offsets[]{2 * row, 0, row};
        const std::int64_t row_runs[]{1, 1, 1};
        // Begins with a line, as what goes by non-temporal stores has to.
        constexpr std::size_t most = 400;
        alignas(64) T out[most];
        const auto before = support::small_numbers<T>(most, 40);
        std::copy(before.begin(), before.end(), out);
        std::vector<T> expected = before;
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < columns.offsets.size(); ++j) {
                T& at = expected[static_cast<std::size_t>(row_offsets[i] + columns.offsets[j])];
                at = T(alpha * sums_[(skipped + i) * width + j] + beta * at);
            }
        }
        tile_type tile = tile_;
        put(tile, result_place<T>{out, {row_offsets, row_runs, count}, columns.view()}, skipped,
            scaling<T>(alpha, beta));
        CHECK(std::equal(out, out + most, expected.begin()));
    }

private:
    std::vector<T> sums_;
    tile_type tile_;
};

}  // namespace

TEST_CASE_TEMPLATE("columns of every number, side by side and in runs", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    const results<I> tile;
    const auto put = [](auto& sums, const auto& place, std::size_t skipped, const auto& scale) {
        put_tile<true>(sums, place, skipped, scale);
    };
    const auto put_edge = [](auto& sums, const auto& place, std::size_t skipped,
                             const auto& scale) { put_tile<false>(sums, place, skipped, scale); };
    for (std::size_t count = 1; count <= tile.width; ++count) {
        for (const std::size_t run :
             {count, tile.lanes, std::max<std::size_t>(tile.lanes / 2, 1), std::size_t{3}}) {
            CAPTURE(count);
            CAPTURE(run);
            const auto columns = line_list::in_runs(count, run, 1);
            tile.check(columns, T(1), T(0), put);
            tile.check(columns, T(3), T(0), put);
            tile.check(columns, T(1), T(2), put);
            tile.check(columns, T(1), T(0), put_edge);
            tile.check(columns, T(3), T(2), put_edge);
            for (const auto& [skipped, count_of_rows] :
                 {std::pair<std::size_t, std::size_t>{0, 2}, {1, 2}, {2, 1}}) {
                tile.check(columns, T(1), T(0), put, 2, skipped, count_of_rows);
                tile.check(columns, T(3), T(2), put, 2, skipped, count_of_rows);
                tile.check(columns, T(1), T(2), put_edge, 2, skipped, count_of_rows);
            }
        }
    }
}

TEST_CASE_TEMPLATE("whole registers by non-temporal stores", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    const results<I> tile;
    if constexpr (xeinsum::kernel::is_line<T, typename I::arch>()) {
        const line_list columns(tile.width, 1);
        const auto put = [](auto& sums, const auto& place, std::size_t, const auto& scale) {
            stream_tile(sums, place, scale);
            xeinsum::kernel::simd<T, typename I::arch>::end_stream();
        };
        const auto one_line_between = static_cast<std::int64_t>(tile.lanes) + 1;
        tile.check(columns, T(1), T(0), put, one_line_between);
        tile.check(columns, T(3), T(0), put, one_line_between);
    }
}
