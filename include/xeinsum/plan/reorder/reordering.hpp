// In which order the arrays of a pair had better lie: in "deac,bca->deb" the small rhs as "acb",
// because a and c, which are one stretch of lhs, are then one loop of the product.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/storage.hpp>
#include <xeinsum/plan/reorder/hints.hpp>
#include <xeinsum/plan/step/build_table.hpp>
#include <xeinsum/plan/step/mode_table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace xeinsum::planning {

/// The order in which the labels of each array of a pair had better lie if one, the lead, stays as
/// it is. Array 0 is the output, 1 and 2 are the inputs.
class reordering {
public:
    /// Every label of the inputs is in another array as well. Terms are kept, as those of
    /// intermediates move when steps are added; extents are not.
    constexpr reordering(const std::array<strided_term, 3>& arrays,
                         list_view<const std::int64_t> extents) noexcept
        : extents_(extents) {
        for (std::size_t array = 0; array < arrays.size(); ++array) {
            arrays_[array].keep(arrays[array]);
        }
    }

    [[nodiscard]] constexpr double elements(std::size_t array) const noexcept {
        double product = 1;
        for (const label l : arrays_[array].labels) {
            product *= static_cast<double>(extent(l));
        }
        return product;
    }

    /// Finds the orders; false where all arrays lie well.
    [[nodiscard, gnu::cold]] constexpr bool around(std::size_t lead) noexcept {
        lead_ = lead;
        all_.clear();
        add_by_stride(lead);
        const std::size_t a = (lead + 1) % 3;
        const std::size_t b = (lead + 2) % 3;
        const bool a_first = elements(a) >= elements(b);
        add_by_stride(a_first ? a : b);
        add_by_stride(a_first ? b : a);
        is_product_ = has(true, true, false) && has(true, false, true) && has(false, true, true);
        transposes_ = is_product_ && lead != 0 && lies_along_other_side();
        bool any = false;
        for (const std::size_t array : {a, b}) {
            copies_[array] = !lies_well(array) || (array == 0 && (transposes_ || is_across()));
            any = any || copies_[array];
        }
        copies_[lead] = false;
        return any && (is_product_ || line() >= least_line);
    }

    /// Whether an array does not lie well.
    [[nodiscard]] constexpr bool copies(std::size_t array) const noexcept { return copies_[array]; }

    /// Whether the arrays are a product of matrices.
    [[nodiscard]] constexpr bool is_product() const noexcept { return is_product_; }

    /// All labels, first those of the lead, from the outermost on.
    [[nodiscard]] constexpr list_view<const label> labels() const noexcept {
        return {all_.data(), all_.size()};
    }

    /// Whether a label is in the output and in all arrays that are copied, but for small ones.
    [[nodiscard]] constexpr bool cuts_copies(label l) const noexcept {
        const auto is_cut = [&](std::size_t array) {
            return in(array, l) || !copies_[array] || is_small(array);
        };
        return in(0, l) && is_cut(1) && is_cut(2);
    }

    /// Elements of a stretch in any array but small ones that a label, cut to one of its elements,
    /// leaves.
    [[nodiscard]] constexpr std::int64_t least_stride(label l) const noexcept {
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (std::size_t array = 0; array < 3; ++array) {
            least = in(array, l) && !is_small(array) ? std::min(least, distance(stride(array, l)))
                                                     : least;
        }
        return least;
    }

    /// The labels of an array in the order that was found.
    [[nodiscard, gnu::cold]] constexpr fixed_vector<label, max_modes> order(
        std::size_t array) const noexcept {
        fixed_vector<label, max_modes> order;
        const auto take = [&](auto belongs) {
            for (const label l : all_) {
                if (in(array, l) && belongs(l)) {
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
        const std::size_t columns = transposes_ ? lead_ : input_of_columns();
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
    /// A term with memory of its own.
    struct kept_term {
        fixed_vector<label, max_modes> labels;
        fixed_vector<std::int64_t, max_modes> strides;

        constexpr void keep(const strided_term& term) noexcept {
            for (std::size_t i = 0; i < term.labels.size(); ++i) {
                labels.push_back(term.labels[i]);
                strides.push_back(term.strides[i]);
            }
        }
        [[nodiscard]] constexpr strided_term view() const noexcept {
            return {{labels.data(), labels.size()}, {strides.data(), strides.size()}};
        }
    };

    /// Shorter lines are no faster than elements.
    static constexpr std::int64_t least_line = 4;

    [[nodiscard]] constexpr std::int64_t extent(label l) const noexcept {
        return extents_[static_cast<std::size_t>(l)];
    }
    [[nodiscard]] constexpr bool in(std::size_t array, label l) const noexcept {
        return arrays_[array].view().holds(l);
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
        return stride_of(arrays_[array].view(), l);
    }

    /// Whether an array has so few elements beside the lead that it does not matter how often and
    /// in what order it is read.
    [[nodiscard]] constexpr bool is_small(std::size_t array) const noexcept {
        constexpr double less = 16;
        return less * elements(array) <= elements(lead_);
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
    [[gnu::cold]] constexpr void add_by_stride(std::size_t array) noexcept {
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

    /// The closest label of an array, batches aside or not.
    [[nodiscard, gnu::cold]] constexpr label closest(std::size_t array,
                                                     bool batches) const noexcept {
        label best = arrays_[array].labels[0];
        std::int64_t least = 0;
        for (const label l : arrays_[array].labels) {
            const std::int64_t d = distance(stride(array, l));
            const bool taken = batches || !(in(0, l) && in(1, l) && in(2, l));
            if (taken && (least == 0 || d < least)) {
                least = d;
                best = l;
            }
        }
        return best;
    }
    [[nodiscard]] constexpr std::size_t input_of_columns() const noexcept {
        return in(1, closest(0, false)) ? 1 : 2;
    }
    /// Whether the output lies along batches and the inputs do not.
    [[nodiscard]] constexpr bool is_across() const noexcept {
        const auto lies_along = [&](std::size_t array) {
            const label l = closest(array, true);
            return in(0, l) && in(1, l) && in(2, l);
        };
        return is_product_ && lies_along(0) && !lies_along(1) && !lies_along(2);
    }

    /// Whether the output lies along a short side, but the lead, an input, along the other one.
    [[nodiscard, gnu::cold]] constexpr bool lies_along_other_side() const noexcept {
        const label l = closest(lead_, true);
        if (!in(0, l) || in(3 - lead_, l) || input_of_columns() == lead_) {
            return false;
        }
        double side = 1;
        for (const label other : arrays_[3 - lead_].labels) {
            side *= in(0, other) && !in(lead_, other) ? static_cast<double>(extent(other)) : 1;
        }
        return side <= short_side;
    }

    /// Of matrix products: whether labels of a kind that are one stretch of the lead are one here;
    /// of others: whether strides fall as in the lead.
    [[nodiscard, gnu::cold]] constexpr bool lies_well(std::size_t array) const noexcept {
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

    std::array<kept_term, 3> arrays_;
    list_view<const std::int64_t> extents_;
    std::size_t lead_ = 0;
    bool is_product_ = false;  ///< of matrices
    bool transposes_ = false;  ///< columns are those of the lead, not those of the output
    std::array<bool, 3> copies_{};
    fixed_vector<label, 2 * max_modes> all_;
};

}  // namespace xeinsum::planning
