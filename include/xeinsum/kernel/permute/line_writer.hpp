// Lines of elements moved to the output: a row of "ijk->jik", or a column of "ij->ji" that has been
// put together in the cache.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace xeinsum::kernel {

/// Moves lines of elements to out, scaled.
template <class T, class Arch>
class line_writer {
public:
    /// streams: write by non-temporal stores where that is possible.
    line_writer(const scaling<T>& scale, bool streams) : scale_(scale), streams_(streams) {}

    /// Whether elements move as they are and by way of the caches.
    [[nodiscard]] bool only_moves() const { return moves && scale_.is_identity() && !streams_; }

    /// Whether they move as they are and by non-temporal stores.
    [[nodiscard]] bool only_streams() const { return moves && scale_.is_identity() && streams_; }

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

    /// The same, calling each_line() once for every cache line of elements; between two lines, if
    /// they go by non-temporal stores.
    template <class EachLine>
    void write(const T* from, T* to, std::size_t count, const EachLine& each_line) const {
        if constexpr (moves) {
            if (scale_.is_identity() && streams_ && count * sizeof(T) >= line_bytes) {
                stream(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
                       count * sizeof(T), each_line);
                return;
            }
        }
        for (std::size_t i = 0; i < count; i += line_elements<T>) {
            each_line();
        }
        write(from, to, count);
    }

    /// With strides.
    void write(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride,
               std::int64_t count) const {
        if (std::is_trivially_copyable_v<T> && scale_.is_identity()) {
#pragma GCC unroll 1
            for (std::int64_t i = 0; i < count; ++i) {
                to[i * to_stride] = from[i * from_stride];
            }
            return;
        }
#pragma GCC unroll 1
        for (std::int64_t i = 0; i < count; ++i) {
            scale_.template put<Arch>(to[i * to_stride],
                                      static_cast<compute_t<T>>(from[i * from_stride]));
        }
    }

private:
    static constexpr bool moves = std::is_trivially_copyable_v<T> && has_vectors<float, Arch>();
    static constexpr bool computes = std::is_same_v<T, compute_t<T>> && has_vectors<T, Arch>();

    using words = simd<float, Arch>;
    static constexpr std::size_t step = words::lanes * sizeof(float);

    [[nodiscard]] static typename words::type load(const std::byte* from) {
        return words::load(reinterpret_cast<const float*>(from));
    }
    static void store(std::byte* to, typename words::type x) {
        words::store(reinterpret_cast<float*>(to), x);
    }

    /// Bits, whatever they mean.
    void move(const T* from, T* to, std::size_t count) const {
        const auto* source = reinterpret_cast<const std::byte*>(from);
        auto* target = reinterpret_cast<std::byte*>(to);
        const std::size_t bytes = count * sizeof(T);
        if (streams_ && bytes >= line_bytes) {
            stream(source, target, bytes, [] {});
        } else if (bytes >= step) {
            std::size_t at = 0;
            for (; at + 4 * step <= bytes; at += 4 * step) {
                const auto first = load(source + at);
                const auto second = load(source + at + step);
                const auto third = load(source + at + 2 * step);
                const auto fourth = load(source + at + 3 * step);
                store(target + at, first);
                store(target + at + step, second);
                store(target + at + 2 * step, third);
                store(target + at + 3 * step, fourth);
            }
            for (; at + step <= bytes; at += step) {
                store(target + at, load(source + at));
            }
            // The last register lies over the one before.
            store(target + bytes - step, load(source + bytes - step));
        } else {
            copy(source, target, bytes);
        }
    }

    /// Whole cache lines of out go by non-temporal stores, what is before and behind them does not.
    template <class EachLine>
    static void stream(const std::byte* from, std::byte* to, std::size_t bytes,
                       const EachLine& each_line) {
        const std::size_t before = -reinterpret_cast<std::uintptr_t>(to) % line_bytes;
        const std::size_t lines = (bytes - before) / line_bytes;
        copy(from, to, before);
        from += before;
        to += before;
#pragma GCC unroll 1
        for (std::size_t i = 0; i < lines; ++i) {
            each_line();
#pragma GCC unroll 32
            for (std::size_t part = 0; part < line_bytes / step; ++part) {
                words::stream(reinterpret_cast<float*>(to + part * step), load(from + part * step));
            }
            from += line_bytes;
            to += line_bytes;
        }
        copy(from, to, bytes - before - lines * line_bytes);
    }

    /// Less than a line. memcpy would be a loop of single bytes, which takes as long as ten lines.
    static void copy(const std::byte* from, std::byte* to, std::size_t bytes) {
        static_assert(line_bytes <= 64);
        if (!copy_ends<32>(from, to, bytes) && !copy_ends<16>(from, to, bytes) &&
            !copy_ends<8>(from, to, bytes) && !copy_ends<4>(from, to, bytes) &&
            !copy_ends<2>(from, to, bytes) && bytes != 0) {
            *to = *from;
        }
    }

    /// Size bytes at the beginning and Size bytes at the end, which lie over each other; false
    /// where there are less.
    template <std::size_t Size>
    static bool copy_ends(const std::byte* from, std::byte* to, std::size_t bytes) {
        if (bytes < Size) {
            return false;
        }
        std::byte first[Size];
        std::byte last[Size];
        std::memcpy(first, from, Size);
        std::memcpy(last, from + bytes - Size, Size);
        std::memcpy(to, first, Size);
        std::memcpy(to + bytes - Size, last, Size);
        return true;
    }

    scaling<T> scale_;
    bool streams_;
};

/// Writes what waits at from, and belongs in front of end, by non-temporal stores of whole cache
/// lines. Unless it is the last, the elements of a line that is not complete move to the front, to
/// wait for those that follow; returns how many.
template <class T, class Arch>
[[nodiscard]] std::size_t stream_whole_lines(T* from, std::size_t count, T* end, bool last) {
    const std::size_t left =
        last ? 0 : std::min(static_cast<std::size_t>(elements_since_line(end)), count);
    line_writer<T, Arch>({}, true).write(from, end - count, count - left);
    std::copy_n(from + (count - left), left, from);
    return left;
}

}  // namespace xeinsum::kernel
