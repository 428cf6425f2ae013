// From a plan to whole-array operations: the steps of "ij,jk,kl->il" become two matmuls, in the
// plan's order.
#pragma once

#include <xeinsum/emit/builder.hpp>
#include <xeinsum/emit/convolution.hpp>
#include <xeinsum/emit/equal.hpp>
#include <xeinsum/emit/matmul.hpp>
#include <xeinsum/emit/pair.hpp>
#include <xeinsum/emit/product.hpp>
#include <xeinsum/emit/program.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/grouped_arrays.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/path.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace xeinsum::emission {

/// Writes the steps of one plan.
template <class Plan>
class writer {
public:
    /// extents: of every axis of every operand, groups being one. groups: of an equation that has
    /// any, else null.
    writer(const network_view& net, list_view<const std::vector<std::int64_t>> extents,
           const Plan& plan, label_table labels, abilities able,
           const planning::grouped_arrays* groups = nullptr)
        : net_(net),
          plan_(plan),
          able_(able),
          to_(std::move(labels), operand_shapes(net, extents, plan, groups)),
          result_(groups != nullptr ? grouped_axes(net.output, groups->grouping.output)
                                    : single_axes(labels_of_output())) {}

    [[nodiscard]] program write() {
        const std::vector<label> output = labels_of_output();
        if (plan_.sums_nothing) {
            return to_.finish(to_.append(operation::zeros, {}, {}, result_));
        }
        // By array, which steps need not come to in order.
        std::vector<std::size_t> values(plan_.arrays.size());
        std::vector<bool> waits(plan_.arrays.size(), false);
        for (std::size_t i = 0; i < net_.operand_count(); ++i) {
            values[i] = take_diagonals(take_apart(i));
            waits[i] = true;
        }
        std::size_t result = 0;
        for (const step& s : plan_.steps) {
            std::vector<std::size_t> inputs;
            for (const array_id id : plan_.inputs_of(s)) {
                inputs.push_back(values[static_cast<std::size_t>(id)]);
                waits[static_cast<std::size_t>(id)] = false;
            }
            std::vector<label> needed = output;
            for (std::size_t id = 0; id < values.size(); ++id) {
                if (waits[id]) {
                    const auto more = to_.labels_of(values[id]);
                    needed.insert(needed.end(), more.begin(), more.end());
                }
            }
            const bool last = s.output == result_array;
            result = contract(inputs, last ? output : needed, last,
                              s.how.chosen == lowering::depthwise_convolution);
            if (!last) {
                values[static_cast<std::size_t>(s.output)] = result;
                waits[static_cast<std::size_t>(s.output)] = true;
            }
        }
        result = to_.arrange(result, result_);
        if (!able_.broadcasts && to_.is_batched_matmul(result)) {
            // Such an engine may drop what follows such a matmul at once, as OpenCV 4.6 does with
            // activations.
            result = to_.append(operation::reshape, {result}, {}, to_.shape_of(result));
        }
        return to_.finish(result);
    }

private:
    [[nodiscard]] std::vector<label> labels_of_output() const {
        return {net_.output.begin(), net_.output.end()};
    }

    /// The axes of one array, whose labels stand side by side.
    template <class Counts>
    [[nodiscard]] static shape grouped_axes(list_view<const label> labels, const Counts& counts) {
        shape s;
        const label* next = labels.begin();
        for (const auto& axis_of : counts) {
            s.emplace_back(next, next + axis_of.count);
            next += axis_of.count;
        }
        return s;
    }

