// A pair for engines that do not broadcast: "bqhd,bkhd->bhqk" is a matmul of equal batches b h,
// "bld,dn->bldn" with constants on the right a convolution of d groups.
#pragma once

#include <xeinsum/emit/pair.hpp>
#include <xeinsum/emit/program.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace xeinsum::emission {

/// Arrays of equal shape are multiplied, others are matmuls of three axes with equal batches. Of
/// two values one of which is constant, the constant is the second input: a matrix, a row that
/// multiplies every row of a matrix, or, where the values share labels that survive, the weights of
/// a grouped convolution.
template <class Pair>
class equal_search {
public:
    equal_search(const Pair& p, bool first_constant, bool second_constant)
        : pair_(p), mixed_(first_constant != second_constant), swapped_(first_constant && mixed_) {}

    /// The cheapest way.
    [[nodiscard]] way run() {
        const std::size_t left = swapped_ ? 1 : 0;
        for (const labels* by : {&pair_.wanted, &pair_.terms[left], &pair_.terms[1 - left]}) {
            for (const labels* free : {&pair_.wanted, by}) {
                const labels batch = Pair::sorted(pair_.batch, *by);
                const labels k = Pair::sorted(pair_.contracted, pair_.terms[left]);
                const labels m = Pair::sorted(pair_.free[left],
                                              free == &pair_.wanted ? *free : pair_.terms[left]);
                const labels n = Pair::sorted(
                    pair_.free[1 - left], free == &pair_.wanted ? *free : pair_.terms[1 - left]);
                consider(mixed_ ? with_constant(batch, m, n, k, *by)
                                : of_variables(batch, m, n, k));
            }
        }
        return *best_;
    }

private:
    using labels = std::vector<label>;

    void consider(way w) {
        w.swapped = swapped_;
        w.cost = pair_.arranging(w);
        if (!best_ || w.cost < best_->cost) {
            best_ = std::move(w);
        }
    }

    [[nodiscard]] static axis join(axis first, const labels& second) {
        first.insert(first.end(), second.begin(), second.end());
        return first;
    }

    [[nodiscard]] static way of_variables(const labels& batch, const labels& m, const labels& n,
                                          const labels& k) {
        way w;
        if (m.empty() && n.empty() && k.empty()) {
            w.first = w.second = w.result = single_axes(batch);
            return w;
        }
        w.what = operation::matmul;
        w.first = {batch, m, k};
        w.second = {batch, k, n};
        w.result = {batch, m, n};
        return w;
    }

    [[nodiscard]] static way with_constant(const labels& batch, const labels& m, const labels& n,
                                           const labels& k, const labels& order) {
        way w;
        if (batch.empty()) {
            w.what = operation::matmul;
            w.first = {m, k};
            w.second = {k, n};
            w.result = {m, n};
        } else if (n.empty() && k.empty()) {
            w.first = w.result = {m, batch};
            w.second = {batch};
        } else {
            const auto group =
                std::find_if(order.begin(), order.end(), [&](label l) { return holds(batch, l); });
            axis before;
            axis after;
            for (const label l : m) {
                (std::find(order.begin(), group, l) != group ? before : after).push_back(l);
            }
            w.what = operation::convolution;
            w.first = {before, join(batch, k), after, {}};
            w.second = {join(batch, n), k, {}, {}};
            w.result = {before, join(batch, n), after, {}};
        }
        return w;
    }

    const Pair& pair_;
    bool mixed_;    ///< one of the values is constant
    bool swapped_;  ///< the first one
    std::optional<way> best_{};
};

}  // namespace xeinsum::emission
