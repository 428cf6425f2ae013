// How random calls are made and made simpler.
#include "random_case.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace support {

namespace {

/// Terms that a reference visits at most; beyond, a case is made smaller.
constexpr double most_terms = 10000;
/// Elements of an operand, which may be many more: a long diagonal of high rank.
constexpr double most_elements = 20000;

class generator {
public:
    explicit generator(std::uint64_t seed) : engine_(seed) {}

    [[nodiscard]] int integer(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(engine_);
    }
    [[nodiscard]] bool chance(double p) { return std::bernoulli_distribution(p)(engine_); }

    template <class List>
    [[nodiscard]] auto pick(const List& list) {
        return list[static_cast<std::size_t>(integer(0, static_cast<int>(list.size()) - 1))];
    }
    template <class List>
    void shuffle(List& list) {
        std::shuffle(list.begin(), list.end(), engine_);
    }

    [[nodiscard]] random_case make(std::uint64_t seed) {
        random_case c;
        c.seed = seed;
        choose_terms(c);
        choose_output(c);
        choose_call(c);
        return c;
    }

private:
    [[nodiscard]] std::size_t extent() {
        if (chance(0.02)) {
            return 0;
        }
        if (chance(0.12)) {
            return 1;
        }
        // Some long enough to be cut into several blocks of a matrix product.
        return static_cast<std::size_t>(chance(0.02)   ? integer(200, 900)
                                        : chance(0.12) ? integer(6, 40)
                                                       : integer(2, 5));
    }

