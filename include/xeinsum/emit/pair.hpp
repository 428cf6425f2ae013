// Two values that are contracted: "nctw,cd->ndtw" keeps n t w and d and sums c.
#pragma once

#include <xeinsum/emit/builder.hpp>
#include <xeinsum/emit/cost.hpp>
#include <xeinsum/emit/program.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace xeinsum::emission {

/// Ways to write an operation, with the shapes that its inputs must have.
struct way {
    operation what = operation::multiply;
    bool swapped = false;  ///< the second value is the first input
    shape first;
    shape second;
    shape result;
    std::vector<std::size_t> summed;  ///< of a product's axes
    double cost = 0;
};

/// The labels of a pair by the part they play. A label that either value has alone survives.
template <class Builder>
class pair {
public:
    pair(const Builder& to, std::size_t lhs, std::size_t rhs, std::vector<label> kept, bool ordered)
        : table(to.labels()),
          values{lhs, rhs},
          shapes{to.shape_of(lhs), to.shape_of(rhs)},
          terms{to.labels_of(lhs), to.labels_of(rhs)},
          wanted(std::move(kept)),
          in_order(ordered) {
        for (const label l : terms[0]) {
            if (!xeinsum::holds(terms[1], l)) {
                free[0].push_back(l);
            } else {
                (xeinsum::holds(wanted, l) ? batch : contracted).push_back(l);
            }
        }
        std::copy_if(terms[1].begin(), terms[1].end(), std::back_inserter(free[1]),
                     [&](label l) { return !xeinsum::holds(terms[0], l); });
    }

    [[nodiscard]] double elements(std::size_t side) const { return table.elements(terms[side]); }
    [[nodiscard]] double result_elements() const { return table.elements(wanted); }
    [[nodiscard]] double iterations() const {
        return result_elements() * table.elements(contracted);
    }
    /// What it costs to bring both values into shape and the result into the wanted order.
    [[nodiscard]] double arranging(const way& w) const {
        const std::size_t first = w.swapped ? 1 : 0;
        shape left = w.result;
        for (std::size_t i = w.summed.size(); i-- > 0;) {
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(w.summed[i]));
        }
        return arrange_cost(table, shapes[first], w.first) +
               arrange_cost(table, shapes[1 - first], w.second) +
               (in_order ? arrange_cost(table, left, single_axes(wanted)) : 0);
    }
    /// Some labels in the order that another list has them in, those that it lacks in front.
    [[nodiscard]] static std::vector<label> sorted(std::vector<label> labels,
                                                   const std::vector<label>& by) {
        const auto place = [&](label l) {
            const auto at = std::find(by.begin(), by.end(), l);
            return at == by.end() ? -1 : at - by.begin();
        };
        std::stable_sort(labels.begin(), labels.end(),
                         [&](label a, label b) { return place(a) < place(b); });
        return labels;
    }
    /// An axis for each label in turn, of extent 1 where the term lacks it, without such axes in
    /// front.
    [[nodiscard]] static shape aligned(const std::vector<label>& order,
                                       const std::vector<label>& term) {
        shape s;
        for (const label l : order) {
            if (xeinsum::holds(term, l)) {
                s.push_back({l});
            } else if (!s.empty()) {
                s.emplace_back();
            }
        }
        return s;
    }

    const label_table& table;
    std::size_t values[2];
    shape shapes[2];
    std::vector<label> terms[2];
    std::vector<label> wanted;
    bool in_order;  ///< wanted is the order in which the result must lie
    std::vector<label> batch{};
    std::vector<label> contracted{};
    std::vector<label> free[2]{};
};

}  // namespace xeinsum::emission
