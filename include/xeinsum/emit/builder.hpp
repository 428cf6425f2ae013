// Puts a program together and leaves out what does nothing: a permute that moves only axes of
// extent 1 is a reshape, and two reshapes are one, as after "bij->bji" with a j of 1.
#pragma once

#include <xeinsum/emit/program.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace xeinsum::emission {

/// Appends operations. Every function takes values and returns a value; each value may be used
/// once.
template <class Labels = label_table>
class builder {
public:
    builder(Labels labels, std::vector<shape> operands) {
        made_.labels = std::move(labels);
        made_.operands = std::move(operands);
    }

    [[nodiscard]] const Labels& labels() const { return made_.labels; }
    [[nodiscard]] const shape& shape_of(std::size_t value) const { return made_.shape_of(value); }
    [[nodiscard]] std::vector<label> labels_of(std::size_t value) const {
        return emission::labels_of(shape_of(value));
    }

    /// Whether a value depends on no operands but those that are told.
    [[nodiscard]] bool depends_on(std::size_t value, const std::vector<bool>& told) const {
        if (made_.is_operand(value)) {
            return value < told.size() && told[value];
        }
        const auto& inputs = made_.at(value).inputs;
        return std::all_of(inputs.begin(), inputs.end(),
                           [&](std::size_t input) { return depends_on(input, told); });
    }
    /// Whether a value is a matmul with batches on either side.
    [[nodiscard]] bool is_batched_matmul(std::size_t value) const {
        return !made_.is_operand(value) && made_.at(value).what == operation::matmul &&
               shape_of(made_.at(value).inputs[1]).size() > 2;
    }

    /// The axes in another order: axis i was axis order[i].
    std::size_t permute(std::size_t value, std::vector<std::size_t> order) {
        const shape& from = shape_of(value);
        shape to;
        std::vector<std::size_t> longer;
        for (const std::size_t i : order) {
            to.push_back(from[i]);
            if (!labels().essence(from[i]).empty()) {
                longer.push_back(i);
            }
        }
        if (std::is_sorted(longer.begin(), longer.end())) {
            return reshape(value, std::move(to));
        }
        return append(operation::permute, {value}, std::move(order), std::move(to));
    }

    /// The same elements in the same order, as other axes.
    std::size_t reshape(std::size_t value, shape to) {
        if (!made_.is_operand(value) && made_.at(value).what == operation::reshape) {
            value = made_.at(value).inputs.front();
        }
        if (labels().essence(shape_of(value)) == labels().essence(to)) {
            // Perhaps other labels of extent 1, which the caller goes by from here on.
            (made_.is_operand(value) ? made_.operands[value]
                                     : made_.nodes[value - made_.operands.size()].shape) =
                std::move(to);
            return value;
        }
        return append(operation::reshape, {value}, {}, std::move(to));
    }

    /// The value as the given axes, which hold the same labels in any order.
    std::size_t arrange(std::size_t value, const shape& to) {
        const std::vector<label> wanted = emission::labels_of(to);
        if (order_of(labels_of(value)) == order_of(wanted)) {
            return reshape(value, to);
        }
        // Axes that stay together move together.
        if (!moves_whole(shape_of(value), wanted)) {
            value = reshape(value, single_axes(labels_of(value)));
        }
        const shape from = shape_of(value);
        std::vector<std::size_t> order;
        for (const label l : wanted) {
            const auto at = static_cast<std::size_t>(
                std::find_if(from.begin(), from.end(), [&](const axis& a) { return holds(a, l); }) -
                from.begin());
            if (std::find(order.begin(), order.end(), at) == order.end()) {
                order.push_back(at);
            }
        }
        // Axes without a label disappear.
        shape kept;
        std::vector<std::size_t> rank(from.size(), 0);
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (!from[i].empty()) {
                rank[i] = kept.size();
                kept.push_back(from[i]);
            }
        }
        std::transform(order.begin(), order.end(), order.begin(),
                       [&](std::size_t i) { return rank[i]; });
        return reshape(permute(reshape(value, kept), order), to);
    }

    /// The axes summed away.
    std::size_t sum(std::size_t value, const std::vector<std::size_t>& axes) {
        const shape& from = shape_of(value);
        shape to;
        std::vector<std::size_t> longer;
        for (std::size_t i = 0; i < from.size(); ++i) {
            const bool summed = std::find(axes.begin(), axes.end(), i) != axes.end();
            if (!summed) {
                to.push_back(from[i]);
            } else if (!labels().essence(from[i]).empty()) {
                longer.push_back(i);
            }
        }
        if (longer.empty()) {
            return reshape(value, std::move(to));
        }
        return append(operation::sum, {value}, axes, std::move(to));
    }

    std::size_t append(operation what, std::vector<std::size_t> inputs,
                       std::vector<std::size_t> numbers, shape to) {
        made_.nodes.push_back({what, std::move(inputs), std::move(numbers), std::move(to)});
        return made_.operands.size() + made_.nodes.size() - 1;
    }

    /// The program that computes a value, without operations that it does not need.
    [[nodiscard]] program finish(std::size_t result) const {
        std::vector<bool> needed(made_.operands.size() + made_.nodes.size(), false);
        needed[result] = true;
        for (std::size_t v = needed.size(); v-- > made_.operands.size();) {
            for (const std::size_t input : made_.at(v).inputs) {
                needed[input] = needed[input] || needed[v];
            }
        }
        program out{made_.labels, made_.operands, {}, 0};
        std::vector<std::size_t> renamed(needed.size(), 0);
        for (std::size_t v = 0; v < needed.size(); ++v) {
            renamed[v] = v;
            if (v < made_.operands.size() || !needed[v]) {
                continue;
            }
            node n = made_.at(v);
            for (std::size_t& input : n.inputs) {
                input = renamed[input];
            }
            renamed[v] = out.operands.size() + out.nodes.size();
            out.nodes.push_back(std::move(n));
        }
        out.result = renamed[result];
        return out;
    }

    /// Labels in order, without those that are always 1.
    [[nodiscard]] std::vector<label> order_of(const std::vector<label>& list) const {
        return labels().essence(axis(list));
    }

private:
    /// Whether the labels of each axis stand side by side in the wanted order.
    [[nodiscard]] static bool moves_whole(const shape& from, const std::vector<label>& wanted) {
        return std::all_of(from.begin(), from.end(), [&](const axis& a) {
            return std::search(wanted.begin(), wanted.end(), a.begin(), a.end()) != wanted.end() ||
                   a.empty();
        });
    }

    program made_{};
};

}  // namespace xeinsum::emission
