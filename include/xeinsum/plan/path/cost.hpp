// What one step of a contraction path counts: "ij,jk->ik" takes 2 ijk operations and touches
// ij + jk + ik elements.
#pragma once

namespace xeinsum {

/// One pairwise contraction, in elements.
struct step_sizes {
    double lhs = 1;
    double rhs = 1;
    double out = 1;
    double all = 1;  ///< product of the extents of every label of the two
    bool sums = false;
};

/// What a step of a path counts, a weighted sum of what it does; weights are numbers
/// from 0 to largest_weight. As they stand, they count floating-point operations: the product of
/// the extents of a step's labels, twice where it sums.
struct path_cost {
    double per_operation = 1;  ///< one multiplication or addition
    double per_element = 0;    ///< one element read or written
    double per_step = 0;       ///< one step

    /// Products of weights and numbers of elements are finite.
    static constexpr double largest_weight = 1e100;

    friend constexpr bool operator==(const path_cost&, const path_cost&) = default;

    /// The operations of one step.
    [[nodiscard]] static constexpr double operations(const step_sizes& s) noexcept {
        return s.all * (s.sums ? 2 : 1);
    }
    /// What one step costs.
    [[nodiscard]] constexpr double operator()(const step_sizes& s) const noexcept {
        return per_operation * operations(s) + per_element * (s.lhs + s.rhs + s.out) + per_step;
    }
};

}  // namespace xeinsum
