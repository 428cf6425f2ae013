#include <xeinsum/plan/path.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <vector>

using xeinsum::label;
using xeinsum::path_strategy;
using xeinsum::planning::contraction_path;
using xeinsum::planning::find_path;
using xeinsum::planning::path_problem;

namespace {

using label_set = std::set<label>;

/// The terms that a path makes, from the definition: what a pair has and something else needs.
struct replay {
    std::vector<label_set> terms{};
    double multiplications = 0;
    double largest = 0;

    replay(const path_problem& p, const contraction_path& path) {
        for (const auto& t : p.terms) {
            terms.emplace_back(t.begin(), t.end());
        }
        std::vector<bool> used(terms.size(), false);
        for (const auto& [lhs, rhs] : path) {
            REQUIRE(lhs != rhs);
            REQUIRE(!used[lhs]);
            REQUIRE(!used[rhs]);
            used[lhs] = used[rhs] = true;
            label_set all = terms[lhs];
            all.insert(terms[rhs].begin(), terms[rhs].end());
            multiplications += size(p, all);
            label_set out;
            for (const label l : all) {
                bool needed = std::count(p.output.begin(), p.output.end(), l) > 0;
                for (std::size_t t = 0; t < terms.size(); ++t) {
                    needed = needed || (!used[t] && terms[t].count(l) > 0);
                }
                if (needed) {
                    out.insert(l);
                }
            }
            terms.push_back(out);
            used.push_back(false);
            if (terms.size() < 2 * p.terms.size() - 1) {
                largest = std::max(largest, size(p, out));
            }
        }
    }

    static double size(const path_problem& p, const label_set& labels) {
        double s = 1;
        for (const label l : labels) {
            s *= static_cast<double>(p.extents[static_cast<std::size_t>(l)]);
        }
        return s;
    }
};

/// Fewest multiplications, by trying every tree.
double brute_force(const path_problem& p) {
    double best = std::numeric_limits<double>::infinity();
    contraction_path path;
    const std::function<void(std::vector<std::size_t>, std::size_t)> extend =
        [&](const std::vector<std::size_t>& live, std::size_t next) {
            if (live.size() == 1) {
                best = std::min(best, replay(p, path).multiplications);
                return;
            }
            for (std::size_t i = 0; i < live.size(); ++i) {
                for (std::size_t j = i + 1; j < live.size(); ++j) {
                    std::vector<std::size_t> rest;
                    for (std::size_t k = 0; k < live.size(); ++k) {
                        if (k != i && k != j) {
                            rest.push_back(live[k]);
                        }
                    }
                    rest.push_back(next);
                    path.emplace_back(live[i], live[j]);
                    extend(rest, next + 1);
                    path.pop_back();
                }
            }
        };
    std::vector<std::size_t> live;
    for (std::size_t t = 0; t < p.terms.size(); ++t) {
        live.push_back(t);
    }
    extend(live, live.size());
    return best;
}

path_problem random_problem(std::mt19937& engine, std::size_t terms,
                            std::vector<std::int64_t>& extents) {
    const auto number = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(engine);
    };
    const int labels = number(2, 7);
    extents.clear();
    for (int l = 0; l < labels; ++l) {
        extents.push_back(number(2, 9));
    }
    path_problem p;
    label_set used;
    for (std::size_t t = 0; t < terms; ++t) {
        label_set own;
        for (int a = number(0, 3); a > 0; --a) {
            own.insert(number(0, labels - 1));
        }
        used.insert(own.begin(), own.end());
        p.terms.emplace_back(own.begin(), own.end());
    }
    for (const label l : used) {
        if (number(0, 2) == 0) {
            p.output.push_back(l);
        }
    }
    p.extents = extents;
    return p;
}

}  // namespace

TEST_CASE("a chain is contracted from its cheap end") {
    // "ij,jk,kl->il" with i = 50, j = 40, k = 30, l = 2
    const std::vector<std::int64_t> extents{50, 40, 30, 2};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {2, 3}};
    p.output = {0, 3};
    p.extents = extents;
    const contraction_path expected{{1, 2}, {0, 3}};
    CHECK(find_path(p, path_strategy::optimal) == expected);
    CHECK(find_path(p, path_strategy::automatic) == expected);
    // Greedy looks one step ahead: ij,jk->ik sheds 1700 elements, jk,kl->jl only 1180.
    CHECK(find_path(p, path_strategy::greedy) == contraction_path{{0, 1}, {2, 3}});
}

TEST_CASE("the optimal path has the fewest multiplications of all, greedy is a path") {
    std::mt19937 engine(5);
    for (int i = 0; i < 300; ++i) {
        std::vector<std::int64_t> extents;
        const path_problem p = random_problem(engine, 2 + static_cast<std::size_t>(i) % 4, extents);
        CAPTURE(i);
        const double best = brute_force(p);
        const contraction_path optimal = find_path(p, path_strategy::optimal);
        REQUIRE(optimal.size() + 1 == p.terms.size());
        CHECK(replay(p, optimal).multiplications == best);
        const contraction_path greedy = find_path(p, path_strategy::greedy);
        REQUIRE(greedy.size() + 1 == p.terms.size());
        CHECK(replay(p, greedy).multiplications >= best);
    }
}

TEST_CASE("the limit on intermediates is kept where it can be") {
    std::mt19937 engine(6);
    int limited = 0;
    for (int i = 0; i < 200; ++i) {
        std::vector<std::int64_t> extents;
        path_problem p = random_problem(engine, 4, extents);
        p.largest_elements = 40;
        const contraction_path path = find_path(p, path_strategy::optimal);
        if (path.empty()) {
            ++limited;
        } else {
            CHECK(replay(p, path).largest <= 40);
        }
    }
    CHECK(limited > 0);
    CHECK(limited < 200);
}

TEST_CASE("many terms, most of them unconnected, have a greedy path") {
    std::vector<std::int64_t> extents(100, 2);
    path_problem p;
    for (label l = 0; l < 100; l += 2) {
        p.terms.push_back({l, l + 1});
        p.terms.push_back({l + 1});
    }
    p.extents = extents;
    p.output = {0, 2};
    const contraction_path path = find_path(p, path_strategy::automatic);
    CHECK(path.size() == 99);
    CHECK(replay(p, path).terms.back() == label_set{0, 2});
}

TEST_CASE("more labels than a machine word has bits") {
    std::vector<std::int64_t> extents(130, 2);
    path_problem p;
    p.terms = {{0, 64, 129}, {64, 128}, {128, 129, 5}};
    p.output = {0, 5};
    p.extents = extents;
    const contraction_path path = find_path(p, path_strategy::optimal);
    CHECK(replay(p, path).terms.back() == label_set{0, 5});
    CHECK(replay(p, path).multiplications == brute_force(p));
}
