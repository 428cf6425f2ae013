// Loops of a table in the order of their strides, and cut into tiles: "adb,cd->cba" reads an
// operand along b and writes along a, so both are cut and the pieces of 32 b and 16 a put
// innermost.
#pragma once

#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// Sorts rows from begin to end: long strides in array first.
constexpr void sort_rows(mode_table& table, std::size_t begin, std::size_t end,
                         std::size_t array) noexcept {
    for (std::size_t i = begin + 1; i < end; ++i) {
        for (std::size_t j = i; j > begin && kernel::magnitude(table.stride(j, array)) >
                                                 kernel::magnitude(table.stride(j - 1, array));
             --j) {
            table.swap_rows(j, j - 1);
        }
    }
}

/// The row from begin to end whose stride in array is 1; end if there is none.
[[nodiscard]] constexpr std::size_t unit_row(const mode_table& table, std::size_t begin,
                                             std::size_t end, std::size_t array) noexcept {
    while (begin < end && table.stride(begin, array) != 1) {
        ++begin;
    }
    return begin;
}

/// Moves a row to another place; those between make room.
constexpr void move_row(mode_table& table, std::size_t from, std::size_t to) noexcept {
    for (; from < to; ++from) {
        table.swap_rows(from, from + 1);
    }
    for (; from > to; --from) {
        table.swap_rows(from, from - 1);
    }
}

/// The iterations of count rows from begin on.
[[nodiscard]] constexpr double extent_of_rows(const mode_table& table, std::size_t begin,
                                              std::size_t count) noexcept {
    return table.product([&](std::size_t m) { return m >= begin && m < begin + count; });
}

// Of recipes for products, whose groups are batch, m, n, k.

/// Where the columns of a product begin.
[[nodiscard]] constexpr std::size_t columns_begin(const recipe& how) noexcept {
    return how.groups[0] + std::size_t{how.groups[1]};
}
/// Makes row m, which group has, the last one of the batch.
constexpr void move_around(mode_table& table, recipe& how, std::size_t m,
                           std::size_t group) noexcept {
    move_row(table, m, how.groups[0]);
    ++how.groups[0];
    --how.groups[group];
}
/// Multiply-adds that are worth a product of their own; measured on AVX2 with one core.
inline constexpr double worthwhile_products = 1 << 15;

/// The largest divisor of an extent up to limit, one that whole vectors fill if possible.
[[nodiscard]] constexpr std::int64_t divisor(std::int64_t extent, std::int64_t limit,
                                             std::int64_t lanes) noexcept {
    if (extent <= limit) {
        return extent;
    }
    for (const std::int64_t unit : {lanes, std::int64_t{1}}) {
        for (std::int64_t d = limit / unit * unit; d >= unit && d > 1; d -= unit) {
            if (extent % d == 0) {
                return d;
            }
        }
    }
    return 1;
}

/// Where rhs lies side by side along another loop than array does: cuts both into tiles of at most
/// limit iterations, which use whole lines of both, and puts the tile innermost. Returns the number
/// of rows added.
[[gnu::cold]] constexpr std::size_t tile_rows(mode_table& table, std::size_t begin, std::size_t end,
                                              std::size_t array, std::size_t limit) noexcept {
    constexpr std::int64_t lines = 32;  // of rhs, in elements
    constexpr std::int64_t lanes = 8;
    const std::size_t across = unit_row(table, begin, end, 2);
    const std::size_t along = unit_row(table, begin, end, array);
    if (across == end || along == end || across == along) {
        return 0;
    }
    const std::int64_t high = divisor(table.extent(across), lines, lanes);
    const std::int64_t wide =
        divisor(table.extent(along), static_cast<std::int64_t>(limit) / high, lanes);
    if (high < lanes / 2 || wide < lanes / 2) {
        return 0;
    }
    // ..., across, along
    move_row(table, across, end - 1);
    move_row(table, unit_row(table, begin, end, array), end - 1);
    std::size_t added = 0;
    const bool splits_along = wide < table.extent(end - 1);
    if (splits_along) {
        table.split(end - 1, wide);
        ++added;
    }
    std::size_t inner_across = end - 2;
    if (high < table.extent(end - 2)) {
        table.split(end - 2, high);
        ++inner_across;
        ++added;
    }
    if (splits_along) {
        table.swap_rows(inner_across, inner_across + 1);  // the outer part of along
    }
    return added;
}

}  // namespace xeinsum::lowerings
