// Where a step is cut for several threads: "ij,jk->ik" between rows or columns of the result, and
// "ki,kj->ij" with few results between terms of the sums, which are then added up in order.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/step/alignment.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum {

/// One mode cut into pieces of whole units, as equal as that allows.
struct mode_cut {
    unsigned char row = 0;  ///< of the mode table
    std::uint32_t pieces = 1;
    std::int64_t unit = 1;  ///< iterations that stay together

    /// Where a piece of a mode begins; the end for the number of pieces.
    [[nodiscard]] constexpr std::int64_t begin(std::size_t piece,
                                               std::int64_t extent) const noexcept {
        const std::int64_t units = (extent + unit - 1) / unit;
        const auto parts = static_cast<std::int64_t>(pieces);
        const auto p = static_cast<std::int64_t>(piece);
        const std::int64_t first = units / parts * p + std::min(p, units % parts);
        return std::min(first * unit, extent);
    }
};

/// How a step is cut. Pieces are all combinations of the two modes' pieces. A cut between terms of
/// sums does not depend on the number of threads, and a cut between results leaves every sum as it
/// is: so results are the same bits for any number of threads.
struct work_split {
    std::array<mode_cut, 2> cuts{};
    bool between_terms = false;     ///< cuts[0] cuts a sum: pieces are added up at the end
    std::uint32_t workers = 1;      ///< pieces that may run at the same time, each with its scratch
    std::size_t partial_bytes = 0;  ///< memory for the sums of all pieces

    [[nodiscard]] constexpr std::size_t pieces() const noexcept {
        return std::size_t{cuts[0].pieces} * cuts[1].pieces;
    }
    [[nodiscard]] constexpr bool is_cut() const noexcept { return pieces() > 1; }
};

namespace planning {

/// Steps with more inputs or numbers in their table are not cut: pieces copy the table.
inline constexpr std::size_t most_split_inputs = 8;
inline constexpr std::size_t most_split_cells = 320;

/// The product of the output's modes in units; below few_units, sums are cut instead if they have
/// more.
inline constexpr std::int64_t few_units = 16;
/// Threads whose scratch together takes more memory than this many times the arrays of a step pack
/// the same elements over and over; so many of them are worth it in any case.
inline constexpr double most_scratch = 4;
inline constexpr std::int64_t few_workers = 64;

/// Pieces that sums are cut into at most.
inline constexpr std::int64_t most_term_pieces = 16;

/// How equally pieces share units, up to 1.
[[nodiscard]] constexpr double balance(std::int64_t units, std::int64_t pieces) noexcept {
    const std::int64_t longest = (units + pieces - 1) / pieces;
    return static_cast<double>(units) / static_cast<double>(longest * pieces);
}

/// Whether a step is small enough to be cut.
[[nodiscard]] constexpr bool may_split(const mode_table& table) noexcept {
    return table.inputs() <= most_split_inputs && table.size() * table.pitch() <= most_split_cells;
}

/// Chooses the cuts of a step, which may_split, that is predicted to take some seconds on one core.
/// together tells of each row how many iterations must stay together, 0 where it cannot be cut;
/// every piece that runs has scratch memory of its own.
class splitter {
public:
    constexpr splitter(const mode_table& table, const target& on, double seconds,
                       std::size_t scratch_bytes, list_view<const std::int64_t> together)
        : table_(table),
          on_(on),
          pieces_(pieces_worth(seconds, on)),
          scratch_bytes_(scratch_bytes),
          together_(together) {}

    [[nodiscard, gnu::cold]] constexpr work_split choose() const {
        work_split split;
        if (pieces_ < 2 || on_.fused_only) {
            return split;
        }
        if (output_units() < few_units && cut_terms(split)) {
            return split;
        }
        cut_results(split);
        return split;
    }
    /// Whether the choice depends on the time at all: one thread only cuts sums for few results.
    [[nodiscard]] constexpr bool depends_on_time() const {
        return on_.threads > 1 || (output_units() < few_units && has_units_of_sums());
    }

private:
    /// Units of the results; few_units or more where they are not few.
    [[nodiscard]] constexpr std::int64_t output_units() const {
        std::int64_t count = 1;
        for (std::size_t m = 0; m < table_.size() && count < few_units; ++m) {
            if (table_.survives(m)) {
                count *= std::min(units(m), few_units);
            }
        }
        return count;
    }
    [[nodiscard]] constexpr bool has_units_of_sums() const {
        for (std::size_t m = 0; m < table_.size(); ++m) {
            if (!table_.survives(m) && units(m) > 1) {
                return true;
            }
        }
        return false;
    }

