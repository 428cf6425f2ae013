// A pair as a broadcast product, summed where labels are contracted: "bld,dn->bldn" is the first
// operand with one axis more times the second.
#pragma once

#include <xeinsum/emit/cost.hpp>
#include <xeinsum/emit/pair.hpp>
#include <xeinsum/emit/program.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace xeinsum::emission {

/// The cheapest way, in the order of either value or of the result. A product that is summed is
/// taken to be written to memory and read again.
template <class Pair>
[[nodiscard]] way find_product(const Pair& p) {
    std::optional<way> best;
    for (const std::vector<label>* by : {&p.wanted, &p.terms[0], &p.terms[1]}) {
        std::vector<label> order = p.wanted;
        if (by != &p.wanted) {
            // What this term lacks comes last.
            order = *by;
            for (const label l : p.terms[by == &p.terms[0] ? 1 : 0]) {
                if (!holds(order, l)) {
                    order.push_back(l);
                }
            }
        } else {
            order.insert(order.end(), p.contracted.begin(), p.contracted.end());
        }
        way w;
        w.result = single_axes(order);
        w.first = Pair::aligned(order, p.terms[0]);
        w.second = Pair::aligned(order, p.terms[1]);
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (holds(p.contracted, order[i])) {
                w.summed.push_back(i);
            }
        }
        const double product = p.table.elements(order);
        w.cost = p.arranging(w) + operation_cost + p.elements(0) + p.elements(1);
        if (w.summed.empty()) {
            w.cost += product;
        } else {
            w.cost += operation_cost + 2 * product + p.result_elements();
        }
        if (!best || w.cost < best->cost) {
            best = w;
        }
    }
    return *best;
}

}  // namespace xeinsum::emission
