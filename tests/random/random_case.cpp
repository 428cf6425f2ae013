// How random calls are drawn.
#include "random_case.hpp"

#include "../support/targets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>

namespace random_calls {

namespace {

/// Terms that the loops of a test visit at most; beyond, a case is made smaller. The few large
/// cases are long enough to be cut for threads.
constexpr double most_terms = 10000;
constexpr double least_terms_of_large_cases = 30000;
constexpr double most_terms_of_large_cases = 100000;
/// Elements of an operand, which may be many more: a long diagonal of high rank.
constexpr double most_elements = 20000;

class generator {
public:
    explicit generator(std::uint64_t seed) : random_(seed) {}

    [[nodiscard]] random_case make(std::uint64_t seed) {
        random_case c;
        c.seed = seed;
        if (chance(0.01)) {
            choose_product(c);
        } else {
            large_ = chance(0.05);
            for (int tries = large_ ? 20 : 1; tries > 0; --tries) {
                c.terms.clear();
                choose_terms(c);
                tries = terms_of(c) > least_terms_of_large_cases ? 0 : tries;
            }
            choose_output(c);
        }
        for (random_term& t : c.terms) {
            t.lies = operand_strides(random_, t.extents);
        }
        choose_way(c);
        choose_options(c);
        return c;
    }

private:
    [[nodiscard]] bool chance(double p) { return random_.chance(p); }
    [[nodiscard]] int integer(int low, int high) {
        return static_cast<int>(random_.integer(low, high));
    }

    [[nodiscard]] std::size_t extent() {
        if (chance(0.02)) {
            return 0;
        }
        if (chance(0.12)) {
            return 1;
        }
        // Some long enough to be cut into several blocks of a matrix product.
        return static_cast<std::size_t>(chance(large_ ? 0.15 : 0.02)  ? integer(200, 1200)
                                        : chance(large_ ? 0.6 : 0.12) ? integer(6, 70)
                                                                      : integer(2, 5));
    }

    void choose_terms(random_case& c) {
        const int count = chance(0.15) ? 1 : chance(0.6) ? 2 : integer(3, large_ ? 3 : 5);
        const int pool = integer(1, 3 + 2 * count);
        const int covered = chance(0.35) ? integer(0, 3) : 0;  // axes under the longest "..."
        const bool ellipses = covered > 0 || chance(0.1);
        std::map<int, std::size_t> extents;
        shape dot_extents;
        for (int l = 0; l < pool; ++l) {
            extents[l] = extent();
        }
        for (int a = 0; a < covered; ++a) {
            dot_extents.push_back(extent());
        }
        for (int i = 0; i < count; ++i) {
            c.terms.push_back(choose_term(pool, extents, ellipses, dot_extents));
        }
        const double most = large_ ? most_terms_of_large_cases : most_terms;
        while (terms_of(c) > most || largest_operand(c) > most_elements) {
            shrink_longest(c);
        }
    }

    [[nodiscard]] random_term choose_term(int pool, const std::map<int, std::size_t>& extents,
                                          bool ellipses, const shape& dot_extents) {
        random_term term;
        const int rank = chance(0.05) ? integer(6, 8) : integer(0, 4);
        const int dots_at = ellipses && chance(0.8) ? integer(0, rank) : -1;
        std::map<int, std::size_t> own;
        for (int a = 0; a <= rank; ++a) {
            if (a == dots_at) {
                term.labels.push_back(dots);
                const int axes = integer(0, static_cast<int>(dot_extents.size()));
                for (auto e = dot_extents.end() - axes; e != dot_extents.end(); ++e) {
                    term.extents.push_back(chance(0.15) ? 1 : *e);
                }
            }
            if (a == rank) {
                break;
            }
            const int l = integer(0, pool - 1);
            if (own.count(l) == 0) {
                own[l] = chance(0.1) ? 1 : extents.at(l);
            } else if (!chance(0.4)) {
                continue;  // fewer diagonals than chance alone would bring
            }
            term.labels.push_back(l);
            term.extents.push_back(own[l]);
        }
        return term;
    }

    /// An upper bound on the terms of all sums.
    [[nodiscard]] static double terms_of(const random_case& c) {
        std::map<int, std::size_t> longest;
        double under_dots = 1;
        for (const random_term& t : c.terms) {
            std::size_t axis = 0;
            double own_dots = 1;
            for (const int l : t.labels) {
                const std::size_t axes = l == dots ? t.extents.size() - (t.labels.size() - 1) : 1;
                for (std::size_t a = 0; a < axes; ++a, ++axis) {
                    if (l == dots) {
                        own_dots *= static_cast<double>(std::max<std::size_t>(t.extents[axis], 1));
                    } else {
                        longest[l] = std::max(longest[l], t.extents[axis]);
                    }
                }
            }
            under_dots *= own_dots;
        }
        double terms = under_dots;
        for (const auto& [l, e] : longest) {
            terms *= static_cast<double>(std::max<std::size_t>(e, 1));
        }
        return terms;
    }

