// The choice of a lowering for one loop nest: whichever applies and is predicted to take least time
// computes "ij,jk->ik", unless the caller forces another.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/plan/mode_table.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <cstddef>

namespace xeinsum::planning {

/// The lowerings that compete. Each Lowering has
///   static constexpr lowering id;
///   static constexpr const char* refusal(const mode_table&);            // null: it applies
///   static constexpr double seconds(const mode_table&, const target&);  // predicted
///   static constexpr recipe build(mode_table&, const target&);          // orders the rows
///   // iterations of a row of the built table that no cut may part, 0 where none is possible:
///   static constexpr std::int64_t unit(const recipe&, const mode_table&, std::size_t row,
///                                      const target&);
/// and functions of its own to describe and run what it built.
template <class... Lowerings>
struct lowering_list {
    [[nodiscard]] static constexpr candidates evaluate(const mode_table& table, const target& on) {
        candidates all{};
        (evaluate_one<Lowerings>(table, on, all), ...);
        return all;
    }

    [[nodiscard]] static constexpr recipe build(lowering chosen, mode_table& table,
                                                const target& on) {
        recipe how{};
        ((Lowerings::id == chosen ? void(how = build_one<Lowerings>(table, on)) : void()), ...);
        how.chosen = chosen;
        return how;
    }

    /// Calls f with the lowering whose id is chosen.
    template <class F>
    static constexpr void with(lowering chosen, F f) {
        ((Lowerings::id == chosen ? void(f.template operator()<Lowerings>()) : void()), ...);
    }

private:
    template <class Lowering>
    [[nodiscard]] static constexpr recipe build_one(mode_table& table, const target& on) {
        recipe how = Lowering::build(table, on);
        // Most calls are short: they need not be predicted to know that they are not cut.
        constexpr double worth_a_look = 1 << 14;
        if (table.iterations() >= worth_a_look) {
            const auto unit = [&](std::size_t m) { return Lowering::unit(how, table, m, on); };
            how.split =
                splitter<decltype(unit)>(table, on, Lowering::seconds(table, on), unit).choose();
        }
        return how;
    }

    template <class Lowering>
    static constexpr void evaluate_one(const mode_table& table, const target& on, candidates& all) {
        candidate& c = all[index_of(Lowering::id)];
        c.refusal = Lowering::refusal(table);
        c.seconds = c.refusal == nullptr ? Lowering::seconds(table, on) : 0.0;
    }

    [[nodiscard]] static constexpr std::size_t index_of(lowering l) noexcept {
        std::size_t i = 0;
        while (lowerings_in_order[i] != l) {
            ++i;
        }
        return i;
    }
};

/// The cheapest candidate, or the forced one with its refusal as the problem.
struct choice {
    lowering chosen = lowering::automatic;
    double seconds = 0;
    problem error{};
};

[[nodiscard]] constexpr choice choose(const candidates& all, lowering forced) noexcept {
    choice best;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool asked = forced == lowerings_in_order[i];
        if (asked && all[i].refusal != nullptr) {
            best.error.code = error_code::lowering_not_applicable;
            best.error.reason = all[i].refusal;
            return best;
        }
        const bool possible = all[i].refusal == nullptr && (asked || forced == lowering::automatic);
        if (possible && (best.chosen == lowering::automatic || all[i].seconds < best.seconds)) {
            best.chosen = lowerings_in_order[i];
            best.seconds = all[i].seconds;
        }
    }
    return best;
}

}  // namespace xeinsum::planning
