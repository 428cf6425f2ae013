#include <xeinsum/kernel/permute/transposed_squares.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

using xeinsum::kernel::column_place;
using xeinsum::kernel::even_lines;
using xeinsum::kernel::lines_in_runs;
using xeinsum::kernel::listed_lines;
using xeinsum::kernel::transposed_squares;

namespace {

/// Where lines begin that are a stride apart, the last first for a negative one.
std::vector<std::int64_t> offsets_of(std::size_t lines, std::int64_t stride) {
    std::vector<std::int64_t> offsets(lines);
    for (std::size_t i = 0; i < lines; ++i) {
        offsets[i] = stride * static_cast<std::int64_t>(i);
        offsets[i] -= stride < 0 ? stride * static_cast<std::int64_t>(lines - 1) : 0;
    }
    return offsets;
}

/// Transposes rows that are a stride apart into columns that are, with both told as strides and as
/// lists.
template <class I>
void check_tile(std::size_t rows, std::size_t columns, std::int64_t in_stride,
                std::int64_t out_stride, column_place place) {
    using T = typename I::type;
    CAPTURE(rows);
    CAPTURE(columns);
    CAPTURE(static_cast<int>(place));
    const auto from = offsets_of(rows, in_stride);
    const auto to = offsets_of(columns, out_stride);
    const auto last = [](const auto& offsets) {
        return static_cast<std::size_t>(std::max(offsets.front(), offsets.back()));
    };
    std::vector<T> in(last(from) + columns);
    std::iota(in.begin(), in.end(), T(1));
    const std::vector<T> before(last(to) + rows);
    std::vector<T> expected = before;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            expected[static_cast<std::size_t>(to[c]) + r] =
                in[static_cast<std::size_t>(from[r]) + c];
        }
    }
    const auto check = [&](bool even_in, bool even_out) {
        std::vector<T> out = before;
        const transposed_squares<T, typename I::arch> tile(in.data() + (even_in ? from[0] : 0),
                                                           out.data() + (even_out ? to[0] : 0),
                                                           rows, columns, place);
        if (even_in && even_out) {
            tile.run(even_lines{in_stride}, even_lines{out_stride});
        } else if (even_in) {
            tile.run(even_lines{in_stride}, lines_in_runs{{to.data()}, 0, 1, 0});
        } else if (even_out) {
            tile.run(listed_lines{from.data()}, even_lines{out_stride});
        } else {
            tile.run(listed_lines{from.data()}, lines_in_runs{{to.data()}, 0, 1, 0});
        }
        CHECK(out == expected);
    };
    for (const bool even_in : {false, true}) {
        check(even_in, false);
        check(even_in, true);
    }
}

/// From a row to the next where all meet in one set of the first-level cache.
template <class I>
constexpr auto rows_of_one_set = xeinsum::kernel::cache_way_bytes /
                                 static_cast<std::int64_t>(sizeof(typename I::type));

}  // namespace

TEST_CASE_TEMPLATE("tiles of all sizes are transposed, whatever is prefetched in advance", I,
                   SUPPORT_FLOATING_INSTANCES) {
    using tile = transposed_squares<typename I::type, typename I::arch>;
    for (const column_place place :
         {column_place::buffer, column_place::cached, column_place::dram}) {
        for (const std::size_t rows :
             {tile::least, tile::least + 1, std::size_t{16}, std::size_t{19}, std::size_t{45}}) {
            for (const std::size_t columns :
                 {tile::least, tile::least + 3, std::size_t{16}, std::size_t{37}}) {
                const auto apart = static_cast<std::int64_t>(columns) + 5;
                const auto high = static_cast<std::int64_t>(rows);
                check_tile<I>(rows, columns, apart, high, place);
                check_tile<I>(rows, columns, -apart, high + 3, place);
                check_tile<I>(rows, columns, apart, -high - 1, place);
                check_tile<I>(rows, columns, apart - 5, high + 1, place);  // rows follow
                check_tile<I>(rows, columns, rows_of_one_set<I>, high, place);
            }
        }
        check_tile<I>(48, 601, 607, 48, place);  // many columns that follow each other
    }
}

