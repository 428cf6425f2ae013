// Whether steps along axes add up to a distance: the output and the operand of "bhd->bhd" share an
// element if steps up through the one and down through the other lead from one end to the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace xeinsum::array {

/// All sums of stride * n over some terms, each with an n of its own from 0 to most.
class stride_sums {
public:
    /// Adds the steps along an axis, in either direction; most is not negative.
    void add(std::int64_t stride, std::int64_t most) noexcept {
        stride = stride < 0 ? -stride : stride;
        if (stride == 0 || most == 0) {
            return;
        }
        std::size_t at = 0;
        while (at < count_ && terms_[at].stride > stride) {
            ++at;
        }
        if (at < count_ && terms_[at].stride == stride) {
            terms_[at].most += most;
        } else if (count_ < terms_.size()) {
            std::copy_backward(terms_.begin() + at, terms_.begin() + count_,
                               terms_.begin() + count_ + 1);
            terms_[at] = {stride, most, 0, 0, false};
            ++count_;
        } else {
            too_many_ = true;
        }
    }

    /// Whether a sum is the distance. The question is a subset-sum problem: what is not decided
    /// after most_tries tries is answered with true. Arrays whose strides are multiples of each
    /// other, as those of a packed array and its parts are, take a few tries.
    [[nodiscard, gnu::noinline]] bool may_reach(std::int64_t distance) noexcept {
        measure();
        tries_left_ = most_tries;
        return too_many_ || reaches(0, distance);
    }

    static constexpr int most_tries = 1 << 14;

private:
    struct term {
        std::int64_t stride;
        std::int64_t most;
        // Of all sums of this term and those behind it:
        std::int64_t largest;
        std::int64_t common;  ///< they are multiples of it
        bool gapless;         ///< and all of its multiples up to the largest
    };

    void measure() noexcept {
        term behind{0, 0, 0, 0, true};
        for (std::size_t k = count_; k-- > 0;) {
            term& t = terms_[k];
            t.largest = t.stride * t.most + behind.largest;
            t.common = std::gcd(t.stride, behind.common);
            t.gapless = behind.gapless && (behind.common == 0 || behind.common == t.common) &&
                        t.stride <= behind.largest + t.common;
            behind = t;
        }
    }

    /// Whether terms from the k-th on, largest stride first, may add up to a distance.
    [[nodiscard, gnu::cold]] bool reaches(std::size_t k, std::int64_t distance) noexcept {
        if (k == count_) {
            return distance == 0;
        }
        const term& t = terms_[k];
        if (distance < 0 || distance > t.largest || distance % t.common != 0) {
            return false;
        }
        if (t.gapless) {
            return true;
        }
        // The last term is gapless, so there is one behind this. It must not be left too much.
        const std::int64_t excess = distance - terms_[k + 1].largest;
        const std::int64_t first = excess > 0 ? (excess + t.stride - 1) / t.stride : 0;
        const std::int64_t last = std::min(t.most, distance / t.stride);
        for (std::int64_t n = first; n <= last; ++n) {
            if (tries_left_-- <= 0 || reaches(k + 1, distance - n * t.stride)) {
                return true;
            }
        }
        return false;
    }

    // More axes than the output and an operand have above extent 1. Not filled: most are few.
    std::array<term, 64> terms_;
    std::size_t count_ = 0;
    int tries_left_ = 0;
    bool too_many_ = false;
};

}  // namespace xeinsum::array
