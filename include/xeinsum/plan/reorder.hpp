// Which arrays of a pair had better be copied in another order: in "deac,bca->deb" the small rhs as
// "acb", because a and c, which are one stretch of lhs, are then one loop of the product.
#pragma once

#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/storage.hpp>
#include <xeinsum/plan/build_table.hpp>
#include <xeinsum/plan/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum::planning {

/// Iterations of a step from which on copies may pay for being planned.
inline constexpr double reorder_iterations = 1 << 13;

/// The most bytes that copies and the scratch memory beside them may take.
inline constexpr std::size_t reorder_bytes = std::size_t{2} << 20U;

/// Arrays with half as many elements as the largest one may lead: others are copied for them.
inline constexpr double reorder_lead = 0.5;

/// Whether the loop has its elements side by side in an input, and in the output unless it is
/// summed, and in the other input as well unless it stands still there.
[[nodiscard]] constexpr bool runs_in_vectors(const mode_table& t, std::size_t m) noexcept {
    bool unit = false;
    bool apart = t.survives(m) && t.stride(m, 0) != 1;
    for (std::size_t i = 1; i <= t.inputs(); ++i) {
        unit = unit || t.stride(m, i) == 1;
        apart = apart || (t.stride(m, i) != 0 && t.stride(m, i) != 1);
    }
    return unit && !apart;
}

