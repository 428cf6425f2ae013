// A tile of a permute on its way through the first-level cache: for "ij->ji" some elements of some
// rows of in are turned in a buffer and leave it as whole cache lines of out.
#pragma once

#include <xeinsum/kernel/line_writer.hpp>
#include <xeinsum/kernel/lines.hpp>
#include <xeinsum/kernel/transpose.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Turns tiles of at most side x side elements. A row of a tile lies along in: its elements are
/// from_stride apart. A column lies along out: its elements are to_stride apart.
template <class T, class Arch>
class tile_turner {
public:
    static constexpr std::size_t side = std::clamp<std::size_t>(512 / sizeof(T), 4, 128);

    tile_turner(std::int64_t from_stride, std::int64_t to_stride,
                const line_writer<T, Arch>& writer)
        : from_stride_(from_stride), to_stride_(to_stride), writer_(writer) {}

    /// rows: where in in each row begins; columns: where in out each column begins.
    void turn(const T* from, const line_offsets& rows, T* to, const line_offsets& columns) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            // Rows that lie a power of two apart share a few sets of the cache: each of their lines
            // is read once, and columns are put together elsewhere.
            const bool follow = columns_follow(rows.count, columns);
            pitch_ = follow ? rows.count : (rows.count + chunk - 1) / chunk * chunk;
            gather(from, rows, columns.count);
            if (follow) {
                writer_.write(buffer(), to + columns[0], rows.count * columns.count);
                return;
            }
            for (std::size_t c = 0; c < columns.count; ++c) {
                write_column(buffer() + c * pitch_, to + columns[c], rows.count);
            }
        } else {
            for (std::size_t r = 0; r < rows.count; ++r) {
                for (std::size_t c = 0; c < columns.count; ++c) {
                    writer_.write(from + rows[r] + signed_index(c) * from_stride_, 1,
                                  to + columns[c] + signed_index(r) * to_stride_, 1, 1);
                }
            }
        }
    }

private:
    using moved = moved_as_t<T, Arch>;
    static constexpr std::size_t chunk = std::max<std::size_t>(line_bytes / sizeof(T), 1);

    [[nodiscard]] T* buffer() noexcept { return reinterpret_cast<T*>(memory_); }
    [[nodiscard]] static std::int64_t signed_index(std::size_t i) noexcept {
        return static_cast<std::int64_t>(i);
    }

    /// Whether each column begins where the one before ends.
    [[nodiscard]] bool columns_follow(std::size_t rows, const line_offsets& columns) const {
        std::size_t c = 1;
        while (c < columns.count && columns[c] - columns[c - 1] == signed_index(rows)) {
            ++c;
        }
        return to_stride_ == 1 && c == columns.count;
    }

    void write_column(const T* column, T* to, std::size_t count) const {
        if (to_stride_ == 1) {
            writer_.write(column, to, count);
        } else {
            writer_.write(column, 1, to, to_stride_, signed_index(count));
        }
    }

    /// Fills the buffer: columns are pitch_ elements apart.
    void gather(const T* from, const line_offsets& rows, std::size_t columns) {
        if constexpr (!std::is_void_v<moved>) {
            constexpr std::size_t lanes = square<moved, Arch>::lanes;
            if (from_stride_ == 1 && rows.count >= lanes && columns >= lanes) {
                // The last squares lie over those before.
                for (std::size_t r = 0; r < rows.count; r += lanes) {
                    for (std::size_t c = 0; c < columns; c += lanes) {
                        if (c % chunk == 0) {
                            prefetch(from, rows, r + lanes, columns, c);
                        }
                        turn_square(from, rows, std::min(r, rows.count - lanes),
                                    std::min(c, columns - lanes));
                    }
                }
                return;
            }
        }
        const std::int64_t step = from_stride_;
        const std::size_t pitch = pitch_;
        T* const to = buffer();
        if (columns < rows.count) {
            for (std::size_t c = 0; c < columns; ++c) {
                for (std::size_t r = 0; r < rows.count; ++r) {
                    to[c * pitch + r] = from[rows[r] + signed_index(c) * step];
                }
            }
        } else {
            for (std::size_t r = 0; r < rows.count; ++r) {
                const T* row = from + rows[r];
                for (std::size_t c = 0; c < columns; ++c) {
                    to[c * pitch + r] = row[signed_index(c) * step];
                }
            }
        }
    }

    /// Asks for a line of each row of the next squares; behind the last row of those of the next
    /// tile. The machine sees no pattern in many short rows.
    static void prefetch(const T* from, const line_offsets& rows, std::size_t row,
                         std::size_t columns, std::size_t column) {
        constexpr std::size_t lanes = square<moved, Arch>::lanes;
        const bool beyond = row + lanes > rows.count;
        const std::size_t first = beyond ? 0 : row;
        const std::size_t skip = beyond ? columns + column : column;
        for (std::size_t r = first; r < first + lanes; ++r) {
            // The address may lie outside in, where no pointer may point.
            const auto address = reinterpret_cast<std::uintptr_t>(from + rows[r]);
            __builtin_prefetch(reinterpret_cast<const void*>(address + skip * sizeof(T)), 0, 2);
        }
    }

    void turn_square(const T* from, const line_offsets& rows, std::size_t row, std::size_t column) {
        using square_type = square<moved, Arch>;
        using simd_type = typename square_type::simd_type;
        typename square_type::reg lines[square_type::lanes];
        square_type::load_turned(from + column, rows.offsets + row, square_type::lanes, lines);
        for (std::size_t i = 0; i < square_type::lanes; ++i) {
            simd_type::store(reinterpret_cast<moved*>(buffer() + (column + i) * pitch_ + row),
                             lines[i]);
        }
    }

    std::int64_t from_stride_;
    std::int64_t to_stride_;
    line_writer<T, Arch> writer_;
    std::size_t pitch_ = side;
    alignas(line_bytes)
        std::byte memory_[std::is_trivially_copyable_v<T> ? side * side * sizeof(T) : 1];
};

}  // namespace xeinsum::kernel
