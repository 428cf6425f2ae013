#include <xeinsum/plan/path/order.hpp>

#include "../../support/path_replay.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

using xeinsum::label;
using xeinsum::planning::contraction_path;
using xeinsum::planning::in_least_memory;
using xeinsum::planning::path_problem;
using xeinsum::planning::peak_elements;
using xeinsum::planning::result_sizes;

namespace {

/// The least peak of all orders that finish one branch of a pair before the other.
double least_peak(const contraction_path& path, std::size_t terms,
                  const std::vector<double>& sizes) {
    const std::function<double(std::size_t)> of = [&](std::size_t t) -> double {
        if (t < terms) {
            return 0;
        }
        const auto& [lhs, rhs] = path[t - terms];
        const auto held = [&](std::size_t x) { return x < terms ? 0 : sizes[x - terms]; };
        const double together = held(lhs) + held(rhs) + sizes[t - terms];
        return std::min(std::max({of(lhs), held(lhs) + of(rhs), together}),
                        std::max({of(rhs), held(rhs) + of(lhs), together}));
    };
    return of(terms + path.size() - 1);
}

}  // namespace

TEST_CASE("the branch that needs more room goes first") {
    const std::vector<std::int64_t> extents{2, 50, 3, 40, 60, 5, 7};
    path_problem p;
    p.terms = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}};
    p.output = {0, 6};
    p.extents = extents;
    // ac has 6 elements, eg 420, ce 180, cg 21.
    const contraction_path before{{0, 1}, {4, 5}, {2, 3}, {7, 8}, {6, 9}};
    const auto sizes = result_sizes(p, before);
    CHECK(sizes == std::vector<double>{6, 420, 180, 21, 0});
    CHECK(peak_elements(before, 6, sizes) == 6 + 420 + 180 + 21);
    const contraction_path after = in_least_memory(p, before);
    CHECK(after == contraction_path{{4, 5}, {2, 3}, {6, 7}, {0, 1}, {9, 8}});
    CHECK(peak_elements(after, 6, result_sizes(p, after)) == 420 + 180 + 21);
    // It is left alone where no order is better.
    CHECK(in_least_memory(p, after) == after);
}

TEST_CASE("no order of whole branches keeps less") {
    std::mt19937 engine(5);
    const auto draw = [&](std::size_t n) { return static_cast<std::size_t>(engine()) % n; };
    std::size_t changed = 0;
    for (int i = 0; i < 300; ++i) {
        const std::size_t terms = 4 + draw(6);
        std::vector<std::int64_t> extents;
        const path_problem p =
            support::random_path_problem(engine, terms, static_cast<int>(terms + 3), extents);
        std::vector<std::size_t> left(terms);
        std::iota(left.begin(), left.end(), std::size_t{0});
        contraction_path path;
        while (left.size() > 1) {
            const auto take = [&] {
                const std::size_t at = draw(left.size());
                const std::size_t t = left[at];
                left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
                return t;
            };
            const std::size_t lhs = take();
            path.emplace_back(lhs, take());
            left.push_back(terms + path.size() - 1);
        }
        const auto sizes = result_sizes(p, path);
        const contraction_path after = in_least_memory(p, path);
        const double peak = peak_elements(after, terms, result_sizes(p, after));
        CHECK(peak == std::min(peak_elements(path, terms, sizes), least_peak(path, terms, sizes)));
        CHECK(support::path_replay(p, after).operations ==
              support::path_replay(p, path).operations);
        changed += after != path ? 1 : 0;
    }
    CHECK(changed > 50);
}
