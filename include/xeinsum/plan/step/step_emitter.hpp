// Appends steps to a plan: the pair of "ij,jk->ik" gets its output array, its loop nest and the
// lowering that is predicted to be fastest.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step/build_table.hpp>
#include <xeinsum/plan/step/choose.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace xeinsum::planning {

struct path_record;

/// A plan in the making. After a failure, which data.error tells, further calls change nothing that
/// matters.
template <class Storage, class Lowerings>
class step_emitter {
public:
    /// Appends to an empty plan, which must live as long as this.
    constexpr step_emitter(basic_plan_data<Storage>& to, const options& wanted, const target& on)
        : data(to), options_(wanted), target_(adapted(on, wanted)) {
        data.threads = target_.threads;
        data.core = wanted.machine;
    }

    basic_plan_data<Storage>& data;
    path_record* record = nullptr;  ///< of the path of three operands or more; null for none

    [[nodiscard]] constexpr bool failed() const noexcept { return !data.error.ok(); }
    constexpr void fail(const problem& p) noexcept {
        if (!failed()) {
            data.error = p;
        }
    }
    constexpr void fail(error_code code, const char* reason = nullptr) noexcept {
        problem p;
        p.code = code;
        p.reason = reason;
        fail(p);
    }

    [[nodiscard]] constexpr std::int64_t extent(label id) const noexcept {
        return data.extents[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] constexpr const options& wanted() const noexcept { return options_; }
    [[nodiscard]] constexpr const target& on() const noexcept { return target_; }
    [[nodiscard]] constexpr strided_term term(array_id id) const noexcept {
        const plan_array& a = data.arrays[static_cast<std::size_t>(id + std::int64_t{1})];
        return {{data.labels.data() + a.labels_begin, a.label_count},
                {data.label_strides.data() + a.labels_begin, a.label_count}};
    }

    /// Adds the result, then the operands; the first arrays of a plan.
    [[gnu::cold]] constexpr void add_terms(const network_view& net,
                                           list_view<const layout_view> operands,
                                           list_view<const std::int64_t> output_strides) {
        const std::size_t begin = data.labels.size();
        data.labels.reserve(net.output.size() + net.axes.size());
        data.label_strides.reserve(net.output.size() + net.axes.size());
        data.arrays.reserve(1 + operands.size());
        data.inputs.reserve(operands.size());
        for (std::size_t a = 0; a < net.output.size(); ++a) {
            if (extent(net.output[a]) > 1 && !data.sums_nothing) {
                data.labels.push_back(net.output[a]);
                data.label_strides.push_back(output_strides[a]);
            }
        }
        add_array(begin, data.labels.size() - begin);
        for (std::size_t i = 0; i < operands.size(); ++i) {
            add_axes(net.operand(i), operands[i]);
        }
    }

    /// Adds a step that sums the labels of an array for which needed is false, if there are any.
    template <class Needed>
    [[gnu::cold]] constexpr array_id presum(array_id id, Needed needed) {
        const list_view<const label> labels = term(id).labels;
        if (std::all_of(labels.begin(), labels.end(), needed)) {
            return id;
        }
        const std::size_t begin = data.labels.size();
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const label l = term(id).labels[i];
            if (needed(l)) {
                data.labels.push_back(l);
            }
        }
        const array_id sum = close_intermediate(begin);
        data.inputs.push_back(id);
        emit_step(step_kind::presum, data.inputs.size() - 1, sum);
        return sum;
    }

    /// Adds an array with labels in the given order.
    constexpr array_id add_intermediate(list_view<const label> order) {
        const std::size_t begin = data.labels.size();
        for (const label l : order) {
            data.labels.push_back(l);
        }
        return close_intermediate(begin);
    }

    /// Contracts two arrays into the result.
    [[gnu::cold]] constexpr void last_pair(array_id lhs, array_id rhs) {
        contract(std::array{lhs, rhs}, step_kind::pairwise, result_array);
    }

    /// Contracts two arrays into an intermediate with labels in the given order.
    [[gnu::cold]] constexpr array_id pair(array_id lhs, array_id rhs,
                                          list_view<const label> order) {
        const array_id out = add_intermediate(order);
        contract(std::array{lhs, rhs}, step_kind::pairwise, out);
        return out;
    }

    /// The seconds that a pair of such arrays is predicted to take; infinitely many where it cannot
    /// be computed.
    [[nodiscard, gnu::cold]] constexpr double pair_seconds(
        const strided_term& output, const std::array<strided_term, 2>& inputs) {
        const std::size_t begin = data.cells.size();
        mode_table table = open_table(inputs, begin);
        double seconds = std::numeric_limits<double>::infinity();
        if (build_table(table, output, inputs, {data.extents.data(), data.extents.size()})) {
            const choice best =
                choose(Lowerings::decide.evaluate(table, target_), options_.lowering);
            seconds = best.error.ok() ? best.seconds : seconds;
        }
        data.cells.resize(begin);
        return seconds;
    }

