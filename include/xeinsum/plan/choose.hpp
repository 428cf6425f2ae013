// The choice of a lowering for one loop nest: whichever applies and is predicted to take least time
// computes "ij,jk->ik", unless the caller forces another.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/plan/mode_table.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::planning {

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

/// The lowerings that compete. Each Lowering has
///   static constexpr lowering id;
///   static constexpr const char* refusal(const mode_table&);            // null: it applies
///   static constexpr double seconds(const mode_table&, const target&);  // predicted
///   static constexpr recipe build(mode_table&, const target&);          // orders the rows
///   // a third argument of the last two, if they take one, is an input that is the same in all
///   // runs, counted from 1, or 0
///   // iterations of a row of the built table that no cut may part, 0 where none is possible:
///   static constexpr std::int64_t unit(const recipe&, const mode_table&, std::size_t row,
///                                      const target&);
/// and may have
///   static constexpr bool never_wins(const mode_table&);  // another is always as fast or faster
///   static constexpr double seconds_within(const mode_table&, const target&, double most);
///   // seconds() where that is less than most, otherwise any number that is not
/// and, for steps of which it knows that nothing is faster,
///   static constexpr bool obvious(const mode_table&, const target&);
///   static constexpr bool build_obvious(mode_table&, const target&, recipe&);  // if it is so
///   static constexpr bool outline(mode_table&, const target&, recipe&);  // whatever the extents
///   static constexpr bool fits(const mode_table&, const recipe&, const target&);  // outlined rows
///   static constexpr std::size_t scratch_bytes(const mode_table&, const target&);
/// and, for what is beyond plans, least_inputs and functions to describe and run what it built.
template <class... Lowerings>
struct lowering_list {
    [[nodiscard]] static constexpr candidates evaluate(const mode_table& table, const target& on) {
        candidates all{};
        ((all[index_of(Lowerings::id)].refusal = Lowerings::refusal(table)), ...);
        (predict<Lowerings>(table, on, all), ...);
        return all;
    }

    /// What evaluate() tells of those that may be chosen where that is left open: not of one that
    /// never wins, no prediction of one that is left alone, and of one that is slower than
    /// another perhaps no more than that.
    [[nodiscard]] static constexpr candidates contenders(const mode_table& table,
                                                         const target& on) {
        candidates all{};
        int count = 0;
        const auto refuse = [&]<class Lowering>() {
            candidate& c = all[index_of(Lowering::id)];
            c.refusal = never_wins<Lowering>(table) ? "never wins" : Lowering::refusal(table);
            count += c.refusal == nullptr ? 1 : 0;
        };
        (refuse.template operator()<Lowerings>(), ...);
        if (count > 1) {
            double least = std::numeric_limits<double>::infinity();
            (predict_within<Lowerings>(table, on, all, least), ...);
        }
        return all;
    }

    // Recipes are built where they stay: one that was just written, number by number, is not read
    // in wide registers before the stores are done.

    /// Builds by the lowering that is obvious, or else predicted to be fastest.
    static constexpr void build_best(mode_table& table, const target& on, recipe& how) {
        build_obvious(table, on, how);
        if (how.chosen == lowering::automatic) {
            const choice best = choose(contenders(table, on), lowering::automatic);
            build(best.chosen, table, on, best.seconds, how);
        }
    }

    [[nodiscard]] static constexpr recipe build(lowering chosen, mode_table& table,
                                                const target& on) {
        recipe how;
        build(chosen, table, on, 0, how);
        return how;
    }
    /// seconds, if they are above 0, are what the lowering predicts.
    static constexpr void build(lowering chosen, mode_table& table, const target& on,
                                double seconds, recipe& how) {
        how = {};
        with(chosen, [&]<class Lowering>() {
            static_cast<void>(build_and_cut<Lowering>(table, on, seconds, how, [&](recipe& built) {
                built = Lowering::build(table, on);
                return true;
            }));
        });
        how.chosen = chosen;
    }

