// Rows that become columns in registers: for "ij->ji" 16 rows of 16 floats, one square of whole
// cache lines or four of eight by eight, become 16 lines of out before the next ones begin.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/permute/line_square.hpp>
#include <xeinsum/kernel/permute/spaced_lines.hpp>
#include <xeinsum/kernel/permute/transpose.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Where the columns of a tile are written.
enum class column_place : unsigned char {
    buffer,  ///< in the first-level cache already
    cached,  ///< in some cache: lines are filled while the first one holds them
    dram,    ///< beyond the second-level cache, as in is, whose lines are prefetched in advance
    memory,  ///< in memory, by non-temporal stores: each begins with a line
};

/// Transposes a tile in squares of elements of a type with registers. Row r lies along in from
/// from_lines.at(from, r) on, column c along out from to_lines.at(to, c) on. Squares at the ends
/// lie over those before. Rows may meet in few sets of the first-level cache if the columns of two
/// blocks do not.
template <class T, class Arch>
class transposed_squares {
    static constexpr std::size_t chunk = line_elements<T>;

public:
    /// At least so many rows and columns.
    static constexpr std::size_t least = square<T, Arch>::lanes;

    transposed_squares(const T* from, T* to, std::size_t rows, std::size_t columns,
                       column_place place) noexcept
        : from_(from), to_(to), rows_(rows), columns_(columns), place_(place) {}

    /// Whether lines of out that begin in a block are written whole.
    static constexpr bool writes_lines = has_line_registers<T, Arch>;
    static constexpr bool may_go_along = [] {
        if constexpr (cores<Arch>::are_known) {
            return writes_lines && cores<Arch>::measured().prefetches_streams;
        } else {
            return writes_lines;
        }
    }();

    /// Whether tiles outside of the first-level cache, whose rows and columns begin so far from
    /// each other, are best transposed along their rows, however long these are: where the hardware
    /// prefetches rows, unless those of a block, or the lines of columns that are on their way to
    /// the cache, push each other out of it. Squares of columns that begin within lines leave a
    /// part of a line, whose rest comes much later.
    [[nodiscard]] static constexpr bool transposes_along(std::int64_t rows_apart,
                                                         std::int64_t columns_apart,
                                                         column_place place) noexcept {
        constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
        const std::int64_t on_their_way = place == column_place::dram ? 32 : 64;
        return writes_lines && cores<Arch>::measured().prefetches_streams &&
               place != column_place::buffer &&
               sets_hold(static_cast<std::int64_t>(chunk), rows_apart * bytes) &&
               sets_hold(on_their_way, columns_apart * bytes) &&
               !(cores<Arch>::measured().writes_in_order &&
                 columns_apart % static_cast<std::int64_t>(chunk) != 0);
    }

    /// In the order that suits the place.
    template <class From, class To>
    void run(From from_lines, To to_lines) const noexcept {
        if constexpr (may_go_along) {
            const std::int64_t apart = to_lines.at(to_, 1) - to_lines.at(to_, 0);
            // Blocks write columns in order that follow each other.
            const bool in_order = cores<Arch>::measured().writes_in_order &&
                                  columns_ > most_columns_along &&
                                  apart == static_cast<std::int64_t>(rows_);
            if (!in_order && transposes_along(from_lines.at(from_, 1) - from_lines.at(from_, 0),
                                              apart, place_)) {
                run_along(from_lines, to_lines);
                return;
            }
        }
        run_blocks(from_lines, to_lines.each());
    }

    /// Along rows, block by block, whatever the place.
    template <class From, class To>
    void run_along(From from_lines, To to_lines) const noexcept requires(writes_lines) {
        const transposed_squares tile = *this;
        const std::size_t whole_rows = tile.rows_ / chunk * chunk;
        const std::size_t whole_columns = tile.columns_ / chunk * chunk;
        for (std::size_t r = 0; r < whole_rows; r += chunk) {
            const T* in = tile.from_;
            const From lines_in = from_lines.without(r, in);
            if constexpr (std::is_same_v<To, even_lines>) {
                for (std::size_t c = 0; c < whole_columns; c += chunk) {
                    T* const out = to_lines.at(tile.to_ + r, c);
                    call_transpose_square<false>(in + c, lines_in, out, to_lines, store_line);
                }
            } else {
                transpose_row(in, lines_in, to_lines.walk(tile.to_ + r), whole_columns);
            }
            tile.transpose_block(from_lines, to_lines.each(), {r, r + chunk},
                                 {whole_columns, tile.columns_});
        }
        tile.transpose_block(from_lines, to_lines.each(), {whole_rows, tile.rows_},
                             {0, tile.columns_});
    }

