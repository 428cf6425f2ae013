// How strides are drawn.
#include "lying.hpp"

#include <algorithm>
#include <numeric>

namespace random_calls {

std::size_t elements_of(const shape& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

strides row_major(const shape& extents) {
    strides lies(extents.size());
    std::int64_t stride = 1;
    for (std::size_t a = extents.size(); a-- > 0;) {
        lies[a] = stride;
        stride *= std::max<std::int64_t>(static_cast<std::int64_t>(extents[a]), 1);
    }
    return lies;
}

reach reach_of(const shape& extents, const strides& lies) {
    reach covered{0, 1};
    for (std::size_t a = 0; a < extents.size(); ++a) {
        if (extents[a] == 0) {
            return {};
        }
        const std::int64_t last = (static_cast<std::int64_t>(extents[a]) - 1) * lies[a];
        (last < 0 ? covered.begin : covered.end) += last;
    }
    return covered;
}

std::vector<std::int64_t> positions_of(const shape& extents, const strides& lies) {
    std::vector<std::int64_t> positions(elements_of(extents), 0);
    std::size_t repeats = 1;  // elements with the same index along an axis, one after the other
    for (std::size_t a = extents.size(); a-- > 0;) {
        for (std::size_t n = 0; n < positions.size(); ++n) {
            positions[n] += static_cast<std::int64_t>(n / repeats % extents[a]) * lies[a];
        }
        repeats *= extents[a];
    }
    return positions;
}

bool are_distinct(std::vector<std::int64_t> positions) {
    std::sort(positions.begin(), positions.end());
    return std::adjacent_find(positions.begin(), positions.end()) == positions.end();
}

placement random_placement(random_source& random, std::size_t rank) {
    placement p{shape(rank), std::vector<std::int64_t>(rank, 1)};
    std::iota(p.order.begin(), p.order.end(), std::size_t{0});
    if (random.chance(0.7)) {
        random.shuffle(p.order);
    }
    std::int64_t room = 12;  // times the memory that the elements themselves take
    for (std::int64_t& step : p.steps) {
        step = random.chance(0.6) || room < 3 ? 1 : random.integer(1, 3);
        room /= step;
        step = random.chance(0.2) ? -step : step;
    }
    return p;
}

strides strides_of(const shape& extents, const placement& lies) {
    strides found(extents.size());
    std::int64_t size = 1;
    for (std::size_t i = extents.size(); i-- > 0;) {
        const std::size_t a = lies.order[i];
        found[a] = lies.steps[a] * size;
        size *= std::abs(lies.steps[a]) *
                std::max<std::int64_t>(static_cast<std::int64_t>(extents[a]), 1);
    }
    return found;
}

strides output_strides(random_source& random, const shape& extents) {
    return random.chance(0.4) ? row_major(extents)
                              : strides_of(extents, random_placement(random, extents.size()));
}

strides operand_strides(random_source& random, const shape& extents) {
    strides lies = output_strides(random, extents);
    if (random.chance(0.85)) {
        return lies;
    }
    // Axes that stand still, or step as another axis does: windows, whose elements are shared.
    const strides apart = lies;
    for (std::int64_t& stride : lies) {
        if (random.chance(0.5)) {
            const std::int64_t other = random.chance(0.4) ? 0 : apart[random.below(apart.size())];
            stride = std::abs(other) <= std::abs(stride) ? other : stride;
        }
    }
    return lies;
}

}  // namespace random_calls
