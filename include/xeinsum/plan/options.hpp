// What a caller may ask of the planner: options{.lowering = lowering::gemm} forces "ij,jk->ik"
// through the matrix product.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/machine.hpp>
#include <xeinsum/plan/parallel_for.hpp>
#include <xeinsum/plan/path/cost.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

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

/// The lowering's name, as it is spelled here.
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
    /// Optimal for few operands; for more a greedy path, annealed for about a tenth of the run that
    /// is predicted. Intermediates that are mere products join the step that reads them, up to one
    /// fused pass, where that is cheaper.
    automatic,
    optimal,         ///< least cost of all; at most optimal_path_operands operands
    greedy,          ///< cheapest next pair, by the best of a few rules
    random_greedy,   ///< the best of path_restarts greedy paths with chance, annealed as long again
    fused,           ///< no path: all operands in one broadcast-multiply-reduce
    numbered_pairs,  ///< options::path_pairs, the result of pair p being number operands + p
    linear_pairs,  ///< options::path_pairs as positions among what is left, results put at the end
    /// Fewest elements of intermediates at a time, whatever it costs; among such, the cheapest that
    /// is found, for no longer than ten searches by automatic.
    least_memory,
};

/// The strategy's name, as it is spelled here.
[[nodiscard]] constexpr std::string_view name(path_strategy s) noexcept {
    switch (s) {
        case path_strategy::automatic: return "automatic";
        case path_strategy::optimal: return "optimal";
        case path_strategy::greedy: return "greedy";
        case path_strategy::random_greedy: return "random_greedy";
        case path_strategy::fused: return "fused";
        case path_strategy::numbered_pairs: return "numbered_pairs";
        case path_strategy::linear_pairs: return "linear_pairs";
        case path_strategy::least_memory: return "least_memory";
    }
    return "?";
}

/// The most operands that path_strategy::optimal takes; its time may triple with each.
inline constexpr std::size_t optimal_path_operands = 20;

/// A label that a caller wants cut into slices.
struct sliced_label {
    /// Of the equation, as equation::term tells; read_sliced_labels finds it by name.
    label id = 0;
    std::int64_t count = 0;  ///< slices of equal extent; 0 for slices of extent 1

    friend constexpr bool operator==(const sliced_label&, const sliced_label&) = default;
};

/// What a caller may ask of the planner. Every member has a default.
struct options {
    /// Forced for every pairwise step; error lowering_not_applicable where it cannot express one.
    /// broadcast_multiply_reduce together with path_strategy::automatic is one fused pass.
    xeinsum::lowering lowering = xeinsum::lowering::automatic;
    /// How the order of three operands or more is found.
    path_strategy path = path_strategy::automatic;
    /// Bytes that no single intermediate may exceed. Where every path has a larger one, labels are
    /// cut into slices and the slices are computed one after the other.
    std::size_t memory_limit = std::numeric_limits<std::size_t>::max();
    /// Threads that a run may use at most; results are the same bits for any number. Short steps
    /// use the caller's alone, and so does a build without a parallel backend unless parallel is
    /// given. 0 is error bad_option.
    unsigned threads = 1;
    /// Who runs the pieces of einsum and einsum_to; plan::run takes its own. See parallel_for.
    parallel_for parallel{};
    /// How text is read; a parsed equation has a notation already.
    xeinsum::notation notation = xeinsum::notation::automatic;
    /// What paths of three operands or more are compared by; all weights 0 stands for the seconds
    /// of the machine.
    xeinsum::path_cost path_cost{0, 0, 0};
    /// Of random_greedy: greedy paths that are tried, always the same ones.
    std::size_t path_restarts = 128;
    /// Most seconds that automatic and random_greedy search, and one and a half times as long again
    /// for slices. They are counted, not measured: the path is the same on every machine.
    double path_seconds = 1;
    /// Of numbered_pairs and linear_pairs, for three operands or more: which terms meet, in order.
    /// Must live until the plan is made.
    list_view<const std::pair<std::size_t, std::size_t>> path_pairs{};
    /// Labels that are cut into slices whatever the memory limit, which may cut more: of three
    /// operands or more that are contracted in pairs. Must live until the plan is made.
    list_view<const sliced_label> slices{};
    /// What predictions rest on; null stands for machine{}, round figures. Must live until the plan
    /// is made, which keeps a copy, or the call returns. Steps too small to be worth a prediction
    /// do not look at it.
    const xeinsum::machine* machine = nullptr;
};

/// The machine that options ask for.
[[nodiscard]] constexpr machine machine_of(const options& wanted) noexcept {
    return wanted.machine == nullptr ? machine{} : *wanted.machine;
}

/// Whether the same equation and layouts give the same plan. Who runs the pieces, and how text is
/// read, have no part in it.
[[nodiscard]] constexpr bool plan_alike(const options& a, const options& b) noexcept {
    // Names every member: a new one does not compile before it is considered here.
    const auto& [lowering, path, memory_limit, threads, parallel, notation, cost, restarts, seconds,
                 pairs, slices, machine] = a;
    static_cast<void>(parallel);
    static_cast<void>(notation);
    return lowering == b.lowering && path == b.path && memory_limit == b.memory_limit &&
           threads == b.threads && cost == b.path_cost && restarts == b.path_restarts &&
           seconds == b.path_seconds &&
           std::equal(pairs.begin(), pairs.end(), b.path_pairs.begin(), b.path_pairs.end()) &&
           std::equal(slices.begin(), slices.end(), b.slices.begin(), b.slices.end()) &&
           (machine == b.machine || machine_of(a) == machine_of(b));
}

/// What is wrong with options for so many operands, whatever the equation.
[[nodiscard]] constexpr problem check_options(const options& wanted,
                                              std::size_t operands) noexcept {
    problem p;
    const auto refuse = [&p](const char* reason, std::int64_t found = -1) {
        p.code = error_code::bad_option;
        p.reason = reason;
        p.found = found;
    };
    const auto is_weight = [](double w) { return w >= 0 && w <= path_cost::largest_weight; };
    const path_cost& cost = wanted.path_cost;
    if (wanted.lowering > lowering::depthwise_convolution) {
        refuse("lowering", static_cast<std::int64_t>(wanted.lowering));
    } else if (wanted.path > path_strategy::least_memory) {
        refuse("path", static_cast<std::int64_t>(wanted.path));
    } else if (wanted.threads == 0) {
        refuse("threads is 0; the caller's thread alone is 1");
    } else if (operands > 2 && !(is_weight(cost.per_operation) && is_weight(cost.per_element) &&
                                 is_weight(cost.per_step))) {
        refuse("a weight of path_cost is a number from 0 to 1e100");
    } else if (operands > 2 && wanted.path_seconds != wanted.path_seconds) {
        refuse("path_seconds is not a number");
    } else if (operands < 3 && !wanted.slices.empty()) {
        refuse("slices are of three operands or more");
    }
    return p;
}

/// Whether lowering, path and slices are left to the planner. Then check_options() refuses nothing
/// that is asked of one or two operands.
[[nodiscard]] constexpr bool leaves_choice(const options& wanted) noexcept {
    return wanted.lowering == lowering::automatic && wanted.path == path_strategy::automatic &&
           wanted.threads != 0 && wanted.slices.empty();
}

}  // namespace xeinsum