    /// A piece must be worth the time that it takes to hand it to another thread.
    [[nodiscard]] static constexpr std::int64_t pieces_worth(double seconds,
                                                             const target& on) noexcept {
        const double pieces = seconds / on.core.piece_seconds;
        return static_cast<std::int64_t>(std::min(pieces, 1e6));
    }

    [[nodiscard]] constexpr std::int64_t workers_worth() const {
        const auto threads = static_cast<std::int64_t>(on_.threads);
        if (scratch_bytes_ == 0 || threads <= few_workers) {
            return threads;
        }
        double elements = 0;
        for (std::size_t i = 0; i <= table_.inputs(); ++i) {
            elements += table_.elements(i);
        }
        const double worth = most_scratch * elements * static_cast<double>(on_.element_bytes) /
                             static_cast<double>(scratch_bytes_);
        return std::min(threads, std::max(few_workers, static_cast<std::int64_t>(worth)));
    }

    [[nodiscard]] constexpr std::int64_t units(std::size_t m) const {
        const std::int64_t unit = together_[m];
        return unit == 0 ? 1 : (table_.extent(m) + unit - 1) / unit;
    }

    /// Elements that every piece has to read if mode m is cut.
    [[nodiscard]] constexpr double shared_elements(std::size_t m) const {
        double elements = 0;
        for (std::size_t i = 1; i <= table_.inputs(); ++i) {
            elements += table_.stride(m, i) == 0 ? table_.elements(i) : 0;
        }
        return elements;
    }

    [[nodiscard]] constexpr mode_cut cut(std::size_t m, std::int64_t pieces) const {
        return {static_cast<unsigned char>(m), static_cast<std::uint32_t>(pieces), together_[m]};
    }

    /// Cuts the longest sum into pieces, however many threads there are; false where results have
    /// as many units.
    [[nodiscard, gnu::cold]] constexpr bool cut_terms(work_split& split) const {
        std::size_t longest = table_.size();
        for (std::size_t m = 0; m < table_.size(); ++m) {
            if (!table_.survives(m) && (longest == table_.size() || units(m) > units(longest))) {
                longest = m;
            }
        }
        if (longest == table_.size()) {
            return false;
        }
        const std::int64_t most = std::min(units(longest), most_term_pieces);
        const std::int64_t pieces = std::min(most, pieces_);
        if (pieces < 2 || most <= output_units()) {
            return false;
        }
        split.cuts[0] = cut(longest, pieces);
        split.between_terms = true;
        split.workers = std::min(on_.threads, static_cast<std::uint32_t>(pieces));
        split.partial_bytes =
            static_cast<std::size_t>(pieces) *
            align_up(static_cast<std::size_t>(table_.elements(0)) * on_.element_bytes);
        return true;
    }

    /// Cuts one mode of the output, or two where one is too short for all threads.
    [[gnu::cold]] constexpr void cut_results(work_split& split) const {
        std::int64_t wanted = std::min(workers_worth(), pieces_);
        std::size_t taken = table_.size();
        for (mode_cut& c : split.cuts) {
            const std::size_t m = wanted < 2 ? table_.size() : best_mode(wanted, taken);
            if (m == table_.size()) {
                break;
            }
            c = cut(m, std::min(units(m), wanted));
            wanted /= static_cast<std::int64_t>(c.pieces);
            taken = m;
        }
        split.workers = static_cast<std::uint32_t>(split.pieces());
    }

    /// The mode of the output whose pieces are about the most equal and share the fewest elements.
    [[nodiscard, gnu::cold]] constexpr std::size_t best_mode(std::int64_t pieces,
                                                             std::size_t taken) const {
        std::size_t best = table_.size();
        for (std::size_t m = 0; m < table_.size(); ++m) {
            if (!table_.survives(m) || m == taken || units(m) < 2) {
                continue;
            }
            if (best == table_.size()) {
                best = m;
                continue;
            }
            const double gain = balance(units(m), pieces) - balance(units(best), pieces);
            constexpr double about_equal = 0.1;
            if (gain > about_equal ||
                (gain > -about_equal && shared_elements(m) < shared_elements(best))) {
                best = m;
            }
        }
        return best;
    }

    const mode_table& table_;
    const target& on_;
    std::int64_t pieces_;
    std::size_t scratch_bytes_;
    list_view<const std::int64_t> together_;
};

}  // namespace planning
}  // namespace xeinsum
