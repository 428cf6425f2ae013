// A tile of a permute on its way through the first-level cache: for "ij->ji" some elements of some
// rows of in are turned in a buffer and leave it as whole cache lines of out.
#pragma once

#include <xeinsum/kernel/cache.hpp>
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
    /// inlined: g++ 12 drops calls of functions that do nothing else.
    template <std::size_t Rows>
    [[gnu::always_inline]] void fetch(std::size_t row, std::size_t column) const noexcept {
        constexpr std::size_t chunk = line_elements<T>;
        if (row + Rows <= rows.count && column < columns) {
            const T* const begin = from + rows.base;
            const std::size_t last = std::min(column + chunk, columns) - 1;
            const std::size_t end = rows.count * columns;
            for (std::size_t r = 0; r < Rows; ++r) {
                const std::size_t in_order = row * columns + column * Rows + r * chunk;
                __builtin_prefetch(dense ? begin + std::min(in_order, end - 1)
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
    static constexpr std::size_t side = std::clamp<std::size_t>(512 / sizeof(T), 4, 128);
    static constexpr std::size_t area = side * (side + chunk);

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
            // Rows that lie a power of two apart share a few sets of the cache: each of their lines
            // is read once, and columns are put together elsewhere.
            const bool follow = to_stride_ == 1 && columns.follow(signed_index(rows.count));
            pitch_ = follow ? rows.count : pitch_of(rows.count);
            const bool direct = follow && writer_.only_moves();
            gather(from, rows, columns.count, direct ? to + columns.offsets[0] : buffer(), next);
            if (follow && !direct) {
                writer_.write(buffer(), to + columns.offsets[0], rows.count * columns.count);
            }
            for (std::size_t c = 0; !follow && c < columns.count; ++c) {
                write_column(buffer() + c * pitch_, to + columns.offsets[c], rows.count);
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

    /// Fills the buffer: columns are pitch_ elements apart.
    void gather(const T* from, const tile_lines& rows, std::size_t columns, T* place,
                const next_tile<T>& next) {
        if constexpr (!std::is_void_v<moved>) {
            constexpr std::size_t lanes = square<moved, Arch>::lanes;
            if (from_stride_ == 1 && rows.count >= lanes && columns >= lanes) {
                // The last squares lie over those before.
                for (std::size_t r = 0; r < rows.count; r += lanes) {
                    for (std::size_t c = 0; c < columns; c += lanes) {
                        if (c % chunk == 0) {
                            next.template fetch<lanes>(r, c);
                        }
                        turn_square(from, rows, std::min(r, rows.count - lanes),
                                    std::min(c, columns - lanes), place);
                    }
                }
                return;
            }
        }
        const std::int64_t step = from_stride_;
        const std::size_t pitch = pitch_;
        T* const to = place;
        if (columns < rows.count) {
            for (std::size_t c = 0; c < columns; ++c) {
                for (std::size_t r = 0; r < rows.count; ++r) {
                    to[c * pitch + r] = from[rows.offsets[r] + signed_index(c) * step];
                }
            }
        } else {
            for (std::size_t r = 0; r < rows.count; ++r) {
                const T* row = from + rows.offsets[r];
                for (std::size_t c = 0; c < columns; ++c) {
                    to[c * pitch + r] = row[signed_index(c) * step];
                }
            }
        }
    }

    void turn_square(const T* from, const tile_lines& rows, std::size_t row, std::size_t column,
                     T* place) {
        using square_type = square<moved, Arch>;
        typename square_type::reg lines[square_type::lanes];
        square_type::load_turned(from + column, rows.offsets + row, square_type::lanes, lines);
        const std::size_t pitch = pitch_;
        T* const to = place + column * pitch + row;
        unroll<square_type::lanes>([&](auto i) {
            square_type::simd_type::store(reinterpret_cast<moved*>(to + i * pitch), lines[i]);
        });
    }

    std::int64_t from_stride_;
    std::int64_t to_stride_;
    line_writer<T, Arch> writer_;
    std::size_t pitch_ = side;
    alignas(line_bytes) std::byte memory_[std::is_trivially_copyable_v<T> ? area * sizeof(T) : 1];
};

}  // namespace xeinsum::kernel
