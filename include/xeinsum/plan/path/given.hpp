// A path that the caller gives: for "ij,jk,kl->il" the pairs (1, 2), (0, 3) or, in positions of the
// terms that are left, (1, 2), (0, 1).
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// A path whose terms have fixed numbers, or the malformed_path that it is.
struct given_path {
    contraction_path path{};
    problem error{};
};

/// Reads pairs that are to contract all of so many terms. With linear, numbers are positions in the
/// list of terms that are left, each result being put at its end; otherwise they are as in
/// contraction_path.
template <class Pairs>
[[nodiscard]] given_path read_path(const Pairs& pairs, std::size_t terms, bool linear) {
    dependent<Pairs, given_path> out;
    const auto refuse = [&](std::size_t p, const char* reason) {
        out.path.clear();
        out.error.code = error_code::malformed_path;
        out.error.reason = reason;
        out.error.expected = static_cast<std::int64_t>(p);
        out.error.first = {pairs[p].first, pairs[p].second, -1};
        return out;
    };
    if (pairs.size() + 1 != terms) {
        out.error.code = error_code::malformed_path;
        out.error.expected = static_cast<std::int64_t>(terms) - 1;
        out.error.found = static_cast<std::int64_t>(pairs.size());
        return out;
    }
    // Terms that are left: in linear form by position, otherwise marked by number.
    dependent<Pairs, std::vector<std::size_t>> left(terms);
    std::iota(left.begin(), left.end(), std::size_t{0});
    dependent<Pairs, std::vector<bool>> used(2 * terms, false);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        auto [a, b] = pairs[p];
        if (a == b) {
            return refuse(p, "a term cannot be contracted with itself");
        }
        if (linear) {
            if (a >= left.size() || b >= left.size()) {
                return refuse(p, "there are fewer terms left");
            }
            const std::size_t later = std::max(a, b);
            const std::size_t earlier = std::min(a, b);
            a = left[a];
            b = left[b];
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(later));
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(earlier));
            left.push_back(terms + p);
        } else if (a >= terms + p || b >= terms + p) {
            return refuse(p, "a term of it does not exist yet");
        } else if (used[a] || used[b]) {
            return refuse(p, "a term of it was contracted before");
        }
        used[a] = used[b] = true;
        out.path.emplace_back(a, b);
    }
    return out;
}

}  // namespace xeinsum::planning
