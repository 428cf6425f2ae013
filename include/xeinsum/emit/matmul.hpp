// The cheapest way to write a pair as a matmul: "nctw,cd->ndtw" is w.T @ x with t and w as one axis
// and n as a batch axis that w.T lacks, so that x need not be permuted.
#pragma once

#include <xeinsum/emit/cost.hpp>
#include <xeinsum/emit/pair.hpp>
#include <xeinsum/emit/program.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace xeinsum::emission {

/// Tries the orders that the values or the result suggest, and free labels of either side as batch
/// axes that broadcast over the other.
template <class Pair>
class matmul_search {
public:
    matmul_search(const Pair& p, const abilities& able) : pair_(p), able_(able) {}

    /// Nothing where only a batch of matrices would do and only plain ones may be.
    [[nodiscard]] std::optional<way> run() {
        for (const bool swapped : {false, true}) {
            const std::size_t left = swapped ? 1 : 0;
            for (const auto& m : orders(pair_.free[left], left)) {
                for (const auto& n : orders(pair_.free[1 - left], 1 - left)) {
                    for (const auto& k : orders(pair_.contracted, 2)) {
                        try_batches(swapped, m, n, k);
                    }
                }
            }
        }
        return best_;
    }

private:
    using labels = std::vector<label>;

    /// The labels as a value has them (both values for side 2), and as the result does.
    [[nodiscard]] auto orders(const labels& list, std::size_t side) const {
        std::vector<decltype(Pair::sorted(list, list))> all;
        for (std::size_t s = 0; s < 2; ++s) {
            if (side == s || side == 2) {
                all.push_back(Pair::sorted(list, pair_.terms[s]));
            }
        }
        if (pair_.in_order && side < 2) {
            all.push_back(Pair::sorted(list, pair_.wanted));
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    void try_batches(bool swapped, const labels& m, const labels& n, const labels& k) {
        for (std::size_t lifted = 0; lifted <= m.size(); ++lifted) {
            try_orders(swapped, m, lifted, n, 0, k);
        }
        for (std::size_t lifted = 1; lifted <= n.size(); ++lifted) {
            try_orders(swapped, m, 0, n, lifted, k);
        }
    }

    void try_orders(bool swapped, const labels& m, std::size_t of_m, const labels& n,
                    std::size_t of_n, const labels& k) {
        const auto cut = [](const labels& list, std::size_t at) {
            return list.begin() + static_cast<std::ptrdiff_t>(at);
        };
        labels batch = pair_.batch;
        batch.insert(batch.end(), m.begin(), cut(m, of_m));
        batch.insert(batch.end(), n.begin(), cut(n, of_n));
        if (!able_.batches && !batch.empty()) {
            return;
        }
        const axis rows(cut(m, of_m), m.end());
        const axis columns(cut(n, of_n), n.end());
        for (const labels* by : {&pair_.terms[0], &pair_.terms[1], &pair_.wanted}) {
            try_one(swapped, Pair::sorted(batch, *by), rows, columns, k);
        }
    }

    void try_one(bool swapped, const labels& batch, const axis& m, const axis& n, const axis& k) {
        const std::size_t left = swapped ? 1 : 0;
        way w;
        w.what = operation::matmul;
        w.swapped = swapped;
        w.first = Pair::aligned(batch, pair_.terms[left]);
        w.second = Pair::aligned(batch, pair_.terms[1 - left]);
        w.result = single_axes(batch);
        const bool column = n.empty() && w.second.empty() && able_.batches;
        const bool row =
            m.empty() && w.first.empty() && able_.batches && (able_.vectors || !column);
        // All matrices of the left share one on the right: they are one matrix.
        const bool flat = w.second.empty();
        if (!row) {
            w.first.push_back(m);
            w.result.push_back(m);
        }
        w.first.push_back(k);
        w.second.push_back(k);
        if (!column) {
            w.second.push_back(n);
            w.result.push_back(n);
        }
        const double rows = pair_.table.elements(m) * (flat ? pair_.table.elements(batch) : 1);
        const double moved =
            pair_.elements(0) + pair_.elements(1) + pair_.table.elements(labels_of(w.result));
        w.cost = pair_.arranging(w) +
                 matmul_cost(moved, pair_.iterations(), rows, pair_.table.elements(n));
        if (!best_ || w.cost < best_->cost) {
            best_ = w;
        }
    }

    const Pair& pair_;
    abilities able_;
    std::optional<way> best_{};
};

}  // namespace xeinsum::emission
