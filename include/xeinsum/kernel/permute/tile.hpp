// A tile of a permute on its way through the first-level cache: for "ij->ji" some elements of some
// rows of in are transposed in a buffer and leave it as whole cache lines of out.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/permute/line_square.hpp>
#include <xeinsum/kernel/permute/line_writer.hpp>
#include <xeinsum/kernel/permute/narrow.hpp>
#include <xeinsum/kernel/permute/permute_order.hpp>
#include <xeinsum/kernel/permute/tile_lines.hpp>
#include <xeinsum/kernel/permute/transpose.hpp>
#include <xeinsum/kernel/permute/transposed_squares.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// What the next tile reads, if it is worth prefetching in advance: the machine sees no pattern in
/// many short rows. A line at a time while the tile before is written, so that memory is read and
/// written at once.
template <class T>
class next_tile {
public:
    next_tile() = default;

    /// Some columns of each row. dense: rows follow each other.
    next_tile(const T* from, const tile_lines& rows, std::size_t columns, bool dense) noexcept
        : from_(from + rows.base),
          offsets_(rows.offsets),
          rows_(dense ? 1 : rows.count),
          columns_(dense ? rows.count * columns : columns) {}

    /// Prefetches the next line, or rather for the one that ends a line's worth of elements
    /// further: the first one of a row ended the tile before.
    [[gnu::always_inline]] void prefetch_line() noexcept {
        if (rows_ == 0) {
            return;
        }
        column_ = std::min(column_ + line_elements<T>, columns_);
        prefetch_to_second_cache(from_ + *offsets_ + column_ - 1);
        if (column_ == columns_) {
            column_ = 0;
            ++offsets_;
            --rows_;
        }
    }

private:
    const T* from_ = nullptr;
    const std::int64_t* offsets_ = nullptr;  ///< of the row that comes next
    std::size_t rows_ = 0;                   ///< that are left
    std::size_t columns_ = 0;
    std::size_t column_ = 0;  ///< of the row that comes next
};

/// Where columns of out that are longer than a tile are cut: at lines, which begin elsewhere in
/// each column.
struct tile_seams {
    bool before = false;    ///< the tile begins with the first line that begins in it
    std::size_t after = 0;  ///< its last rows are the next one's first, for lines that end there

    [[nodiscard]] bool any() const noexcept { return before || after != 0; }
};

/// Transposes tiles. The columns of those that need a buffer best fill, pitch_of(rows) each, at
/// most area elements. A row of a tile lies along in: its elements are from_stride apart. A column
/// lies along out: its elements are to_stride apart.
template <class T, class Arch>
class tile_transposer {
    static constexpr std::size_t chunk = line_elements<T>;
    using moved = moved_as_t<T, Arch>;

public:
    /// Rows, and a quarter as many columns.
    static constexpr auto side = static_cast<std::size_t>(permute_side(sizeof(T)));

    /// Whether columns may have seams.
    static constexpr bool cuts_at_lines =
        std::is_trivially_copyable_v<T> && line_bytes % sizeof(T) == 0;

    static constexpr std::size_t area = side * (side / 4 + chunk);

    /// Elements of the tile's area that each column takes: an odd number of cache lines, so that
    /// columns begin in all sets of the cache.
    [[nodiscard]] static constexpr std::size_t pitch_of(std::size_t rows) noexcept {
        return ((rows + chunk - 1) / chunk | 1U) * chunk;
    }

    /// place: where columns are written that need no buffer.
    tile_transposer(std::int64_t from_stride, std::int64_t to_stride,
                    const line_writer<T, Arch>& writer, column_place place = column_place::cached)
        : from_stride_(from_stride), to_stride_(to_stride), place_(place), writer_(writer) {}

    /// rows: where in in each row begins; columns: where in out each column begins.
    void transpose(const T* from, const tile_lines& rows, T* to, const tile_lines& columns,
                   next_tile<T>& next, const tile_seams& seams = {}) {
        const auto prefetch_line = [&next] { next.prefetch_line(); };
        from += rows.base;
        to += columns.base;
        if constexpr (!std::is_trivially_copyable_v<T>) {
            for (std::size_t r = 0; r < rows.count; ++r) {
                for (std::size_t c = 0; c < columns.count; ++c) {
                    writer_.write(from + rows.offsets[r] + signed_index(c) * from_stride_, 1,
                                  to + columns.offsets[c] + signed_index(r) * to_stride_, 1, 1);
                }
            }
        } else if (!transpose_to_memory(from, rows, to, columns, prefetch_line) &&
                   !transpose_few_rows(from, rows, to, columns) &&
                   !transpose_few_columns(from, rows, to, columns, seams)) {
            const bool moves = to_stride_ == 1 && writer_.only_moves();
            const bool follow =
                to_stride_ == 1 && !seams.any() && columns.follow(signed_index(rows.count));
            if (moves && !follow && transpose_directly(from, rows, to, columns)) {
                return;
            }
            if (follow) {
                transpose_stretch(from, rows, to + columns.offsets[0], columns.count,
                                  prefetch_line);
                return;
            }
            // Rows that lie a power of two apart share a few sets of the cache: each of their lines
            // is read once, and columns are put together elsewhere.
            const std::size_t pitch = pitch_of(rows.count);
            const std::size_t most = area / pitch;
            for (std::size_t begin = 0; begin < columns.count; begin += most) {
                const std::size_t end = std::min(begin + most, columns.count);
                gather(from + signed_index(begin) * from_stride_, rows, end - begin, buffer(),
                       signed_index(pitch), column_place::buffer);
                for (std::size_t c = begin; c < end; ++c) {
                    const T* const column = buffer() + (c - begin) * pitch;
                    if (to_stride_ == 1) {
                        write_part(column, to + columns.offsets[c], rows.count, seams,
                                   prefetch_line);
                    } else {
                        writer_.write(column, 1, to + columns.offsets[c], to_stride_,
                                      signed_index(rows.count));
                    }
                }
            }
        }
    }