    /// Adds a step that copies an array, whose labels are to be in the given order.
    [[gnu::cold]] constexpr array_id reorder(array_id id, list_view<const label> order) {
        const array_id copy = add_intermediate(order);
        data.inputs.push_back(id);
        emit_step(step_kind::reorder, data.inputs.size() - 1, copy);
        return copy;
    }
    /// Adds one that copies an array to the result.
    constexpr void reorder_last(array_id id) {
        data.inputs.push_back(id);
        emit_step(step_kind::reorder, data.inputs.size() - 1, result_array);
    }

    /// The loop nest of a step.
    [[nodiscard]] constexpr mode_table table_of(std::size_t step_number) noexcept {
        const step& s = data.steps[step_number];
        return mode_table(data.cells.data() + s.cells_begin, s.input_count, s.mode_count);
    }

    /// After a step that begins at before_last and only multiplies, and one from before on that
    /// contracts its output with one other array into out, whose labels are in the given order:
    /// puts one fused step in their place if that is predicted to be cheaper. Returns the array
    /// that now takes the place of out.
    template <class Marks>
    [[gnu::cold]] constexpr array_id join_last(const Marks& before_last, const Marks& before,
                                               array_id other, array_id out,
                                               list_view<const label> order) {
        const step product = data.steps[before_last.steps];
        const auto elements = static_cast<double>(data.view().array(product.output).elements);
        const bool sums = product.flops > elements * (product.input_count - 1);
        if (before_last.steps + 1 != before.steps || product.kind == step_kind::presum || sums ||
            product.input_count == max_fused_inputs) {
            return out;
        }
        // In ascending order. Not by std::sort: its branch for more than 16 elements, which are
        // never here, makes g++ 14 warn of accesses behind this list.
        fixed_vector<array_id, max_fused_inputs> inputs;
        const auto insert = [&](array_id id) {
            inputs.push_back(id);
            for (std::size_t i = inputs.size() - 1; i > 0 && inputs[i] < inputs[i - 1]; --i) {
                std::swap(inputs[i], inputs[i - 1]);
            }
        };
        for (const array_id id : data.view().inputs_of(product)) {
            insert(id);
        }
        insert(other);
        const list_view<const array_id> joined(inputs.data(), inputs.size());
        const double apart = seconds_since(before_last.steps);
        const marks after = mark();
        const std::size_t steps = data.steps.size();
        const auto join = [&] {
            const array_id whole = out == result_array ? out : add_intermediate(order);
            contract(joined, step_kind::fused, whole);
            return whole;
        };
        join();
        const bool cheaper = !failed() && seconds_since(steps) < apart;
        data.error = {};
        rewind(cheaper ? before_last : after);
        return cheaper ? join() : out;
    }

    /// Contracts all operands into the result in one pass.
    [[gnu::cold]] constexpr void fused() {
        const std::size_t begin = data.inputs.size();
        for (std::size_t i = 0; i < data.operand_count; ++i) {
            data.inputs.push_back(static_cast<array_id>(i));
        }
        emit_step(data.operand_count == 1 ? step_kind::rearrange : step_kind::fused, begin,
                  result_array);
    }

    /// Whether nothing was compared for the last step.
    [[nodiscard]] constexpr bool was_obvious() const noexcept { return was_obvious_; }

    /// How far a plan has come.
    struct marks {
        std::size_t steps, inputs, cells, arrays, labels;
    };
    [[nodiscard]] constexpr marks mark() const noexcept {
        return {data.steps.size(), data.inputs.size(), data.cells.size(), data.arrays.size(),
                data.labels.size()};
    }
    constexpr void rewind(const marks& m) {
        data.steps.resize(m.steps);
        data.inputs.resize(m.inputs);
        data.cells.resize(m.cells);
        data.arrays.resize(m.arrays);
        data.labels.resize(m.labels);
        data.label_strides.resize(m.labels);
    }
    [[nodiscard]] constexpr double seconds_since(std::size_t first_step) const noexcept {
        double total = 0;
        for (std::size_t s = first_step; s < data.steps.size(); ++s) {
            total += data.steps[s].seconds;
        }
        return total;
    }

    /// Makes all steps from here on compute one slice of each of these labels.
    template <class Slices>
    constexpr void slice(const Slices& slices) {
        for (std::size_t i = 0; i < slices.size(); ++i) {
            data.slices.push_back(slices[i]);
            data.extents[static_cast<std::size_t>(slices[i].id)] = slices[i].extent;
        }
    }
    constexpr void unslice() {
        for (std::size_t i = 0; i < data.slices.size(); ++i) {
            const label_slices& s = data.slices[i];
            data.extents[static_cast<std::size_t>(s.id)] = s.extent * s.count;
        }
        data.slices.resize(0);
    }

private:
    [[gnu::cold]] constexpr void contract(list_view<const array_id> inputs, step_kind kind,
                                          array_id out) {
        for (const array_id id : inputs) {
            data.inputs.push_back(id);
        }
        emit_step(kind, data.inputs.size() - inputs.size(), out);
    }

