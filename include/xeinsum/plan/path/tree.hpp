// A contraction path as a tree that small changes make cheaper: in "ab,bc,cd,de->ae" by
// ((ab,bc),cd),de the parts ab and cd of one node may change places, which makes it
// ((cd,bc),ab),de.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path/labels.hpp>
#include <xeinsum/plan/path/order.hpp>
#include <xeinsum/plan/path/problem.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// A path whose nodes can be rotated and whose labels can be cut into slices. Terms are nodes 0, 1,
/// ..., pairs follow, the last one is the result. The labels of a node are bits, ordered by extent.
template <class Problem>
class path_tree {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

    struct node {
        std::array<std::uint32_t, 2> children{};
        double size = 1;
        double cost = 0;  // of the pair
    };

public:
    path_tree(const Problem& problem, const contraction_path& path)
        : cost_(problem.cost),
          leaves_(problem.terms.size()),
          summed_terms_(problem.summed_terms),
          labels_(problem),
          words_(labels_.words()) {
        shape_.nodes.resize(leaves_ + path.size());
        shape_.bits.resize(nodes() * words_, 0);
        rotated_.resize(words_);
        label_uses uses(problem);
        auto terms = problem.terms;
        for (std::size_t v = 0; v < nodes(); ++v) {
            if (v >= leaves_) {
                const auto [lhs, rhs] = path[v - leaves_];
                shape_.nodes[v].children = {static_cast<std::uint32_t>(lhs),
                                            static_cast<std::uint32_t>(rhs)};
                terms.push_back(uses.contract(terms[lhs], terms[rhs]));
            }
            for (const label l : terms[v]) {
                const std::size_t bit = labels_.bit_of(l);
                shape_.bits[v * words_ + bit / 64] |= std::uint64_t{1} << (bit % 64);
            }
        }
        measure();
    }

    [[nodiscard]] std::size_t leaves() const noexcept { return leaves_; }
    [[nodiscard]] std::size_t nodes() const noexcept { return shape_.nodes.size(); }
    /// Words of 64 bits that the labels of a node take.
    [[nodiscard]] std::size_t words() const noexcept { return words_; }

    /// The cost of all slices together.
    [[nodiscard]] double cost() const noexcept {
        double total = 0;
        for (std::size_t v = leaves_; v < nodes(); ++v) {
            total += shape_.nodes[v].cost;
        }
        return total * slices_;
    }
    /// The same by another measure.
    [[nodiscard]] double cost(const path_cost& measure) const noexcept {
        double total = 0;
        for (std::size_t v = leaves_; v < nodes(); ++v) {
            total += measure(sizes(v));
        }
        return total * slices_;
    }
    /// Elements of the largest intermediate of a slice; the result is none.
    [[nodiscard]] double largest() const noexcept {
        double most = 0;
        for_each_stored([&](std::size_t v) { most = std::max(most, shape_.nodes[v].size); });
        return most;
    }

    /// The path: a subtree is done before the next one begins, the one with the larger result
    /// first, so that few intermediates live at a time.
    [[nodiscard]] contraction_path path() const {
        contraction_path out;
        if (nodes() == leaves_) {
            return out;
        }
        vector<std::size_t> number(nodes());
        std::iota(number.begin(), number.end(), std::size_t{0});
        const auto branches = [&](std::size_t v) {
            const auto [lhs, rhs] = shape_.nodes[v].children;
            return size(lhs) < size(rhs) ? std::pair(rhs, lhs) : std::pair(lhs, rhs);
        };
        for (const std::size_t v : depth_first(nodes() - 1, leaves_, branches)) {
            const auto [lhs, rhs] = shape_.nodes[v].children;
            out.emplace_back(std::min(number[lhs], number[rhs]),
                             std::max(number[lhs], number[rhs]));
            number[v] = leaves_ + out.size() - 1;
        }
        return out;
    }

    /// What rotations change.
    struct state {
        vector<node> nodes{};
        vector<std::uint64_t> bits{};
    };
    [[nodiscard]] const state& shape() const noexcept { return shape_; }
    void restore(const state& shape) { shape_ = shape; }

