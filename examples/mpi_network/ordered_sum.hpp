// Adds partial results in one order, in whichever order they come: parts 0, 1, 2 of "ij,jk->ik"
// make (0 + 1) + 2 even if 2 is there first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace mpi_network {

/// A binary tree over the parts. Two sums that are there and are neighbours become one, so at most
/// about as many wait as parts are being computed, and one for each level.
class ordered_sum {
public:
    using values = std::vector<double>;
    /// Level and position: (0, 5) is part 5, (1, 2) the sum of parts 4 and 5.
    using place = std::pair<std::uint32_t, std::int64_t>;

    explicit ordered_sum(std::int64_t parts) : parts_(parts) {}

    /// Takes a part, or a sum of earlier ones.
    void add(place at, values sum) {
        while (!(at.second == 0 && count(at.first) == 1)) {
            const bool right = at.second % 2 != 0;
            const place sibling{at.first, right ? at.second - 1 : at.second + 1};
            if (sibling.second < count(at.first)) {
                const auto other = waiting_.find(sibling);
                if (other == waiting_.end()) {
                    break;
                }
                values& left = right ? other->second : sum;
                const values& added = right ? sum : other->second;
                for (std::size_t i = 0; i < left.size(); ++i) {
                    left[i] += added[i];
                }
                if (right) {
                    sum = std::move(other->second);
                }
                waiting_.erase(other);
            }
            at = {at.first + 1, at.second / 2};
        }
        waiting_.insert_or_assign(at, std::move(sum));
    }

    /// The sum of all parts; null until they are there.
    [[nodiscard]] const values* result() const {
        const bool one = waiting_.size() == 1;
        const place at = one ? waiting_.begin()->first : place{};
        return one && at.second == 0 && count(at.first) == 1 ? &waiting_.begin()->second : nullptr;
    }

    /// What has been added so far.
    [[nodiscard]] const std::map<place, values>& waiting() const noexcept { return waiting_; }

    /// The parts that a sum is of: from first up to second.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> parts_of(place at) const noexcept {
        const std::int64_t width = std::int64_t{1} << at.first;
        return {at.second * width, std::min((at.second + 1) * width, parts_)};
    }

private:
    /// Sums of a level.
    [[nodiscard]] std::int64_t count(std::uint32_t level) const noexcept {
        const std::int64_t width = std::int64_t{1} << level;
        return (parts_ + width - 1) / width;
    }

    std::int64_t parts_;
    std::map<place, values> waiting_{};
};

}  // namespace mpi_network
