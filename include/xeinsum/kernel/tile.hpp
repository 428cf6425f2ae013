// A tile of a permute on its way through the first-level cache: for "ij->ji" some elements of some
// rows of in are turned in a buffer and leave it as whole cache lines of out.
#pragma once

#include <xeinsum/kernel/element.hpp>
#include <xeinsum/kernel/lines.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/transpose.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Bytes of a cache line.
inline constexpr std::size_t line_bytes = 64;

/// Moves lines of elements to out, scaled.
template <class T, class Arch>
class line_writer {
public:
    /// streams: write around the caches where that is possible.
    line_writer(const scaling<T>& scale, bool streams) : scale_(scale), streams_(streams) {}

    /// count elements, side by side on both sides.
    void write(const T* from, T* to, std::size_t count) const {
        if constexpr (moves) {
            if (scale_.is_identity()) {
                move(from, to, count);
                return;
            }
        }
        if constexpr (computes) {
            using simd_type = simd<T, Arch>;
            std::size_t i = 0;
            for (; i + simd_type::lanes <= count; i += simd_type::lanes) {
                scale_.template put_register<simd_type>(to + i, simd_type::load(from + i));
            }
            write(from + i, 1, to + i, 1, static_cast<std::int64_t>(count - i));
        } else {
            write(from, 1, to, 1, static_cast<std::int64_t>(count));
        }
    }

    /// The same with strides.
    void write(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride,
               std::int64_t count) const {
        for (std::int64_t i = 0; i < count; ++i) {
            scale_.template put<Arch>(to[i * to_stride],
                                      static_cast<compute_t<T>>(from[i * from_stride]));
        }
    }

private:
    static constexpr bool moves = std::is_trivially_copyable_v<T> && has_vectors<float, Arch>();
    static constexpr bool computes = std::is_same_v<T, compute_t<T>> && has_vectors<T, Arch>();

    /// Bits, whatever they mean.
    void move(const T* from, T* to, std::size_t count) const {
        using words = simd<float, Arch>;
        constexpr std::size_t step = words::lanes * sizeof(float);
        const auto* source = reinterpret_cast<const std::byte*>(from);
        auto* target = reinterpret_cast<std::byte*>(to);
        const std::size_t bytes = count * sizeof(T);
        const auto load = [&](std::size_t at) {
            return words::load(reinterpret_cast<const float*>(source + at));
        };
        const auto place = [&](std::size_t at) { return reinterpret_cast<float*>(target + at); };
        if (streams_ && reinterpret_cast<std::uintptr_t>(to) % line_bytes == 0 &&
            bytes % line_bytes == 0) {
            for (std::size_t at = 0; at < bytes; at += step) {
                words::stream(place(at), load(at));
            }
        } else if (bytes >= step) {
            for (std::size_t at = 0; at + step <= bytes; at += step) {
                words::store(place(at), load(at));
            }
            // The last register lies over the one before.
            words::store(place(bytes - step), load(bytes - step));
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                to[i] = from[i];
            }
        }
    }

    scaling<T> scale_;
    bool streams_;
};

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
        for (std::size_t i = 0; i < square_type::lanes; ++i) {
            lines[i] =
                simd_type::load(reinterpret_cast<const moved*>(from + rows[row + i] + column));
        }
        square_type::transpose(lines);
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
