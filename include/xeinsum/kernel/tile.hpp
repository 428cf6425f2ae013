// A tile of a permute on its way through the first-level cache: for "ij->ji" some elements of some
// rows of in are turned in a buffer and leave it as whole cache lines of out.
#pragma once

#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/fetch_ahead.hpp>
#include <xeinsum/kernel/line_writer.hpp>
#include <xeinsum/kernel/narrow.hpp>
#include <xeinsum/kernel/tile_lines.hpp>
#include <xeinsum/kernel/transpose.hpp>
#include <xeinsum/kernel/unroll.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// What the next tile reads, if it is worth asking for in advance: the machine sees no pattern in
/// many short rows.
template <class T>
struct next_tile {
    const T* from = nullptr;
    tile_lines rows{};
    std::size_t columns = 0;

    /// Where rows follow each other.
    bool dense = false;

    /// Asks for as many lines as rows, those of a line of columns or the next ones of a dense tile:
    /// for the lines that hold the last element, since the tile before had the first one. Always
    /// inlined, as what it calls.
    template <std::size_t Rows>
    [[gnu::always_inline]] void fetch(std::size_t row, std::size_t column) const noexcept {
        constexpr std::size_t chunk = line_elements<T>;
        if (row + Rows <= rows.count && column < columns) {
            const T* const begin = from + rows.base;
            const std::size_t last = std::min(column + chunk, columns) - 1;
            const std::size_t end = rows.count * columns;
            for (std::size_t r = 0; r < Rows; ++r) {
                const std::size_t in_order = row * columns + column * Rows + r * chunk;
                fetch_to_second_cache(dense ? begin + std::min(in_order, end - 1)
                                            : begin + rows.offsets[row + r] + last);
            }
        }
    }
};

/// Turns tiles whose columns, pitch_of(rows) each, fill at most area elements. A row of a tile lies
/// along in: its elements are from_stride apart. A column lies along out: its elements are
/// to_stride apart.
template <class T, class Arch>
class tile_turner {
    static constexpr std::size_t chunk = line_elements<T>;

public:
    /// Rows, and a quarter as many columns: out is written 1 KiB at a time, each on its own page.
    static constexpr std::size_t side = std::clamp<std::size_t>(1024 / sizeof(T), 8, 256);
    static constexpr std::size_t area = side / 4 * (side + chunk);

    /// Elements of the tile's area that each column takes: an odd number of cache lines, so that
    /// columns begin in all sets of the cache.
    [[nodiscard]] static constexpr std::size_t pitch_of(std::size_t rows) noexcept {
        return ((rows + chunk - 1) / chunk | 1U) * chunk;
    }

    tile_turner(std::int64_t from_stride, std::int64_t to_stride,
                const line_writer<T, Arch>& writer)
        : from_stride_(from_stride), to_stride_(to_stride), writer_(writer) {}

    /// rows: where in in each row begins; columns: where in out each column begins.
    void turn(const T* from, const tile_lines& rows, T* to, const tile_lines& columns,
              const next_tile<T>& next = {}) {
        from += rows.base;
        to += columns.base;
        if constexpr (!std::is_trivially_copyable_v<T>) {
            for (std::size_t r = 0; r < rows.count; ++r) {
                for (std::size_t c = 0; c < columns.count; ++c) {
                    writer_.write(from + rows.offsets[r] + signed_index(c) * from_stride_, 1,
                                  to + columns.offsets[c] + signed_index(r) * to_stride_, 1, 1);
                }
            }
        } else if (!turn_few_rows(from, rows, to, columns) &&
                   !turn_few_columns(from, rows, to, columns)) {
            const bool moves = to_stride_ == 1 && writer_.only_moves();
            const bool follow = to_stride_ == 1 && columns.follow(signed_index(rows.count));
            if (moves && !follow && turn_directly(from, rows, to, columns)) {
                return;
            }
            // Rows that lie a power of two apart share a few sets of the cache: each of their lines
            // is read once, and columns are put together elsewhere.
            const std::size_t pitch = follow ? rows.count : pitch_of(rows.count);
            const bool direct = follow && moves;
            gather(from, rows, columns.count, direct ? to + columns.offsets[0] : buffer(),
                   signed_index(pitch), next);
            if (follow && !direct) {
                writer_.write(buffer(), to + columns.offsets[0], rows.count * columns.count);
            }
            for (std::size_t c = 0; !follow && c < columns.count; ++c) {
                write_column(buffer() + c * pitch, to + columns.offsets[c], rows.count);
            }
        }
    }

private:
    using moved = moved_as_t<T, Arch>;

    [[nodiscard]] T* buffer() noexcept { return reinterpret_cast<T*>(memory_); }
    [[nodiscard]] static std::int64_t signed_index(std::size_t i) noexcept {
        return static_cast<std::int64_t>(i);
    }

