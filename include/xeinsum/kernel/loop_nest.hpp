// Loops as numbers, and the order they run in: for "ij->j" on row-major data the loop over j is
// innermost and runs in vectors, so that memory is read as it lies.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Consecutive loops of a nest: row m holds the extent, the stride in the output and the strides in
/// the inputs, all in elements; rows are pitch numbers apart.
struct loops {
    const std::int64_t* rows = nullptr;
    std::size_t pitch = 0;
    std::size_t count = 0;

    [[nodiscard]] constexpr std::int64_t extent(std::size_t m) const noexcept {
        return rows[m * pitch];
    }
    /// Array 0 is the output, 1 + i input i.
    [[nodiscard]] constexpr std::int64_t stride(std::size_t m, std::size_t array) const noexcept {
        return rows[m * pitch + 1 + array];
    }
    // Counted once in a call or for each product of a batch, in many places: no copies in each.
    [[nodiscard, gnu::noinline]] constexpr std::int64_t iterations() const noexcept {
        std::int64_t n = 1;
        for (std::size_t m = 0; m < count; ++m) {
            n *= extent(m);
        }
        return n;
    }
    [[nodiscard]] constexpr loops first(std::size_t n) const noexcept { return {rows, pitch, n}; }
    [[nodiscard]] constexpr loops from(std::size_t m) const noexcept {
        return {rows + m * pitch, pitch, count - m};
    }
};

[[nodiscard]] constexpr std::int64_t magnitude(std::int64_t x) noexcept {
    return x < 0 ? -x : x;
}

/// Whether a loop in vectors has to gather what such a stride is apart: it lies neither in place
/// nor side by side.
[[nodiscard]] constexpr bool is_apart(std::int64_t stride) noexcept {
    return stride != 0 && stride != 1;
}

/// Loops over the output around loops over sums.
struct loop_nest {
    loops output{};
    loops contracted{};
    std::size_t inputs = 1;
    bool dram_resident = false;  ///< the inputs come from main memory each time
    /// Rows of sums along lines load a line that they share once for some of them.
    bool shares_lines = false;
    /// Rows of sums along lines are enough to fill registers with a sum in each lane, of which a
    /// thread may have some only.
    bool fills_lanes = false;
    /// Rows of sums along lines take all their terms before the next one: they are few.
    bool row_by_row = false;
};

/// Which loop of a nest runs in vectors.
enum class vector_loop : unsigned char {
    none,
    output,      ///< the last output loop: each lane has a sum of its own
    contracted,  ///< the last contracted loop: lanes are added up at the end
};

/// The most loops that a nest can have; beyond, it would not end in a lifetime.
inline constexpr std::size_t max_loops = 62;

/// Counts through the iterations of some loops, outermost first, and keeps the element offsets of
/// up to Arrays arrays; Columns are the arrays' numbers in loops::stride.
template <std::size_t Arrays>
class odometer {
public:
    constexpr odometer(const loops& over, const std::size_t (&columns)[Arrays]) : over_(over) {
        for (std::size_t a = 0; a < Arrays; ++a) {
            columns_[a] = columns[a];
        }
        index_[0] = 0;  // also of no loops, where g++ 14 thinks that it is read
        for (std::size_t m = 1; m < over_.count; ++m) {
            index_[m] = 0;
        }
    }

    [[nodiscard]] constexpr std::int64_t offset(std::size_t array) const noexcept {
        return offset_[array];
    }

    /// Puts the count at the given iteration.
    constexpr void seek(std::int64_t iteration) noexcept {
        for (std::size_t a = 0; a < Arrays; ++a) {
            offset_[a] = 0;
        }
        for (std::size_t m = over_.count; m-- > 0;) {
            index_[m] = iteration % over_.extent(m);
            iteration /= over_.extent(m);
            for (std::size_t a = 0; a < Arrays; ++a) {
                offset_[a] += index_[m] * over_.stride(m, columns_[a]);
            }
        }
    }

    /// Steps to the next iteration; false after the last, when all starts again.
    constexpr bool next() noexcept {
        for (std::size_t m = over_.count; m-- > 0;) {
            for (std::size_t a = 0; a < Arrays; ++a) {
                offset_[a] += over_.stride(m, columns_[a]);
            }
            if (++index_[m] < over_.extent(m)) {
                return true;
            }
            for (std::size_t a = 0; a < Arrays; ++a) {
                offset_[a] -= over_.extent(m) * over_.stride(m, columns_[a]);
            }
            index_[m] = 0;
        }
        return false;
    }

private:
    loops over_;
    std::size_t columns_[Arrays]{};
    std::int64_t offset_[Arrays]{};
    std::int64_t index_[max_loops];
};

}  // namespace xeinsum::kernel