    /// What is fastest where an input, counted from 1, is the same in all runs, if another lowering
    /// is predicted to take some seconds.
    [[nodiscard]] static constexpr lowering choose_with_constant(lowering chosen, double seconds,
                                                                 const mode_table& table,
                                                                 const target& on,
                                                                 std::size_t constant) {
        const auto compare = [&]<class Lowering>() {
            if constexpr (requires { Lowering::seconds(table, on, constant); }) {
                if (Lowering::refusal(table) == nullptr &&
                    Lowering::seconds(table, on, constant) < seconds) {
                    chosen = Lowering::id;
                }
            }
        };
        (compare.template operator()<Lowerings>(), ...);
        return chosen;
    }

    /// Builds for an input, counted from 1, that is the same in all runs; how.prepacked_input tells
    /// whether that makes a difference.
    [[nodiscard]] static constexpr recipe build_with_constant(lowering chosen, mode_table& table,
                                                              const target& on,
                                                              std::size_t constant) {
        recipe how{};
        with(chosen, [&]<class Lowering>() {
            static_cast<void>(build_and_cut<Lowering>(table, on, 0, how, [&](recipe& built) {
                if constexpr (requires { Lowering::build(table, on, constant); }) {
                    built = Lowering::build(table, on, constant);
                } else {
                    built = Lowering::build(table, on);
                }
                return true;
            }));
        });
        how.chosen = chosen;
        return how;
    }

    /// The first lowering of the list that says there is no need to compare predictions; automatic
    /// where none does.
    [[nodiscard]] static constexpr lowering obvious(const mode_table& table, const target& on) {
        lowering chosen = lowering::automatic;
        static_cast<void>(
            ((is_obvious<Lowerings>(table, on) ? (chosen = Lowerings::id, true) : false) || ...));
        return chosen;
    }

    /// What build() does, for a step that is obvious; chosen is automatic for others, whose rows
    /// stay as they are.
    static constexpr void build_obvious(mode_table& table, const target& on, recipe& how) {
        if (!(build_if_obvious<Lowerings>(table, on, how) || ...)) {
            how.chosen = lowering::automatic;
        }
    }
    /// Scratch memory that a step needs on any layouts of its extents. A recipe tells what it needs
    /// on those that it was built for.
    [[nodiscard]] static constexpr std::size_t scratch_bytes(lowering chosen,
                                                             const mode_table& table,
                                                             const target& on) {
        std::size_t bytes = 0;
        with(chosen, [&]<class Lowering>() {
            if constexpr (requires { Lowering::scratch_bytes(table, on); }) {
                bytes = Lowering::scratch_bytes(table, on);
            }
        });
        return bytes;
    }

    /// The same by labels alone, for row-major arrays; fits() tells of the extents whether it is
    /// small enough, and then build_obvious would do the same.
    [[nodiscard]] static constexpr recipe outline(mode_table& table, const target& on) {
        recipe how{};
        if (!(outline_one<Lowerings>(table, on, how) || ...)) {
            how.chosen = lowering::automatic;
        }
        return how;
    }

