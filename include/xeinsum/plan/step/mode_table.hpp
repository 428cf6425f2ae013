// The loop nest of one step, without labels: "ij,jk->ik" on (2,3) and (3,4) is three modes,
// extent 2 strides out 4 lhs 3 rhs 0; extent 3 strides 0 1 4; extent 4 strides 1 0 1.
#pragma once

#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum {

/// The most modes with an extent above 1 that a loop nest of less than 2^63 iterations can have.
inline constexpr std::size_t max_modes = 62;
/// Rows of memory behind a built table, for a lowering that splits modes.
inline constexpr std::size_t spare_modes = 4;

/// Modes as rows of numbers in memory of the caller's: extent, stride in the output, stride in each
/// input, class. A stride counts elements and is 0 where the array lacks the mode or broadcasts it.
/// For more than two inputs the class tells apart surviving (lhs_free) and summed (contracted)
/// only.
class mode_table {
public:
    constexpr mode_table(std::int64_t* cells, std::size_t inputs, std::size_t count = 0) noexcept
        : cells_(cells), pitch_(row_length(inputs)), count_(count) {}

    [[nodiscard]] static constexpr std::size_t row_length(std::size_t inputs) noexcept {
        return inputs + 3;
    }
    [[nodiscard]] constexpr std::size_t pitch() const noexcept { return pitch_; }
    [[nodiscard]] constexpr std::size_t inputs() const noexcept { return pitch_ - row_length(0); }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return count_; }
    [[nodiscard]] constexpr std::int64_t* row(std::size_t m) const noexcept {
        return cells_ + m * pitch();
    }

    [[nodiscard]] constexpr std::int64_t extent(std::size_t m) const noexcept { return row(m)[0]; }
    [[nodiscard]] constexpr std::int64_t& extent(std::size_t m) noexcept { return row(m)[0]; }
    /// Array 0 is the output, 1 + i input i.
    [[nodiscard]] constexpr std::int64_t stride(std::size_t m, std::size_t array) const noexcept {
        return row(m)[1 + array];
    }
    [[nodiscard]] constexpr std::int64_t& stride(std::size_t m, std::size_t array) noexcept {
        return row(m)[1 + array];
    }
    [[nodiscard]] constexpr index_class kind(std::size_t m) const noexcept {
        return static_cast<index_class>(row(m)[pitch() - 1]);
    }
    constexpr void set_kind(std::size_t m, index_class c) noexcept {
        row(m)[pitch() - 1] = static_cast<std::int64_t>(c);
    }
    /// Whether the mode is a loop over the output rather than a sum.
    [[nodiscard]] constexpr bool survives(std::size_t m) const noexcept {
        const index_class c = kind(m);
        return c == index_class::batch || c == index_class::lhs_free || c == index_class::rhs_free;
    }

    /// A bit for each class.
    [[nodiscard]] static constexpr unsigned bit(index_class c) noexcept {
        return 1U << static_cast<unsigned>(c);
    }
    /// The bits of the classes that modes have.
    [[nodiscard, gnu::noinline]] constexpr unsigned classes() const noexcept {
        unsigned bits = 0;
        for (std::size_t m = 0; m < count_; ++m) {
            bits |= bit(kind(m));
        }
        return bits;
    }
    [[nodiscard]] constexpr bool has(index_class c) const noexcept {
        return (classes() & bit(c)) != 0;
    }
    [[nodiscard]] constexpr bool has_both(index_class a, index_class b) const noexcept {
        const unsigned both = bit(a) | bit(b);
        return (classes() & both) == both;
    }

    /// Whether the mode is a sum of one of two inputs alone.
    [[nodiscard]] constexpr bool is_one_sided(std::size_t m) const noexcept {
        return kind(m) == index_class::lhs_only || kind(m) == index_class::rhs_only;
    }
    [[nodiscard]] constexpr bool has_one_sided_sum() const noexcept {
        return (classes() & (bit(index_class::lhs_only) | bit(index_class::rhs_only))) != 0;
    }

    /// The number of modes that survive; they are the first ones of a built table.
    [[nodiscard]] constexpr std::size_t output_count() const noexcept {
        std::size_t n = 0;
        while (n < count_ && survives(n)) {
            ++n;
        }
        return n;
    }

    /// Appends a mode with all strides 0 and returns its row number.
    constexpr std::size_t push(std::int64_t extent) noexcept {
        for (std::size_t i = 0; i < pitch(); ++i) {
            row(count_)[i] = 0;
        }
        row(count_)[0] = extent;
        return count_++;
    }
    /// The same where the memory behind the last row has room for a row of MostInputs inputs.
    template <std::size_t MostInputs>
    constexpr std::size_t push(std::int64_t extent) noexcept {
        std::int64_t* cells = row(count_);
        for (std::size_t i = 1; i < row_length(MostInputs); ++i) {
            cells[i] = 0;
        }
        cells[0] = extent;
        return count_++;
    }
    /// Makes two modes of mode m: an outer one at m and, behind it, an inner one of the given
    /// extent, which divides that of m.
    constexpr void split(std::size_t m, std::int64_t inner) noexcept {
        push(inner);
#pragma GCC unroll 1
        for (std::size_t i = count_ - 1; i > m; --i) {
            swap_rows(i, i - 1);
        }
        // The new row is at m now, the old one behind it.
        for (std::size_t i = 1; i < pitch(); ++i) {
            const bool is_stride = i + 1 < pitch();
            row(m)[i] = is_stride ? row(m + 1)[i] * inner : row(m + 1)[i];
        }
        extent(m) = extent(m + 1) / inner;
        extent(m + 1) = inner;
    }
    constexpr void swap_rows(std::size_t a, std::size_t b) noexcept {
        for (std::size_t i = 0; a != b && i < pitch(); ++i) {
            const std::int64_t cell = row(a)[i];
            row(a)[i] = row(b)[i];
            row(b)[i] = cell;
        }
    }
    constexpr void swap_inputs(std::size_t a, std::size_t b) noexcept {
        for (std::size_t m = 0; m < count_; ++m) {
            const std::int64_t s = stride(m, 1 + a);
            stride(m, 1 + a) = stride(m, 1 + b);
            stride(m, 1 + b) = s;
        }
    }
    constexpr void remove(std::size_t m) noexcept {
        swap_rows(m, count_ - 1);
        --count_;
    }

    /// Product of the extents of the modes that the predicate takes, as a floating number.
    template <class Predicate>
    [[nodiscard]] constexpr double product(Predicate predicate) const {
        double p = 1;
#pragma GCC unroll 1
        for (std::size_t m = 0; m < count_; ++m) {
            p *= static_cast<double>(predicate(m) ? extent(m) : 1);
        }
        return p;
    }
    [[nodiscard, gnu::noinline]] constexpr double iterations() const noexcept {
        return product([](std::size_t) { return true; });
    }
    /// Whether there are no more of them, for most up to 2^31.
    [[nodiscard, gnu::always_inline]] constexpr bool has_at_most(std::int64_t most) const noexcept {
        std::int64_t n = 1;
        for (std::size_t m = 0; m < count_; ++m) {
            if (extent(m) > most || n > most) {
                return false;
            }
            n *= extent(m);
        }
        return n <= most;
    }
    /// Distinct elements of an array that the nest touches.
    [[nodiscard, gnu::noinline]] constexpr double elements(std::size_t array) const noexcept {
        return product([&](std::size_t m) { return stride(m, array) != 0; });
    }
    [[nodiscard, gnu::noinline]] constexpr double extent_of(index_class c) const noexcept {
        return product([&](std::size_t m) { return kind(m) == c; });
    }

