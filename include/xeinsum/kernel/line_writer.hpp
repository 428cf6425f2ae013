// Lines of elements moved to the output: a row of "ijk->jik", or a column of "ij->ji" that has been
// put together in the cache.
#pragma once

#include <xeinsum/kernel/element.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd.hpp>

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

    /// Whether elements move as they are and by way of the caches.
    [[nodiscard]] bool only_moves() const { return moves && scale_.is_identity() && !streams_; }

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
        // Whole cache lines of out are streamed; what is before and behind them is not.
        const std::size_t before =
            (line_bytes - reinterpret_cast<std::uintptr_t>(to) % line_bytes) % line_bytes;
        if (streams_ && before % sizeof(T) == 0 && line_bytes % sizeof(T) == 0 &&
            bytes >= before + line_bytes) {
            const std::size_t end = bytes - (bytes - before) % line_bytes;
            copy(from, to, before / sizeof(T));
            for (std::size_t line = before; line < end; line += line_bytes) {
                for (std::size_t at = line; at < line + line_bytes; at += step) {
                    words::stream_aligned(place(at), load(at));
                }
            }
            copy(from + end / sizeof(T), to + end / sizeof(T), (bytes - end) / sizeof(T));
        } else if (bytes >= step) {
            std::size_t at = 0;
            for (; at + 4 * step <= bytes; at += 4 * step) {
                const auto first = load(at);
                const auto second = load(at + step);
                const auto third = load(at + 2 * step);
                const auto fourth = load(at + 3 * step);
                words::store(place(at), first);
                words::store(place(at + step), second);
                words::store(place(at + 2 * step), third);
                words::store(place(at + 3 * step), fourth);
            }
            for (; at + step <= bytes; at += step) {
                words::store(place(at), load(at));
            }
            // The last register lies over the one before.
            words::store(place(bytes - step), load(bytes - step));
        } else {
            copy(from, to, count);
        }
    }

    static void copy(const T* from, T* to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            to[i] = from[i];
        }
    }

    scaling<T> scale_;
    bool streams_;
};

}  // namespace xeinsum::kernel