TEST_CASE_TEMPLATE("whole lines go by non-temporal stores, and each is told of before", T, float,
                   double) {
    using tile = transposed_squares<T, support::native_arch>;
    if constexpr (tile::writes_lines) {
        constexpr std::size_t line = xeinsum::kernel::line_elements<T>;
        for (const std::size_t rows : {line, 3 * line}) {
            for (const std::size_t columns : {line, line + 1, 2 * line, 3 * line - 1}) {
                CAPTURE(rows);
                CAPTURE(columns);
                const auto from = offsets_of(rows, static_cast<std::int64_t>(columns) + 3);
                const auto to = offsets_of(columns, -static_cast<std::int64_t>(rows + line));
                std::vector<T> in(rows * (columns + 3));
                std::iota(in.begin(), in.end(), T(1));
                std::vector<T> memory(columns * (rows + line) + line);
                const std::size_t bytes =
                    reinterpret_cast<std::uintptr_t>(memory.data()) % xeinsum::kernel::line_bytes;
                T* const out = memory.data() + (line - bytes / sizeof(T)) % line;
                std::size_t told = 0;
                tile(in.data(), out, rows, columns, column_place::memory)
                    .stream(listed_lines{from.data()}, listed_lines{to.data()}, [&] { ++told; });
                xeinsum::kernel::simd<T, support::native_arch>::end_stream();
                CHECK(told == (columns + line - 1) / line * rows);
                for (std::size_t c = 0; c < columns; ++c) {
                    const T* const column = out + to[c];
                    for (std::size_t r = 0; r < rows; ++r) {
                        CHECK(column[r] == in[static_cast<std::size_t>(from[r]) + c]);
                    }
                    // The gap behind it.
                    CHECK(std::count(column + rows, column + rows + line, T(0)) ==
                          static_cast<std::ptrdiff_t>(line));
                }
            }
        }
    }
}

TEST_CASE_TEMPLATE("tiles are transposed along rows of any length, to columns in runs of any", T,
                   float, double) {
    using tile = transposed_squares<T, support::native_arch>;
    if constexpr (tile::writes_lines) {
        constexpr std::size_t line = xeinsum::kernel::line_elements<T>;
        for (const std::size_t rows : {tile::least, line, 2 * line + 3}) {
            for (const std::size_t columns : {tile::least + 1, 2 * line, 5 * line + 7}) {
                const auto from = offsets_of(rows, static_cast<std::int64_t>(columns) + 3);
                std::vector<T> in(rows * (columns + 3));
                std::iota(in.begin(), in.end(), T(1));
                const auto high = static_cast<std::int64_t>(rows) + 1;
                const auto check = [&](const auto& to, auto to_lines) {
                    const auto last =
                        static_cast<std::size_t>(*std::max_element(to.begin(), to.end()));
                    const std::vector<T> before(last + rows);
                    std::vector<T> expected = before;
                    for (std::size_t r = 0; r < rows; ++r) {
                        for (std::size_t c = 0; c < columns; ++c) {
                            expected[static_cast<std::size_t>(to[c]) + r] =
                                in[static_cast<std::size_t>(from[r]) + c];
                        }
                    }
                    std::vector<T> out = before;
                    tile(in.data(), out.data(), rows, columns, column_place::dram)
                        .run_along(listed_lines{from.data()}, to_lines);
                    CHECK(out == expected);
                    out = before;
                    tile(in.data(), out.data(), rows, columns, column_place::dram)
                        .run_along(even_lines{from[1]}, to_lines);
                    CHECK(out == expected);
                };
                CAPTURE(rows);
                CAPTURE(columns);
                check(offsets_of(columns, high), even_lines{high});
                for (const std::size_t run : {1U, 5U, 13U, 40U}) {
                    // The last run comes first, and the first one lacks some lines.
                    const std::size_t lacks = run / 3;
                    const std::size_t runs = (columns + lacks + run - 1) / run;
                    std::vector<std::int64_t> to;
                    for (std::size_t i = lacks; i < columns + lacks; ++i) {
                        to.push_back(
                            static_cast<std::int64_t>(run * (runs - 1 - i / run) + i % run) * high);
                    }
                    CAPTURE(run);
                    check(to, lines_in_runs{{to.data()}, high, run, lacks});
                }
            }
        }
    }
}

TEST_CASE(
    "tiles are not transposed along rows that share sets of the cache, nor to parts of lines") {
    using tile = transposed_squares<float, support::native_arch>;
    constexpr xeinsum::tune::core core = xeinsum::kernel::cores<support::native_arch>::measured();
    constexpr bool along = tile::writes_lines && core.prefetches_streams;
    for (const column_place place : {column_place::cached, column_place::dram}) {
        CHECK_FALSE(tile::transposes_along(50, 1024, place));
        CHECK_FALSE(tile::transposes_along(1024, 1000, place));
        CHECK(tile::transposes_along(50, 1008, place) == along);
        CHECK(tile::transposes_along(50, 1000, place) == (along && !core.writes_in_order));
    }
    CHECK_FALSE(tile::transposes_along(50, 1000, column_place::buffer));
}
