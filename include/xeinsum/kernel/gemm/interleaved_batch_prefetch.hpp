// What the next products of an interleaved batch read, prefetched in advance: while "ijb,jkb->ikb"
// is computed for 128 b, the lines of the 128 after them come into the second-level cache.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Two cache lines side by side for each step of a tile's depth.
template <class T>
struct lines_ahead {
    const T* from = nullptr;
    std::int64_t step = 0;  ///< elements from those of one step to the next

    /// Prefetches those of one step. Always inlined: g++ 12 drops calls of functions that do
    /// nothing else.
    [[gnu::always_inline]] void prefetch() noexcept {
        prefetch_to_second_cache(from);
        prefetch_to_second_cache(from, line_bytes);
        from += step;
    }
};

/// Goes through the lines of two operands in the order in which they are read: each tile takes
/// those of one row, or column, for the whole depth.
template <class T>
class interleaved_batch_prefetch {
public:
    struct operand {
        const T* from = nullptr;
        std::int64_t lines = 0;  ///< rows or columns
        std::int64_t line = 0;   ///< elements from one to the next
        std::int64_t step = 0;   ///< along the depth
    };

    /// Nothing is prefetched.
    interleaved_batch_prefetch() = default;
    /// So many elements of the batch at each place.
    interleaved_batch_prefetch(const operand& first, const operand& second,
                               std::int64_t lanes) noexcept
        : now_(first), then_(second), lanes_(lanes) {}

    /// Those of a row or column; where nothing is left, what is read now.
    [[nodiscard]] lines_ahead<T> next(const T* now) noexcept {
        if (now_.lines == 0) {
            if (then_.lines == 0) {
                return {now, 0};
            }
            now_ = then_;
            then_.lines = 0;
        }
        const lines_ahead<T> lines{now_.from + lane_, now_.step};
        lane_ += two_lines;
        if (lane_ >= lanes_) {
            lane_ = 0;
            now_.from += now_.line;
            --now_.lines;
        }
        return lines;
    }

private:
    static constexpr auto two_lines = static_cast<std::int64_t>(2 * line_elements<T>);

    operand now_{};
    operand then_{};
    std::int64_t lanes_ = 0;
    std::int64_t lane_ = 0;
};

}  // namespace xeinsum::kernel
