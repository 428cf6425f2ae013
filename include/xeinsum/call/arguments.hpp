// Operands of a call such as einsum("ij,jk->ik", a, b), one by one or in a list, as the layouts and
// pointers that planner and kernels want.
#pragma once

#include <xeinsum/array/operand.hpp>
#include <xeinsum/call/arrays.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/storage.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/plan/extents.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace xeinsum::detail {

[[nodiscard]] inline heap_storage::list<std::size_t> ranks_of(
    list_view<const layout_view> layouts) {
    heap_storage::list<std::size_t> ranks;
    ranks.reserve(layouts.size());
    for (const layout_view& l : layouts) {
        ranks.push_back(l.extents.size());
    }
    return ranks;
}

/// Operands given one by one, held for the time of a call.
template <class T, class... Es>
class operand_pack {
public:
    static constexpr auto kinds = kernel::step_kinds::of_inputs(sizeof...(Es));

    explicit operand_pack(const Es&... es)
        : held_(es...),
          layouts_(std::apply(
              [](const auto&... o) {
                  return std::array<layout_view, sizeof...(Es)>{
                      layout_view{o.extents(), o.strides()}...};
              },
              held_)),
          pointers_(std::apply(
              [](const auto&... o) { return std::array<const T*, sizeof...(Es)>{o.data()...}; },
              held_)) {}

    [[nodiscard]] list_view<const layout_view> layouts() const { return layouts_; }
    [[nodiscard]] const T* const* pointers() const { return pointers_.data(); }
    [[nodiscard]] const std::tuple<array::operand<T, Es>...>& arrays() const { return held_; }

private:
    std::tuple<array::operand<T, Es>...> held_;
    std::array<layout_view, sizeof...(Es)> layouts_;
    std::array<const T*, sizeof...(Es)> pointers_;
};

/// Operands given as a list.
template <class T, class Range>
class operand_list {
public:
    static constexpr kernel::step_kinds kinds{};
    using element = array::listed_t<Range>;

    explicit operand_list(const Range& range) {
        // Operands refer to their expressions and cannot move: one allocation each.
        for (const element& e : range) {
            held_.push_back(std::make_unique<array::operand<T, element>>(e));
            layouts_.push_back({held_.back()->extents(), held_.back()->strides()});
            pointers_.push_back(held_.back()->data());
        }
    }

    [[nodiscard]] list_view<const layout_view> layouts() const { return layouts_; }
    [[nodiscard]] const T* const* pointers() const { return pointers_.data(); }

private:
    std::vector<std::unique_ptr<array::operand<T, element>>> held_{};
    std::vector<layout_view> layouts_{};
    std::vector<const T*> pointers_{};
};

/// What a run takes behind its memory: operands one by one, or a list of them.
template <class... Es>
concept operands_of_run = (array::expression<Es> && ...) ||
                          (sizeof...(Es) == 1 && (array::operand_range<Es> && ...));

template <class T, class... Es>
struct held_operands {
    using type = operand_pack<T, Es...>;
};
template <class T, array::operand_range Range>
struct held_operands<T, Range> {
    using type = operand_list<T, Range>;
};

}  // namespace xeinsum::detail