/// Whether a copy of an array may make a step faster. Either it is no matrix product, and no loop
/// runs in vectors; or there are loops that would be one if a small array lay as a large one does.
[[nodiscard]] constexpr bool may_reorder(const mode_table& t, const target& on) noexcept {
    constexpr std::size_t arrays = 3;
    if (t.inputs() + 1 != arrays || on.lanes == 1 || t.iterations() < reorder_iterations ||
        t.has_one_sided_sum()) {
        return false;
    }
    const double most = static_cast<double>(reorder_bytes / on.element_bytes);
    if (!t.has_both(index_class::lhs_free, index_class::rhs_free) ||
        !t.has(index_class::contracted)) {
        for (std::size_t m = 0; m < t.size(); ++m) {
            if (runs_in_vectors(t, m)) {
                return false;
            }
        }
        return std::min({t.elements(0), t.elements(1), t.elements(2)}) <= most;
    }
    const auto joins = [&](std::size_t array, std::size_t outer, std::size_t inner) {
        return t.stride(outer, array) == t.stride(inner, array) * t.extent(inner);
    };
    std::array<double, arrays> elements{};  // found only where they matter
    for (std::size_t outer = 0; outer < t.size(); ++outer) {
        for (std::size_t inner = 0; inner < t.size(); ++inner) {
            if (inner == outer || t.kind(inner) != t.kind(outer) ||
                t.kind(inner) == index_class::batch) {
                continue;
            }
            for (std::size_t lead = 0; lead < arrays; ++lead) {
                if (t.stride(inner, lead) == 0 || !joins(lead, outer, inner)) {
                    continue;
                }
                if (elements[0] == 0) {
                    elements = {t.elements(0), t.elements(1), t.elements(2)};
                }
                const double largest = std::max({elements[0], elements[1], elements[2]});
                for (std::size_t other = 0; other < arrays; ++other) {
                    if (elements[lead] >= reorder_lead * largest && elements[other] <= most &&
                        t.stride(inner, other) != 0 && !joins(other, outer, inner)) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

/// The order in which the labels of each array of a pair had better lie if one, the lead, stays as
/// it is. Array 0 is the output, 1 and 2 are the inputs.
class reordering {
public:
    /// Every label of the inputs is in another array as well.
    constexpr reordering(const std::array<strided_term, 3>& arrays,
                         list_view<const std::int64_t> extents) noexcept
        : arrays_(arrays), extents_(extents) {}

    [[nodiscard]] constexpr double elements(std::size_t array) const noexcept {
        double product = 1;
        for (const label l : arrays_[array].labels) {
            product *= static_cast<double>(extent(l));
        }
        return product;
    }

    /// Finds the orders; false where all arrays lie well.
    [[nodiscard]] constexpr bool around(std::size_t lead) noexcept {
        lead_ = lead;
        all_.clear();
        add_by_stride(lead);
        const std::size_t a = (lead + 1) % 3;
        const std::size_t b = (lead + 2) % 3;
        const bool a_first = elements(a) >= elements(b);
        add_by_stride(a_first ? a : b);
        add_by_stride(a_first ? b : a);
        is_product_ = has(true, true, false) && has(true, false, true) && has(false, true, true);
        bool any = false;
        for (const std::size_t array : {a, b}) {
            copies_[array] = !lies_well(array);
            any = any || copies_[array];
        }
        copies_[lead] = false;
        return any && (is_product_ || line() >= least_line);
    }

    /// Whether an array does not lie well.
    [[nodiscard]] constexpr bool copies(std::size_t array) const noexcept { return copies_[array]; }

    /// The labels of an array in the order that was found.
    [[nodiscard]] constexpr fixed_vector<label, max_modes> order(std::size_t array) const noexcept {
        fixed_vector<label, max_modes> order;
        const auto take = [&](auto belongs) {
            for (const label l : all_) {
                if (arrays_[array].holds(l) && belongs(l)) {
                    order.push_back(l);
                }
            }
        };
        if (!is_product_) {
            take([](label) { return true; });
            return order;
        }
        // Batches are around matrices, whose columns lie side by side in the output and in rhs, as
        // the depth does in lhs.
        const std::size_t columns = input_of_columns();
        const auto is_batch = [&](label l) { return in(0, l) && in(1, l) && in(2, l); };
        const auto is_row = [&](label l) { return in(0, l) && !in(columns, l); };
        const auto is_column = [&](label l) { return in(0, l) && !in(3 - columns, l); };
        const auto is_depth = [&](label l) { return !in(0, l); };
        take(is_batch);
        take(is_row);
        if (array == columns) {
            take(is_depth);
        }
        take(is_column);
        if (array == 3 - columns) {
            take(is_depth);
        }
        return order;
    }

private:
    /// Shorter lines are no faster than elements.
    static constexpr std::int64_t least_line = 4;

    [[nodiscard]] constexpr std::int64_t extent(label l) const noexcept {
        return extents_[static_cast<std::size_t>(l)];
    }
    [[nodiscard]] constexpr bool in(std::size_t array, label l) const noexcept {
        return arrays_[array].holds(l);
    }
    /// Whether a label is in just these arrays.
    [[nodiscard]] constexpr bool has(bool output, bool lhs, bool rhs) const noexcept {
        return std::any_of(all_.begin(), all_.end(), [&](label l) {
            return in(0, l) == output && in(1, l) == lhs && in(2, l) == rhs;
        });
    }
    [[nodiscard]] static constexpr std::int64_t distance(std::int64_t stride) noexcept {
        return stride < 0 ? -stride : stride;
    }
    [[nodiscard]] constexpr std::int64_t stride(std::size_t array, label l) const noexcept {
        return stride_of(arrays_[array], l);
    }

    /// Elements that lie side by side wherever they are, if arrays lie as the lead does.
    [[nodiscard]] constexpr std::int64_t line() const noexcept {
        const std::size_t closest = arrays_[lead_].labels.size() - 1;
        std::int64_t extents = 1;
        for (std::size_t i = closest + 1; i-- > 0;) {
            for (std::size_t array = 0; array < 3; ++array) {
                if (in(array, all_[i]) != in(array, all_[closest])) {
                    return extents;
                }
            }
            extents *= extent(all_[i]);
        }
        return extents;
    }

    /// Adds the labels of an array that are still missing, long strides first.
    constexpr void add_by_stride(std::size_t array) noexcept {
        const std::size_t begin = all_.size();
        for (const label l : arrays_[array].labels) {
            if (std::find(all_.begin(), all_.end(), l) != all_.end()) {
                continue;
            }
            all_.push_back(l);
            for (std::size_t i = all_.size() - 1; i > begin; --i) {
                if (distance(stride(array, all_[i - 1])) < distance(stride(array, all_[i]))) {
                    std::swap(all_[i - 1], all_[i]);
                }
            }
        }
    }

    /// The input of the label that is closest in the output, batches aside.
    [[nodiscard]] constexpr std::size_t input_of_columns() const noexcept {
        std::size_t input = 2;
        std::int64_t least = 0;
        for (const label l : arrays_[0].labels) {
            const std::int64_t d = distance(stride(0, l));
            if (!(in(1, l) && in(2, l)) && (least == 0 || d < least)) {
                least = d;
                input = in(1, l) ? 1 : 2;
            }
        }
        return input;
    }

    /// Of matrix products: whether labels of a kind that are one stretch of the lead are one here;
    /// of others: whether strides fall as in the lead.
    [[nodiscard]] constexpr bool lies_well(std::size_t array) const noexcept {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            for (std::size_t j = i + 1; j < all_.size(); ++j) {
                const label p = all_[i];
                const label q = all_[j];
                if (!in(array, p) || !in(array, q)) {
                    continue;
                }
                if (is_product_ ? are_alike(p, q) && in(lead_, p) && in(lead_, q) &&
                                      joins(lead_, p, q) && !joins(array, p, q)
                                : distance(stride(array, p)) < distance(stride(array, q))) {
                    return false;
                }
            }
        }
        return true;
    }
    [[nodiscard]] constexpr bool are_alike(label p, label q) const noexcept {
        return in(0, p) == in(0, q) && in(1, p) == in(1, q) && in(2, p) == in(2, q) &&
               !(in(0, p) && in(1, p) && in(2, p));
    }
    [[nodiscard]] constexpr bool joins(std::size_t array, label outer, label inner) const noexcept {
        return stride(array, outer) == stride(array, inner) * extent(inner);
    }

    std::array<strided_term, 3> arrays_;
    list_view<const std::int64_t> extents_;
    std::size_t lead_ = 0;
    bool is_product_ = false;  ///< of matrices
    std::array<bool, 3> copies_{};
    fixed_vector<label, 2 * max_modes> all_;
};

}  // namespace xeinsum::planning
