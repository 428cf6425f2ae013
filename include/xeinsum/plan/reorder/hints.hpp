// What the loops of a pair tell of copies in another order: in "deac,bca->deb" the loops over a and
// c are one stretch of lhs, and would be one loop if the small rhs had them in that order.
#pragma once

#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::planning {

/// The most bytes that copies and the scratch memory beside them may take at a time.
inline constexpr std::size_t reorder_bytes = std::size_t{5} << 19U;

/// Arrays with half as many elements as the largest one may lead: others are copied for them.
inline constexpr double reorder_lead = 0.5;

/// An output is not worth lying along a side that has no more elements.
inline constexpr double short_side = 16;

/// Whether all sides of a matrix product are there.
[[nodiscard]] constexpr bool is_matrix_product(const mode_table& t) noexcept {
    return t.has_both(index_class::lhs_free, index_class::rhs_free) &&
           t.has(index_class::contracted);
}

/// What copies may help a table with two inputs.
class reorder_hints {
public:
    constexpr reorder_hints(const mode_table& t, const target& on) noexcept
        : t_(t),
          reorder_seconds_(on.core.reorder_seconds),
          lanes_(static_cast<std::int64_t>(on.lanes)),
          most_(static_cast<double>(reorder_bytes / on.element_bytes)),
          elements_{t.elements(0), t.elements(1), t.elements(2)},
          least_lead_(reorder_lead * std::max({elements_[0], elements_[1], elements_[2]})) {}

    /// Whether there are any.
    [[nodiscard]] constexpr bool any() const noexcept {
        if (is_matrix_product(t_)) {
            return takes_long(per_second_in_tiles) && (writes_across() || has_hidden_loop(most_));
        }
        constexpr double any_size = std::numeric_limits<double>::infinity();
        const bool long_in_vectors = takes_long(per_second_in_vectors);
        const bool long_gathered =
            is_gathered() ? takes_long(per_second_gathered) : long_in_vectors;
        return (!has_line(2) && (long_gathered || !has_line(1))) ||
               (long_in_vectors && has_hidden_loop(any_size));
    }

    /// Whether a step takes so long that copies may be worth planning them.
    [[nodiscard]] static constexpr bool may_have_any(const mode_table& t,
                                                     const target& on) noexcept {
        return t.inputs() == 2 && on.lanes > 1 &&
               t.iterations() >= on.core.reorder_seconds * per_second_alone &&
               !t.has_one_sided_sum();
    }

private:
    // Iterations of a step that takes element by element, of one that gathers vectors of an input,
    // of one that runs in vectors to a part, and of a matrix product.
    static constexpr double per_second_alone = 1e9;
    static constexpr double per_second_gathered = 2e9;
    static constexpr double per_second_in_vectors = 4e9;
    static constexpr double per_second_in_tiles = 16e9;

    [[nodiscard]] constexpr bool takes_long(double per_second) const noexcept {
        return t_.iterations() >= reorder_seconds_ * per_second;
    }

    /// Whether there is a loop of some length that has its elements side by side in so many inputs
    /// or more, standing still in others, and in the output unless it is summed.
    [[nodiscard]] constexpr bool has_line(std::size_t inputs) const noexcept {
        for (std::size_t m = 0; m < t_.size(); ++m) {
            const std::size_t units =
                (t_.stride(m, 1) == 1 ? 1U : 0U) + (t_.stride(m, 2) == 1 ? 1U : 0U);
            const std::size_t fixed =
                (t_.stride(m, 1) == 0 ? 1U : 0U) + (t_.stride(m, 2) == 0 ? 1U : 0U);
            const bool is_line =
                units > 0 && (!t_.survives(m) || t_.stride(m, 0) == 1) && units + fixed >= inputs;
            if (is_line && 2 * t_.extent(m) >= lanes_) {
                return true;
            }
        }
        return false;
    }

