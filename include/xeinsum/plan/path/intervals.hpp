// The cheapest tree whose nodes are neighbours in a row of terms: in "ab,bc,cd,de->ae" the node of
// ab, bc and cd is made from ab and bc,cd or from ab,bc and cd.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path/labels.hpp>
#include <xeinsum/plan/path/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// Dynamic programming over intervals of a row, as for the order of matrices in a product.
/// Time is cubic in the terms, memory quadratic.
/// Source: Ibrahim, Lykov, He, Alexeev and Safro, Constructing optimal contraction trees for tensor
/// network quantum circuit simulation, HPEC 2022.
template <class Problem>
class interval_search {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

public:
    explicit interval_search(const Problem& problem)
        : problem_(problem), labels_(problem), words_(labels_.words()) {}

    [[nodiscard]] contraction_path run(const vector<std::uint32_t>& row) {
        terms_ = row.size();
        find_labels(row);
        for (std::size_t length = 2; length <= terms_; ++length) {
            for (std::size_t first = 0; first + length <= terms_; ++first) {
                find_split(first, first + length);
            }
        }
        return path(row);
    }

private:
    /// Of the terms from first up to last, which is left out.
    [[nodiscard]] std::size_t at(std::size_t first, std::size_t last) const noexcept {
        return first * (terms_ + 1) + last;
    }
    [[nodiscard]] const std::uint64_t* bits(std::size_t interval) const noexcept {
        return bits_.data() + interval * words_;
    }

    /// The labels that each interval still has when it is contracted.
    void find_labels(const vector<std::uint32_t>& row) {
        const std::size_t all = (terms_ + 1) * (terms_ + 1);
        bits_.assign(all * words_, 0);
        size_.assign(all, 1);
        cost_.assign(all, 0);
        bound_.assign(all, 0);
        split_.assign(all, 0);
        vector<std::size_t> begin(problem_.extents.size(), terms_);
        vector<std::size_t> end(problem_.extents.size(), 0);
        for (std::size_t i = terms_; i-- > 0;) {
            for (const label l : problem_.terms[row[i]]) {
                begin[static_cast<std::size_t>(l)] = i;
                end[static_cast<std::size_t>(l)] = std::max(end[static_cast<std::size_t>(l)], i);
            }
        }
        for (const label l : problem_.output) {
            end[static_cast<std::size_t>(l)] = terms_;
        }
        vector<std::uint64_t> now(words_);
        const auto set = [&](label l, bool kept) {
            const std::size_t bit = labels_.bit_of(l);
            const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
            now[bit / 64] = kept ? now[bit / 64] | mask : now[bit / 64] & ~mask;
        };
        for (std::size_t first = 0; first < terms_; ++first) {
            std::fill(now.begin(), now.end(), 0);
            for (std::size_t i = first; i < terms_; ++i) {
                for (const label l : problem_.terms[row[i]]) {
                    // A term alone keeps what it has.
                    set(l, i == first || end[static_cast<std::size_t>(l)] > i ||
                               begin[static_cast<std::size_t>(l)] < first);
                }
                store(at(first, i + 1), now);
                if (i == first) {
                    set_cost(first, i + 1, 0);
                    for (const label l : problem_.terms[row[i]]) {
                        set(l, end[static_cast<std::size_t>(l)] > i ||
                                   begin[static_cast<std::size_t>(l)] < first);
                    }
                }
            }
        }
    }

    void store(std::size_t interval, const vector<std::uint64_t>& labels) {
        double elements = 1;
        for (std::size_t w = 0; w < words_; ++w) {
            bits_[interval * words_ + w] = labels[w];
            elements *= labels_.product(w, labels[w]);
        }
        size_[interval] = std::min(elements, most_elements);
    }

    /// Stores a cost, and a bound from below for pairs that read the interval: a pair has as many
    /// products as the larger of its inputs has elements, so at least half of both.
    void set_cost(std::size_t first, std::size_t last, double cost) {
        const path_cost& unit = problem_.cost;
        const std::size_t interval = at(first, last);
        cost_[interval] = cost;
        bound_[interval] = bound_[at(last, first)] =
            cost + (unit.per_operation / 2 + unit.per_element) * size_[interval];
    }

    void find_split(std::size_t first, std::size_t last) {
        const std::size_t whole = at(first, last);
        const double* lhs = bound_.data() + at(first, 0);
        const double* rhs = bound_.data() + at(last, 0);
        double least = std::numeric_limits<double>::infinity();
        const auto consider = [&](std::size_t middle) {
            if (lhs[middle] + rhs[middle] < least) {
                const std::size_t l = at(first, middle);
                const std::size_t r = at(middle, last);
                const double cost = cost_[l] + cost_[r] + cost_of(l, r, whole);
                if (cost < least) {
                    least = cost;
                    split_[whole] = static_cast<std::uint32_t>(middle);
                }
            }
        };
        // What is best for one term less is likely to be good.
        if (last - first > 2) {
            consider(split_[at(first, last - 1)]);
            consider(split_[at(first + 1, last)]);
        }
        for (std::size_t middle = first + 1; middle < last; ++middle) {
            consider(middle);
        }
        set_cost(first, last, least);
    }

    [[nodiscard]] double cost_of(std::size_t lhs, std::size_t rhs, std::size_t out) const {
        step_sizes s{size_[lhs], size_[rhs], size_[out], size_[out], false};
        for (std::size_t w = 0; w < words_; ++w) {
            const std::uint64_t summed = (bits(lhs)[w] | bits(rhs)[w]) & ~bits(out)[w];
            s.sums = s.sums || summed != 0;
            s.all *= labels_.product(w, summed);
        }
        s.all = std::min(s.all, most_elements);
        return problem_.cost(s);
    }

    [[nodiscard]] contraction_path path(const vector<std::uint32_t>& row) const {
        // Without recursion, as rows may be long: every interval behind its two parts.
        vector<std::pair<std::size_t, std::size_t>> order;
        vector<std::pair<std::size_t, std::size_t>> open{{0, terms_}};
        while (!open.empty()) {
            const auto [first, last] = open.back();
            open.pop_back();
            if (last - first > 1) {
                order.emplace_back(first, last);
                const std::size_t middle = split_[at(first, last)];
                open.emplace_back(first, middle);
                open.emplace_back(middle, last);
            }
        }
        vector<std::size_t> number(row.begin(),
                                   row.end());  // by the first term of an interval
        contraction_path out;
        for (auto i = order.rbegin(); i != order.rend(); ++i) {
            const auto [first, last] = *i;
            const std::size_t lhs = number[first];
            const std::size_t rhs = number[split_[at(first, last)]];
            out.emplace_back(std::min(lhs, rhs), std::max(lhs, rhs));
            number[first] = terms_ + out.size() - 1;
        }
        return out;
    }

    const Problem& problem_;
    path_labels<Problem> labels_;
    std::size_t words_;
    std::size_t terms_ = 0;
    vector<std::uint64_t> bits_{};
    vector<double> size_{};
    vector<double> cost_{};
    vector<double> bound_{};  // at (first, last) and at (last, first)
    vector<std::uint32_t> split_{};
};

}  // namespace xeinsum::planning
