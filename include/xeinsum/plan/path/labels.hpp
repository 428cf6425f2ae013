// The labels of a network as bits, and the products of their extents: with 2, 3, 3 and 5 the bits
// 0b1010 of "abcd" stand for b and d, or 15.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/path/problem.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace xeinsum::planning {

/// Numbers labels by extent, so that those of a word of 64 bits mostly share theirs.
template <class Problem>
class path_labels {
    template <class T>
    using vector = dependent<Problem, std::vector<T>>;

public:
    explicit path_labels(const Problem& problem) : bit_of_(problem.extents.size()) {
        const auto& extents = problem.extents;
        vector<std::size_t> order(extents.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return extents[a] < extents[b]; });
        extents_.resize(64 * ((order.size() + 63) / 64), 1);
        for (std::size_t bit = 0; bit < order.size(); ++bit) {
            bit_of_[order[bit]] = bit;
            extents_[bit] = static_cast<double>(extents[order[bit]]);
        }
        powers_.resize(powers * words(), 1);
        long_.resize(words(), 0);
        for (std::size_t w = 0; w < words(); ++w) {
            const std::size_t last = std::min(order.size(), 64 * w + 64) - 1;
            const bool alike = extents_[64 * w] == extents_[last];
            for (std::size_t n = 1; n < powers; ++n) {
                powers_[powers * w + n] =
                    alike ? std::min(powers_[powers * w + n - 1] * extents_[64 * w], most_elements)
                          : 0;
            }
        }
        for (std::size_t bit = 0; bit < extents_.size(); ++bit) {
            mark(bit);
        }
    }

    [[nodiscard]] std::size_t words() const noexcept { return extents_.size() / 64; }
    [[nodiscard]] std::size_t bit_of(label l) const noexcept {
        return bit_of_[static_cast<std::size_t>(l)];
    }
    [[nodiscard]] double extent(std::size_t bit) const noexcept { return extents_[bit]; }
    void set_extent(std::size_t bit, double extent) noexcept {
        extents_[bit] = extent;
        // A label of extent 1 is left out; a longer one differs from the others of its word.
        if (extent != 1) {
            powers_[powers * (bit / 64) + 1] = 0;
        }
        mark(bit);
    }

    /// The product of the extents of some labels of one word. Those of one extent, which most
    /// networks have, need only be counted.
    [[nodiscard]] double product(std::size_t w, std::uint64_t labels) const noexcept {
        labels &= long_[w];
        const double* power = powers_.data() + powers * w;
        if (power[1] != 0) {
            return power[std::popcount(labels)];
        }
        double p = 1;
        for (; labels != 0; labels &= labels - 1) {
            p *= extents_[64 * w + static_cast<std::size_t>(std::countr_zero(labels))];
        }
        return p;
    }

    [[nodiscard]] static bool holds(const std::uint64_t* labels, std::size_t bit) noexcept {
        return (labels[bit / 64] >> (bit % 64) & 1U) != 0;
    }

private:
    static constexpr std::size_t powers = 65;  // of an extent, for up to 64 labels

    void mark(std::size_t bit) noexcept {
        const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
        long_[bit / 64] = extents_[bit] == 1 ? long_[bit / 64] & ~mask : long_[bit / 64] | mask;
    }

    vector<std::size_t> bit_of_;    // by label
    vector<double> extents_{};      // by bit
    vector<double> powers_{};       // of the extent of each word; 0 where extents differ
    vector<std::uint64_t> long_{};  // labels above extent 1
};

}  // namespace xeinsum::planning