    void choose_terms(random_case& c) {
        const int count = chance(0.15) ? 1 : chance(0.6) ? 2 : integer(3, 5);
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
        while (terms_of(c) > most_terms || largest_operand(c) > most_elements) {
            shrink_longest(c);
        }
        for (random_term& t : c.terms) {
            t.lies = chance(0.4) ? contiguous(t.extents.size())
                                 : random_placement(t.extents.size(), engine_(), chance(0.1));
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
        shuffle(output);
        c.output = output;
    }

    void choose_call(random_case& c) {
        using xeinsum::lowering;
        using xeinsum::notation;
        using xeinsum::path_strategy;
        const bool needs_arrow = !c.output.has_value();
        c.spelled = chance(0.8)                  ? notation::letters
                    : chance(0.5) || needs_arrow ? notation::integers
                                                 : notation::names;
        c.mode = pick(std::vector{call_mode::einsum, call_mode::einsum, call_mode::einsum_to,
                                  call_mode::plan, call_mode::in_place});
        c.options.lowering =
            pick(std::vector{lowering::automatic, lowering::automatic, lowering::gemm,
                             lowering::broadcast_multiply_reduce, lowering::depthwise_convolution});
        c.options.path =
            pick(std::vector{path_strategy::automatic, path_strategy::automatic,
                             path_strategy::greedy, path_strategy::optimal, path_strategy::fused});
        if (c.mode != call_mode::einsum) {
            c.alpha = pick(std::vector{1.0, 1.0, -2.0, 3.0});
            c.beta = pick(std::vector{0.0, 0.0, 1.0, -2.0});
        }
        c.special_values = chance(0.05);
        c.infinities = c.special_values && forms_every_term(c);
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

    std::mt19937_64 engine_;
};

[[nodiscard]] std::string spell(int l, xeinsum::notation n) {
    if (l == dots) {
        return "...";
    }
    return n == xeinsum::notation::names ? "axis_" + std::to_string(l)
                                         : std::string(1, static_cast<char>("aBcDeFgHiJkLmN"[l]));
}

[[nodiscard]] std::string spell(const std::vector<int>& labels, xeinsum::notation n) {
    std::string text;
    for (const int l : labels) {
        text += n == xeinsum::notation::names && !text.empty() ? " " : "";
        text += spell(l, n);
    }
    return text;
}

[[nodiscard]] std::vector<std::int64_t> numbers(const std::vector<int>& labels) {
    std::vector<std::int64_t> out;
    for (const int l : labels) {
        out.push_back(l == dots ? xeinsum::ellipsis : std::int64_t{10} * l - 7);
    }
    return out;
}

/// Drops output labels that no term has any more.
void mend_output(random_case& c) {
    if (c.output) {
        std::erase_if(*c.output, [&](int l) {
            return std::none_of(c.terms.begin(), c.terms.end(), [&](const random_term& t) {
                return std::find(t.labels.begin(), t.labels.end(), l) != t.labels.end();
            });
        });
    }
}

}  // namespace

placement contiguous(std::size_t rank) {
    placement p{shape(rank), std::vector<std::int64_t>(rank, 1)};
    std::iota(p.order.begin(), p.order.end(), std::size_t{0});
    return p;
}

placement random_placement(std::size_t rank, std::uint64_t seed, bool stands_still) {
    generator g(seed);
    placement p = contiguous(rank);
    if (g.chance(0.7)) {
        g.shuffle(p.order);
    }
    int room = 12;  // times the memory that the elements themselves take
    for (std::int64_t& s : p.steps) {
        s = g.chance(0.6) || room < 3 ? 1 : g.integer(1, 3);
        room /= static_cast<int>(s);
        s = g.chance(0.2) ? -s : s;
        s = stands_still && g.chance(0.4) ? 0 : s;
    }
    return p;
}

random_case make_case(std::uint64_t seed) {
    return generator(seed).make(seed);
}

xeinsum::equation random_case::equation() const {
    if (spelled == xeinsum::notation::integers) {
        std::vector<std::vector<std::int64_t>> inputs;
        for (const random_term& t : terms) {
            inputs.push_back(numbers(t.labels));
        }
        return output ? xeinsum::equation::from_labels(inputs, numbers(*output))
                      : xeinsum::equation::from_labels(inputs);
    }
    std::string text;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        text += i == 0 ? "" : ",";
        text += spell(terms[i].labels, spelled);
    }
    if (output) {
        text += "->";
        text += spell(*output, spelled);
    }
    return xeinsum::parse(std::string_view(text), spelled);
}

std::string random_case::text() const {
    std::string line = "seed " + std::to_string(seed) + ": " + std::string(equation().text());
    for (const random_term& t : terms) {
        line += " (";
        for (std::size_t a = 0; a < t.extents.size(); ++a) {
            line += a == 0 ? "" : ",";
            line += std::to_string(t.extents[a]);
            line += '/';
            line += std::to_string(t.lies.steps[a]);
        }
        line += std::is_sorted(t.lies.order.begin(), t.lies.order.end()) ? ")" : " permuted)";
    }
    line += " mode " + std::to_string(static_cast<int>(mode)) + " lowering " +
            std::string(name(options.lowering)) + " path " +
            std::to_string(static_cast<int>(options.path)) + " alpha " + std::to_string(alpha) +
            " beta " + std::to_string(beta) +
            (infinities       ? " with Inf and NaN"
             : special_values ? " with NaN"
                              : "");
    return line;
}

std::vector<random_case> simpler_cases(const random_case& c) {
    std::vector<random_case> cases;
    const auto with = [&](auto change) {
        random_case simpler = c;
        change(simpler);
        mend_output(simpler);
        cases.push_back(simpler);
    };
    for (std::size_t i = 0; i < c.terms.size(); ++i) {
        if (c.terms.size() > 1) {
            with([&](random_case& s) { s.terms.erase(s.terms.begin() + static_cast<long>(i)); });
        }
        const random_term& t = c.terms[i];
        const bool has_dots = std::find(t.labels.begin(), t.labels.end(), dots) != t.labels.end();
        for (std::size_t a = 0; a < t.extents.size() && !has_dots; ++a) {
            with([&](random_case& s) {
                random_term& term = s.terms[i];
                term.labels.erase(term.labels.begin() + static_cast<long>(a));
                term.extents.erase(term.extents.begin() + static_cast<long>(a));
                term.lies = contiguous(term.extents.size());
            });
        }
        if (t.lies.order != contiguous(t.extents.size()).order ||
            t.lies.steps != contiguous(t.extents.size()).steps) {
            with([&](random_case& s) { s.terms[i].lies = contiguous(t.extents.size()); });
        }
    }
    std::set<std::size_t> extents;
    for (const random_term& t : c.terms) {
        extents.insert(t.extents.begin(), t.extents.end());
    }
    for (const std::size_t e : extents) {
        if (e > 2) {
            with([&](random_case& s) {
                for (random_term& t : s.terms) {
                    std::replace(t.extents.begin(), t.extents.end(), e,
                                 e / 2 + 1 == e ? e - 1 : e / 2 + 1);
                }
            });
        }
    }
    if (c.mode != call_mode::einsum) {
        with([](random_case& s) {
            s.mode = call_mode::einsum;
            s.alpha = 1;
            s.beta = 0;
        });
    }
    if (c.beta != 0) {
        with([](random_case& s) { s.beta = 0; });
    }
    if (c.alpha != 1) {
        with([](random_case& s) { s.alpha = 1; });
    }
    if (c.special_values) {
        with([](random_case& s) { s.special_values = s.infinities = false; });
    }
    if (c.options.lowering != xeinsum::lowering::automatic) {
        with([](random_case& s) { s.options.lowering = xeinsum::lowering::automatic; });
    }
    return cases;
}

}  // namespace support