private:
    std::int64_t* cells_;
    std::size_t pitch_;
    std::size_t count_;
};

namespace planning {

/// The class of a mode among a number of inputs, of which the first two may have it.
[[nodiscard]] constexpr index_class class_among(std::size_t inputs, bool in_first, bool in_second,
                                                bool survives) noexcept {
    if (inputs == 2) {
        return classify(in_first, in_second, survives);
    }
    return survives      ? index_class::lhs_free
           : inputs == 1 ? index_class::lhs_only
                         : index_class::contracted;
}

/// The labels of one array and the stride of each; a label occurs once, extents are above 1.
struct strided_term {
    list_view<const label> labels{};
    list_view<const std::int64_t> strides{};

    [[nodiscard]] constexpr bool holds(label id) const noexcept {
        return xeinsum::holds(labels, id);
    }
};

/// Whether outer runs on where inner ends, in every array, so that both are one longer mode.
[[nodiscard]] constexpr bool fusible(const mode_table& t, std::size_t outer,
                                     std::size_t inner) noexcept {
    if (t.kind(outer) != t.kind(inner)) {
        return false;
    }
    for (std::size_t array = 0; array <= t.inputs(); ++array) {
        if (t.stride(outer, array) != t.stride(inner, array) * t.extent(inner)) {
            return false;
        }
    }
    return true;
}

/// Joins modes of one class wherever the strides of all arrays allow it.
constexpr void fuse(mode_table& t) noexcept {
    for (std::size_t outer = 0; outer < t.size();) {
        bool fused = false;
        for (std::size_t inner = 0; inner < t.size() && !fused; ++inner) {
            if (inner != outer && fusible(t, outer, inner)) {
                t.extent(inner) *= t.extent(outer);
                t.remove(outer);
                fused = true;
            }
        }
        // The removal may have moved a row in front of the ones already tried.
        outer = fused ? 0 : outer + 1;
    }
}

/// Whether fuse() would change anything.
[[nodiscard]] constexpr bool has_fusible(const mode_table& t) noexcept {
    for (std::size_t outer = 0; outer < t.size(); ++outer) {
        for (std::size_t inner = 0; inner < t.size(); ++inner) {
            if (inner != outer && fusible(t, outer, inner)) {
                return true;
            }
        }
    }
    return false;
}

/// Where the label of a row occurs, in bits: beyond the second input it makes no difference.
enum occurrence : unsigned char { in_first = 1, in_second = 2, in_output = 4 };

[[nodiscard]] constexpr unsigned char in_input(std::size_t i) noexcept {
    return i == 0 ? in_first : i == 1 ? in_second : 0;
}

/// Puts the modes that survive in front of those that are summed.
constexpr void survivors_first(mode_table& t) noexcept {
    std::size_t first = 0;
    for (std::size_t m = 0; m < t.size(); ++m) {
        if (t.survives(m)) {
            t.swap_rows(first++, m);
        }
    }
}

/// Ends the filling of a table with one row for each label: finds the classes from where labels
/// occur, by row, and fuses modes; those that survive come first.
constexpr void classify_and_fuse(mode_table& t, const unsigned char* occurrences) noexcept {
    for (std::size_t m = 0; m < t.size(); ++m) {
        const auto is = [&](occurrence where) { return (occurrences[m] & where) != 0; };
        t.set_kind(m, class_among(t.inputs(), is(in_first), is(in_second), is(in_output)));
    }
    fuse(t);
    survivors_first(t);
}

}  // namespace planning
}  // namespace xeinsum
