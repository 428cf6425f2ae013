// From a network and layouts to a plan: "ij,jk,kl->il" becomes two pairwise steps in the cheaper
// order, each with the lowering that is predicted to be fastest.
#pragma once

#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/build_table.hpp>
#include <xeinsum/plan/choose.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path.hpp>
#include <xeinsum/plan/step.hpp>
#include <xeinsum/plan/target.hpp>
#include <xeinsum/plan/workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace xeinsum::planning {

/// Makes one plan. Storage is pair_storage for one or two operands whose labels above extent 1 are
/// at most max_modes, heap_storage otherwise.
template <class Storage, class Lowerings>
class planner {
public:
    constexpr planner(const network_view& net, std::span<const layout_view> operands,
                      const options& wanted, const target& on)
        : net_(net), operands_(operands), options_(wanted), target_(on) {}

    /// Finds the extent of every label and the result's size; the first thing to call.
    [[nodiscard]] constexpr const problem& measure() {
        data_.operand_count = operands_.size();
        data_.extents.resize(net_.label_count, 1);
        fail(find_extents(net_, operands_, {data_.extents.data(), data_.extents.size()}));
        if (!failed()) {
            measure_result();
        }
        return data_.error;
    }

    [[nodiscard]] constexpr std::int64_t extent(label id) const noexcept {
        return data_.extents[static_cast<std::size_t>(id)];
    }

    /// After measure() found no problem: the plan for an output with the given strides, or one
    /// whose error tells why there is none.
    [[nodiscard]] constexpr const basic_plan_data<Storage>& make(
        std::span<const std::int64_t> output_strides) {
        add_terms(output_strides);
        if (!data_.sums_nothing && !failed()) {
            emit();
        }
        if (!failed()) {
            lay_out_workspace(data_, target_.element_bytes);
        }
        return data_;
    }

private:
    [[nodiscard]] constexpr bool failed() const noexcept { return !data_.error.ok(); }
    constexpr void fail(const problem& p) noexcept {
        if (!failed()) {
            data_.error = p;
        }
    }
    constexpr void fail(error_code code, const char* reason = nullptr) noexcept {
        problem p;
        p.code = code;
        p.reason = reason;
        fail(p);
    }

    /// Counts the result's elements and finds out whether an extent of 0 leaves nothing to sum.
    constexpr void measure_result() {
        data_.sums_nothing = std::any_of(data_.extents.begin(), data_.extents.end(),
                                         [](std::int64_t e) { return e == 0; });
        data_.result_elements = 1;
        const bool empty = std::any_of(net_.output.begin(), net_.output.end(),
                                       [&](label l) { return extent(l) == 0; });
        for (const label l : net_.output) {
            if (!multiply(data_.result_elements, empty ? 0 : extent(l), data_.result_elements)) {
                fail(error_code::extent_overflow);
                return;
            }
        }
    }

    // --- arrays -----------------------------------------------------------------------------

    constexpr void add_array(std::size_t labels_begin, std::size_t count) {
        plan_array a;
        a.labels_begin = static_cast<std::uint32_t>(labels_begin);
        a.label_count = static_cast<std::uint32_t>(count);
        data_.arrays.push_back(a);
    }

    constexpr void add_axes(std::span<const label> axes, const layout_view& layout) {
        const std::size_t begin = data_.labels.size();
        // With an extent of 0 no nest is built, and the bounds on labels need not hold.
        const std::size_t count =
            data_.sums_nothing ? 0 : merge_axes(axes, layout, data_.labels, data_.label_strides);
        if (count > max_modes) {
            fail(error_code::extent_overflow);
        }
        add_array(begin, count);
    }

