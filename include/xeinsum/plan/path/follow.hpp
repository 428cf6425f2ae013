// A contraction path as steps: for "ij,jk,kl->il" the pairs (1, 2) and (0, 3) become jk,kl->jl and
// ij,jl->il.
#pragma once

#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/given_slices.hpp>
#include <xeinsum/plan/path/path.hpp>
#include <xeinsum/plan/path/record.hpp>
#include <xeinsum/plan/reorder/label_orders.hpp>
#include <xeinsum/plan/reorder/pair.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/step/step_emitter.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// The seconds of steps on a machine, as far as they follow from elements alone.
[[nodiscard]] constexpr path_cost machine_cost(const target& on, double bytes_per_second) noexcept {
    const machine& core = on.core;
    return {on.flop_weight / (core.hertz * core.fused_multiply_adds_per_cycle * 2 *
                              static_cast<double>(on.lanes)),
            static_cast<double>(on.element_bytes) / bytes_per_second, core.step_seconds};
}

[[nodiscard]] constexpr path_cost cached_cost(const target& on) noexcept {
    return machine_cost(on, on.core.cached_bytes_per_second);
}

/// The speed of pairs with many short extents, of main memory's: what limits a search rests on it.
inline constexpr double short_run_share = 0.4;
/// Larger intermediates are cut into slices whatever the limit: no program has room for them.
inline constexpr double addressable_bytes = 0x1p47;

/// The terms that each step of a plan contracts: operands count from 0, the result of the n-th such
/// step is number operands + n. Sums over one operand's labels, and copies, count as that operand.
template <class Plan>
[[nodiscard]] std::vector<std::vector<std::size_t>> path_of(const Plan& plan) {
    dependent<Plan, std::vector<std::size_t>> number(plan.arrays.size());
    std::iota(number.begin(), number.end(), std::size_t{0});
    dependent<Plan, std::vector<std::vector<std::size_t>>> path;
    for (const step& s : plan.steps) {
        const bool helper = s.kind == step_kind::presum || s.kind == step_kind::reorder;
        dependent<Plan, std::vector<std::size_t>> terms;
        for (const array_id id : plan.inputs_of(s)) {
            terms.push_back(number[static_cast<std::size_t>(id)]);
        }
        const std::size_t result = plan.operand_count + path.size();
        if (s.output != result_array) {
            number[static_cast<std::size_t>(s.output)] = helper ? terms.front() : result;
        }
        if (!helper) {
            path.push_back(std::move(terms));
        }
    }
    return path;
}

/// Marks the steps that read nothing that slices change, and puts them before the others, in whose
/// way their results then never are.
template <class Storage>
void put_first_what_slices_share(basic_plan_data<Storage>& data) {
    const auto is_shared = [&](array_id id) {
        const plan_view plan = data.view();
        for (const step& s : plan.steps) {
            if (s.output == id) {
                return s.same_in_all_slices;
            }
        }
        return std::none_of(plan.slices.begin(), plan.slices.end(),
                            [&](const label_slices& l) { return plan.term(id).holds(l.id); });
    };
    std::size_t shared = 0;
    for (std::size_t i = 0; i < data.steps.size(); ++i) {
        step& s = data.steps[i];
        const auto inputs = data.view().inputs_of(s);
        s.same_in_all_slices = std::all_of(inputs.begin(), inputs.end(), is_shared);
        if (s.same_in_all_slices) {
            std::rotate(data.steps.data() + shared, data.steps.data() + i,
                        data.steps.data() + i + 1);
            ++shared;
        }
    }
}

/// Appends the steps of a path over all operands, three or more.
template <class Emitter>
class path_follower {
    template <class T>
    using vector = dependent<Emitter, std::vector<T>>;

public:
    explicit path_follower(Emitter& emitter)
        : emitter_(emitter), uses_(emitter.data.extents.size(), 0) {
        for (array_id id = result_array; id < operands(); ++id) {
            count(id, 1);
        }
    }

    void run() {
        const options& wanted = emitter_.wanted();
        if (wanted.path == path_strategy::optimal &&
            emitter_.data.operand_count > optimal_path_operands) {
            emitter_.fail(error_code::path_not_available,
                          "optimal takes at most 20 operands; the others take any number");
            return;
        }
        if (!wanted.slices.empty() &&
            (emitter_.on().fused_only || wanted.path == path_strategy::fused ||
             (wanted.lowering == lowering::broadcast_multiply_reduce &&
              wanted.path == path_strategy::automatic))) {
            emitter_.fail(error_code::bad_option,
                          "slices are of operands that are contracted in pairs, not in one pass");
            return;
        }
        auto* const record = emitter_.record;
        const options given = record == nullptr ? wanted : record->followed_by(wanted);
        auto slices =
            read_slices(given.slices, emitter_.data.extents, emitter_.term(result_array).labels);
        emitter_.fail(slices.error);
        if (emitter_.failed()) {
            return;
        }
        emitter_.slice(slices.slices);
        // Of a slice while it is searched, of the whole after that: it views the extents.
        const path_problem searched = problem_of_operands();
        const sliced_path found = find_sliced_path(searched, given);
        emitter_.fail(found.error);
        if (emitter_.failed()) {
            return;
        }
        slices.cut(found.slices);
        emitter_.fail(slices.error);
        if (emitter_.failed()) {
            return;
        }
        emitter_.unslice();
        const double seconds = measure_path(searched, found.path, cached_cost(emitter_.on())).cost;
        emitter_.slice(slices.slices);
        if (record != nullptr) {
            record->path = found.path;
            record->slices.clear();
            for (const label_slices& s : slices.slices) {
                record->slices.push_back({s.id, s.count});
            }
        }
        follow(found.path, seconds);
        if (!slices.slices.empty()) {
            put_first_what_slices_share(emitter_.data);
        }
    }

private:
    [[nodiscard]] array_id operands() const noexcept {
        return static_cast<array_id>(emitter_.data.operand_count);
    }
    /// In how many of the arrays that are still to be contracted a label occurs; the result counts.
    [[nodiscard]] std::size_t& uses(label l) noexcept { return uses_[static_cast<std::size_t>(l)]; }
    void count(array_id id, std::size_t by) {
        for (const label l : emitter_.term(id).labels) {
            uses(l) += by;
        }
    }