    [[nodiscard]] static double largest_operand(const random_case& c) {
        double largest = 0;
        for (const random_term& t : c.terms) {
            double elements = 1;
            for (const std::size_t e : t.extents) {
                elements *= static_cast<double>(std::max<std::size_t>(e, 1));
            }
            largest = std::max(largest, elements);
        }
        return largest;
    }

    /// Lowers the greatest extent everywhere.
    static void shrink_longest(random_case& c) {
        std::size_t longest = 0;
        for (const random_term& t : c.terms) {
            for (const std::size_t e : t.extents) {
                longest = std::max(longest, e);
            }
        }
        for (random_term& t : c.terms) {
            for (std::size_t& e : t.extents) {
                e = e == longest ? std::max<std::size_t>(longest / 2, 1) : e;
            }
        }
    }

    void choose_output(random_case& c) {
        if (chance(0.2)) {
            return;
        }
        std::set<int> used;
        for (const random_term& t : c.terms) {
            used.insert(t.labels.begin(), t.labels.end());
        }
        std::vector<int> output;
        const double keep = chance(0.3) ? 1.0 : 0.6;
        for (const int l : used) {
            if (chance(l == dots ? 0.85 : keep)) {
                output.push_back(l);
            }
        }
        random_.shuffle(output);
        c.output = output;
    }

    /// A matrix product larger than blocks and panels in one direction or another.
    void choose_product(random_case& c) {
        struct most {
            int rows[2], columns[2], depth[2];
        };
        const most up_to = random_.pick<most>({{{9, 9}, {9, 9}, {40, 40}},
                                               {{3, 3}, {4, 4}, {30, 400}},
                                               {{3, 3}, {20, 60}, {15, 15}},
                                               {{2, 1}, {2, 1}, {100, 800}}});
        shape extents;
        for (const auto& both : {up_to.rows, up_to.columns, up_to.depth}) {
            extents.push_back(static_cast<std::size_t>(integer(1, both[0])));
            extents.push_back(static_cast<std::size_t>(integer(1, both[1])));
        }
        extents.push_back(chance(0.2) ? 3 : 1);  // a batch
        const auto in_any_order = [&](std::vector<std::vector<int>> groups) {
            random_.shuffle(groups);
            std::vector<int> labels;
            for (const auto& group : groups) {
                labels.insert(labels.end(), group.begin(), group.end());
            }
            if (chance(0.3)) {
                random_.shuffle(labels);
            }
            return labels;
        };
        for (const auto& labels :
             {in_any_order({{0, 1}, {4, 5}, {6}}), in_any_order({{2, 3}, {4, 5}, {6}})}) {
            random_term t;
            t.labels = labels;
            for (const int l : labels) {
                t.extents.push_back(extents[static_cast<std::size_t>(l)]);
            }
            c.terms.push_back(t);
        }
        c.output = in_any_order({{0, 1}, {2, 3}, {6}});
    }

    void choose_way(random_case& c) {
        using xeinsum::notation;
        const bool needs_arrow = !c.output.has_value();
        c.spelled = chance(0.8)                  ? notation::letters
                    : chance(0.5) || needs_arrow ? notation::integers
                                                 : notation::names;
        c.way = random_.pick({call_way::einsum, call_way::einsum_to, call_way::einsum_to,
                              call_way::plan, call_way::plan, call_way::plan});
        c.listed = c.terms.size() > 3 || chance(0.2);
        c.planned = random_.pick({planned_for::arrays, planned_for::arrays, planned_for::row_major,
                                  planned_for::others});
        if (c.way == call_way::plan && chance(0.3)) {
            for (std::size_t i = 0; i < c.terms.size(); ++i) {
                c.bound[i] = chance(0.5);
            }
        }
        if (c.way != call_way::einsum) {
            c.alpha = random_.pick({1.0, 1.0, -2.0, 3.0, 0.0});
            c.beta = random_.pick({0.0, 0.0, 1.0, -2.0});
            if (chance(0.25)) {
                c.overlapped = random_.below(c.terms.size());
            }
        }
        // 0 times NaN is NaN, or 0 where nothing is multiplied.
        c.special_values = c.alpha != 0 && chance(0.05);
        c.infinities = c.special_values && forms_every_term(c);
    }

    void choose_options(random_case& c) {
        using xeinsum::lowering;
        using xeinsum::path_strategy;
        c.lowering =
            random_.pick({lowering::automatic, lowering::automatic, lowering::gemm,
                          lowering::broadcast_multiply_reduce, lowering::depthwise_convolution});
        c.path = random_.pick({path_strategy::automatic, path_strategy::automatic,
                               path_strategy::greedy, path_strategy::optimal, path_strategy::fused,
                               path_strategy::random_greedy, path_strategy::numbered_pairs,
                               path_strategy::linear_pairs});
        if (c.path == path_strategy::numbered_pairs || c.path == path_strategy::linear_pairs) {
            choose_pairs(c);
        }
        if (c.terms.size() > 2 && chance(0.3)) {
            c.memory_limit = static_cast<std::size_t>(1) << random_.below(11);
        }
        c.threads = chance(large_ ? 0.8 : 0.2) ? static_cast<unsigned>(integer(2, 7)) : 1;
        c.machine = chance(0.4) ? random_.below(drawn_machines) : 0;
        if (c.threads > 1) {
            c.machine |= 1U;  // where threads cost nothing, else none is ever used
        }
    }

