// A plan on arrays that lie otherwise than planned: "ij,jk->ik" planned row-major and run with a
// transposed operand keeps its steps and gets new strides.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/step/build_table.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace xeinsum::lowerings {

/// How the arrays of one run lie, and memory for what follows from that.
struct actual_layouts {
    network_view network{};
    list_view<const layout_view> operands{};
    list_view<const std::int64_t> output_strides{};
    list_view<std::byte> memory{};  ///< rebind_bytes, aligned for pointers
    /// Which operands are listed, in order, where it is not all of them: the others lie as planned.
    list_view<const std::size_t> listed{};

    /// The layout of an operand, null where it lies as planned.
    [[nodiscard]] constexpr const layout_view* of(std::size_t operand) const noexcept {
        if (listed.empty()) {
            return operand < operands.size() ? &operands[operand] : nullptr;
        }
        const auto found = std::find(listed.begin(), listed.end(), operand);
        return found == listed.end() ? nullptr
                                     : &operands[static_cast<std::size_t>(found - listed.begin())];
    }
};

/// Bytes that rebuild_table needs for the largest step of a plan.
[[nodiscard]] constexpr std::size_t rebind_bytes(const plan_view& plan) noexcept {
    std::size_t most = 0;
    for (const step& s : plan.steps) {
        std::size_t labels = plan.term(s.output).labels.size();
        for (const array_id id : plan.inputs_of(s)) {
            labels += plan.term(id).labels.size();
        }
        const std::size_t rows = std::min(labels + spare_modes, max_modes);
        const std::size_t cells = labels + rows * mode_table::row_length(s.input_count);
        most = std::max(
            most, s.input_count * sizeof(planning::strided_term) + cells * sizeof(std::int64_t));
    }
    return most;
}

/// Appends to memory without growing it: a list for merge_axes.
class stride_writer {
public:
    constexpr explicit stride_writer(std::int64_t* to) noexcept : to_(to) {}
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr std::int64_t& operator[](std::size_t i) noexcept { return to_[i]; }
    constexpr void push_back(std::int64_t x) noexcept { to_[size_++] = x; }

private:
    std::int64_t* to_;
    std::size_t size_ = 0;
};

/// Follows merge_axes over labels that are known already.
class label_reader {
public:
    constexpr explicit label_reader(list_view<const label> labels) noexcept : labels_(labels) {}
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr label operator[](std::size_t i) const noexcept { return labels_[i]; }
    constexpr void push_back(label) noexcept { ++size_; }

private:
    list_view<const label> labels_;
    std::size_t size_ = 0;
};

/// The loop nest of a step for the layouts of this run, in their memory.
[[nodiscard]] inline mode_table rebuild_table(const plan_view& plan, const step& s,
                                              const actual_layouts& lies) {
    using planning::strided_term;
    const auto ids = plan.inputs_of(s);
    auto* terms = reinterpret_cast<strided_term*>(lies.memory.data());
    auto* cells = reinterpret_cast<std::int64_t*>(terms + ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        strided_term term = plan.term(ids[i]);
        const auto operand = static_cast<std::size_t>(ids[i]);
        const layout_view* lie = operand < plan.operand_count ? lies.of(operand) : nullptr;
        if (lie != nullptr) {
            label_reader labels(term.labels);
            stride_writer strides(cells);
            planning::merge_axes(lies.network.operand(operand), *lie, labels, strides);
            term.strides = {cells, strides.size()};
            cells += strides.size();
        }
        std::construct_at(terms + i, term);
    }
    strided_term output = plan.term(s.output);
    if (s.output == result_array) {
        std::size_t count = 0;
        for (std::size_t a = 0; a < lies.network.output.size(); ++a) {
            if (output.holds(lies.network.output[a])) {
                cells[count++] = lies.output_strides[a];
            }
        }
        output.strides = {cells, count};
        cells += count;
    }
    mode_table table(cells, ids.size());
    // It fitted 64 bits when it was planned, and extents have not changed.
    static_cast<void>(planning::build_table(table, output, {terms, ids.size()}, plan.extents));
    return table;
}

}  // namespace xeinsum::lowerings