    /// Whether tiles of such rows and columns are moved as they are along their rows, which needs
    /// no buffer, and are best as wide as they may be.
    [[nodiscard]] bool transposes_along(const tile_lines& rows, const tile_lines& columns) const {
        if constexpr (moves_in_lines<T, Arch>) {
            return writer_.only_moves() && transposed_squares<moved, Arch>::transposes_along(
                                               rows.step(), columns.step(), place_);
        }
        return false;
    }

private:
    [[nodiscard]] T* buffer() noexcept { return reinterpret_cast<T*>(memory_); }
    [[nodiscard]] static std::int64_t signed_index(std::size_t i) noexcept {
        return static_cast<std::int64_t>(i);
    }

    /// Writes a column between the seams.
    template <class EachLine>
    void write_part(const T* column, T* to, std::size_t count, const tile_seams& seams,
                    const EachLine& each_line) const {
        const auto line = static_cast<std::size_t>(elements_before_line(to));
        const std::size_t begin = seams.before ? std::min(line, count) : 0;
        const std::size_t end =
            seams.after != 0 ? std::min(count - seams.after + line, count) : count;
        writer_.write(column + begin, to + begin, end - begin, each_line);
    }

    /// Writes columns that follow each other in out as one.
    template <class EachLine>
    void transpose_stretch(const T* from, const tile_lines& rows, T* to, std::size_t columns,
                           const EachLine& each_line) {
        const bool direct = writer_.only_moves();
        gather(from, rows, columns, direct ? to : buffer(), signed_index(rows.count),
               direct ? place_ : column_place::buffer);
        if (!direct) {
            writer_.write(buffer(), to, rows.count * columns, each_line);
        }
    }

    /// Writes whole lines from registers by non-temporal stores; false where columns are no whole
    /// lines.
    template <class EachLine>
    [[nodiscard]] bool transpose_to_memory(const T* from, const tile_lines& rows, T* to,
                                           const tile_lines& columns, const EachLine& each_line) {
        if constexpr (moves_in_lines<T, Arch>) {
            if (place_ != column_place::memory || from_stride_ != 1 || rows.count % chunk != 0 ||
                columns.count < chunk) {
                return false;
            }
            const transposed_squares<moved, Arch> tile(reinterpret_cast<const moved*>(from),
                                                       reinterpret_cast<moved*>(to), rows.count,
                                                       columns.count, place_);
            tile.stream(listed_lines{rows.offsets}, listed_lines{columns.offsets}, each_line);
            return true;
        }
        return false;
    }

    // Tiles with few lines on one side need no squares. Where nothing else happens to the elements,
    // they go straight to out.

    /// Rows that become the columns of a dense out; false where others are to be transposed.
    [[nodiscard]] bool transpose_few_rows(const T* from, const tile_lines& rows, T* to,
                                          const tile_lines& columns) {
        if constexpr (!std::is_void_v<moved>) {
            using kernel = narrow<moved, Arch>;
            if (rows.count >= kernel::lanes || columns.count < kernel::lanes || from_stride_ != 1 ||
                to_stride_ != 1 || !columns.follow(signed_index(rows.count))) {
                return false;
            }
            to += columns.offsets[0];
            const bool direct = writer_.only_moves();
            T* const place = direct ? to : buffer();
            const moved* begin[kernel::lanes]{};
#pragma GCC unroll 1
            for (std::size_t r = 0; r < rows.count; ++r) {
                begin[r] = reinterpret_cast<const moved*>(from + rows.offsets[r]);
            }
            for (std::size_t c = kernel::interleave(begin, rows.count, columns.count,
                                                    reinterpret_cast<moved*>(place));
                 c < columns.count; ++c) {
#pragma GCC unroll 1
                for (std::size_t r = 0; r < rows.count; ++r) {
                    place[c * rows.count + r] = from[rows.offsets[r] + signed_index(c)];
                }
            }
            if (!direct) {
                writer_.write(place, to, rows.count * columns.count);
            }
            return true;
        }
        return false;
    }