    /// By non-temporal stores. There are whole blocks of rows, at least one of columns, and columns
    /// begin with a line. Calls each_line() once for each line of a block, before it.
    template <class From, class To, class EachLine>
    void stream(From from_lines, To to_lines, EachLine each_line) const noexcept
        requires(writes_lines) {
        const transposed_squares tile = *this;
        for (std::size_t c = 0; c < tile.columns_; c += chunk) {
            const std::size_t column = std::min(c, tile.columns_ - chunk);
            for (std::size_t r = 0; r < tile.rows_; r += chunk) {
                for (std::size_t i = 0; i < chunk; ++i) {
                    each_line();
                }
                tile.template transpose_lines<false, false>(
                    from_lines, to_lines, r, column,
                    [](T* to, const auto& line) { simd<T, Arch>::stream(to, line); });
            }
        }
    }

private:
    using square_type = square<T, Arch>;
    /// Where an output is best written in order: columns whose lines of a block of rows, 32 KiB,
    /// stay in the first-level cache until those of the next block. Measured; see
    /// docs/kernels/permute.md.
    static constexpr std::size_t most_columns_along = 512;

    struct range {
        std::size_t begin;
        std::size_t end;
    };

    static constexpr auto store_line = [](T* to, const auto& line) {
        simd<T, Arch>::store(to, line);
    };

    /// Block by block: where arrays are in DRAM, or lines are written whole, a strip of columns
    /// after the other, so that few columns are written at a time, else a strip of rows after the
    /// other, along in.
    template <class From, class To>
    void run_blocks(From from_lines, To to_lines) const noexcept {
        const bool buffered = place_ == column_place::buffer;
        if (writes_lines && rows_share_sets(from_lines)) {
            transpose_strips(from_lines, to_lines, least, columns_);
            return;
        }
        // A copy that no store can change, so that it stays in registers.
        const transposed_squares tile = *this;
        const bool dram = tile.place_ == column_place::dram;
        if (dram || (writes_lines && !buffered)) {
            // The hardware prefetches what is read without gaps.
            const bool prefetches = dram && !from_lines.follow(tile.columns_);
            for (std::size_t c = 0; c < tile.columns_; c += chunk) {
                for (std::size_t r = 0; r < tile.rows_; r += chunk) {
                    tile.transpose_any_block<true>(from_lines, to_lines, r, c, prefetches);
                }
            }
        } else if constexpr (writes_lines) {
            for (std::size_t r = 0; r < tile.rows_; r += chunk) {
                for (std::size_t c = 0; c < tile.columns_; c += chunk) {
                    tile.transpose_any_block<false>(from_lines, to_lines, r, c, false);
                }
            }
        } else {
            transpose_strips(from_lines, to_lines, buffered ? least : chunk,
                             buffered ? columns_ : chunk);
        }
    }

    /// Whether the rows of a whole block meet in so few sets of the first-level cache that they are
    /// better read in smaller squares, all of a strip's columns before other rows.
    template <class From>
    [[nodiscard]] bool rows_share_sets(From lines) const noexcept {
        const std::int64_t apart = lines.at(from_, 1) - lines.at(from_, 0);
        return !sets_hold(static_cast<std::int64_t>(chunk),
                          apart * static_cast<std::int64_t>(sizeof(T)));
    }

    /// Squares of registers, along in.
    template <class From, class To>
    void transpose_strips(From from_lines, To to_lines, std::size_t high,
                          std::size_t wide) const noexcept {
        const transposed_squares tile = *this;
        for (std::size_t r = 0; r < tile.rows_; r += high) {
            for (std::size_t c = 0; c < tile.columns_; c += wide) {
                tile.transpose_block(from_lines, to_lines, {r, std::min(r + high, tile.rows_)},
                                     {c, std::min(c + wide, tile.columns_)});
            }
        }
    }

    template <class From, class To>
    [[gnu::always_inline]] void transpose_block(From from_lines, To to_lines, range rows,
                                                range columns) const noexcept {
        for (std::size_t r = rows.begin; r < rows.end; r += least) {
            const std::size_t row = std::min(r, rows_ - least);
            const T* in = from_;
            const From lines_in = from_lines.without(row, in);
            for (std::size_t c = columns.begin; c < columns.end; c += least) {
                const std::size_t column = std::min(c, columns_ - least);
                T* out = to_;
                const To lines_out = to_lines.without(column, out);
                typename square_type::reg lines[least];
#pragma GCC unroll 32
                for (std::size_t i = 0; i < least; ++i) {
                    lines[i] = square_type::simd_type::load(lines_in.at(in + column, i));
                }
                square_type::transpose(lines);
#pragma GCC unroll 32
                for (std::size_t i = 0; i < least; ++i) {
                    square_type::simd_type::store(lines_out.at(out + row, i), lines[i]);
                }
            }
        }
    }