    constexpr void add_array(std::size_t labels_begin, std::size_t count) {
        plan_array a;
        a.labels_begin = static_cast<std::uint32_t>(labels_begin);
        a.label_count = static_cast<std::uint32_t>(count);
        data.arrays.push_back(a);
    }

    [[gnu::cold]] constexpr void add_axes(list_view<const label> axes, const layout_view& layout) {
        const std::size_t begin = data.labels.size();
        // With an extent of 0 no nest is built, and the bounds on labels need not hold.
        const std::size_t count =
            data.sums_nothing ? 0 : merge_axes(axes, layout, data.labels, data.label_strides);
        if (count > max_modes) {
            fail(error_code::extent_overflow);
        }
        add_array(begin, count);
    }

    /// Adds an intermediate whose labels are the last ones of data.labels from begin on.
    [[gnu::cold]] constexpr array_id close_intermediate(std::size_t begin) {
        const std::size_t count = data.labels.size() - begin;
        data.label_strides.resize(data.labels.size(), 0);
        std::int64_t stride = 1;
        for (std::size_t i = data.labels.size(); i-- > begin;) {
            data.label_strides[i] = stride;
            if (!multiply(stride, extent(data.labels[i]), stride)) {
                fail(error_code::extent_overflow);
            }
        }
        add_array(begin, count);
        data.arrays.back().elements = stride;
        check_memory(stride);
        return static_cast<array_id>(data.arrays.size()) - 2;
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

    /// Builds the loop nest of the inputs from data.inputs[inputs_begin] on and chooses its
    /// lowering.
    [[gnu::cold]] constexpr void emit_step(step_kind kind, std::size_t inputs_begin,
                                           array_id output) {
        if (failed()) {
            return;
        }
        step s;
        s.kind = kind;
        s.output = output;
        s.inputs_begin = static_cast<std::uint32_t>(inputs_begin);
        s.input_count = static_cast<std::uint32_t>(data.inputs.size() - inputs_begin);
        s.cells_begin = static_cast<std::uint32_t>(data.cells.size());
        typename Storage::template list<strided_term> terms;
        terms.reserve(s.input_count);
        for (std::size_t i = inputs_begin; i < data.inputs.size(); ++i) {
            terms.push_back(term(data.inputs[i]));
        }
        const list_view<const strided_term> inputs(terms.data(), terms.size());
        mode_table table = open_table(inputs, s.cells_begin);
        if (!build_table(table, term(output), inputs, {data.extents.data(), data.extents.size()})) {
            fail(error_code::extent_overflow);
            return;
        }
        finish_step(s, table);
    }

    /// An empty table in data.cells from begin on, with room for all labels of the inputs.
    [[nodiscard]] constexpr mode_table open_table(list_view<const strided_term> inputs,
                                                  std::size_t begin) {
        std::size_t labels = 0;
        for (const strided_term& t : inputs) {
            labels += t.labels.size();
        }
        const std::size_t row = mode_table::row_length(inputs.size());
        data.cells.resize(begin + std::min(labels + spare_modes, max_modes) * row, 0);
        return mode_table(data.cells.data() + begin, inputs.size());
    }

    [[gnu::cold]] constexpr void finish_step(step& s, mode_table& table) {
        s.costs = Lowerings::decide.evaluate(table, target_);
        const bool helper = s.kind == step_kind::presum || s.kind == step_kind::reorder;
        const lowering forced = helper ? lowering::automatic : options_.lowering;
        const lowering obvious = forced == lowering::automatic && !target_.fused_only
                                     ? Lowerings::decide.obvious(table, target_)
                                     : lowering::automatic;
        choice best = choose(s.costs, obvious != lowering::automatic ? obvious : forced);
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
        was_obvious_ = obvious != lowering::automatic;
        // Runs may be on layouts that it was not planned for.
        const std::size_t scratch = Lowerings::decide.scratch_bytes(best.chosen, table, target_);
        if (was_obvious_) {
            Lowerings::decide.build_obvious(table, target_, s.how);
        } else {
            Lowerings::decide.build(best.chosen, table, target_, best.seconds, s.how);
        }
        s.how.scratch_bytes = std::max(s.how.scratch_bytes, scratch);
        s.mode_count = static_cast<std::uint32_t>(table.size());
        data.cells.resize(s.cells_begin + table.size() * table.pitch());
        data.steps.push_back(s);
    }

    options options_;
    target target_;
    bool was_obvious_ = false;
};

}  // namespace xeinsum::planning
