// The choice of a lowering for one loop nest: whichever applies and is predicted to take least time
// computes "ij,jk->ik", unless the caller forces another.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <concepts>
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

/// What a lowering tells the planner. The planner calls it by these pointers, so that a program
/// holds its algorithms once, not once a lowering. What a lowering lacks says no: compilers that
/// look for undefined behaviour do not compare pointers to functions with null in constants.
struct lowering_decisions {
    lowering id;
    const char* (*refusal)(const mode_table&);
    bool (*never_wins)(const mode_table&);
    double (*seconds)(const mode_table&, const target&);
    double (*seconds_within)(const mode_table&, const target&, double most);
    double (*seconds_with_constant)(const mode_table&, const target&, std::size_t constant);
    recipe (*build)(mode_table&, const target&, std::size_t constant);
    std::int64_t (*unit)(const recipe&, const mode_table&, std::size_t row, const target&);
    bool (*obvious)(const mode_table&, const target&);
    bool (*build_obvious)(mode_table&, const target&, recipe&);
    bool (*precompute)(mode_table&, const target&, recipe&);
    std::size_t (*scratch_bytes)(const mode_table&, const target&);
};

/// A lowering of the planner:
///   id
///   refusal(table): null if it applies, or why it does not
///   seconds(table, target): predicted
///   build(table, target): the recipe; orders the rows
///   unit(recipe, table, row, target): iterations of a row of the built table that no cut may part,
///     0 where none is possible
/// It may have
///   seconds and build with a third argument: an input that is the same in all runs, counted from
///     1, or 0
///   never_wins(table): another is always as fast or faster
///   seconds_within(table, target, most): seconds where that is less than most, otherwise any
///     number that is not
/// and, for steps of which it knows that nothing is faster,
///   obvious(table, target)
///   build_obvious(table, target, recipe&): builds if it is so
///   precompute(table, target, recipe&): builds whatever the extents
///   fits(table, recipe, target): whether the extents of a precomputed step are as small as that
///   asks scratch_bytes(table, target): the most for any layouts of these extents
/// and, for what is beyond plans, least_inputs and functions to describe and run what it built.
template <class L>
concept decides_lowering = requires(const mode_table& rows, mode_table& table, const recipe& how,
                                    const target& on) {
    {lowering{L::id}};
    { L::refusal(rows) } -> std::same_as<const char*>;
    { L::seconds(rows, on) } -> std::same_as<double>;
    { L::build(table, on) } -> std::same_as<recipe>;
    { L::unit(how, rows, std::size_t{}, on) } -> std::same_as<std::int64_t>;
};

template <decides_lowering L>
[[nodiscard]] constexpr lowering_decisions decisions_of() noexcept {
    lowering_decisions d{};
    d.id = L::id;
    d.refusal = [](const mode_table& t) { return L::refusal(t); };
    d.seconds = [](const mode_table& t, const target& on) { return L::seconds(t, on); };
    d.build = [](mode_table& t, const target& on, [[maybe_unused]] std::size_t constant) {
        if constexpr (requires { L::build(t, on, constant); }) {
            return L::build(t, on, constant);
        } else {
            return L::build(t, on);
        }
    };
    d.unit = [](const recipe& how, const mode_table& t, std::size_t row, const target& on) {
        return L::unit(how, t, row, on);
    };
    d.never_wins = [](const mode_table& t) {
        if constexpr (requires { L::never_wins(t); }) {
            return L::never_wins(t);
        } else {
            return false;
        }
    };
    d.seconds_within = [](const mode_table& t, const target& on, [[maybe_unused]] double most) {
        if constexpr (requires { L::seconds_within(t, on, most); }) {
            return L::seconds_within(t, on, most);
        } else {
            return L::seconds(t, on);
        }
    };
    d.seconds_with_constant = [](const mode_table& t, const target& on,
                                 [[maybe_unused]] std::size_t constant) {
        if constexpr (requires { L::seconds(t, on, constant); }) {
            return L::seconds(t, on, constant);
        } else {
            return std::numeric_limits<double>::infinity();
        }
    };
    d.obvious = [](const mode_table& t, const target& on) {
        if constexpr (requires { L::obvious(t, on); }) {
            return L::obvious(t, on);
        } else {
            return false;
        }
    };
    d.build_obvious = [](mode_table& t, const target& on, recipe& how) {
        if constexpr (requires { L::build_obvious(t, on, how); }) {
            return L::build_obvious(t, on, how);
        } else {
            return false;
        }
    };
    d.precompute = [](mode_table& t, const target& on, recipe& how) {
        if constexpr (requires { L::precompute(t, on, how); }) {
            return L::precompute(t, on, how);
        } else {
            return false;
        }
    };
    d.scratch_bytes = [](const mode_table& t, const target& on) {
        if constexpr (requires { L::scratch_bytes(t, on); }) {
            return L::scratch_bytes(t, on);
        } else {
            return std::size_t{0};
        }
    };
    return d;
}