    /// Calls f with the lowering whose id is chosen.
    template <class F>
    static constexpr void with(lowering chosen, F f) {
        ((Lowerings::id == chosen ? void(f.template operator()<Lowerings>()) : void()), ...);
    }

private:
    /// Whether a step may be cut at all. Most calls are short, and on one thread only sums for few
    /// results are cut: these need not be predicted to know that they are not.
    [[nodiscard]] static constexpr bool may_be_cut(const mode_table& table, const target& on) {
        constexpr double worth_a_look = 1 << 14;
        // More results are few_units of any lowering that cuts sums.
        constexpr double many_results = 1 << 14;
        return may_split(table) && table.iterations() >= worth_a_look &&
               (on.threads > 1 || table.elements(0) < many_results);
    }
    /// Builds a step by build(how), unless that returns false, and cuts it. Its seconds, if they
    /// are not known, 0, are predicted from the rows as they were before, and only if there is no
    /// other way to see that nothing is cut.
    template <class Lowering, class Build>
    [[nodiscard]] static constexpr bool build_and_cut(mode_table& table, const target& on,
                                                      double seconds, recipe& how, Build build) {
        if (!may_be_cut(table, on)) {
            return build(how);
        }
        std::array<std::int64_t, most_split_cells> before;
        std::copy_n(table.row(0), table.size() * table.pitch(), before.begin());
        const mode_table unordered(before.data(), table.inputs(), table.size());
        if (!build(how)) {
            return false;
        }
        const units_of_rows units = units_of<Lowering>(how, table, on);
        if (splitter(table, on, 0, 0, units).depends_on_time()) {
            const double predicted = seconds == 0 ? Lowering::seconds(unordered, on) : seconds;
            how.split = splitter(table, on, predicted, how.scratch_bytes, units).choose();
        }
        return true;
    }
    using units_of_rows = std::array<std::int64_t, most_split_cells / mode_table::row_length(1)>;
    template <class Lowering>
    [[nodiscard]] static constexpr units_of_rows units_of(const recipe& how,
                                                          const mode_table& table,
                                                          const target& on) {
        units_of_rows units;
        for (std::size_t m = 0; m < table.size(); ++m) {
            units[m] = Lowering::unit(how, table, m, on);
        }
        return units;
    }

    template <class Lowering>
    [[nodiscard]] static constexpr bool never_wins(const mode_table& table) {
        if constexpr (requires { Lowering::never_wins(table); }) {
            return Lowering::never_wins(table);
        } else {
            return false;
        }
    }
    template <class Lowering>
    [[nodiscard]] static constexpr bool is_obvious(const mode_table& table, const target& on) {
        if constexpr (requires { Lowering::obvious(table, on); }) {
            return Lowering::obvious(table, on);
        } else {
            return false;
        }
    }
    template <class Lowering>
    [[nodiscard]] static constexpr bool build_if_obvious(mode_table& table, const target& on,
                                                         recipe& how) {
        if constexpr (requires { Lowering::obvious(table, on); }) {
            how = {};  // whatever another lowering has begun
            how.chosen = Lowering::id;
            return build_and_cut<Lowering>(table, on, 0, how, [&](recipe& built) {
                return Lowering::build_obvious(table, on, built);
            });
        }
        return false;
    }

    template <class Lowering>
    [[nodiscard]] static constexpr bool outline_one(mode_table& table, const target& on,
                                                    recipe& how) {
        if constexpr (requires { Lowering::outline(table, on, how); }) {
            how.chosen = Lowering::id;
            return Lowering::outline(table, on, how);
        } else {
            return false;
        }
    }

    template <class Lowering>
    static constexpr void predict(const mode_table& table, const target& on, candidates& all) {
        candidate& c = all[index_of(Lowering::id)];
        c.seconds = c.refusal == nullptr ? Lowering::seconds(table, on) : 0.0;
    }

    /// Predicts one of several, of which others take least seconds.
    template <class Lowering>
    static constexpr void predict_within(const mode_table& table, const target& on, candidates& all,
                                         double& least) {
        candidate& c = all[index_of(Lowering::id)];
        if (c.refusal != nullptr) {
            return;
        }
        if constexpr (requires { Lowering::seconds_within(table, on, least); }) {
            c.seconds = Lowering::seconds_within(table, on, least);
        } else {
            c.seconds = Lowering::seconds(table, on);
        }
        least = std::min(least, c.seconds);
    }

    [[nodiscard]] static constexpr std::size_t index_of(lowering l) noexcept {
        std::size_t i = 0;
        while (lowerings_in_order[i] != l) {
            ++i;
        }
        return i;
    }
};

}  // namespace xeinsum::planning
