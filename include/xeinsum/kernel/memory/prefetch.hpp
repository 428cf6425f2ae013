// Memory that is read soon, prefetched little by little: while the tiles of one product of
// "db,cd->cb" are computed, the rhs of the next one comes into the caches.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Prefetches the cache line that so many bytes behind a place lies in, which may be beyond the
/// array, into the second-level cache: more of them are on their way at once than into the first.
/// Always inlined: g++ 12 drops calls of functions that do nothing else.
[[gnu::always_inline]] inline void prefetch_to_second_cache(const void* from,
                                                            std::size_t bytes = 0) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(from) + bytes;
    __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
}

/// Prefetches the cache lines of Count elements side by side that will be written, or read and
/// written; of the last line only where they begin with one. Always inlined, as above.
template <std::size_t Count, class T>
[[gnu::always_inline]] inline void prefetch_to_write(const T* from) noexcept {
    for (std::size_t i = 0; i < Count; i += line_elements<T>) {
        __builtin_prefetch(from + i, 1);
    }
}

/// How far behind what is read memory is prefetched at least, in bytes.
inline constexpr std::size_t least_ahead = 2048;

/// Prefetches as many bytes behind some as they are, at least so far away, where nothing may be: to
/// read them from the second-level cache, or to write them. Always inlined, as above.
template <bool Writes, std::size_t Least = least_ahead>
[[gnu::always_inline]] inline void prefetch_behind(const void* from, std::size_t bytes) noexcept {
    const auto behind = reinterpret_cast<std::uintptr_t>(from) + std::max(bytes, Least);
    for (std::size_t b = 0; b < bytes; b += line_bytes) {
        const auto* const line = reinterpret_cast<const void*>(behind + b);
        if constexpr (Writes) {
            __builtin_prefetch(line, 1);
        } else {
            prefetch_to_second_cache(line);
        }
    }
}

/// In place of least_ahead, for lines that are summed along themselves.
inline constexpr std::size_t summed_lines_ahead = 8192;

/// Prefetches as much as some lines read that are step elements apart, behind them, where they
/// follow each other closely. No hardware prefetches what is read through masks, or across lines.
/// Always inlined, as above.
template <std::size_t Least, class T>
[[gnu::always_inline]] inline void prefetch_close_lines(const T* from, std::int64_t step,
                                                        std::int64_t lines) noexcept {
    constexpr std::int64_t close = 384;
    const std::int64_t bytes = step * static_cast<std::int64_t>(sizeof(T));
    if (bytes > 0 && bytes <= close) {
        prefetch_behind<false, Least>(from, static_cast<std::size_t>(bytes * lines));
    }
}

/// Lines of memory that will be read after a block.
template <class T>
struct upcoming_lines {
    const T* from = nullptr;
    std::ptrdiff_t line = 0;  ///< from one to the next
    std::size_t count = 0;
    std::size_t bytes = 0;  ///< of each
    // Lines in pieces instead, count of them: where lines begin, and in each the elements that
    // follow each other from some on.
    const std::int64_t* lines = nullptr;
    line_offsets pieces{};
};

/// A block of a matrix whose rows and columns lie anywhere, if elements follow each other along
/// one of them.
template <class T>
[[nodiscard]] upcoming_lines<T> block_of(const T* from, const line_offsets& rows,
                                         const line_offsets& columns) {
    constexpr std::int64_t least = 4;  // elements that are worth a prefetch
    const bool along_rows = rows.runs[0] > columns.runs[0];
    const line_offsets& pieces = along_rows ? rows : columns;
    const line_offsets& lines = along_rows ? columns : rows;
    if (pieces.runs[0] < least) {
        return {};
    }
    return {.from = from, .count = lines.count, .lines = lines.offsets, .pieces = pieces};
}

