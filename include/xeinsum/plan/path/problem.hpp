// What a contraction path is searched for, and what one costs: "ij,jk,kl->il" by (0, 1), (2, 3)
// takes 2 ijk + 2 ikl operations.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/path/cost.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// The terms to contract, each a sorted list of labels without repeats.
/// Searches are templates on this type, so that a program compiles only those that it runs.
struct path_problem {
    std::vector<std::vector<label>> terms{};
    std::vector<label> output{};  ///< sorted, each in some term
    list_view<const std::int64_t> extents{};
    double largest_elements = std::numeric_limits<double>::infinity();  ///< of an intermediate
    path_cost cost{};
    path_cost seconds{1e-11, 1e-10, 1e-7};    ///< of a run, which a search is not to outlast
    std::vector<std::size_t> summed_terms{};  ///< terms that are intermediates themselves
};

/// T, but known only where a template on On is instantiated. Members of std::vector are constexpr,
/// and those of a known type are instantiated as soon as a call of them is parsed: with clang 14
/// 0.3 of the 3.6 seconds of a file that includes xeinsum and searches for no path.
template <class On, class T>
using dependent = std::conditional_t<true, T, On>;

/// Pairs to contract, in order. Terms count from 0, the result of pair p is number terms + p.
using contraction_path = std::vector<std::pair<std::size_t, std::size_t>>;

/// Beyond this, products of extents are not told apart: differences stay finite.
inline constexpr double most_elements = 1e250;

[[nodiscard]] inline double element_count(list_view<const label> labels,
                                          list_view<const std::int64_t> extents) noexcept {
    double count = 1;
    for (const label l : labels) {
        count *= static_cast<double>(extents[static_cast<std::size_t>(l)]);
    }
    return std::min(count, most_elements);
}

/// For each label, in how many of the terms that are left it occurs; the output counts as one.
template <class Problem>
class label_uses {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

public:
    explicit label_uses(const Problem& problem) : uses_(problem.extents.size(), 0) {
        for (const auto& term : problem.terms) {
            add(term);
        }
        add(problem.output);
    }

    [[nodiscard]] std::uint32_t operator[](label l) const noexcept {
        return uses_[static_cast<std::size_t>(l)];
    }

    /// Calls take(label, survives) for each label of two sorted terms, in order.
    template <class Take>
    void for_each_label(list_view<const label> lhs, list_view<const label> rhs, Take take) const {
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < lhs.size() || j < rhs.size()) {
            const bool from_lhs = j == rhs.size() || (i < lhs.size() && lhs[i] <= rhs[j]);
            const bool from_rhs = i == lhs.size() || (j < rhs.size() && rhs[j] <= lhs[i]);
            const label l = from_lhs ? lhs[i] : rhs[j];
            take(l, (*this)[l] > (from_lhs && from_rhs ? 2U : 1U));
            i += from_lhs ? 1 : 0;
            j += from_rhs ? 1 : 0;
        }
    }

    /// Counts the result of two terms in their place, and returns its labels.
    [[nodiscard]] vector<label> contract(list_view<const label> lhs, list_view<const label> rhs) {
        vector<label> out;
        for_each_label(lhs, rhs, [&](label l, bool survives) {
            if (survives) {
                out.push_back(l);
            }
        });
        remove(lhs);
        remove(rhs);
        add(out);
        return out;
    }

private:
    void add(list_view<const label> term) noexcept {
        for (const label l : term) {
            ++uses_[static_cast<std::size_t>(l)];
        }
    }
    void remove(list_view<const label> term) noexcept {
        for (const label l : term) {
            --uses_[static_cast<std::size_t>(l)];
        }
    }

    vector<std::uint32_t> uses_;
};

/// Sizes of the contraction of two terms that are still in use.
template <class Problem>
[[nodiscard]] step_sizes sizes_of(const Problem& problem, const label_uses<Problem>& uses,
                                  list_view<const label> lhs, list_view<const label> rhs) {
    step_sizes s;
    s.lhs = element_count(lhs, problem.extents);
    s.rhs = element_count(rhs, problem.extents);
    uses.for_each_label(lhs, rhs, [&](label l, bool survives) {
        const auto extent = static_cast<double>(problem.extents[static_cast<std::size_t>(l)]);
        s.all *= extent;
        s.out *= survives ? extent : 1;
        s.sums = s.sums || !survives;
    });
    s.all = std::min(s.all, most_elements);
    s.out = std::min(s.out, most_elements);
    return s;
}

/// What following a path takes.
struct path_figures {
    double cost = 0;
    double operations = 0;
    double largest = 0;  ///< elements of an intermediate; the result is none
};

template <class Problem>
[[nodiscard]] path_figures measure_path(const Problem& problem, const contraction_path& path,
                                        const path_cost& cost) {
    path_figures figures;
    label_uses uses(problem);
    auto terms = problem.terms;
    for (std::size_t p = 0; p < path.size(); ++p) {
        const auto& lhs = terms[path[p].first];
        const auto& rhs = terms[path[p].second];
        const step_sizes sizes = sizes_of(problem, uses, lhs, rhs);
        figures.cost += cost(sizes);
        figures.operations += path_cost::operations(sizes);
        if (p + 1 < path.size()) {
            figures.largest = std::max(figures.largest, sizes.out);
        }
        terms.push_back(uses.contract(lhs, rhs));
    }
    return figures;
}
template <class Problem>
[[nodiscard]] path_figures measure_path(const Problem& problem, const contraction_path& path) {
    return measure_path(problem, path, problem.cost);
}

}  // namespace xeinsum::planning
