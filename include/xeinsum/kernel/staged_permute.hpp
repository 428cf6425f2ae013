// Permutes whose rows share few sets of the caches: of "ijk->kji" on (256, 256, 256) 256 rows of
// 1 KiB, 256 KiB apart, are copied to where they lie side by side before they become columns.
#pragma once

#include <xeinsum/kernel/arrange.hpp>
#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/line_square.hpp>
#include <xeinsum/kernel/line_writer.hpp>
#include <xeinsum/kernel/permute_order.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/tile_lines.hpp>
#include <xeinsum/kernel/tile_walk.hpp>
#include <xeinsum/kernel/transpose.hpp>
#include <xeinsum/kernel/turned_squares.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace xeinsum::kernel {

/// Rows so far apart meet in few sets of the second-level cache, and their pages in few of what
/// keeps addresses: lines asked for in advance push each other out before they are read.
inline constexpr std::int64_t crowded_bytes = std::int64_t{64} << 10U;

/// Whether the rows of a permute lie so far apart in in.
template <class T>
[[nodiscard]] bool is_crowded(const permute_order& order) noexcept {
    const std::int64_t apart = magnitude(order.rows().stride(order.rows().count - 1, 1));
    return apart * static_cast<std::int64_t>(sizeof(T)) >= crowded_bytes;
}

/// Turns such rows in tiles of 1 KiB on both sides: enough from each page for the full speed of
/// memory. A tile takes up to 272 KiB, a share of every second-level cache that goes with registers
/// of 64 bytes.
template <class T, class Arch>
class staged_permute {
    static constexpr std::size_t chunk = line_elements<T>;

public:
    /// Whether whole lines of out can come from squares.
    [[nodiscard]] static bool serves(const permute_order& order, const T* out) noexcept {
        const loops rows = order.rows();
        const loops columns = order.columns();
        return is_crowded<T>(order) && rows.stride(rows.count - 1, 0) == 1 &&
               columns.stride(columns.count - 1, 1) == 1 && rows.iterations() % signed_chunk == 0 &&
               columns.iterations() >= signed_chunk && order.columns_begin_lines(out);
    }

    /// A function of its own: what it keeps is too much for the stack of calls that do without.
    [[gnu::noinline]] static void run(const permute_order& order, const T* in, T* out) {
        staged_permute(order, in, out).run_tiles();
    }

private:
    using walk = tile_walk<T>;
    using moved = moved_as_t<T, Arch>;

    staged_permute(const permute_order& order, const T* in, T* out)
        : walk_(order, in, out), rows_(order.rows(), 1), columns_(order.columns(), 0) {
        walk_.set_extents(walk::part(walk_.row_count(), signed_side),
                          walk::part(walk_.column_count(), signed_side));
    }

    void run_tiles() {
        tile_start<T> at = walk_.first();
        std::int64_t sorted = -1;
        do {
            const tile_lines from = rows_.find(at.row, walk_.rows_of(at));
            const tile_lines to = columns_.find(at.column, walk_.columns_of(at));
            if (at.row != sorted) {
                sort(from);
                sorted = at.row;
            }
            stage(at.in + at.column + from.base, from, to.count);
            turn(from.count, at.out + at.row + to.base, to);
        } while (walk_.advance(at));
    }

    static constexpr std::size_t side = 1024 / sizeof(T);
    static constexpr auto signed_side = static_cast<std::int64_t>(side);
    static constexpr auto signed_chunk = static_cast<std::int64_t>(chunk);

    /// From one staged row to the next: an odd number of lines, so that the rows of a square begin
    /// in different sets of the first-level cache.
    static constexpr std::size_t pitch = side + chunk;
    static_assert(pitch / chunk % 2 == 1);

    /// Rows ahead of the one that is copied that are asked for: the machine foresees none of them
    /// on another page, and a set of the first-level cache holds eight.
    static constexpr std::size_t ahead = 4;

    [[nodiscard]] T* staged() noexcept { return reinterpret_cast<T*>(memory_); }

    /// Rows are read in the order of memory, which need not be that of out.
    void sort(const tile_lines& rows) noexcept {
        std::iota(order_, order_ + rows.count, std::uint16_t{0});
        if (rows.stride <= 0) {
            std::sort(order_, order_ + rows.count, [&](std::uint16_t a, std::uint16_t b) {
                return rows.offsets[a] < rows.offsets[b];
            });
        }
    }

    /// All of a later row is asked for before a row is copied: a line at a time with those that are
    /// copied, both wait for each other.
    void stage(const T* from, const tile_lines& rows, std::size_t columns) noexcept {
        const line_writer<T, Arch> writer(scaling<T>(), false);
        const auto begin = [&](std::size_t i) { return from + rows.offsets[order_[i]]; };
        for (std::size_t i = 0; i < rows.count; ++i) {
            for (std::size_t c = 0; i + ahead < rows.count && c < columns; c += chunk) {
                __builtin_prefetch(begin(i + ahead) + c);
            }
            writer.write(begin(i), staged() + order_[i] * pitch, columns);
        }
    }

    void turn(std::size_t rows, T* to, const tile_lines& columns) noexcept {
        const turned_squares<moved, Arch> tile(reinterpret_cast<const moved*>(staged()),
                                               reinterpret_cast<moved*>(to), rows, columns.count,
                                               column_place::around);
        tile.stream(even_lines{static_cast<std::int64_t>(pitch)}, listed_lines{columns.offsets},
                    [] {});
    }

    walk walk_;
    tile_line_finder rows_;
    tile_line_finder columns_;
    std::uint16_t order_[side];
    alignas(line_bytes) std::byte memory_[side * pitch * sizeof(T)];
};

/// Around the caches, if rows are crowded and squares can do it; else false.
template <class T, class Arch>
[[nodiscard]] bool permute_staged(const permute_order& order, const T* in, T* out) {
    if constexpr (moves_in_lines<T, Arch>) {
        using staged = staged_permute<T, Arch>;
        if (staged::serves(order, out)) {
            staged::run(order, in, out);
            return true;
        }
    }
    return false;
}

}  // namespace xeinsum::kernel