    void write_column(const T* column, T* to, std::size_t count) const {
        if (to_stride_ == 1) {
            writer_.write(column, to, count);
        } else {
            writer_.write(column, 1, to, to_stride_, signed_index(count));
        }
    }

    // Tiles with few lines on one side need no squares. Where nothing else happens to the elements,
    // they go straight to out.

    /// Rows that become the columns of a dense out; false where others are to be turned.
    [[nodiscard]] bool turn_few_rows(const T* from, const tile_lines& rows, T* to,
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
            for (std::size_t r = 0; r < rows.count; ++r) {
                begin[r] = reinterpret_cast<const moved*>(from + rows.offsets[r]);
            }
            for (std::size_t c = kernel::interleave(begin, rows.count, columns.count,
                                                    reinterpret_cast<moved*>(place));
                 c < columns.count; ++c) {
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

    /// Columns of a dense in; false where others are to be turned.
    [[nodiscard]] bool turn_few_columns(const T* from, const tile_lines& rows, T* to,
                                        const tile_lines& columns) {
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
                writer_.write(place[c], to + columns.offsets[c], rows.count);
            }
            return true;
        }
        return false;
    }

    /// Writes columns where they belong; false where there are no whole squares, or where every
    /// fourth column, or more of them, push each other out of the first-level cache before their
    /// lines are whole.
    [[nodiscard]] bool turn_directly(const T* from, const tile_lines& rows, T* to,
                                     const tile_lines& columns) {
        const std::int64_t* const places = columns.offsets;
        const std::int64_t apart = columns.count > 1 ? places[1] - places[0] : 0;
        if (share_a_set(4 * apart * static_cast<std::int64_t>(sizeof(T)))) {
            return false;
        }
        if (columns.follow(apart)) {
            return turn_squares(from, rows, columns.count, {},
                                [first = to + places[0], apart](std::size_t c) {
                                    return first + signed_index(c) * apart;
                                });
        }
        return turn_squares(from, rows, columns.count, {},
                            [to, places](std::size_t c) { return to + places[c]; });
    }

    /// Turns rows whose elements lie side by side in squares; column c goes to place(c). The last
    /// squares lie over those before. False where there are no whole squares.
    template <class Place>
    [[nodiscard]] bool turn_squares(const T* from, const tile_lines& rows, std::size_t columns,
                                    const next_tile<T>& next, Place place) {
        if constexpr (!std::is_void_v<moved>) {
            using square_type = square<moved, Arch>;
            constexpr std::size_t lanes = square_type::lanes;
            if (from_stride_ != 1 || rows.count < lanes || columns < lanes) {
                return false;
            }
            for (std::size_t r = 0; r < rows.count; r += lanes) {
                const std::size_t row = std::min(r, rows.count - lanes);
                for (std::size_t c = 0; c < columns; c += lanes) {
                    if (c % chunk == 0) {
                        next.template fetch<lanes>(r, c);
                    }
                    const std::size_t column = std::min(c, columns - lanes);
                    typename square_type::reg lines[lanes];
                    square_type::load_turned(from + column, rows.offsets + row, lanes, lines);
                    unroll<lanes>([&](auto i) {
                        square_type::simd_type::store(
                            reinterpret_cast<moved*>(place(column + i) + row), lines[i]);
                    });
                }
            }
            return true;
        }
        return false;
    }

    /// Fills the buffer: columns are pitch elements apart.
    void gather(const T* from, const tile_lines& rows, std::size_t columns, T* place,
                std::int64_t pitch, const next_tile<T>& next) {
        if (turn_squares(from, rows, columns, next, [place, pitch](std::size_t c) {
                return place + signed_index(c) * pitch;
            })) {
            return;
        }
        const std::int64_t step = from_stride_;
        T* const to = place;
        if (columns < rows.count) {
            for (std::size_t c = 0; c < columns; ++c) {
                for (std::size_t r = 0; r < rows.count; ++r) {
                    to[signed_index(c) * pitch + signed_index(r)] =
                        from[rows.offsets[r] + signed_index(c) * step];
                }
            }
        } else {
            for (std::size_t r = 0; r < rows.count; ++r) {
                const T* row = from + rows.offsets[r];
                for (std::size_t c = 0; c < columns; ++c) {
                    to[signed_index(c) * pitch + signed_index(r)] = row[signed_index(c) * step];
                }
            }
        }
    }

    std::int64_t from_stride_;
    std::int64_t to_stride_;
    line_writer<T, Arch> writer_;
    alignas(line_bytes) std::byte memory_[std::is_trivially_copyable_v<T> ? area * sizeof(T) : 1];
};

}  // namespace xeinsum::kernel