    /// The operands without the labels that each has alone: these are summed beforehand.
    [[nodiscard]] path_problem problem_of_operands() {
        dependent<Emitter, path_problem> p;
        for (array_id id = 0; id < operands(); ++id) {
            const auto labels = emitter_.term(id).labels;
            vector<label> kept;
            std::copy_if(labels.begin(), labels.end(), std::back_inserter(kept),
                         [&](label l) { return uses(l) > 1; });
            if (kept.size() < labels.size()) {
                p.summed_terms.push_back(p.terms.size());
            }
            std::sort(kept.begin(), kept.end());
            p.terms.push_back(std::move(kept));
        }
        const auto output = emitter_.term(result_array).labels;
        p.output.assign(output.begin(), output.end());
        std::sort(p.output.begin(), p.output.end());
        p.extents = emitter_.data.extents;
        p.largest_elements =
            std::min(static_cast<double>(emitter_.wanted().memory_limit), addressable_bytes) /
            static_cast<double>(emitter_.on().element_bytes);
        const path_cost& cost = emitter_.wanted().path_cost;
        p.seconds =
            machine_cost(emitter_.on(), short_run_share * emitter_.on().core.bytes_per_second);
        p.cost = cost == path_cost{0, 0, 0} ? cached_cost(emitter_.on()) : cost;
        return p;
    }

    static constexpr label none = -1;

    /// The label along which an array lies side by side; none if there is none.
    [[nodiscard]] label closest_label(array_id id) const {
        const strided_term t = emitter_.term(id);
        for (std::size_t i = 0; i < t.labels.size(); ++i) {
            if (t.strides[i] == 1) {
                return t.labels[i];
            }
        }
        return none;
    }

    /// Contracts two arrays into an intermediate with labels in the given order. A label along
    /// which both lie side by side, as r in "ir,jr->irj", becomes the last one if that is faster.
    array_id intermediate(array_id lhs, array_id rhs, list_view<const label> order) {
        const auto start = emitter_.mark();
        const array_id out = emitter_.pair(lhs, rhs, order);
        const label shared = closest_label(lhs);
        if (emitter_.failed() || shared == none || shared != closest_label(rhs) ||
            !holds(order, shared) || order[order.size() - 1] == shared) {
            return out;
        }
        vector<label> other;
        std::copy_if(order.begin(), order.end(), std::back_inserter(other),
                     [&](label l) { return l != shared; });
        other.push_back(shared);
        const double plain = emitter_.seconds_since(start.steps);
        emitter_.rewind(start);
        static_cast<void>(emitter_.pair(lhs, rhs, other));
        if (emitter_.seconds_since(start.steps) < plain) {
            return out;
        }
        emitter_.rewind(start);
        return emitter_.pair(lhs, rhs, order);
    }

    /// Emits the steps of a path whose run takes about so many seconds.
    void follow(const contraction_path& path, double seconds) {
        vector<array_id> live;
        for (array_id id = 0; id < operands(); ++id) {
            live.push_back(emitter_.presum(id, [&](label l) { return uses(l) > 1; }));
        }
        const label_orders orders(emitter_, live, path, seconds);
        // Where steps may be fused at all, those that no forced choice speaks against.
        const bool may_join = emitter_.wanted().path == path_strategy::automatic &&
                              emitter_.wanted().lowering == lowering::automatic;
        auto before_last = emitter_.mark();
        for (std::size_t p = 0; p < path.size(); ++p) {
            const array_id lhs = live[path[p].first];
            const array_id rhs = live[path[p].second];
            const auto before = emitter_.mark();
            array_id out = result_array;
            if (p + 1 == path.size()) {
                reordered_pair(emitter_, lhs, rhs).emit();
            } else {
                out = intermediate(lhs, rhs, orders[p]);
            }
            const bool follows = p > 0 && (lhs == live.back() || rhs == live.back());
            if (may_join && follows && !emitter_.failed()) {
                const array_id other = lhs == live.back() ? rhs : lhs;
                out = emitter_.join_last(before_last, before, other, out, orders[p]);
            }
            before_last = emitter_.data.steps.size() > before.steps ? before : before_last;
            live.push_back(out);
        }
    }

    Emitter& emitter_;
    vector<std::size_t> uses_;
};

template <class Emitter>
void emit_path(Emitter& emitter) {
    path_follower(emitter).run();
}

}  // namespace xeinsum::planning
