// How the arrays of a run must lie to be run as planned: in "ij,jk->ik" planned row-major, a
// transposed operand has the extents but not the strides.
#pragma once

#include <xeinsum/array/overlap.hpp>
#include <xeinsum/array/stride_sums.hpp>
#include <xeinsum/equation/short_vector.hpp>
#include <xeinsum/plan/extents.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::detail {

/// The layouts of the arrays that a run is given, the output first, as one list of numbers that is
/// compared in one go. Elements are T.
template <class T>
class planned_arrays {
public:
    void clear() noexcept {
        axes_.clear();
        arrays_.clear();
    }
    void push(const layout_view& lies) {
        arrays_.push_back(
            {axes_.size(), lies.extents.size(),
             array::range_of(static_cast<const T*>(nullptr), lies.extents, lies.strides)});
        for (std::size_t a = 0; a < lies.extents.size(); ++a) {
            axes_.push_back({lies.extents[a], lies.strides[a], lies.extents[a] > 1 ? -1 : 0});
        }
    }

    /// Output and operands.
    [[nodiscard]] std::size_t size() const noexcept { return arrays_.size(); }

    /// Whether an array, in place, has exactly the planned layout.
    template <class E>
    [[nodiscard]] bool lies_as_planned(std::size_t array, const E& e) const noexcept {
        const entry& planned = arrays_[array];
        const auto& extents = e.extents();
        const auto& strides = e.strides();
        if (extents.size() != planned.rank || strides.size() != planned.rank) {
            return false;
        }
        const axis* at = axes_.data() + planned.first_axis;
        std::int64_t difference = 0;
        for (std::size_t a = 0; a < planned.rank; ++a) {
            difference |= static_cast<std::int64_t>(extents[a]) ^ at[a].extent;
            difference |=
                (static_cast<std::int64_t>(strides[a]) ^ at[a].stride) & at[a].stride_matters;
        }
        return difference == 0;
    }

    /// Whether two arrays that lie as planned share an element.
    [[nodiscard]] bool meet(std::size_t a, const void* first_of_a, std::size_t b,
                            const void* first_of_b) const noexcept {
        const array::memory_range memory_of_a = range(a, first_of_a);
        const array::memory_range memory_of_b = range(b, first_of_b);
        return memory_of_a.meets(memory_of_b) && share(a, memory_of_a, b, memory_of_b);
    }

private:
    struct axis {
        std::int64_t extent;
        std::int64_t stride;
        std::int64_t stride_matters;  ///< all bits set, or 0 along a single element
    };
    struct entry {
        std::size_t first_axis;
        std::size_t rank;
        array::memory_range reach;  ///< as if the element with index 0 were at address 0
    };

    [[nodiscard]] array::memory_range range(std::size_t array, const void* first) const noexcept {
        const auto address = reinterpret_cast<std::uintptr_t>(first);
        const array::memory_range& reach = arrays_[array].reach;
        return {address + reach.begin, address + reach.end};
    }

    [[nodiscard, gnu::noinline]] bool share(std::size_t a, const array::memory_range& memory_of_a,
                                            std::size_t b,
                                            const array::memory_range& memory_of_b) const noexcept {
        array::stride_sums steps;
        for (const std::size_t array : {a, b}) {
            const axis* at = axes_.data() + arrays_[array].first_axis;
            for (std::size_t i = 0; i < arrays_[array].rank; ++i) {
                steps.add(at[i].stride, at[i].extent - 1);
            }
        }
        return array::shares_elements(memory_of_a, memory_of_b, sizeof(T), steps);
    }

    // Room for what most plans have.
    short_vector<axis, 16> axes_{};
    short_vector<entry, 4> arrays_{};
};

}  // namespace xeinsum::detail
