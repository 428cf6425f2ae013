// A contraction path followed from the definition, with sets: after (1, 2) of "ij,jk,kl->il" the
// terms are ij and jl.
#pragma once

#include <xeinsum/plan/path/problem.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <vector>

namespace support {

using xeinsum::label;
using xeinsum::planning::contraction_path;
using xeinsum::planning::path_problem;
using label_set = std::set<label>;

struct path_replay {
    std::vector<label_set> terms{};
    double operations = 0;
    double largest = 0;

    path_replay(const path_problem& p, const contraction_path& path) {
        for (const auto& t : p.terms) {
            terms.emplace_back(t.begin(), t.end());
        }
        std::vector<bool> used(terms.size(), false);
        for (const auto& [lhs, rhs] : path) {
            REQUIRE(lhs != rhs);
            REQUIRE(lhs < terms.size());
            REQUIRE(rhs < terms.size());
            REQUIRE(!used[lhs]);
            REQUIRE(!used[rhs]);
            used[lhs] = used[rhs] = true;
            label_set all = terms[lhs];
            all.insert(terms[rhs].begin(), terms[rhs].end());
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
            operations += size(p, all) * (out.size() < all.size() ? 2 : 1);
            terms.push_back(out);
            used.push_back(false);
            if (terms.size() < 2 * p.terms.size() - 1) {
                largest = std::max(largest, size(p, out));
            }
        }
        REQUIRE(path.size() + 1 == p.terms.size());
    }

    static double size(const path_problem& p, const label_set& labels) {
        double s = 1;
        for (const label l : labels) {
            s *= static_cast<double>(p.extents[static_cast<std::size_t>(l)]);
        }
        return s;
    }
};

/// Fewest operations of all trees with no intermediate beyond the problem's limit, by trying each.
inline double fewest_operations(const path_problem& p) {
    double best = std::numeric_limits<double>::infinity();
    contraction_path path;
    const std::function<void(const std::vector<std::size_t>&, std::size_t)> extend =
        [&](const std::vector<std::size_t>& live, std::size_t next) {
            if (live.size() == 1) {
                const path_replay done(p, path);
                if (done.largest <= p.largest_elements) {
                    best = std::min(best, done.operations);
                }
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

/// Terms of up to three labels out of a few, so that some are equal, some unconnected, some labels
/// are in three terms or more. The extents are stored by the caller.
inline path_problem random_path_problem(std::mt19937& engine, std::size_t terms, int most_labels,
                                        std::vector<std::int64_t>& extents) {
    const auto number = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(engine);
    };
    const int labels = number(2, most_labels);
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

}  // namespace support