/// Those of some columns of an operand, from begin on and at most so many: as many as follow each
/// other. Columns of the innermost loop n lie side by side, and lines along the loop k; array is
/// the operand's in both.
template <class T>
[[nodiscard]] upcoming_lines<T> columns_from(const T* operand, const loops& n, const loops& k,
                                             std::size_t array, std::int64_t begin,
                                             std::int64_t most) {
    if (begin >= n.iterations()) {
        return {};
    }
    const std::size_t last = n.count - 1;
    const std::int64_t column = begin % n.extent(last);
    odometer<1> outer(n.first(last), {array});
    outer.seek(begin / n.extent(last));
    const auto width = static_cast<std::size_t>(std::min(n.extent(last) - column, most));
    return {operand + outer.offset(0) + column, k.stride(0, array),
            static_cast<std::size_t>(k.extent(0)), width * sizeof(T)};
}

/// Fetches such lines one cache line after the other, in equal shares.
class line_prefetcher {
public:
    /// In so many shares. The last ones may find nothing left to do.
    template <class T>
    line_prefetcher(const upcoming_lines<T>& lines, std::size_t shares) noexcept
        : line_(reinterpret_cast<const std::byte*>(lines.from)),
          step_(lines.line * static_cast<std::ptrdiff_t>(sizeof(T))),
          bytes_(lines.bytes),
          left_(lines.count) {
        if (left_ == 0) {
            return;
        }
        std::size_t in_line = lines_of(bytes_);
        if (lines.lines != nullptr) {
            size_ = sizeof(T);
            from_ = line_;
            lines_ = lines.lines;
            pieces_ = lines.pieces;
            in_line = 0;
            do {
                enter_piece();
                in_line += lines_of(bytes_);
                piece_ += bytes_ / size_;
            } while (piece_ < pieces_.count);
            piece_ = 0;
            enter_piece();
        }
        share_ = (left_ * in_line + shares - 1) / shares;
    }

    [[nodiscard]] bool goes_on() const noexcept { return left_ != 0; }
    /// What is prefetched next, where it goes on.
    [[nodiscard]] const std::byte* position() const noexcept { return line_ + byte_; }

    /// Cache lines in a share.
    [[nodiscard]] std::size_t share() const noexcept { return share_; }

    /// Steps of a tile so deep for each line of its share.
    [[nodiscard]] std::size_t steps_per_line(std::size_t depth) const noexcept {
        return share_ == 0 ? depth : std::max<std::size_t>(depth / share_, 1);
    }

    /// Fetches one cache line, where it goes on. Always inlined: g++ 12 drops calls of functions
    /// that do little else.
    [[gnu::always_inline]] void next_line() noexcept {
        if (left_ == 0) {
            return;
        }
        __builtin_prefetch(line_ + byte_ + line_bytes - 1);
        byte_ += line_bytes;
        if (byte_ >= bytes_) {
            byte_ = 0;
            if (lines_ != nullptr) {
                next_piece();
            } else if (--left_ != 0) {
                line_ += step_;
            }
        }
    }
    [[gnu::always_inline]] void next_share() noexcept {
        for (std::size_t lines = share_; lines != 0 && left_ != 0; --lines) {
            next_line();
        }
    }

private:
    [[nodiscard]] static std::size_t lines_of(std::size_t bytes) noexcept {
        return (bytes + line_bytes - 1) / line_bytes;
    }
    void enter_piece() noexcept {
        const auto run = static_cast<std::size_t>(pieces_.runs[piece_]);
        bytes_ = std::min(run, pieces_.count - piece_) * size_;
        line_ = from_ + (*lines_ + pieces_[piece_]) * static_cast<std::ptrdiff_t>(size_);
    }
    void next_piece() noexcept {
        piece_ += bytes_ / size_;
        if (piece_ >= pieces_.count) {
            piece_ = 0;
            if (--left_ == 0) {
                return;
            }
            ++lines_;
        }
        enter_piece();
    }

    const std::byte* line_ = nullptr;
    std::ptrdiff_t step_ = 0;
    std::size_t bytes_ = 0;
    std::size_t left_ = 0;   ///< lines, this one included
    std::size_t byte_ = 0;   ///< of this line
    std::size_t share_ = 0;  ///< cache lines
    // Of lines in pieces, elements of so many bytes.
    std::size_t size_ = 0;
    std::size_t piece_ = 0;
    const std::byte* from_ = nullptr;
    const std::int64_t* lines_ = nullptr;  ///< of this line and those behind it
    line_offsets pieces_{};
};

}  // namespace xeinsum::kernel
