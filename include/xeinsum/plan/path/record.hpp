// What a search for a path came to, to be kept and followed again: for "ij,jk,kl->il" the pairs
// (1, 2), (0, 3) and k in 4 slices.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/problem.hpp>

#include <vector>

namespace xeinsum::planning {

/// A path of three operands or more. The steps of a plan follow from it and from what else the
/// planner is given; it does not follow from them, as pairs may have been joined.
struct path_record {
    contraction_path path{};             ///< empty where no search was needed
    std::vector<sliced_label> slices{};  ///< all of them, the caller's own as well
    /// Whether it is to be followed, and not to be found.
    bool given = false;

    /// The options for which a planner has this path, and no other to search for. A record without
    /// a path leaves it to automatic, whose search is short, to find one.
    [[nodiscard]] options followed_by(options wanted) const noexcept {
        if (given && (!path.empty() || wanted.path != path_strategy::automatic)) {
            wanted.path = path_strategy::numbered_pairs;
            wanted.path_pairs = path;
            wanted.slices = slices;
        }
        return wanted;
    }
};

}  // namespace xeinsum::planning