    /// Which rotations are accepted: those that are no dearer, and dearer ones with the probability
    /// (cost before / cost after)^sharpness, where the costs are those of the two pairs that
    /// change, up to a factor. Intermediates above largest_elements do not grow.
    struct acceptance {
        double sharpness = std::numeric_limits<double>::infinity();
        double dearest = std::numeric_limits<double>::infinity();
        double largest_elements = std::numeric_limits<double>::infinity();
    };

    /// Tries to make ((c, b), d) of a pair ((c, d), b), where chance chooses which is which.
    template <class Random>
    void rotate(std::size_t top, Random& random, const acceptance& accept) {
        const std::uint64_t choice = random.next();
        const std::size_t side = choice & 1U;
        const std::size_t swapped = choice >> 1U & 1U;
        const auto& ends = shape_.nodes[top].children;
        const std::size_t low = ends[side] < leaves_ ? ends[side ^ 1U] : ends[side];
        if (low < leaves_) {
            return;
        }
        const std::size_t b = ends[0] == low ? ends[1] : ends[0];
        const std::size_t c = shape_.nodes[low].children[swapped];
        const std::size_t d = shape_.nodes[low].children[swapped ^ 1U];
        step_sizes lower{size(c), size(b), 1, 1, false};
        step_sizes upper{1, size(d), size(top), size(top), false};
        for (std::size_t w = 0; w < words_; ++w) {
            // A label of c or b survives their pair where the topmost one or d has it.
            const std::uint64_t all = bits(c)[w] | bits(b)[w];
            const std::uint64_t kept = all & (bits(top)[w] | bits(d)[w]);
            rotated_[w] = kept;
            lower.out *= product(w, kept);
            sum(lower, w, all & ~kept);
            sum(upper, w, (kept | bits(d)[w]) & ~bits(top)[w]);
        }
        lower.out = std::min(lower.out, most_elements);
        lower.all = std::min(lower.all * lower.out, most_elements);
        upper.lhs = lower.out;
        upper.all = std::min(upper.all, most_elements);
        if (lower.out > accept.largest_elements && lower.out > size(low)) {
            return;
        }
        const double lower_cost = cost_(lower);
        const double upper_cost = cost_(upper);
        const double before = shape_.nodes[low].cost + shape_.nodes[top].cost;
        const double after = lower_cost + upper_cost;
        if (after > before && (after > before * accept.dearest ||
                               random.uniform() >= std::pow(before / after, accept.sharpness))) {
            return;
        }
        std::copy(rotated_.begin(), rotated_.end(), bits(low));
        shape_.nodes[low] = {
            {static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(b)}, lower.out, lower_cost};
        shape_.nodes[top].children = {static_cast<std::uint32_t>(low),
                                      static_cast<std::uint32_t>(d)};
        shape_.nodes[top].cost = upper_cost;
    }

