// A plan as data: "ij,jk,kl->il" is two steps, each with its inputs, its loop nest and the lowering
// that was chosen for it.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/short_vector.hpp>
#include <xeinsum/equation/storage.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step/alignment.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/split.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum {

/// An array of a plan: operands count from 0, intermediates follow them, the result is -1.
using array_id = std::int32_t;
/// The result among the arrays of a plan.
inline constexpr array_id result_array = -1;

/// How a loop nest runs, for the lowerings that make one.
struct nest_recipe {
    unsigned char along = 0;     ///< the loop in vectors, as the kernels name it
    bool matrix_vector = false;  ///< a matrix times a vector, by the kernel for these
    bool transposed = false;     ///< tiles of inputs are transposed
    bool permuted = false;       ///< results are summed in the order of the input, then permuted
    bool dram_resident = false;  ///< no cache keeps the inputs until the next run
    bool shares_lines = false;   ///< rows load lines together that they share
    bool fills_lanes = false;    ///< the sums of as many rows as a register has lanes fill it
    bool row_by_row = false;     ///< each row takes all its terms before the next one begins
};

/// How a lowering will run a step; only that lowering reads groups, variant and nest.
struct recipe {
    lowering chosen = lowering::automatic;
    unsigned char variant = 0;  ///< an enumeration of the lowering
    nest_recipe nest{};
    bool swapped = false;                   ///< the two inputs have exchanged their places
    std::array<unsigned char, 4> groups{};  ///< consecutive rows of the mode table in each group
    /// Which input, as a column of the mode table, is in panels before the run; 0 for none. Its
    /// strides are those from one product to the next, and a product's panels are split into as
    /// many parts of kept_elements as the cuts with a bit in kept_cuts have pieces.
    unsigned char prepacked_input = 0;
    unsigned char kept_cuts = 0;
    std::int64_t kept_elements = 0;
    std::size_t scratch_bytes = 0;  ///< of one thread
    work_split split{};

    /// Scratch of all threads, and sums of pieces.
    [[nodiscard]] constexpr std::size_t memory_bytes() const noexcept {
        return split.workers * planning::align_up(scratch_bytes) + split.partial_bytes;
    }
};

/// What one lowering would cost, or why it does not apply.
struct candidate {
    /// Predicted.
    double seconds = 0;
    const char* refusal = nullptr;  ///< null where it applies
};

/// One entry for each of lowerings_in_order.
using candidates = std::array<candidate, lowerings_in_order.size()>;

/// What happens to the labels of a step.
enum class step_kind : unsigned char {
    rearrange,  ///< one input: permute, take diagonals, sum
    presum,     ///< one input: sum the labels that only it has
    pairwise,   ///< two inputs
    fused,      ///< every operand at once, or up to max_fused_inputs arrays
    reorder,    ///< one input: copy it with its labels in another order
};

/// The most inputs of a fused step that does not take every operand.
inline constexpr std::size_t max_fused_inputs = 8;

/// One operation of a plan.
struct step {
    /// What happens to its labels.
    step_kind kind = step_kind::rearrange;
    /// The array that it writes: result_array, or the number of an intermediate.
    array_id output = result_array;
    std::uint32_t inputs_begin = 0;  ///< in plan_view::inputs
    std::uint32_t input_count = 0;   ///< arrays that it reads
    std::uint32_t cells_begin = 0;   ///< in plan_view::cells
    std::uint32_t mode_count = 0;    ///< loops, after labels were fused
    /// how.chosen is its lowering.
    recipe how{};
    /// What each lowering would cost, in the order of lowerings_in_order.
    candidates costs{};
    double flops = 0;    ///< of one slice
    double seconds = 0;  ///< of one slice
    /// Whether it reads nothing that slices change: it runs once, before the others.
    bool same_in_all_slices = false;
};

/// An array that a plan reads or writes, as the labels above extent 1 that it has and their strides
/// in elements. Intermediates are stored row-major in this order.
struct plan_array {
    std::uint32_t labels_begin = 0;  ///< in plan_view::labels and label_strides
    std::uint32_t label_count = 0;
    std::int64_t elements = 1;  ///< of an intermediate
    std::size_t offset = 0;     ///< of an intermediate, in bytes from the workspace's start
    bool constant = false;      ///< known before the run
};

/// A label that is computed in slices, one after the other: i from 0 to 11 as 3 slices of extent 4.
struct label_slices {
    /// The label.
    label id = 0;
    std::int64_t extent = 1;  ///< of one slice; plan_view::extents has the same
    std::int64_t count = 1;   ///< slices
    bool kept = false;  ///< whether slices are parts of the result; otherwise they are added up
};

/// Combinations of slices, all labels together, that can be counted.
inline constexpr double most_slices = 4e18;

