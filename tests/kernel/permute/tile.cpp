#include <xeinsum/kernel/permute/tile.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::line_writer;
using xeinsum::kernel::next_tile;
using xeinsum::kernel::scaling;
using xeinsum::kernel::tile_lines;
using xeinsum::kernel::tile_transposer;

namespace {

/// Transposes a tile whose rows lie 50 apart and begin with the last; columns begin at the offsets,
/// and may be written by non-temporal stores.
template <class I>
void check_tile(std::size_t rows, const std::vector<std::int64_t>& column_offsets,
                bool streams = false) {
    using T = typename I::type;
    using arch = typename I::arch;
    const std::size_t columns = column_offsets.size();
    const auto in = support::small_numbers<T>(50 * rows + columns);
    const auto before =
        support::small_numbers<T>(static_cast<std::size_t>(column_offsets.back()) + rows, 3);
    std::vector<std::int64_t> row_offsets(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        row_offsets[r] = static_cast<std::int64_t>(50 * (rows - 1 - r));
    }
    std::vector<T> expected = before;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            expected[static_cast<std::size_t>(column_offsets[c]) + r] =
                in[static_cast<std::size_t>(row_offsets[r]) + c];
        }
    }
    std::vector<T> found = before;
    tile_transposer<T, arch> transposer(1, 1, line_writer<T, arch>(scaling<T>(), streams));
    const tile_lines from{row_offsets.data(), rows};
    next_tile<T> next(in.data(), from, columns, rows > 10);
    transposer.transpose(in.data(), from, found.data(), {column_offsets.data(), columns}, next);
    xeinsum::kernel::simd<float, arch>::end_stream();
    CHECK(found == expected);
}

/// Columns that lie column_step apart.
template <class I>
void check_tile(std::size_t rows, std::size_t columns, std::int64_t column_step,
                bool streams = false) {
    std::vector<std::int64_t> offsets(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        offsets[c] = column_step * static_cast<std::int64_t>(c);
    }
    check_tile<I>(rows, offsets, streams);
}

}  // namespace

TEST_CASE_TEMPLATE("columns of several loops lie unevenly, even if first and last seem not to", I,
                   SUPPORT_ALL_INSTANCES) {
    for (const std::size_t rows : {8U, 13U, 17U}) {
        // 11 times 20 is where the last one begins.
        check_tile<I>(rows, {0, 20, 37, 57, 74, 94, 111, 131, 148, 168, 185, 220});
        check_tile<I>(rows, {0, 20, 41, 61, 82, 102, 123, 143, 164, 184, 205, 225});
    }
}

TEST_CASE_TEMPLATE("a tile is transposed", I, SUPPORT_ALL_INSTANCES) {
    for (const std::size_t rows : {1U, 3U, 4U, 8U, 13U, 31U}) {
        for (const std::size_t columns : {1U, 2U, 4U, 9U, 16U, 30U}) {
            check_tile<I>(rows, columns, static_cast<std::int64_t>(rows));  // one whole stretch
            check_tile<I>(rows, columns, static_cast<std::int64_t>(rows) + 5);
        }
    }
}

TEST_CASE_TEMPLATE("a tile of more columns than the buffer holds", I, SUPPORT_ALL_INSTANCES) {
    for (const std::size_t rows : {5U, 17U, 36U}) {
        check_tile<I>(rows, 1000, static_cast<std::int64_t>(rows) + 3, true);
    }
}