/// The lowerings that compete, and what the planner asks of all of them.
class contest {
public:
    constexpr explicit contest(list_view<const lowering_decisions> lowerings) noexcept
        : lowerings_(lowerings) {}

    [[nodiscard, gnu::cold]] constexpr candidates evaluate(const mode_table& table,
                                                           const target& on) const {
        candidates all = absent();
        for (const lowering_decisions& l : lowerings_) {
            candidate& c = all[index_of(l.id)];
            c.refusal = l.refusal(table);
            c.seconds = c.refusal == nullptr ? l.seconds(table, on) : 0.0;
        }
        return all;
    }

    /// What evaluate() tells of those that may be chosen where that is left open: not of one that
    /// never wins, no prediction of one that is left alone, and of one that is slower than
    /// another perhaps no more than that.
    [[nodiscard]] constexpr candidates contenders(const mode_table& table, const target& on) const {
        candidates all = absent();
        int count = 0;
        for (const lowering_decisions& l : lowerings_) {
            const bool loses = l.never_wins(table);
            candidate& c = all[index_of(l.id)];
            c.refusal = loses ? "never wins" : l.refusal(table);
            count += c.refusal == nullptr ? 1 : 0;
        }
        double least = std::numeric_limits<double>::infinity();
        for (const lowering_decisions& l : lowerings_) {
            candidate& c = all[index_of(l.id)];
            if (count > 1 && c.refusal == nullptr) {
                c.seconds = l.seconds_within(table, on, least);
                least = std::min(least, c.seconds);
            }
        }
        return all;
    }

    // Recipes are built where they stay: one that was just written, number by number, is not read
    // in wide registers before the stores are done.

    /// Builds by the lowering that is obvious, or else predicted to be fastest.
    constexpr void build_best(mode_table& table, const target& on, recipe& how) const {
        build_obvious(table, on, how);
        if (how.chosen == lowering::automatic) {
            const choice best = choose(contenders(table, on), lowering::automatic);
            build(best.chosen, table, on, best.seconds, how);
        }
    }

    [[nodiscard]] constexpr recipe build(lowering chosen, mode_table& table,
                                         const target& on) const {
        recipe how;
        build(chosen, table, on, 0, how);
        return how;
    }
    /// seconds, if they are above 0, are what the lowering predicts. constant is an input that is
    /// the same in all runs, counted from 1, or 0; how.prepacked_input tells whether that makes a
    /// difference.
    constexpr void build(lowering chosen, mode_table& table, const target& on, double seconds,
                         recipe& how, std::size_t constant = 0) const {
        how = {};
        for (const lowering_decisions& l : lowerings_) {
            if (l.id == chosen) {
                static_cast<void>(build_and_cut(l, false, table, on, seconds, how, constant));
            }
        }
        how.chosen = chosen;
    }

    /// What is fastest where an input, counted from 1, is the same in all runs, if another lowering
    /// is predicted to take some seconds.
    [[nodiscard, gnu::cold]] constexpr lowering choose_with_constant(lowering chosen,
                                                                     double seconds,
                                                                     const mode_table& table,
                                                                     const target& on,
                                                                     std::size_t constant) const {
        for (const lowering_decisions& l : lowerings_) {
            if (l.refusal(table) == nullptr &&
                l.seconds_with_constant(table, on, constant) < seconds) {
                chosen = l.id;
            }
        }
        return chosen;
    }

