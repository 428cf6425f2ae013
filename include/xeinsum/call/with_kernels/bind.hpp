// Bodies of what computes beforehand: of "ij,jk,kl->il" with b and c bound the step jk,kl->jl, and
// the panels of its result.
#pragma once

#include <xeinsum/call/bind.hpp>
#include <xeinsum/call/constants.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/call/workspace.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/workspace_layout.hpp>
#include <xeinsum/run/execute.hpp>
#include <xeinsum/run/prepacked_operand.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace xeinsum::detail {

template <class T, class Arch>
void binding<T, Arch>::fold(basic_plan_data<plan_storage>& data, constants<T>& known) const {
    workspace memory(data.workspace_bytes);
    std::vector<shared_array<T>> results(known.stored.size());
    plan_storage::list<step> left;
    for (std::size_t i = 0; i < data.steps.size(); ++i) {
        const step& s = data.steps[i];
        if (s.output == result_array || !depends_on_constants_only(data, s)) {
            left.push_back(s);
            continue;
        }
        plan_view one = data.view();
        one.steps = one.steps.subspan(i, 1);
        one.slices = {};
        lowerings::executor<T, Arch>(
            one, {known.operands.data(), nullptr, memory.data(), {}, known.stored.data()}, {})
            .run(nullptr);
        plan_array& result = data.arrays[static_cast<std::size_t>(s.output + std::int64_t{1})];
        const auto elements = static_cast<std::size_t>(result.elements);
        auto kept = std::make_shared<constant_array<T>>(elements);
        if constexpr (kernel::computes_in_place<T>) {
            std::memcpy(kept->data(), memory.data() + result.offset, elements * sizeof(T));
        }
        result.constant = true;
        known.stored[static_cast<std::size_t>(s.output)] = kept->data();
        results[static_cast<std::size_t>(s.output)] = std::move(kept);
    }
    data.steps = std::move(left);
    // Results that only steps read which are gone are of no use any more.
    for (std::size_t id = 0; id < results.size(); ++id) {
        if (results[id] && is_read(data, static_cast<array_id>(id))) {
            known.memory.push_back(results[id]);
        } else {
            known.stored[id] = nullptr;
        }
    }
}

template <class T, class Arch>
void binding<T, Arch>::pack(basic_plan_data<plan_storage>& data, constants<T>& known) const {
    using operand = lowerings::prepacked_operand<T, Arch>;
    using element = typename operand::element;
    for (step& s : data.steps) {
        const auto ids = data.view().inputs_of(s);
        const std::size_t input = ids.size() != 2             ? 0U
                                  : is_constant(data, ids[1]) ? 2U
                                  : is_constant(data, ids[0]) ? 1U
                                                              : 0U;
        if (input == 0) {
            continue;
        }
        std::vector<std::int64_t> cells;
        recipe how;
        mode_table table = built_for(data, s, input, cells, how);
        if (how.prepacked_input == 0) {
            continue;
        }
        workspace scratch(how.scratch_bytes);
        const operand kept(how, table, scratch.data());
        auto panels = std::make_shared<constant_array<T>>(kept.elements());
        const auto id = static_cast<std::size_t>(ids[input - 1]);
        const T* from = id < data.operand_count ? known.operands[id] : known.stored[id];
        kept.pack(reinterpret_cast<const element*>(from),
                  reinterpret_cast<element*>(panels->data()));
        known.packed[id] = panels->data();
        known.memory.push_back(std::move(panels));
        s.how = how;
        s.mode_count = static_cast<std::uint32_t>(table.size());
        s.cells_begin = static_cast<std::uint32_t>(data.cells.size());
        data.cells.append(table.row(0), table.row(table.size()));
    }
}

template <class T, class Arch>
plan_state<T, Arch> binding<T, Arch>::state() const {
    plan_state<T, Arch> s = replanned();
    auto known = std::make_shared<constants<T>>();
    known->bound = bound_;
    s.given.clear();
    for (std::size_t i = 0; i < bound_.size(); ++i) {
        known->operands.push_back(bound_[i] ? bound_[i]->data() : nullptr);
        if (bound_[i]) {
            known->memory.push_back(bound_[i]);
            s.data.arrays[i + 1].constant = true;
        } else {
            s.given.push_back(i);
        }
    }
    known->stored.resize(s.data.arrays.size() - 1);
    fold(s.data, *known);
    known->packed = known->stored;
    if constexpr (kernel::computes_in_place<T>) {
        pack(s.data, *known);
    }
    known->prepared = known->operands;
    for (std::size_t i = 0; i < bound_.size(); ++i) {
        if (known->packed[i] != nullptr) {
            known->prepared[i] = known->packed[i];
        }
    }
    planning::lay_out_workspace(s.data, sizeof(T));
    s.known = std::move(known);
    s.measure();
    return s;
}

}  // namespace xeinsum::detail
