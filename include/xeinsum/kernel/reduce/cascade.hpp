// Sums whose error grows with the logarithm of their length: the million terms of "i->" are added
// in blocks, sixteen blocks make one of the next level, and so on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Terms that a sum adds one after the other before it takes the next level; shorter sums keep the
/// order of their terms.
inline constexpr std::int64_t block_terms = 64;

/// Blocks that make an entry of the next level.
inline constexpr std::int64_t level_blocks = 16;

/// Levels that suffice for any sum.
inline constexpr std::size_t cascade_levels = 5;

/// A panel of sums side by side whose terms are cached stays in the first-level cache. Where they
/// come from main memory, reading it in order counts for more, and the sums wait in scratch memory.
inline constexpr std::size_t cached_panel_bytes = 16384;
inline constexpr std::size_t scratch_panel_bytes = 53248;

/// Bytes of scratch memory for sums of terms that may be in DRAM.
[[nodiscard]] constexpr std::size_t panel_scratch_bytes(bool dram_resident) noexcept {
    return dram_resident ? cascade_levels * scratch_panel_bytes : 0;
}

/// How numbers are added, as simd adds registers.
template <class T>
struct number_sums {
    [[nodiscard]] static constexpr T zero() { return T(0); }
    [[nodiscard]] static constexpr T add(const T& a, const T& b) { return a + b; }
};

/// Levels of up to capacity sums each, in memory of cascade_levels * capacity values.
template <class V>
struct lent_levels {
    [[nodiscard]] V* operator[](std::size_t l) const noexcept { return memory + l * capacity; }

    V* memory;
    std::size_t capacity;
};

/// Memory for panels of sums, one after the other: scratch of panel_scratch_bytes(dram_resident),
/// aligned to 64, or its own.
template <class V>
class panel_memory {
public:
    panel_memory(bool dram_resident, std::byte* scratch) noexcept
        : scratch_(dram_resident ? reinterpret_cast<V*>(scratch) : nullptr) {}

    /// Sums that a panel may have.
    [[nodiscard]] static constexpr std::int64_t most(bool dram_resident) noexcept {
        return static_cast<std::int64_t>(
            (dram_resident ? scratch_panel_bytes : cached_panel_bytes) / sizeof(V));
    }
    [[nodiscard]] V* values() noexcept { return scratch_ != nullptr ? scratch_ : own_; }
    /// The levels of a panel of so many.
    [[nodiscard]] lent_levels<V> levels(std::size_t count) noexcept { return {values(), count}; }

private:
    V* scratch_;
    V own_[cascade_levels * cached_panel_bytes / sizeof(V)];
};

/// Sums side by side, as many as each level has room for; Add::add(V, V) adds two values. The first
/// level takes blocks, each further one the sums of sixteen entries of that below, and the last
/// whatever comes.
///
/// Source: pairwise summation as in Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
/// edition, section 4.2, with sixteen in place of two: four additions for one, but a quarter of the
/// levels.
template <class V, class Add>
class lent_cascade {
public:
    explicit lent_cascade(const lent_levels<V>& level) noexcept : level_(level) {}

    /// Where a block is written to if is_first(), and added to otherwise. end_block() follows.
    [[nodiscard]] V* block() noexcept { return level_[0]; }
    [[nodiscard]] bool is_first() const noexcept { return entries(0) == 0; }
    [[nodiscard]] bool empty() const noexcept { return blocks_ == 0; }

    /// Blocks that may be added at once, as they come: those that the first level has room for.
    [[nodiscard]] std::int64_t room() const noexcept {
        return level_blocks - static_cast<std::int64_t>(entries(0));
    }

    /// Counts blocks of so many sums, as many as room() at most.
    void end_block(std::size_t count, std::int64_t blocks = 1) {
        blocks_ += static_cast<std::uint64_t>(blocks);
        if (is_first()) {
            pass_on(count);
        }
    }
    [[gnu::noinline]] void add_block(const V* sums, std::size_t count) {
        if (is_first()) {
            std::copy_n(sums, count, block());
        } else {
            add(block(), sums, count);
        }
        end_block(count);
    }

    /// The whole sums, together with those of an entry that is not full. There was a block, and
    /// there will be no other.
    [[nodiscard, gnu::noinline]] const V* total(std::size_t count) {
        const V* sum = nullptr;
        for (std::size_t l = 0; l < levels; ++l) {
            if (entries(l) == 0) {
                continue;
            }
            if (sum != nullptr) {
                add(level_[l], sum, count);
            }
            sum = level_[l];
        }
        return sum;
    }

private:
    static constexpr std::size_t levels = cascade_levels;
    static constexpr std::size_t digit_bits = 4;
    static_assert(level_blocks == 1U << digit_bits);

    /// How much has come to a level since it was last passed on.
    [[nodiscard]] std::uint64_t entries(std::size_t l) const noexcept {
        const std::uint64_t passed = blocks_ >> (l * digit_bits);
        return l + 1 == levels ? passed : passed & ((1U << digit_bits) - 1);
    }
    /// Empties the levels that are full.
    [[gnu::noinline]] void pass_on(std::size_t count) {
        for (std::size_t l = 0; l + 1 < levels && entries(l) == 0; ++l) {
            if (entries(l + 1) == 1) {
                std::copy_n(level_[l], count, level_[l + 1]);
            } else {
                add(level_[l + 1], level_[l], count);
            }
        }
    }
    [[gnu::noinline]] static void add(V* to, const V* from, std::size_t count) {
#pragma GCC unroll 1
        for (std::size_t i = 0; i < count; ++i) {
            to[i] = Add::add(to[i], from[i]);
        }
    }

    lent_levels<V> level_;
    std::uint64_t blocks_ = 0;
};

/// Up to Capacity sums, in memory of its own.
template <class V, std::size_t Capacity, class Add>
class cascade : public lent_cascade<V, Add> {
public:
    cascade() : lent_cascade<V, Add>({memory_, Capacity}) {}
    cascade(const cascade&) = delete;
    cascade& operator=(const cascade&) = delete;

private:
    V memory_[cascade_levels * Capacity];
};

}  // namespace xeinsum::kernel
