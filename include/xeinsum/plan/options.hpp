// What a caller may ask of the planner: options{.lowering = lowering::gemm} forces "ij,jk->ik"
// through the matrix product.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/parallel_for.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

namespace xeinsum {

/// The ways to compute a step.
enum class lowering : unsigned char {
    automatic,  ///< the cheapest by prediction
    gemm,       ///< permute + reshape + matrix product; permutes happen while packing
    broadcast_multiply_reduce,  ///< one loop nest; the product is never stored
    depthwise_convolution,  ///< groups = batch, window = contracted, positions = one operand's free
};

/// The lowerings that can be forced, in the order in which plans report them; among equally cheap
/// ones the first is chosen.
inline constexpr std::array<lowering, 3> lowerings_in_order{
    lowering::broadcast_multiply_reduce, lowering::gemm, lowering::depthwise_convolution};

[[nodiscard]] constexpr std::string_view name(lowering l) noexcept {
    switch (l) {
        case lowering::automatic: return "automatic";
        case lowering::gemm: return "gemm";
        case lowering::broadcast_multiply_reduce: return "broadcast_multiply_reduce";
        case lowering::depthwise_convolution: return "depthwise_convolution";
    }
    return "?";
}

/// How the order of pairwise contractions is found when there are more than two operands.
enum class path_strategy : unsigned char {
    automatic,  ///< optimal for few operands, greedy for many; one fused pass where that is cheaper
    optimal,    ///< fewest predicted operations; at most optimal_path_operands operands
    greedy,     ///< cheapest next pair
    fused,      ///< no path: all operands in one broadcast-multiply-reduce
};

/// The most operands that path_strategy::optimal takes; its time triples with each.
inline constexpr std::size_t optimal_path_operands = 14;

/// What a caller may ask of the planner. Every member has a default.
struct options {
    /// Forced for every pairwise step; error lowering_not_applicable where it cannot express one.
    /// broadcast_multiply_reduce together with path_strategy::automatic is one fused pass.
    xeinsum::lowering lowering = xeinsum::lowering::automatic;
    path_strategy path = path_strategy::automatic;
    /// Bytes that no single intermediate may exceed.
    std::size_t memory_limit = std::numeric_limits<std::size_t>::max();
    /// Threads that a run may use at most; results are the same bits for any number. Short steps
    /// use the caller's alone, and so does a build without a parallel backend unless parallel is
    /// given.
    unsigned threads = 1;
    /// Who runs the pieces of einsum and einsum_to; plan::run takes its own. See parallel_for.
    parallel_for parallel{};
    xeinsum::notation notation = xeinsum::notation::automatic;
};

/// Whether the same equation and layouts give the same plan. Who runs the pieces, and how text is
/// read, have no part in it.
[[nodiscard]] constexpr bool plan_alike(const options& a, const options& b) noexcept {
    // Names every member: a new one does not compile before it is considered here.
    const auto& [lowering, path, memory_limit, threads, parallel, notation] = a;
    static_cast<void>(parallel);
    static_cast<void>(notation);
    return lowering == b.lowering && path == b.path && memory_limit == b.memory_limit &&
           threads == b.threads;
}

}  // namespace xeinsum