    /// An axis that broadcasts has no label.
    [[nodiscard]] static std::vector<shape> operand_shapes(
        const network_view& net, list_view<const std::vector<std::int64_t>> extents,
        const Plan& plan, const planning::grouped_arrays* groups) {
        std::vector<shape> shapes;
        std::size_t first = 0;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            const std::size_t rank = extents[i].size();
            shape s =
                groups != nullptr
                    ? grouped_axes(net.operand(i),
                                   list_view(groups->grouping.axes.data() + first, rank))
                    : single_axes(std::vector<label>(net.operand(i).begin(), net.operand(i).end()));
            for (std::size_t a = 0; a < rank; ++a) {
                if (s[a].size() == 1 && extents[i][a] != plan.whole_extent(s[a].front())) {
                    s[a].clear();
                }
            }
            shapes.push_back(std::move(s));
            first += rank;
        }
        return shapes;
    }

    /// An axis for each label.
    std::size_t take_apart(std::size_t value) {
        const shape& s = to_.shape_of(value);
        shape apart;
        for (const axis& a : s) {
            if (a.empty()) {
                apart.push_back(a);
            }
            for (const label l : a) {
                apart.push_back({l});
            }
        }
        return apart.size() == s.size() ? value : to_.reshape(value, std::move(apart));
    }

    /// Every label once.
    std::size_t take_diagonals(std::size_t value) {
        for (std::size_t a = 0; a < to_.shape_of(value).size(); ++a) {
            const shape s = to_.shape_of(value);
            if (s[a].empty() || std::count(s.begin(), s.end(), s[a]) == 1) {
                continue;
            }
            value = able_.diagonal ? take_diagonal(value, a) : take_every(value, s[a]);
            a = static_cast<std::size_t>(-1);
        }
        return value;
    }

    std::size_t take_diagonal(std::size_t value, std::size_t a) {
        shape s = to_.shape_of(value);
        const auto again = std::find(s.begin() + static_cast<std::ptrdiff_t>(a) + 1, s.end(), s[a]);
        const auto b = static_cast<std::size_t>(again - s.begin());
        const axis both = s[a];
        s.erase(again);
        s.erase(s.begin() + static_cast<std::ptrdiff_t>(a));
        if (to_.labels().essence(both).empty()) {
            s.push_back(both);
            return to_.reshape(value, s);
        }
        s.push_back(both);
        return to_.append(operation::diagonal, {value}, {a, b}, std::move(s));
    }

    /// The diagonal of n x n is every n + 1st element.
    std::size_t take_every(std::size_t value, const axis& repeated) {
        const shape s = to_.shape_of(value);
        std::vector<std::size_t> order;
        shape rest;
        axis merged;
        for (std::size_t a = 0; a < s.size(); ++a) {
            if (s[a] != repeated) {
                order.push_back(a);
                rest.push_back(s[a]);
            }
        }
        std::size_t every = 0;
        std::size_t stride = 1;
        for (std::size_t a = 0; a < s.size(); ++a) {
            if (s[a] == repeated) {
                order.push_back(a);
                merged.insert(merged.end(), repeated.begin(), repeated.end());
                every += stride;
                stride *= static_cast<std::size_t>(to_.labels().extent(repeated));
            }
        }
        shape diagonal = rest;
        diagonal.push_back(repeated);
        if (to_.labels().essence(repeated).empty()) {
            return to_.reshape(value, diagonal);
        }
        rest.push_back(merged);
        return to_.append(operation::stride, {to_.reshape(to_.permute(value, order), rest)},
                          {every}, std::move(diagonal));
    }

    /// One value of all inputs, with those of their labels that are needed; ordered if it is last.
    std::size_t contract(std::vector<std::size_t> values, const std::vector<label>& needed,
                         bool last, bool convolve) {
        std::vector<std::size_t> uses(to_.labels().extents.size(), 0);
        for (const std::size_t v : values) {
            for (const label l : to_.labels_of(v)) {
                ++uses[static_cast<std::size_t>(l)];
            }
        }
        const auto kept = [&](label l) {
            return holds(needed, l) ||
                   (uses[static_cast<std::size_t>(l)] > 1 && !to_.labels().is_one(l));
        };
        for (std::size_t& v : values) {
            v = sum_others(v, kept);
        }
        if (values.size() == 1) {
            return values.front();
        }
        planning::contraction_path path{{0, 1}};
        if (values.size() > 2) {
            path = planning::find_path(path_problem_of(values, needed), options{});
        }
        for (const auto& [lhs, rhs] : path) {
            std::vector<label> after = needed;
            for (std::size_t v = 0; v < values.size(); ++v) {
                if (v != lhs && v != rhs && values[v] != taken) {
                    const auto more = to_.labels_of(values[v]);
                    after.insert(after.end(), more.begin(), more.end());
                }
            }
            const bool end = values.size() + 1 == 2 * path.size() + 1;
            values.push_back(write_pair(values[lhs], values[rhs], last && end ? needed : after,
                                        last && end, convolve));
            values[lhs] = values[rhs] = taken;
        }
        return values.back();
    }

    template <class Kept>
    std::size_t sum_others(std::size_t value, Kept kept) {
        const std::vector<label> labels = to_.labels_of(value);
        if (std::all_of(labels.begin(), labels.end(), kept)) {
            return value;
        }
        value = to_.reshape(value, single_axes(labels));
        std::vector<std::size_t> summed;
        for (std::size_t a = 0; a < labels.size(); ++a) {
            if (!kept(labels[a])) {
                summed.push_back(a);
            }
        }
        return to_.sum(value, summed);
    }

    [[nodiscard]] planning::path_problem path_problem_of(const std::vector<std::size_t>& values,
                                                         std::vector<label> output) const {
        planning::path_problem p;
        for (const std::size_t v : values) {
            p.terms.push_back(to_.labels_of(v));
            std::sort(p.terms.back().begin(), p.terms.back().end());
        }
        // Some labels are needed by values that are not among these, which lack them.
        std::erase_if(output, [&](label l) {
            return std::none_of(p.terms.begin(), p.terms.end(),
                                [&](const auto& term) { return holds(term, l); });
        });
        std::sort(output.begin(), output.end());
        output.erase(std::unique(output.begin(), output.end()), output.end());
        p.output = std::move(output);
        p.extents = to_.labels().extents;
        return p;
    }

    std::size_t write_pair(std::size_t lhs, std::size_t rhs, const std::vector<label>& needed,
                           bool ordered, bool convolve) {
        std::vector<label> wanted;
        for (const label l : needed) {
            const bool ours = holds(to_.labels_of(lhs), l) || holds(to_.labels_of(rhs), l);
            if (ours && !holds(wanted, l)) {
                wanted.push_back(l);
            }
        }
        const pair p(to_, lhs, rhs, wanted, ordered);
        if (!able_.broadcasts) {
            return apply(p, equal_search(p, to_.depends_on(lhs, able_.constants),
                                         to_.depends_on(rhs, able_.constants))
                                .run());
        }
        way best = find_product(p);
        if (!p.contracted.empty()) {
            if (const auto product = matmul_search(p, able_).run();
                product && product->cost <= best.cost) {
                best = *product;
            }
            if (const auto found =
                    able_.convolution && convolve ? find_convolution(p) : std::nullopt) {
                best = *found;
            }
        }
        return apply(p, best);
    }

    template <class Pair>
    std::size_t apply(const Pair& p, const way& w) {
        const std::size_t first = to_.arrange(p.values[w.swapped ? 1 : 0], w.first);
        const std::size_t second = to_.arrange(p.values[w.swapped ? 0 : 1], w.second);
        std::size_t value = to_.append(w.what, {first, second}, {}, w.result);
        return w.summed.empty() ? value : to_.sum(value, w.summed);
    }

    static constexpr auto taken = static_cast<std::size_t>(-1);

    network_view net_;
    Plan plan_;
    abilities able_;
    builder<label_table> to_;
    shape result_;
};

}  // namespace xeinsum::emission
