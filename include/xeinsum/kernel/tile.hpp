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
            if (i < count) {
                scale_.template put_part<simd_type>(
                    to + i, simd_type::load_part(from + i, count - i), count - i);
            }
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
    using moved = moved_as_t<T, Arch>;
    static constexpr bool moves = !std::is_void_v<moved>;
    static constexpr bool computes = std::is_same_v<T, compute_t<T>> && has_vectors<T, Arch>();

    void move(const T* from, T* to, std::size_t count) const {
        using simd_type = simd<moved, Arch>;
        constexpr std::size_t lanes = simd_type::lanes;
        const auto* source = reinterpret_cast<const moved*>(from);
        auto* target = reinterpret_cast<moved*>(to);
        if (streams_ && reinterpret_cast<std::uintptr_t>(to) % line_bytes == 0 &&
            count * sizeof(T) % line_bytes == 0) {
            for (std::size_t i = 0; i < count; i += lanes) {
                simd_type::stream(target + i, simd_type::load(source + i));
            }
            return;
        }
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            simd_type::store(target + i, simd_type::load(source + i));
        }
        for (; i < count; ++i) {
            to[i] = from[i];
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
    static constexpr std::size_t side = std::clamp<std::size_t>(256 / sizeof(T), 4, 64);

    tile_turner(std::int64_t from_stride, std::int64_t to_stride,
                const line_writer<T, Arch>& writer)
        : from_stride_(from_stride), to_stride_(to_stride), writer_(writer) {}

    /// rows: where in in each row begins; columns: where in out each column begins.
    void turn(const T* from, const line_offsets& rows, T* to, const line_offsets& columns) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            // Rows that lie a power of two apart share a few sets of the cache: each of their lines
            // is read once, and the column is put together elsewhere.
            gather(from, rows, columns.count);
            for (std::size_t c = 0; c < columns.count; ++c) {
                write_column(buffer() + c * side, to + columns[c], rows.count);
            }
        } else {
            for (std::size_t r = 0; r < rows.count; ++r) {
                for (std::size_t c = 0; c < columns.count; ++c) {
                    writer_.write(from + rows[r] + static_cast<std::int64_t>(c) * from_stride_, 1,
                                  to + columns[c] + static_cast<std::int64_t>(r) * to_stride_, 1,
                                  1);
                }
            }
        }
    }

private:
    using moved = moved_as_t<T, Arch>;

    [[nodiscard]] T* buffer() noexcept { return reinterpret_cast<T*>(memory_); }

    void write_column(const T* column, T* to, std::size_t count) const {
        if (to_stride_ == 1) {
            writer_.write(column, to, count);
        } else {
            writer_.write(column, 1, to, to_stride_, static_cast<std::int64_t>(count));
        }
    }

    /// Fills the buffer with columns of side elements, of which the first rows.count matter.
    void gather(const T* from, const line_offsets& rows, std::size_t columns) {
        if constexpr (!std::is_void_v<moved>) {
            constexpr std::size_t lanes = square<moved, Arch>::lanes;
            if (from_stride_ == 1 && rows.count >= lanes && columns >= lanes) {
                // The last squares lie over those before.
                for (std::size_t r = 0; r < rows.count; r += lanes) {
                    const std::size_t row = std::min(r, rows.count - lanes);
                    for (std::size_t c = 0; c < columns; c += lanes) {
                        turn_square(from, rows, row, std::min(c, columns - lanes));
                    }
                }
                return;
            }
        }
        for (std::size_t r = 0; r < rows.count; ++r) {
            const T* row = from + rows[r];
            for (std::size_t c = 0; c < columns; ++c) {
                buffer()[c * side + r] = row[static_cast<std::int64_t>(c) * from_stride_];
            }
        }
    }

    void turn_square(const T* from, const line_offsets& rows, std::size_t row, std::size_t column) {
        using square_type = square<moved, Arch>;
        using simd_type = typename square_type::simd_type;
        typename square_type::reg lines[square_type::lanes];
        for (std::size_t i = 0; i < square_type::lanes; ++i) {
            lines[i] = simd_type::load(
                reinterpret_cast<const moved*>(from + rows[row + i] + column));
        }
        square_type::transpose(lines);
        for (std::size_t i = 0; i < square_type::lanes; ++i) {
            simd_type::store(reinterpret_cast<moved*>(buffer() + (column + i) * side + row),
                             lines[i]);
        }
    }

    std::int64_t from_stride_;
    std::int64_t to_stride_;
    line_writer<T, Arch> writer_;
    alignas(line_bytes) std::byte
        memory_[std::is_trivially_copyable_v<T> ? side * side * sizeof(T) : 1];
};

}  // namespace xeinsum::kernel