    /// The first lowering that says there is no need to compare predictions; automatic where none
    /// does.
    [[nodiscard]] constexpr lowering obvious(const mode_table& table, const target& on) const {
        for (const lowering_decisions& l : lowerings_) {
            if (l.obvious(table, on)) {
                return l.id;
            }
        }
        return lowering::automatic;
    }

    /// What build() does, for a step that is obvious; chosen is automatic for others, whose rows
    /// stay as they are.
    constexpr void build_obvious(mode_table& table, const target& on, recipe& how) const {
        for (const lowering_decisions& l : lowerings_) {
            how = {};  // whatever another lowering has begun
            how.chosen = l.id;
            if (build_and_cut(l, true, table, on, 0, how, 0)) {
                return;
            }
        }
        how.chosen = lowering::automatic;
    }
    /// Scratch memory that a step needs on any layouts of its extents. A recipe tells what it needs
    /// on those that it was built for.
    [[nodiscard]] constexpr std::size_t scratch_bytes(lowering chosen, const mode_table& table,
                                                      const target& on) const {
        std::size_t bytes = 0;
        for (const lowering_decisions& l : lowerings_) {
            bytes = l.id == chosen ? l.scratch_bytes(table, on) : bytes;
        }
        return bytes;
    }

    /// The same by labels alone, for row-major arrays; fits() of the lowering tells of the extents
    /// whether the step is small enough, and then build_obvious would do the same.
    [[nodiscard]] constexpr recipe precompute(mode_table& table, const target& on) const {
        recipe how{};
        for (const lowering_decisions& l : lowerings_) {
            how.chosen = l.id;
            if (l.precompute(table, on, how)) {
                return how;
            }
        }
        how.chosen = lowering::automatic;
        return how;
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
    /// Builds a step, if it is obvious or if that is not asked, and cuts it. Its seconds, if they
    /// are not known, 0, are predicted from the rows as they were before, and only if there is no
    /// other way to see that nothing is cut.
    [[nodiscard]] static constexpr bool build_and_cut(const lowering_decisions& l, bool obvious,
                                                      mode_table& table, const target& on,
                                                      double seconds, recipe& how,
                                                      std::size_t constant) {
        const auto build = [&] {
            if (obvious) {
                return l.build_obvious(table, on, how);
            }
            how = l.build(table, on, constant);
            return true;
        };
        if (!may_be_cut(table, on)) {
            return build();
        }
        std::array<std::int64_t, most_split_cells> before;
        std::copy_n(table.row(0), table.size() * table.pitch(), before.begin());
        const mode_table unordered(before.data(), table.inputs(), table.size());
        if (!build()) {
            return false;
        }
        std::array<std::int64_t, most_split_cells / mode_table::row_length(1)> units;
        for (std::size_t m = 0; m < table.size(); ++m) {
            units[m] = l.unit(how, table, m, on);
        }
        if (splitter(table, on, 0, 0, units).depends_on_time()) {
            const double predicted = seconds == 0 ? l.seconds(unordered, on) : seconds;
            how.split = splitter(table, on, predicted, how.scratch_bytes, units).choose();
        }
        return true;
    }

    /// What to say of lowerings that do not compete.
    [[nodiscard]] static constexpr candidates absent() noexcept {
        candidates all{};
        for (candidate& c : all) {
            c.refusal = "not for such steps";
        }
        return all;
    }
    [[nodiscard]] static constexpr std::size_t index_of(lowering l) noexcept {
        std::size_t i = 0;
        while (lowerings_in_order[i] != l) {
            ++i;
        }
        return i;
    }

    list_view<const lowering_decisions> lowerings_;
};

/// A list of lowerings.
template <decides_lowering... Lowerings>
struct lowering_list {
    static constexpr std::array decisions{decisions_of<Lowerings>()...};
    static constexpr contest decide{decisions};

    /// Calls f with the lowering whose id is chosen.
    template <class F>
    static constexpr void with(lowering chosen, F f) {
        ((Lowerings::id == chosen ? void(f.template operator()<Lowerings>()) : void()), ...);
    }
};

}  // namespace xeinsum::planning
