// The lowerings that compete for a step such as "ij,jk->ik". A new one is a file of its own and a
// name here.
#pragma once

#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/depthwise/decide.hpp>
#include <xeinsum/lowering/gemm/decide.hpp>
#include <xeinsum/lowering/nest/decide.hpp>
#include <xeinsum/lowering/nest/matrix_vector.hpp>
#include <xeinsum/lowering/row_major.hpp>
#include <xeinsum/plan/choose.hpp>

#include <type_traits>

namespace xeinsum::lowerings {

using all = planning::lowering_list<gemm, broadcast_multiply_reduce, depthwise_convolution>;

/// Those that compete for arrays of T where steps are of the Kinds: products and groups only where
/// labels make some.
template <class T, class Arch, kernel::step_kinds Kinds>
[[nodiscard]] constexpr planning::contest lowerings_for() noexcept {
    using nest = broadcast_multiply_reduce;
    if constexpr (!has_nests<T, Arch, Kinds>) {
        using only = std::conditional_t<Kinds.products, row_major_matrices, row_major_vectors>;
        return planning::lowering_list<only>::decide;
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