/// Reads a plan wherever its lists live.
struct plan_view {
    list_view<const step> steps{};
    list_view<const array_id> inputs{};
    list_view<const std::int64_t> cells{};
    list_view<const plan_array> arrays{};  ///< the result, the operands, the intermediates
    list_view<const label> labels{};
    list_view<const std::int64_t> label_strides{};
    list_view<const std::int64_t> extents{};  ///< by label
    std::size_t operand_count = 0;
    std::size_t scratch_offset = 0;  ///< bytes; where recipe::scratch_bytes begin
    std::size_t workspace_bytes = 0;
    std::int64_t result_elements = 1;
    bool sums_nothing = false;  ///< an extent is 0: the result is all zeros or has no element
    std::uint32_t threads = 1;
    list_view<const label_slices> slices{};
    std::size_t slices_offset = 0;  ///< bytes; where the operands' slices are pointed at
    const machine* core = nullptr;  ///< that it was planned for; null stands for machine{}
    std::int64_t only_slice = -1;   ///< the one to compute; -1 stands for all of them

    /// The extent of a label, all slices together.
    [[nodiscard]] constexpr std::int64_t whole_extent(label l) const noexcept {
        std::int64_t extent = extents[static_cast<std::size_t>(l)];
        for (const label_slices& s : slices) {
            extent *= s.id == l ? s.count : 1;
        }
        return extent;
    }
    /// The combinations of slices.
    [[nodiscard]] constexpr std::int64_t slice_count() const noexcept {
        std::int64_t count = 1;
        for (const label_slices& s : slices) {
            count *= s.count;
        }
        return count;
    }
    /// How often a step runs.
    [[nodiscard]] constexpr double runs_of(const step& s) const noexcept {
        return s.same_in_all_slices ? 1 : static_cast<double>(slice_count());
    }
    [[nodiscard]] constexpr list_view<const array_id> inputs_of(const step& s) const noexcept {
        return inputs.subspan(s.inputs_begin, s.input_count);
    }
    [[nodiscard]] constexpr const plan_array& array(array_id id) const noexcept {
        return arrays[static_cast<std::size_t>(id + std::int64_t{1})];
    }
    [[nodiscard]] constexpr planning::strided_term term(array_id id) const noexcept {
        const plan_array& a = array(id);
        return {labels.subspan(a.labels_begin, a.label_count),
                label_strides.subspan(a.labels_begin, a.label_count)};
    }
};

/// A plan with its lists, or the problem that prevents one.
template <class Storage>
struct basic_plan_data {
    typename Storage::template list<step> steps{};
    typename Storage::template list<array_id> inputs{};
    typename Storage::template list<std::int64_t> cells{};
    typename Storage::template list<plan_array> arrays{};
    typename Storage::template list<label> labels{};
    typename Storage::template list<std::int64_t> label_strides{};
    typename Storage::template list<std::int64_t> extents{};
    typename Storage::template list<label_slices> slices{};
    std::size_t operand_count = 0;
    std::size_t scratch_offset = 0;
    std::size_t workspace_bytes = 0;
    std::int64_t result_elements = 1;
    bool sums_nothing = false;
    std::uint32_t threads = 1;
    std::size_t slices_offset = 0;
    const machine* core = nullptr;
    problem error{};

    [[nodiscard]] constexpr plan_view view() const noexcept {
        return {{steps.data(), steps.size()},
                {inputs.data(), inputs.size()},
                {cells.data(), cells.size()},
                {arrays.data(), arrays.size()},
                {labels.data(), labels.size()},
                {label_strides.data(), label_strides.size()},
                {extents.data(), extents.size()},
                operand_count,
                scratch_offset,
                workspace_bytes,
                result_elements,
                sums_nothing,
                threads,
                {slices.data(), slices.size()},
                slices_offset,
                core};
    }
};

/// Lists of plans, which take no memory from the heap for most calls of a few operands.
struct plan_storage {
    template <class T>
    using list = short_vector<T, std::clamp<std::size_t>(1024 / sizeof(T), 4, 128)>;
};

/// Room for any plan of one or two operands with at most max_modes labels that the compiler makes.
struct pair_storage {
    // At most two sums of one operand's labels, two copies in another order, the pairwise step, one
    // more copy, and the fused step they are compared with.
    static constexpr std::size_t steps = 7;
    static constexpr std::size_t cells =
        5 * max_modes * mode_table::row_length(1) + 2 * max_modes * mode_table::row_length(2);
    static constexpr std::size_t arrays = 8;

    template <class T>
    static constexpr std::size_t capacity = std::is_same_v<T, std::int64_t>   ? cells
                                            : std::is_same_v<T, label>        ? arrays* max_modes
                                            : std::is_same_v<T, label_slices> ? 1
                                                                              : 2 * steps;
    template <class T>
    using list = fixed_vector<T, capacity<T>>;
};

}  // namespace xeinsum