    /// Columns of a dense in; false where others are to be transposed.
    [[nodiscard]] bool transpose_few_columns(const T* from, const tile_lines& rows, T* to,
                                             const tile_lines& columns, const tile_seams& seams) {
        if constexpr (!std::is_void_v<moved>) {
            using kernel = narrow<moved, Arch>;
            if (columns.count >= kernel::lanes || rows.count < kernel::lanes || from_stride_ != 1 ||
                to_stride_ != 1 || !rows.follow(signed_index(columns.count))) {
                return false;
            }
            from += rows.offsets[0];
            const bool direct = writer_.only_moves();
            const std::size_t pitch = pitch_of(rows.count);
            T* place[kernel::lanes]{};
            moved* begin[kernel::lanes]{};
#pragma GCC unroll 1
            for (std::size_t c = 0; c < columns.count; ++c) {
                place[c] = direct ? to + columns.offsets[c] : buffer() + c * pitch;
                begin[c] = reinterpret_cast<moved*>(place[c]);
            }
            for (std::size_t r = kernel::deinterleave(reinterpret_cast<const moved*>(from),
                                                      columns.count, rows.count, begin);
                 r < rows.count; ++r) {
                for (std::size_t c = 0; c < columns.count; ++c) {
                    place[c][r] = from[r * columns.count + c];
                }
            }
            for (std::size_t c = 0; !direct && c < columns.count; ++c) {
                write_part(place[c], to + columns.offsets[c], rows.count, seams, [] {});
            }
            return true;
        }
        return false;
    }

    /// Writes columns where they belong; false where there are no whole squares, or where columns
    /// push each other, or what is read, out of the first-level cache before their lines are whole.
    /// Lines that are written at once may, if rows do not.
    [[nodiscard]] bool transpose_directly(const T* from, const tile_lines& rows, T* to,
                                          const tile_lines& columns) {
        if (!first_cache_holds(2 * chunk, columns) &&
            !(moves_in_lines<T, Arch> && first_cache_holds(chunk, rows))) {
            return false;
        }
        const std::int64_t* const places = columns.offsets;
        if (columns.follow(columns.first_step())) {
            return transpose_squares(from, rows, columns.count, to + places[0],
                                     even_lines{columns.first_step()}, place_);
        }
        const lines_in_runs runs{{places}, columns.inner_stride, columns.inner, columns.before};
        return transpose_squares(from, rows, columns.count, to, runs, place_);
    }

    /// Whether it has sets enough for a line of each of so many.
    [[nodiscard]] static bool first_cache_holds(std::size_t count, const tile_lines& lines) {
        return sets_hold(signed_index(count), lines.step() * signed_index(sizeof(T)));
    }

    /// Transposes rows whose elements lie side by side in squares. False where there are no whole
    /// ones.
    template <class To>
    [[nodiscard]] bool transpose_squares(const T* from, const tile_lines& rows, std::size_t columns,
                                         T* to, To to_lines, column_place place) {
        if constexpr (!std::is_void_v<moved>) {
            using squares = transposed_squares<moved, Arch>;
            if (from_stride_ != 1 || rows.count < squares::least || columns < squares::least) {
                return false;
            }
            const bool even = rows.stride != 0;
            const squares tile(reinterpret_cast<const moved*>(from + (even ? rows.offsets[0] : 0)),
                               reinterpret_cast<moved*>(to), rows.count, columns, place);
            if (even) {
                tile.run(even_lines{rows.stride}, to_lines);
            } else {
                tile.run(listed_lines{rows.offsets}, to_lines);
            }
            return true;
        }
        return false;
    }

    /// Fills the buffer, or out: columns are pitch elements apart.
    void gather(const T* from, const tile_lines& rows, std::size_t columns, T* place,
                std::int64_t pitch, column_place where) {
        if (transpose_squares(from, rows, columns, place, even_lines{pitch}, where)) {
            return;
        }
        const std::int64_t step = from_stride_;
        T* const to = place;
        if (columns < rows.count) {
            for (std::size_t c = 0; c < columns; ++c) {
#pragma GCC unroll 1
                for (std::size_t r = 0; r < rows.count; ++r) {
                    to[signed_index(c) * pitch + signed_index(r)] =
                        from[rows.offsets[r] + signed_index(c) * step];
                }
            }
        } else {
            for (std::size_t r = 0; r < rows.count; ++r) {
                const T* row = from + rows.offsets[r];
#pragma GCC unroll 1
                for (std::size_t c = 0; c < columns; ++c) {
                    to[signed_index(c) * pitch + signed_index(r)] = row[signed_index(c) * step];
                }
            }
        }
    }

    std::int64_t from_stride_;
    std::int64_t to_stride_;
    column_place place_;
    line_writer<T, Arch> writer_;
    alignas(line_bytes) std::byte memory_[std::is_trivially_copyable_v<T> ? area * sizeof(T) : 1];
};

}  // namespace xeinsum::kernel
