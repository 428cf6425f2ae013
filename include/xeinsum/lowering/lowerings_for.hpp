// Which lowerings compete for steps of some kinds: for "ij,jk->ik" of row-major arrays a matrix
// product or, where an extent is 1, a matrix times a vector or a product of vectors, and no other
// nest, so that a file is spared these.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/gemm/decide.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/lowering/nest/build_nest.hpp>
#include <xeinsum/lowering/nest/matrix_vector.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step/choose.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::lowerings {

/// A product of vectors, or of a matrix and a vector: the same sums as broadcast_multiply_reduce
/// would choose for it among all nests.
struct row_major_vectors {
    static constexpr lowering id = lowering::broadcast_multiply_reduce;

    [[nodiscard]] static constexpr const char* refusal(const mode_table&) noexcept {
        return nullptr;
    }
    [[nodiscard]] static constexpr double seconds(const mode_table& table,
                                                  const target& on) noexcept {
        const auto along = matrix_vector_loop(table, on);
        return along == kernel::vector_loop::none ? on.core.step_seconds
                                                  : matrix_vector_seconds(table, along, on);
    }
    [[nodiscard]] static constexpr recipe build(mode_table& table, const target& on) noexcept {
        using kernel::vector_loop;
        if (table.output_count() == 2 && table.stride(1, 0) != 1) {
            table.swap_rows(0, 1);
        }
        recipe how;
        build_matrix_vector(table,
                            multiplies(table) ? vector_loop::output
                            : is_few(table)   ? vector_loop::none
                                              : matrix_vector_loop(table, on),
                            on, how);
        return how;
    }
    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, const mode_table&,
                                                     std::size_t m, const target& on) noexcept {
        return nest_unit(how, m, on);
    }
};

/// The same of two matrices.
struct row_major_matrices {
    static constexpr lowering id = lowering::gemm;

    [[nodiscard]] static constexpr const char* refusal(const mode_table&) noexcept {
        return nullptr;
    }
    [[nodiscard]] static constexpr double seconds(const mode_table& table,
                                                  const target& on) noexcept {
        return gemm::is_degenerate(table) ? row_major_vectors::seconds(table, on)
                                          : gemm::seconds_of_product(table, on);
    }
    [[nodiscard]] static constexpr recipe build(mode_table& table, const target& on) {
        return gemm::is_degenerate(table) ? row_major_vectors::build(table, on)
                                          : gemm::build_any_product(table, on);
    }
    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, const mode_table& table,
                                                     std::size_t m, const target& on) noexcept {
        return gemm::unit(how, table, m, on);
    }
};

/// The only lowering that there is without other nests.
template <kernel::step_kinds Kinds>
using row_major_lowering =
    std::conditional_t<Kinds.products, row_major_matrices, row_major_vectors>;

/// Those that compete for arrays of T where steps are of the Kinds: products and groups only where
/// labels make some.
template <class T, class Arch, kernel::step_kinds Kinds>
[[nodiscard]] constexpr planning::contest lowerings_for() noexcept {
    using nest = broadcast_multiply_reduce;
    if constexpr (!has_nests<T, Arch, Kinds>) {
        return planning::lowering_list<row_major_lowering<Kinds>>::decide;
    } else if constexpr (Kinds.most_inputs == kernel::any || (Kinds.products && Kinds.batch)) {
        return all::decide;
    } else if constexpr (Kinds.sums && Kinds.products) {
        return planning::lowering_list<gemm, nest>::decide;
    } else if constexpr (Kinds.sums && Kinds.batch) {
        return planning::lowering_list<nest, depthwise_convolution>::decide;
    } else {
        return planning::lowering_list<nest>::decide;
    }
}

}  // namespace xeinsum::lowerings
