// Which steps a call may need, so that a file is spared kernels for others: "ij,jk->ik" needs none
// for three inputs, nor for labels that both inputs and the output have.
#pragma once

#include <cstddef>

namespace xeinsum::kernel {

/// Stands for a number that only the run knows.
inline constexpr std::size_t any = static_cast<std::size_t>(-1);

/// A template argument of kernels that run steps, and of what runs them. Extents of 1 and strides
/// of 0 make fewer kinds of what the labels tell, never more.
struct step_kinds {
    std::size_t most_inputs = any;  ///< 0, 1, 2 or any
    bool sums = true;               ///< whether a label is summed
    bool batch = true;              ///< whether all inputs and the output may share a label
    /// Whether arrays may have to be brought in another order, if only by kernels: not for products
    /// of matrices, and sums over one operand, that are row-major or nearly so.
    bool reorders = true;
    /// Whether a call with default options may take several steps: not where one label is summed
    /// and each is in the same order in all arrays, as in "bij,bjk->bik".
    bool several = true;
    /// Whether a step may be a matrix product: both inputs have a label that only the output has as
    /// well, and share one that is summed.
    bool products = true;
    /// Whether a step of real numbers may be another nest than a matrix times a vector: not where
    /// row-major matrices make a product of matrices, or of vectors where an extent is 1.
    bool nests = true;

    /// Of a number of inputs and any labels. More than two are not told apart.
    [[nodiscard]] static constexpr step_kinds of_inputs(std::size_t inputs) noexcept {
        constexpr std::size_t told_apart = 2;
        return {inputs <= told_apart ? inputs : any, true, inputs > 1, true, true, inputs > 1};
    }
    /// For nests, which take arrays as they lie in any case.
    [[nodiscard]] constexpr step_kinds of_nests() const noexcept {
        return {most_inputs, sums, batch, true, several && most_inputs > 1, most_inputs > 1};
    }
    /// Of calls whose options may ask for any lowering.
    [[nodiscard]] constexpr step_kinds with_nests() const noexcept {
        step_kinds kinds = *this;
        kinds.nests = true;
        return kinds;
    }
    /// Whether steps may be copies in another order.
    [[nodiscard]] constexpr bool copies() const noexcept {
        return reorders && (several || most_inputs < 2);
    }
    /// Whether several loops may be summed: of two inputs that make one step, one label is.
    [[nodiscard]] constexpr bool several_sums() const noexcept {
        return several || most_inputs < 2;
    }
    /// How many inputs a step has at least.
    [[nodiscard]] constexpr std::size_t least_inputs() const noexcept {
        return several ? 1 : most_inputs;
    }

    friend constexpr bool operator==(const step_kinds&, const step_kinds&) = default;
};

// Those of calls. Sums, elementwise products and products of matrices are of arrays that lie in the
// order of the output, or nearly so.
inline constexpr step_kinds copy_steps{1, false, false, true, false, false};
inline constexpr step_kinds sum_steps{1, true, false, true, false, false};
inline constexpr step_kinds ordered_sum_steps{1, true, false, false, false, false};
inline constexpr step_kinds product_steps{2, false, false, true, true, false};
inline constexpr step_kinds ordered_product_steps{2, false, false, false, false, false};
inline constexpr step_kinds batch_product_steps{2, false, true, true, true, false};
inline constexpr step_kinds ordered_batch_product_steps{2, false, true, false, false, false};
inline constexpr step_kinds vector_steps{2, true, false, false, false, false};  ///< "ij,j->i"
inline constexpr step_kinds matrix_steps{2, true, false, false, false, true};   ///< "ij,jk->ik"
inline constexpr step_kinds row_major_vector_steps{2, true, false, false, false, false, false};
inline constexpr step_kinds row_major_matrix_steps{2, true, false, false, false, true, false};
inline constexpr step_kinds nest_steps{2, true, false, true, true, false};
inline constexpr step_kinds batch_nest_steps{2, true, true, true, true, false};
inline constexpr step_kinds ordered_batch_nest_steps{2, true, true, true, false, false};
inline constexpr step_kinds product_sum_steps{2, true, false};
inline constexpr step_kinds ordered_product_sum_steps{2, true, false, true, false};
inline constexpr step_kinds batch_product_sum_steps{2, true, true};
inline constexpr step_kinds ordered_batch_product_sum_steps{2, true, true, true, false};
inline constexpr step_kinds all_steps{};

}  // namespace xeinsum::kernel
