// Walks a plan: the steps of "ij,jk,kl->il" in order, each by the lowering that the planner chose,
// from operands and workspace into workspace and output. Nothing is decided or allocated here.
#pragma once

#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/lowering/run_recipe.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/run/pieces.hpp>
#include <xeinsum/run/rebind.hpp>
#include <xeinsum/run/slices.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// The arrays of one run. Pointers are to the elements with index 0.
template <class T>
struct run_arrays {
    const T* const* operands = nullptr;
    T* output = nullptr;
    std::byte* workspace = nullptr;  ///< aligned to workspace_alignment
    parallel_for parallel{};
    /// By array_id: arrays that are there already, in the form that steps want; null for the
    /// others.
    const T* const* known = nullptr;
};

/// Runs one step, in pieces if it is cut. Memory has how.memory_bytes() bytes, aligned to
/// workspace_alignment.
template <class T, class Arch, kernel::step_kinds Kinds>
void run_step(const recipe& how, const kernel::loops& rows, std::size_t inputs,
              const element_t<T>* const* from, element_t<T>* out,
              const kernel::scaling<element_t<T>>& scale, std::byte* memory,
              const parallel_for& parallel) {
    constexpr recipe_runner<element_t<T>> run_one = &run_recipe<T, Arch, Kinds>;
    if constexpr (kernel::computes_in_place<T>) {
        if (how.split.is_cut() &&
            (how.split.between_terms || how.kept_cuts != 0 || runs_in_parallel(parallel))) {
            piecewise_run<element_t<T>, Arch>(run_one, how, rows, inputs, from, out, scale, memory)
                .run(parallel);
            return;
        }
    }
    run_one(how, rows, inputs, from, out, scale, memory);
}

template <class T, class Arch, kernel::step_kinds Kinds = kernel::all_steps>
class executor {
public:
    using element = element_t<T>;

    executor(const plan_view& plan, const run_arrays<T>& arrays,
             const kernel::scaling<element>& scale)
        : plan_(plan), arrays_(arrays), scale_(scale) {}

    /// Runs a plan that has something to sum, on arrays that lie as planned.
    void run() const { run_slices<false>(nullptr); }
    /// The same; lies is null, or tells how arrays lie otherwise.
    void run(const actual_layouts* lies) const { run_slices<true>(lies); }

private:
    /// Only sums in an order of their own, and copies, are sliced.
    static constexpr bool may_slice = Kinds.most_inputs > 2 || Kinds.copies();

    template <bool Rebinds>
    void run_slices(const actual_layouts* lies) const {
        if constexpr (may_slice) {
            if (!plan_.slices.empty()) {
                run_each_slice<Rebinds>(lies);
                return;
            }
        }
        run_steps<Rebinds>(lies);
    }

    template <bool Rebinds>
    void run_each_slice(const actual_layouts* lies) const {
        // The operands' slices are pointed at from the workspace.
        auto* const operands = reinterpret_cast<const T**>(arrays_.workspace + plan_.slices_offset);
        std::copy_n(arrays_.operands, plan_.operand_count, operands);
        run_arrays<T> slice = arrays_;
        slice.operands = operands;
        const auto move = [&](label moved, std::int64_t by) {
            for (std::size_t i = 0; i < plan_.operand_count; ++i) {
                operands[i] += by * stride_in_run(plan_, lies, static_cast<array_id>(i), moved);
            }
            slice.output += by * stride_in_run(plan_, lies, result_array, moved);
        };
        slice_counter counter(plan_.slices);
        if (plan_.only_slice > 0) {
            counter.go_to(plan_.only_slice, move);
        }
        bool first = true;
        do {
            executor(plan_, slice, counter.writes_first() ? scale_ : scale_.accumulating())
                .template run_steps<Rebinds>(lies, first);
            first = false;
        } while (plan_.only_slice < 0 && counter.next(move));
    }

    template <bool Rebinds>
    void run_steps(const actual_layouts* lies, bool first_slice = true) const {
        for (const step& s : plan_.steps) {
            if constexpr (may_slice) {
                if (!first_slice && s.same_in_all_slices) {
                    continue;
                }
            }
            if (!Rebinds || lies == nullptr) {
                const kernel::loops rows{plan_.cells.data() + s.cells_begin,
                                         mode_table::row_length(s.input_count), s.mode_count};
                run_step(s, s.how, rows);
            } else if constexpr (Rebinds) {
                mode_table table = rebuild_table(plan_, s, *lies);
                const target on = call_target<T, Arch>(plan_);
                recipe how = all::decide.build(s.how.chosen, table, on);
                how.split = within(how.split, s.how.split);
                run_step(s, how, {table.row(0), table.pitch(), table.size()});
            }
        }
    }

    [[nodiscard]] const element* input(array_id id) const {
        if (arrays_.known != nullptr && arrays_.known[id] != nullptr) {
            return reinterpret_cast<const element*>(arrays_.known[id]);
        }
        if (static_cast<std::size_t>(id) < plan_.operand_count) {
            return reinterpret_cast<const element*>(arrays_.operands[id]);
        }
        return reinterpret_cast<const element*>(arrays_.workspace + plan_.array(id).offset);
    }
    [[nodiscard]] element* output(array_id id) const {
        return id == result_array
                   ? reinterpret_cast<element*>(arrays_.output)
                   : reinterpret_cast<element*>(arrays_.workspace + plan_.array(id).offset);
    }

    void run_step(const step& s, const recipe& how, const kernel::loops& rows) const {
        const auto ids = plan_.inputs_of(s);
        if (ids.size() > max_fused_inputs) {
            // Its inputs are all operands in order.
            run_kernels(s, how, rows, reinterpret_cast<const element* const*>(arrays_.operands));
        } else {
            std::array<const element*, max_fused_inputs> inputs{};
            std::transform(ids.begin(), ids.end(), inputs.begin(),
                           [&](array_id id) { return input(id); });
            run_kernels(s, how, rows, inputs.data());
        }
    }

    void run_kernels(const step& s, const recipe& how, const kernel::loops& rows,
                     const element* const* inputs) const {
        const kernel::scaling<element> scale =
            s.output == result_array ? scale_ : kernel::scaling<element>();
        lowerings::run_step<T, Arch, Kinds>(how, rows, s.input_count, inputs, output(s.output),
                                            scale, arrays_.workspace + plan_.scratch_offset,
                                            arrays_.parallel);
    }

    plan_view plan_;
    run_arrays<T> arrays_;
    kernel::scaling<element> scale_;
};

}  // namespace xeinsum::lowerings