    /// The sizes of every pair of a slice.
    [[nodiscard]] vector<step_sizes> pairs() const {
        vector<step_sizes> all;
        for (std::size_t v = leaves_; v < nodes(); ++v) {
            all.push_back(sizes(v));
        }
        return all;
    }
    /// The labels, as numbers of bits, of the largest intermediate, if it is above so many
    /// elements, or else of the pair with the most products, if these are too many.
    [[nodiscard]] vector<std::size_t> excess(double largest_elements, double most_products) const {
        vector<std::uint64_t> found(words_, 0);
        double most = largest_elements;
        for_each_stored([&](std::size_t v) {
            if (size(v) > most) {
                most = size(v);
                std::copy_n(bits(v), words_, found.begin());
            }
        });
        if (most == largest_elements) {
            most = most_products;
            for (std::size_t v = leaves_; v < nodes(); ++v) {
                if (const double products = sizes(v).all; products > most) {
                    most = products;
                    const auto [lhs, rhs] = shape_.nodes[v].children;
                    for (std::size_t w = 0; w < words_; ++w) {
                        found[w] = bits(lhs)[w] | bits(rhs)[w];
                    }
                }
            }
        }
        vector<std::size_t> labels;
        for (std::size_t bit = 0; bit < 64 * words_; ++bit) {
            if (path_labels<Problem>::holds(found.data(), bit)) {
                labels.push_back(bit);
            }
        }
        return labels;
    }
    /// The cost of all slices if a label is cut into so many more parts. Takes what pairs()
    /// returns.
    [[nodiscard]] double cost_of_cut(const vector<step_sizes>& pairs, std::size_t bit,
                                     double parts) const noexcept {
        double total = 0;
        for (std::size_t v = leaves_; v < nodes(); ++v) {
            step_sizes s = pairs[v - leaves_];
            const bool in_lhs = path_labels<Problem>::holds(bits(shape_.nodes[v].children[0]), bit);
            const bool in_rhs = path_labels<Problem>::holds(bits(shape_.nodes[v].children[1]), bit);
            s.lhs /= in_lhs ? parts : 1;
            s.rhs /= in_rhs ? parts : 1;
            s.all /= in_lhs || in_rhs ? parts : 1;
            s.out /= path_labels<Problem>::holds(bits(v), bit) ? parts : 1;
            total += cost_(s);
        }
        return total * slices_ * parts;
    }
    void cut(std::size_t bit, double parts) {
        slices_ *= parts;
        labels_.set_extent(bit, labels_.extent(bit) / parts);
        measure();
    }
    [[nodiscard]] double slices() const noexcept { return slices_; }
    /// The extent of a label in a slice.
    [[nodiscard]] double extent(std::size_t bit) const noexcept { return labels_.extent(bit); }
    [[nodiscard]] double extent_of(label l) const noexcept {
        return labels_.extent(labels_.bit_of(l));
    }

private:
    [[nodiscard]] double size(std::size_t v) const noexcept { return shape_.nodes[v].size; }
    [[nodiscard]] const std::uint64_t* bits(std::size_t v) const noexcept {
        return shape_.bits.data() + v * words_;
    }
    [[nodiscard]] std::uint64_t* bits(std::size_t v) noexcept {
        return shape_.bits.data() + v * words_;
    }
    /// Finds the size of every node and the cost of every pair.
    void measure() noexcept {
        for (std::size_t v = 0; v < nodes(); ++v) {
            double elements = 1;
            for (std::size_t w = 0; w < words_; ++w) {
                elements *= product(w, bits(v)[w]);
            }
            shape_.nodes[v].size = std::min(elements, most_elements);
        }
        for (std::size_t v = leaves_; v < nodes(); ++v) {
            shape_.nodes[v].cost = cost_(sizes(v));
        }
    }

    [[nodiscard]] double product(std::size_t w, std::uint64_t labels) const noexcept {
        return labels_.product(w, labels);
    }
    /// Counts labels of one word that a pair sums.
    void sum(step_sizes& s, std::size_t w, std::uint64_t labels) const noexcept {
        s.sums = s.sums || labels != 0;
        s.all *= product(w, labels);
    }
    [[nodiscard]] step_sizes sizes(std::size_t v) const noexcept {
        const auto [lhs, rhs] = shape_.nodes[v].children;
        step_sizes s{size(lhs), size(rhs), size(v), size(v), false};
        for (std::size_t w = 0; w < words_; ++w) {
            sum(s, w, (bits(lhs)[w] | bits(rhs)[w]) & ~bits(v)[w]);
        }
        s.all = std::min(s.all, most_elements);
        return s;
    }

    template <class Take>
    void for_each_stored(Take take) const {
        for (const std::size_t t : summed_terms_) {
            take(t);
        }
        for (std::size_t v = leaves_; v + 1 < nodes(); ++v) {
            take(v);
        }
    }

    path_cost cost_;
    std::size_t leaves_;
    vector<std::size_t> summed_terms_;
    path_labels<Problem> labels_;
    std::size_t words_;
    double slices_ = 1;
    state shape_{};
    vector<std::uint64_t> rotated_{};
};

}  // namespace xeinsum::planning
