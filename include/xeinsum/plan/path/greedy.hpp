// The cheapest next pair, again and again: of "ij,jk,kl->il" with a long i, jk,kl goes first.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random_source.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// How a greedy search ranks the next pair.
struct greedy_rule {
    /// The elements that a pair removes count this much against those that it makes.
    double removed = 1;
    /// 0 takes the best pair; more lets chance in, in units of a factor e in elements.
    double temperature = 0;
    std::uint64_t seed = 0;
};

/// Hands out the greatest of its elements first.
template <class Element>
class heap {
public:
    [[nodiscard]] std::size_t size() const noexcept { return elements_.size(); }
    void push(const Element& e) {
        elements_.push_back(e);
        std::push_heap(elements_.begin(), elements_.end());
    }
    Element pop() {
        std::pop_heap(elements_.begin(), elements_.end());
        const Element greatest = elements_.back();
        elements_.pop_back();
        return greatest;
    }

private:
    std::vector<Element> elements_{};
};

/// Contracts the pair that adds fewest elements, out - removed * (lhs + rhs), until no two terms
/// share a label; what is left over is multiplied smallest first. Time and memory are near linear
/// in the labels of all terms, as long as these stay short.
/// Source: Smith and Gray, opt_einsum, JOSS 3(26) 753, 2018, "memory-removed"; the random variant
/// is that of Gray and Kourtis, Quantum 5, 410, 2021, section III.
template <class Problem>
class greedy_search {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

public:
    greedy_search(const Problem& problem, const greedy_rule& rule)
        : problem_(problem),
          rule_(rule),
          random_(rule.seed),
          terms_(problem.terms),
          uses_(problem),
          holders_(problem.extents.size()) {
        live_.resize(terms_.size(), true);
        for (std::size_t t = 0; t < terms_.size(); ++t) {
            sizes_.push_back(element_count(terms_[t], problem_.extents));
            add_holder(t);
        }
    }

    [[nodiscard]] contraction_path run() {
        terms_.reserve(2 * terms_.size());
        for (std::size_t t = 0; t < problem_.terms.size(); ++t) {
            propose_pairs_of(t, t);
        }
        while (queue_.size() > 0) {
            const candidate best = queue_.pop();
            if (live_[best.lhs] && live_[best.rhs]) {
                contract(best.lhs, best.rhs);
                propose_pairs_of(terms_.size() - 1, terms_.size() - 1);
            }
        }
        multiply_the_rest();
        return std::move(path_);
    }

private:
    struct candidate {
        double score;
        std::size_t lhs;
        std::size_t rhs;

        // The least score comes first; the term numbers make the order total.
        friend bool operator<(const candidate& a, const candidate& b) noexcept {
            return std::tie(a.score, a.lhs, a.rhs) > std::tie(b.score, b.lhs, b.rhs);
        }
    };

    /// Of a label in very many terms only some pairs compete: all would be quadratically many.
    static constexpr std::size_t most_partners = 32;

    void add_holder(std::size_t t) {
        for (const label l : terms_[t]) {
            holders_[static_cast<std::size_t>(l)].push_back(t);
        }
    }

    /// Queues the pairs of t with every live term below the bound that shares a label with it.
    void propose_pairs_of(std::size_t t, std::size_t below) {
        partners_.clear();
        for (const label l : terms_[t]) {
            std::size_t left = most_partners;
            for (const std::size_t other : holders_[static_cast<std::size_t>(l)]) {
                if (other < below && left > 0) {
                    partners_.push_back(other);
                    --left;
                }
            }
        }
        std::sort(partners_.begin(), partners_.end());
        partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
        for (const std::size_t other : partners_) {
            double out = 1;
            uses_.for_each_label(terms_[other], terms_[t], [&](label l, bool survives) {
                out *= survives ? static_cast<double>(problem_.extents[static_cast<std::size_t>(l)])
                                : 1;
            });
            if (out <= problem_.largest_elements) {
                queue_.push({score(std::min(out, most_elements), other, t), other, t});
            }
        }
    }

    [[nodiscard]] double score(double out, std::size_t lhs, std::size_t rhs) {
        const double growth = out - rule_.removed * (sizes_[lhs] + sizes_[rhs]);
        if (rule_.temperature <= 0) {
            return growth;
        }
        const double magnitude = std::log1p(std::abs(growth));
        return (growth < 0 ? -magnitude : magnitude) - rule_.temperature * random_.gumbel();
    }

    void contract(std::size_t lhs, std::size_t rhs) {
        vector<label> out = uses_.contract(terms_[lhs], terms_[rhs]);
        for (const std::size_t t : {lhs, rhs}) {
            live_[t] = false;
            for (const label l : terms_[t]) {
                std::erase(holders_[static_cast<std::size_t>(l)], t);
            }
        }
        path_.emplace_back(lhs, rhs);
        sizes_.push_back(element_count(out, problem_.extents));
        terms_.push_back(std::move(out));
        live_.push_back(true);
        add_holder(terms_.size() - 1);
    }

    void multiply_the_rest() {
        heap<candidate> rest;
        const auto add = [&](std::size_t t) { rest.push({sizes_[t], t, t}); };
        for (std::size_t t = 0; t < terms_.size(); ++t) {
            if (live_[t]) {
                add(t);
            }
        }
        while (rest.size() > 1) {
            const std::size_t a = rest.pop().lhs;
            const std::size_t b = rest.pop().lhs;
            contract(std::min(a, b), std::max(a, b));
            add(terms_.size() - 1);
        }
    }

    const Problem& problem_;
    greedy_rule rule_;
    random_source random_;
    vector<vector<label>> terms_;
    label_uses<Problem> uses_;
    vector<vector<std::size_t>> holders_;  // live terms by label
    vector<double> sizes_{};
    vector<bool> live_{};
    vector<std::size_t> partners_{};
    heap<candidate> queue_{};
    contraction_path path_{};
};

}  // namespace xeinsum::planning