    constexpr void add_terms(std::span<const std::int64_t> output_strides) {
        const std::size_t begin = data_.labels.size();
        for (std::size_t a = 0; a < net_.output.size(); ++a) {
            if (extent(net_.output[a]) > 1 && !data_.sums_nothing) {
                data_.labels.push_back(net_.output[a]);
                data_.label_strides.push_back(output_strides[a]);
            }
        }
        add_array(begin, data_.labels.size() - begin);
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            add_axes(net_.operand(i), operands_[i]);
        }
    }

    [[nodiscard]] constexpr strided_term term(array_id id) const noexcept {
        const plan_array& a = data_.arrays[static_cast<std::size_t>(id + std::int64_t{1})];
        return {{data_.labels.data() + a.labels_begin, a.label_count},
                {data_.label_strides.data() + a.labels_begin, a.label_count}};
    }

    /// Adds an intermediate whose labels are the last ones of data_.labels from begin on.
    constexpr array_id close_intermediate(std::size_t begin) {
        const std::size_t count = data_.labels.size() - begin;
        data_.label_strides.resize(data_.labels.size(), 0);
        std::int64_t stride = 1;
        for (std::size_t i = data_.labels.size(); i-- > begin;) {
            data_.label_strides[i] = stride;
            if (!multiply(stride, extent(data_.labels[i]), stride)) {
                fail(error_code::extent_overflow);
            }
        }
        add_array(begin, count);
        data_.arrays.back().elements = stride;
        check_memory(stride);
        return static_cast<array_id>(data_.arrays.size()) - 2;
    }

    constexpr void check_memory(std::int64_t elements) noexcept {
        const double bytes =
            static_cast<double>(elements) * static_cast<double>(target_.element_bytes);
        if (bytes > static_cast<double>(options_.memory_limit)) {
            problem p;
            p.code = error_code::memory_limit;
            p.expected = static_cast<std::int64_t>(bytes);
            p.found = static_cast<std::int64_t>(options_.memory_limit);
            fail(p);
        }
    }

    // --- steps ------------------------------------------------------------------------------

    constexpr void emit() {
        const bool one_pass =
            target_.fused_only || operands_.size() == 1 ||
            (options_.path == path_strategy::fused && operands_.size() > 2) ||
            (options_.lowering == lowering::broadcast_multiply_reduce &&
             (options_.path == path_strategy::automatic || operands_.size() == 2));
        if (one_pass) {
            emit_fused();
            return;
        }
        const marks start = mark();
        emit_pairs();
        const bool may_fuse = options_.lowering == lowering::automatic &&
                              (operands_.size() == 2 || options_.path == path_strategy::automatic);
        if (!may_fuse || (!failed() && data_.steps.size() == 1)) {
            return;
        }
        // The fused pass needs no intermediate: it is the way out of a memory limit, and often
        // moves fewer bytes.
        const problem why_not_pairs = data_.error;
        if (!failed() || why_not_pairs.code == error_code::memory_limit) {
            compare_with_fused(start, why_not_pairs);
        }
    }

    struct marks {
        std::size_t steps, inputs, cells, arrays, labels;
    };
    [[nodiscard]] constexpr marks mark() const noexcept {
        return {data_.steps.size(), data_.inputs.size(), data_.cells.size(), data_.arrays.size(),
                data_.labels.size()};
    }
    constexpr void rewind(const marks& m) {
        data_.steps.resize(m.steps);
        data_.inputs.resize(m.inputs);
        data_.cells.resize(m.cells);
        data_.arrays.resize(m.arrays);
        data_.labels.resize(m.labels);
        data_.label_strides.resize(m.labels);
    }
    [[nodiscard]] constexpr double seconds_since(std::size_t first_step) const noexcept {
        double total = 0;
        for (std::size_t s = first_step; s < data_.steps.size(); ++s) {
            total += data_.steps[s].seconds;
        }
        return total;
    }

    constexpr void compare_with_fused(const marks& start, const problem& why_not_pairs) {
        const double pairs = seconds_since(start.steps);
        const marks after_pairs = mark();
        data_.error = {};
        emit_fused();
        const bool fused_wins =
            !failed() && (!why_not_pairs.ok() || seconds_since(after_pairs.steps) < pairs);
        data_.error = {};
        rewind(fused_wins ? start : after_pairs);
        if (fused_wins) {
            emit_fused();
        } else {
            fail(why_not_pairs);
        }
    }

    constexpr void emit_fused() {
        const std::size_t begin = data_.inputs.size();
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            data_.inputs.push_back(static_cast<array_id>(i));
        }
        emit_step(operands_.size() == 1 ? step_kind::rearrange : step_kind::fused, begin,
                  result_array);
    }

    constexpr void emit_pairs() {
        if constexpr (std::is_same_v<Storage, heap_storage>) {
            if (operands_.size() > 2) {
                emit_path();
                return;
            }
        }
        const array_id lhs = presum(0, 1);
        const array_id rhs = presum(1, 0);
        emit_pair(lhs, rhs, true, [](label) { return false; });
    }

    /// Sums the labels that only one of two operands has and the output lacks.
    constexpr array_id presum(array_id id, array_id other) {
        return presum(id,
                      [&](label l) { return term(other).holds(l) || term(result_array).holds(l); });
    }

    /// Adds a step that sums the labels of an array for which needed is false, if there are any.
    template <class Needed>
    constexpr array_id presum(array_id id, Needed needed) {
        const std::size_t count = term(id).labels.size();
        const std::size_t begin = data_.labels.size();
        for (std::size_t i = 0; i < count; ++i) {
            const label l = term(id).labels[i];
            if (needed(l)) {
                data_.labels.push_back(l);
            }
        }
        if (data_.labels.size() - begin == count) {
            data_.labels.resize(begin);
            return id;
        }
        const array_id sum = close_intermediate(begin);
        data_.inputs.push_back(id);
        emit_step(step_kind::presum, data_.inputs.size() - 1, sum);
        return sum;
    }

    /// Contracts two arrays into the result or into an intermediate that keeps the needed labels.
    template <class Needed>
    constexpr array_id emit_pair(array_id lhs, array_id rhs, bool last, Needed needed) {
        array_id out = result_array;
        if (!last) {
            const std::size_t begin = data_.labels.size();
            for (const array_id id : {lhs, rhs}) {
                for (std::size_t i = 0; i < term(id).labels.size(); ++i) {
                    const label l = term(id).labels[i];
                    if (needed(l) && (id == lhs || !term(lhs).holds(l))) {
                        data_.labels.push_back(l);
                    }
                }
            }
            out = close_intermediate(begin);
        }
        data_.inputs.push_back(lhs);
        data_.inputs.push_back(rhs);
        emit_step(step_kind::pairwise, data_.inputs.size() - 2, out);
        return out;
    }

    void emit_path() {
        if (options_.path == path_strategy::optimal && operands_.size() > optimal_path_operands) {
            fail(error_code::path_not_available,
                 "optimal takes at most 14 operands; greedy takes any number");
            return;
        }
        // How many of the arrays that are still to be contracted have a label; the result counts.
        std::vector<std::size_t> holders(net_.label_count, 0);
        const auto count = [&](array_id id, std::size_t by) {
            for (const label l : term(id).labels) {
                holders[static_cast<std::size_t>(l)] += by;
            }
        };
        for (array_id id = result_array; id < static_cast<array_id>(operands_.size()); ++id) {
            count(id, 1);
        }
        std::vector<array_id> live;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            live.push_back(presum(static_cast<array_id>(i), [&](label l) {
                return holders[static_cast<std::size_t>(l)] > 1;
            }));
        }
        const contraction_path path = find_path(path_problem_of(live), options_.path);
        if (path.empty()) {
            fail(error_code::memory_limit, "every path needs a larger intermediate");
            return;
        }
        for (const auto& [lhs, rhs] : path) {
            count(live[lhs], static_cast<std::size_t>(-1));
            count(live[rhs], static_cast<std::size_t>(-1));
            const bool last = live.size() + 1 == 2 * operands_.size() - 1;
            live.push_back(emit_pair(live[lhs], live[rhs], last, [&](label l) {
                return holders[static_cast<std::size_t>(l)] > 0;
            }));
            if (!last) {
                count(live.back(), 1);
            }
        }
    }

    [[nodiscard]] path_problem path_problem_of(const std::vector<array_id>& live) const {
        const auto sorted = [&](array_id id) {
            const auto labels = term(id).labels;
            std::vector<label> list(labels.begin(), labels.end());
            std::sort(list.begin(), list.end());
            return list;
        };
        path_problem p;
        for (const array_id id : live) {
            p.terms.push_back(sorted(id));
        }
        p.output = sorted(result_array);
        p.extents = {data_.extents.data(), data_.extents.size()};
        p.largest_elements =
            static_cast<double>(options_.memory_limit) / static_cast<double>(target_.element_bytes);
        return p;
    }

    /// Builds the loop nest of the inputs from data_.inputs[inputs_begin] on and chooses its
    /// lowering.
    constexpr void emit_step(step_kind kind, std::size_t inputs_begin, array_id output) {
        if (failed()) {
            return;
        }
        step s;
        s.kind = kind;
        s.output = output;
        s.inputs_begin = static_cast<std::uint32_t>(inputs_begin);
        s.input_count = static_cast<std::uint32_t>(data_.inputs.size() - inputs_begin);
        s.cells_begin = static_cast<std::uint32_t>(data_.cells.size());
        typename Storage::template list<strided_term> terms;
        std::size_t labels = 0;
        for (std::size_t i = inputs_begin; i < data_.inputs.size(); ++i) {
            terms.push_back(term(data_.inputs[i]));
            labels += terms.back().labels.size();
        }
        const std::size_t row = mode_table::row_length(s.input_count);
        data_.cells.resize(s.cells_begin + std::min(labels + spare_modes, max_modes) * row, 0);
        mode_table table(data_.cells.data() + s.cells_begin, s.input_count);
        if (!build_table(table, term(output), {terms.data(), terms.size()},
                         {data_.extents.data(), data_.extents.size()})) {
            fail(error_code::extent_overflow);
            return;
        }
        finish_step(s, table);
    }

    constexpr void finish_step(step& s, mode_table& table) {
        s.costs = Lowerings::evaluate(table, target_);
        const bool helper = s.kind == step_kind::presum;
        choice best = choose(s.costs, helper ? lowering::automatic : options_.lowering);
        if (s.kind == step_kind::fused && target_.fused_only) {
            best = choose(s.costs, lowering::broadcast_multiply_reduce);
            if (options_.lowering != lowering::automatic &&
                options_.lowering != lowering::broadcast_multiply_reduce) {
                fail(error_code::lowering_not_applicable,
                     "elements of this type can only be computed in one pass of "
                     "broadcast_multiply_reduce");
            }
        }
        fail(best.error);
        const double sums = table.iterations() > table.elements(0) ? 1 : 0;
        s.flops = table.iterations() * (static_cast<double>(s.input_count) - 1 + sums);
        s.seconds = best.seconds;
        s.how = Lowerings::build(best.chosen, table, target_);
        s.mode_count = static_cast<std::uint32_t>(table.size());
        data_.cells.resize(s.cells_begin + table.size() * table.pitch());
        data_.steps.push_back(s);
    }

    network_view net_;
    std::span<const layout_view> operands_;
    options options_;
    target target_;
    basic_plan_data<Storage> data_{};
};

}  // namespace xeinsum::planning