    /// Whether an input lies along a loop too short for tiles of it to be transposed.
    [[nodiscard]] constexpr bool is_gathered() const noexcept {
        constexpr std::int64_t least_tile = 8;
        for (std::size_t m = 0; m < t_.size(); ++m) {
            if (t_.extent(m) < least_tile && (t_.stride(m, 1) == 1 || t_.stride(m, 2) == 1)) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] static constexpr std::int64_t distance(std::int64_t stride) noexcept {
        return stride < 0 ? -stride : stride;
    }
    /// The class of the loop along which an array lies side by side.
    [[nodiscard]] constexpr index_class closest(std::size_t array) const noexcept {
        std::size_t closest = 0;
        for (std::size_t m = 1; m < t_.size(); ++m) {
            const std::int64_t step = distance(t_.stride(m, array));
            const std::int64_t least = distance(t_.stride(closest, array));
            closest = step != 0 && (least == 0 || step < least) ? m : closest;
        }
        return t_.kind(closest);
    }
    /// Whether a small output of a matrix product lies along its batches, and no input does, or
    /// along one side, and that is short and the larger input lies along the other one.
    [[nodiscard]] constexpr bool writes_across() const noexcept {
        const index_class output = closest(0);
        const index_class lhs = closest(1);
        const index_class rhs = closest(2);
        if (elements_[0] > most_) {
            return false;
        }
        if (output == index_class::batch) {
            return lhs != index_class::batch && rhs != index_class::batch;
        }
        const index_class other =
            output == index_class::lhs_free ? index_class::rhs_free : index_class::lhs_free;
        return (elements_[1] < elements_[2] ? rhs : lhs) == other &&
               t_.extent_of(output) <= short_side;
    }

    [[nodiscard]] constexpr bool joins(std::size_t array, std::size_t outer,
                                       std::size_t inner) const noexcept {
        return t_.stride(outer, array) == t_.stride(inner, array) * t_.extent(inner);
    }
    /// Whether loops would be one if an array of at most so many elements lay as a large one does.
    [[nodiscard]] constexpr bool has_hidden_loop(double most) const noexcept {
        for (std::size_t outer = 0; outer < t_.size(); ++outer) {
            for (std::size_t inner = 0; inner < t_.size(); ++inner) {
                const bool alike = inner != outer && t_.kind(inner) == t_.kind(outer) &&
                                   t_.kind(inner) != index_class::batch;
                if (alike && hides(outer, inner, most)) {
                    return true;
                }
            }
        }
        return false;
    }
    [[nodiscard]] constexpr bool hides(std::size_t outer, std::size_t inner,
                                       double most) const noexcept {
        bool leads = false;
        bool follows = false;
        for (std::size_t array = 0; array < elements_.size(); ++array) {
            if (t_.stride(inner, array) == 0) {
                continue;
            }
            const bool one = joins(array, outer, inner);
            leads = leads || (one && elements_[array] >= least_lead_);
            follows = follows || (!one && elements_[array] <= most);
        }
        return leads && follows;
    }

    const mode_table& t_;
    double reorder_seconds_;
    std::int64_t lanes_;
    double most_;
    std::array<double, 3> elements_;
    double least_lead_;
};

/// The class of a label of a network of one or two operands. A single one is lhs.
[[nodiscard]] constexpr index_class class_of(const network_view& net, label l) noexcept {
    return classify(holds(net.operand(0), l), net.operand_count() > 1 && holds(net.operand(1), l),
                    holds(net.output, l));
}

/// How many labels such a network has of each class.
class label_counts {
public:
    constexpr explicit label_counts(const network_view& net) noexcept {
        for (label l = 0; l < static_cast<label>(net.label_count); ++l) {
            ++counts_[static_cast<std::size_t>(class_of(net, l))];
        }
    }
    [[nodiscard]] constexpr std::size_t of(index_class c) const noexcept {
        return counts_[static_cast<std::size_t>(c)];
    }
    /// Labels that are summed of one operand alone.
    [[nodiscard]] constexpr std::size_t alone() const noexcept {
        return of(index_class::lhs_only) + of(index_class::rhs_only);
    }
    [[nodiscard]] constexpr bool sums() const noexcept {
        return alone() + of(index_class::contracted) > 0;
    }

private:
    std::array<std::size_t, index_classes.size()> counts_{};
};

/// Whether an array has labels of the output only, besides some that are summed, in its order.
[[nodiscard, gnu::cold]] constexpr bool lies_in_order(list_view<const label> operand,
                                                      list_view<const label> output) noexcept {
    std::size_t next = 0;
    for (std::size_t a = 0; a < operand.size(); ++a) {
        const label l = operand[a];
        if (!holds(output, l) || holds(operand.first(a), l)) {
            continue;  // summed, or on a diagonal
        }
        while (next < output.size() && output[next] != l) {
            ++next;
        }
        if (next++ >= output.size()) {
            return false;
        }
    }
    return true;
}

/// Whether labels of a class that are neighbours in one of some arrays are so in all that have
/// them: then a copy in another order makes no two loops one.
[[nodiscard, gnu::cold]] constexpr bool keeps_neighbours(const network_view& net) noexcept {
    const std::array<list_view<const label>, 3> terms{net.output, net.operand(0), net.operand(1)};
    for (const auto& term : terms) {
        for (std::size_t a = 1; a < term.size(); ++a) {
            const label outer = term[a - 1];
            const label inner = term[a];
            if (outer == inner || class_of(net, outer) != class_of(net, inner)) {
                continue;
            }
            for (const auto& other : terms) {
                bool together = !holds(other, inner);
                for (std::size_t o = 1; o < other.size(); ++o) {
                    together = together || (other[o - 1] == outer && other[o] == inner);
                }
                if (!together) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// The last label of a term; of one without labels none that there is.
[[nodiscard, gnu::cold]] constexpr label last_of(list_view<const label> term) noexcept {
    return term.size() == 0 ? label{-1} : term[term.size() - 1];
}

/// Whether the last label of an operand is free, and that of the output is not one of its labels.
[[nodiscard, gnu::cold]] constexpr bool lies_along_other(const network_view& net,
                                                         list_view<const label> operand) noexcept {
    return holds(net.output, last_of(operand)) && !holds(operand, last_of(net.output));
}

/// Whether the last label of the output is one of both operands, and not the last of both.
[[nodiscard, gnu::cold]] constexpr bool lies_across_batches(const network_view& net) noexcept {
    const label last = last_of(net.output);
    return class_of(net, last) == index_class::batch &&
           (last_of(net.operand(0)) != last || last_of(net.operand(1)) != last);
}

/// Whether two operands of which one has all free labels and the batch labels, as in bij,bj->bi,
/// lie in one order, and the output in that of its labels there.
[[nodiscard, gnu::cold]] constexpr bool keeps_order_of_larger(const network_view& net) noexcept {
    const bool is_rhs = label_counts(net).of(index_class::rhs_free) > 0;
    const auto larger = net.operand(is_rhs ? 1 : 0);
    return lies_in_order(net.operand(is_rhs ? 0 : 1), larger) && lies_in_order(net.output, larger);
}

/// Whether copies may help plans by labels alone: not sums over one operand that lies as the output
/// does. Packing puts two row-major operands of a matrix product in order, so that nothing is
/// gained where one label is contracted, and the others are in the same order everywhere; unless
/// the output lies along a batch label, or along one free label and an input along the other. Loop
/// nests pack nothing: what lacks a free label of either operand has to lie in one order.
[[nodiscard, gnu::cold]] constexpr bool may_need_copies(const network_view& net) noexcept {
    if (net.operand_count() > 2) {
        return true;
    }
    const label_counts counts(net);
    if (net.operand_count() == 1) {
        return !counts.sums() || !lies_in_order(net.operand(0), net.output);
    }
    const bool is_nest =
        counts.of(index_class::lhs_free) == 0 || counts.of(index_class::rhs_free) == 0;
    return counts.of(index_class::contracted) != 1 || counts.alone() > 0 ||
           (is_nest ? !keeps_order_of_larger(net) : lies_across_batches(net)) ||
           lies_along_other(net, net.operand(0)) || lies_along_other(net, net.operand(1)) ||
           !keeps_neighbours(net);
}

/// Whether there is one label of each kind at most, as in a product of two matrices.
[[nodiscard, gnu::cold]] constexpr bool is_product_of_matrices(const network_view& net) noexcept {
    const label_counts counts(net);
    return net.operand_count() == 2 && counts.alone() == 0 && counts.of(index_class::batch) == 0 &&
           counts.of(index_class::lhs_free) <= 1 && counts.of(index_class::rhs_free) <= 1 &&
           counts.of(index_class::contracted) <= 1;
}

/// Whether row-major arrays make a product of matrices that lie along the columns in rhs and in the
/// output, or a product of a matrix and a vector, or of two vectors, with a sum.
[[nodiscard, gnu::cold]] constexpr bool is_row_major_product(const network_view& net) noexcept {
    const label_counts counts(net);
    if (!is_product_of_matrices(net) || !counts.sums()) {
        return false;
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const auto axes = net.operand(i);
        if (axes.size() > 2 || (axes.size() == 2 && axes[0] == axes[1])) {
            return false;
        }
    }
    if (counts.of(index_class::lhs_free) == 0 || counts.of(index_class::rhs_free) == 0) {
        return true;
    }
    const auto rhs = net.operand(1);
    return rhs[1] == net.output[1];
}

/// Whether a product of two operands has no sums, and both lie as the output does: row-major arrays
/// need no copies for it.
[[nodiscard, gnu::cold]] constexpr bool is_ordered_product(const network_view& net) noexcept {
    return net.operand_count() == 2 && !label_counts(net).sums() &&
           lies_in_order(net.operand(0), net.output) && lies_in_order(net.operand(1), net.output);
}

/// Whether a copy of an array in another order may make a step faster.
[[nodiscard]] constexpr bool may_reorder(const mode_table& t, const target& on) noexcept {
    return reorder_hints::may_have_any(t, on) && reorder_hints(t, on).any();
}

}  // namespace xeinsum::planning