    /// A block of whole lines, or what there is of one. prefetches: for later columns as well.
    template <bool Calls, class From, class To>
    [[gnu::always_inline]] void transpose_any_block(From from_lines, To to_lines, std::size_t row,
                                                    std::size_t column,
                                                    bool prefetches) const noexcept {
        if constexpr (writes_lines) {
            if (row + chunk <= rows_ && column + chunk <= columns_) {
                // Each line's address is at hand when it is read; those that a table keeps are
                // better prefetched before.
                if constexpr (std::is_same_v<From, even_lines>) {
                    if (prefetches) {
                        transpose_lines<Calls, true>(from_lines, to_lines, row, column, store_line);
                        return;
                    }
                } else if (prefetches) {
                    prefetch_columns(from_lines, row, column);
                }
                transpose_lines<Calls, false>(from_lines, to_lines, row, column, store_line);
                return;
            }
        }
        if (prefetches) {
            prefetch_columns(from_lines, row, column);
        }
        transpose_block(from_lines, to_lines, {row, std::min(row + chunk, rows_)},
                        {column, std::min(column + chunk, columns_)});
    }

    /// A block of whole lines. put(to, line) writes one. Prefetches: the next line of each row,
    /// too.
    template <bool Calls, bool Prefetches, class From, class To, class Put>
    [[gnu::always_inline]] void transpose_lines(From from_lines, To to_lines, std::size_t row,
                                                std::size_t column, Put put) const noexcept {
        const T* in = from_;
        const From lines_in = from_lines.without(row, in);
        T* out = to_;
        const To lines_out = to_lines.without(column, out);
        if constexpr (Calls) {
            call_transpose_square<Prefetches>(in + column, lines_in, out + row, lines_out, put);
        } else {
            transpose_square<Prefetches>(in + column, lines_in, out + row, lines_out, put);
        }
    }

    template <bool Prefetches, class From, class To, class Put>
    [[gnu::always_inline]] static void transpose_square(const T* in, From lines_in, T* out,
                                                        To lines_out, Put put) noexcept {
        using lines_type = line_square<T, Arch>;
        typename lines_type::reg lines[chunk];
        const auto row = [&](std::size_t i) {
            const T* const line = lines_in.at(in, i);
            if constexpr (Prefetches) {
                __builtin_prefetch(behind(line, chunk));
            }
            return line;
        };
        lines_type::transpose(row, lines);
#pragma GCC unroll 32
        for (std::size_t i = 0; i < chunk; ++i) {
            put(lines_out.at(out, i), lines[i]);
        }
    }

    /// In a function of its own: in loops the compiler would keep 32 addresses on the stack, which
    /// takes as long as transposing what lies in the caches. Where lines come from memory, and go
    /// to a buffer or by non-temporal stores, calls take up to 1.1 of the time.
    template <bool Prefetches, class From, class To, class Put>
    [[gnu::noinline]] static void call_transpose_square(const T* in, From lines_in, T* out,
                                                        To lines_out, Put put) noexcept {
        transpose_square<Prefetches>(in, lines_in, out, lines_out, put);
    }

    /// Blocks of so many columns, those of a walk.
    template <class From, class Columns>
    [[gnu::noinline]] static void transpose_row(const T* in, From lines_in, Columns columns,
                                                std::size_t count) noexcept {
        using lines_type = line_square<T, Arch>;
        for (std::size_t c = 0; c < count; c += chunk) {
            typename lines_type::reg lines[chunk];
            lines_type::transpose([&](std::size_t i) { return lines_in.at(in + c, i); }, lines);
#pragma GCC unroll 32
            for (std::size_t i = 0; i < chunk; ++i) {
                lines_type::simd_type::store(columns.next(), lines[i]);
            }
        }
    }

    /// Prefetches later columns of a block's rows, or what follows them behind the tile: the next
    /// ones, or, in registers of 32 bytes, those after them, into the second-level cache. Where
    /// rows begin within lines, that is the second line of each: to prefetch the one after it takes
    /// longer. What is written need not be prefetched: stores do not wait.
    template <class From>
    [[gnu::always_inline]] void prefetch_columns(From from_lines, std::size_t row,
                                                 std::size_t column) const noexcept {
        const std::size_t rows = std::min(chunk, rows_ - row);
#pragma GCC unroll 1
        for (std::size_t i = 0; i < rows; ++i) {
            const T* const line = from_lines.at(from_, row + i) + column;
            if constexpr (writes_lines) {
                __builtin_prefetch(behind(line, chunk));
            } else {
                prefetch_to_second_cache(line, 2 * line_bytes);
            }
        }
    }

    /// What may lie beyond the array: the next tile may be smaller.
    [[nodiscard]] static const void* behind(const T* from, std::size_t elements) noexcept {
        return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(from) +
                                             elements * sizeof(T));
    }

    const T* from_;
    T* to_;
    std::size_t rows_;
    std::size_t columns_;
    column_place place_;
};

}  // namespace xeinsum::kernel
