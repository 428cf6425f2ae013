// Whether a product in blocks reads lhs where it lies: in "ij,jk->ik" rows i that lie along the
// depth j are, and in "ji,jk->ik" 16 rows that lie side by side.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/plan/target.hpp>

#include <cstdint>

namespace xeinsum::lowerings {

/// An lhs whose rows have one stride, and the columns that it is multiplied with. What predicts a
/// product and what builds it ask the same.
struct direct_lhs {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t depth = 1;
    bool in_pieces = false;    ///< the depth is several loops
    bool lies_along = false;   ///< the depth, in its inner loop
    bool rows_adjoin = false;  ///< rows lie side by side
    std::int64_t step = 1;     ///< elements from one depth to the next
    // Measured; see docs/kernels/gemm.md.
    /// Inner rows that are worth a pass of their own over the columns.
    static constexpr std::int64_t least_rows = 48;
    /// Depth in one piece that is worth a start of its own.
    static constexpr std::int64_t least_segment = 8;

    /// Whether that takes less than packing it.
    [[nodiscard, gnu::cold]] constexpr bool pays(const planning::target& on) const noexcept {
        if (rows_adjoin && !lies_along) {
            return suits_rows(on);
        }
        return columns <= static_cast<std::int64_t>(on.nr) ||
               (lies_along && columns <= (in_pieces ? columns_in_pieces : most_columns));
    }

private:
    /// More columns than these use a row of lhs so often that packing it pays.
    static constexpr std::int64_t most_columns = 4096;
    /// The same where its depth lies in pieces, which do not stay in the caches.
    static constexpr std::int64_t columns_in_pieces = 128;
    /// Depth whose lines, one or two for each step of a tile, stay in the first-level cache.
    static constexpr std::int64_t near_depth = 128;

    /// Rows side by side bring a line or two for each step of the depth. Few rows use them well;
    /// more, where they multiply more than one register with what they load, as long as the
    /// first-level cache holds the lines or there is one tile of columns.
    [[nodiscard]] constexpr bool suits_rows(const planning::target& on) const noexcept {
        // Of two low tiles, and rows that one register of columns reads as fast.
        const std::int64_t low_rows = on.mr > 8 ? 16 : 8;
        const std::int64_t few_rows = on.mr > 8 ? 28 : 48;
        const auto nr = static_cast<std::int64_t>(on.nr);
        if (columns <= nr) {
            return rows <= few_rows || columns > static_cast<std::int64_t>(on.lanes);
        }
        const bool meet = kernel::share_a_set(step * static_cast<std::int64_t>(on.element_bytes));
        return !meet && !in_pieces &&
               (rows <= low_rows ? columns <= most_columns
                                 : columns <= 2 * nr && depth <= near_depth);
    }
};

}  // namespace xeinsum::lowerings