    /// Any path, in numbers of terms or in positions among those that are left.
    void choose_pairs(random_case& c) {
        std::vector<std::size_t> left(c.terms.size());
        for (std::size_t i = 0; i < left.size(); ++i) {
            left[i] = i;
        }
        for (std::size_t next = left.size(); left.size() > 1; ++next) {
            const std::size_t a = random_.below(left.size());
            const std::size_t b = (a + 1 + random_.below(left.size() - 1)) % left.size();
            const bool numbered = c.path == xeinsum::path_strategy::numbered_pairs;
            c.pairs.emplace_back(numbered ? left[a] : a, numbered ? left[b] : b);
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)));
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(std::min(a, b)));
            left.push_back(next);
        }
    }

    /// Whether no factor can be taken out of the sums, so that infinities are added as IEEE says:
    /// (1 - 1) * Inf is NaN, 1 * Inf - 1 * Inf too, but (2 - 1) * Inf is not.
    [[nodiscard]] static bool forms_every_term(const random_case& c) {
        if (c.terms.size() > 2 || !c.output) {
            return c.terms.size() == 1;
        }
        return std::all_of(
                   c.terms.begin(), c.terms.end(),
                   [&](const random_term& t) {
                       return std::all_of(t.labels.begin(), t.labels.end(), [&](int l) {
                           const auto in = [&](const std::vector<int>& labels) {
                               return std::find(labels.begin(), labels.end(), l) != labels.end();
                           };
                           return l != dots && (in(*c.output) || (in(c.terms.front().labels) &&
                                                                  in(c.terms.back().labels)));
                       });
                   }) &&
               std::none_of(c.terms.begin(), c.terms.end(), [](const random_term& t) {
                   return std::find(t.extents.begin(), t.extents.end(), 1) != t.extents.end();
               });
    }

    random_source random_;
    bool large_ = false;
};

[[nodiscard]] std::vector<xeinsum::machine> draw_machines() {
    using xeinsum::machine;
    constexpr auto figures = std::tuple{&machine::hertz,
                                        &machine::fused_multiply_adds_per_cycle,
                                        &machine::loads_per_cycle,
                                        &machine::bytes_per_second,
                                        &machine::cached_bytes_per_second,
                                        &machine::near_bytes_per_second,
                                        &machine::cache_bytes,
                                        &machine::near_cache_bytes,
                                        &machine::first_cache_bytes,
                                        &machine::near_line_cycles,
                                        &machine::cached_line_cycles,
                                        &machine::distant_line_cycles,
                                        &machine::page_cycles,
                                        &machine::line_cycles,
                                        &machine::term_line_cycles,
                                        &machine::lane_sum_cycles,
                                        &machine::lone_sum_cycles,
                                        &machine::rows_cycles,
                                        &machine::window_line_cycles,
                                        &machine::window_cycles,
                                        &machine::window_sum_cycles,
                                        &machine::gather_cycles,
                                        &machine::sum_cycles,
                                        &machine::input_cycles,
                                        &machine::tile_cycles,
                                        &machine::scatter_cycles,
                                        &machine::scalar_cycles,
                                        &machine::scalar_result_cycles,
                                        &machine::scalar_window_cycles,
                                        &machine::step_seconds,
                                        &machine::product_seconds,
                                        &machine::pack_seconds,
                                        &machine::reorder_seconds};
    std::vector<machine> machines(drawn_machines);
    random_source random(1);
    for (std::size_t i = 0; i < machines.size(); ++i) {
        machine& m = machines[i];
        m = i + 2 < machines.size() ? machine{} : support::copying_machine;
        const auto change = [&](auto& figure) {
            const double factor = random.pick({0.01, 0.1, 1.0, 10.0, 100.0});
            figure = static_cast<std::remove_reference_t<decltype(figure)>>(
                static_cast<double>(figure) * factor);
        };
        if (i >= 2) {
            std::apply([&](auto... all) { (change(m.*all), ...); }, figures);
        }
        m.piece_seconds = i % 2 == 1 ? 1e-9 : m.piece_seconds;
    }
    return machines;
}

}  // namespace

random_case make_case(std::uint64_t seed) {
    return generator(seed).make(seed);
}

const xeinsum::machine* drawn_machine(std::size_t number) {
    static const std::vector<xeinsum::machine> machines = draw_machines();
    return number == 0 ? nullptr : &machines[number];
}

xeinsum::options random_case::options(std::size_t element_bytes) const {
    xeinsum::options wanted;
    wanted.lowering = lowering;
    wanted.path = path;
    if (memory_limit > 0) {
        wanted.memory_limit = memory_limit * element_bytes;
    }
    wanted.threads = threads;
    wanted.path_restarts = 8;
    wanted.path_pairs = pairs;
    wanted.machine = drawn_machine(machine);
    return wanted;
}

}  // namespace random_calls
