// One random call in the way that its case says: "ij,jk->ik" by einsum, einsum_to or a plan, with
// operands bound or not, one by one or in a list.
#pragma once

#include "../support/crew.hpp"
#include "case_memory.hpp"

#include <xeinsum/array/xtensor.hpp>
#include <xeinsum/einsum.hpp>
#include <xeinsum/plan.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace random_calls {

/// How many calls did what they are drawn for, for all element types together.
struct call_counts {
    std::size_t refused = 0;  ///< a forced lowering that does not apply, a memory limit
    std::size_t in_pieces = 0;
    std::size_t in_slices = 0;
    std::size_t bound = 0;
    std::size_t in_workspace = 0;

    static call_counts& all() {
        static call_counts counts;
        return counts;
    }
};

/// Runs pieces in any order, on threads of their own or on the caller's.
class drawn_threads {
public:
    explicit drawn_threads(std::uint64_t seed) : seed_(seed) {}

    void operator()(std::size_t count, xeinsum::pieces_of_work body) const {
        ++call_counts::all().in_pieces;
        if (seed_ % 16 == 0) {
            support::crew()(count, body);
            return;
        }
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        random_source(seed_).shuffle(order);
        for (const std::size_t piece : order) {
            body(piece);
        }
    }

private:
    std::uint64_t seed_;
};

template <class T>
using array_view =
    xt::xarray_adaptor<xt::xbuffer_adaptor<T*, xt::no_ownership>, xt::layout_type::dynamic>;

template <class T>
[[nodiscard]] array_view<T> view_of(const placed_array<T>& a) {
    T* first = a.first;
    using memory = xt::xbuffer_adaptor<T*, xt::no_ownership>;
    return array_view<T>(memory(std::move(first), elements_of(a.extents)),
                         xt::dynamic_shape<std::size_t>(a.extents.begin(), a.extents.end()),
                         xt::dynamic_shape<std::ptrdiff_t>(a.lies.begin(), a.lies.end()));
}

/// Calls f(a), f(a, b) or f(a, b, c); f(list) where so many are too many, or a list is asked for.
template <class T, class F>
decltype(auto) with_operands(const std::vector<array_view<T>>& operands, bool listed, F f) {
    if (!listed && operands.size() == 1) {
        return f(operands[0]);
    }
    if (!listed && operands.size() == 2) {
        return f(operands[0], operands[1]);
    }
    if (!listed && operands.size() == 3) {
        return f(operands[0], operands[1], operands[2]);
    }
    return f(operands);
}

template <class First, class... Others>
inline constexpr bool is_list = sizeof...(Others) == 0 && !xeinsum::array::expression<First>;

template <class T>
class call_in_its_way {
public:
    call_in_its_way(const random_case& c, const case_memory<T>& memory, const T& alpha,
                    const T& beta)
        : case_(c),
          memory_(memory),
          scale_{alpha, beta},
          equation_(c.equation()),
          threads_(c.seed),
          options_(c.options(sizeof(T))) {
        options_.parallel = threads_;
        for (const auto& a : memory.operands) {
            operands_.push_back(view_of(a));
        }
    }
    call_in_its_way(const call_in_its_way&) = delete;
    call_in_its_way& operator=(const call_in_its_way&) = delete;

    /// The result in a new array.
    [[nodiscard]] xt::xarray<T> einsum() const {
        return with_operands<T>(operands_, case_.listed, [&](const auto&... o) -> xt::xarray<T> {
            if constexpr (is_list<decltype(o)...>) {
                return xeinsum::einsum(equation_, o..., options_);
            } else {
                return xeinsum::einsum(equation_, options_, o...);
            }
        });
    }

    /// The result in the case's output.
    void einsum_to() const {
        auto out = view_of(memory_.output);
        with_operands<T>(operands_, case_.listed, [&](const auto&... o) {
            if constexpr (is_list<decltype(o)...>) {
                xeinsum::einsum_to(equation_, out, scale_, o..., options_);
            } else {
                xeinsum::einsum_to(equation_, out, scale_, options_, o...);
            }
        });
    }
    /// The same; false where a workspace, memory that is not to be written or a throw is not as
    /// promised.
    [[nodiscard]] bool plan() const {
        const auto plan = xeinsum::make_plan_for<T>(equation_, planned_layouts(), options_);
        call_counts::all().in_slices += plan.slices().empty() ? 0 : 1;
        const bool binds =
            std::find(case_.bound.begin(), case_.bound.end(), true) != case_.bound.end();
        return binds ? bind_and_run(plan) : run(plan, operands_);
    }

private:
    using view = array_view<T>;

    [[nodiscard]] std::vector<xeinsum::layout> planned_layouts() const {
        random_source random(case_.seed + 2);
        std::vector<xeinsum::layout> layouts;
        for (const random_term& t : case_.terms) {
            const strides lies = case_.planned == planned_for::arrays ? t.lies
                                 : case_.planned == planned_for::row_major
                                     ? row_major(t.extents)
                                     : operand_strides(random, t.extents);
            layouts.push_back({{t.extents.begin(), t.extents.end()}, lies});
        }
        return layouts;
    }

    template <class Plan>
    [[nodiscard]] bool bind_and_run(const Plan& plan) const {
        std::optional<xeinsum::bound_plan<T>> bound;
        std::vector<view> open;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            if (case_.bound[i]) {
                bound = bound ? bound->bind(i, operands_[i]) : plan.bind(i, operands_[i]);
            } else {
                open.push_back(operands_[i]);
            }
        }
        ++call_counts::all().bound;
        // From here on the operands are none of the plan's business.
        const auto each_bound = [&](auto change) {
            for (std::size_t i = 0; i < operands_.size(); ++i) {
                if (case_.bound[i] && case_.overlapped != i) {
                    change(memory_.stretches[i]);
                }
            }
        };
        each_bound(
            [](const stretch& s) { std::fill(s.bytes().begin(), s.bytes().end(), garbage); });
        const bool right = run(*bound, open);
        each_bound([](const stretch& s) { s.restore(); });
        return right;
    }

    template <class Plan>
    [[nodiscard]] bool run(const Plan& plan, const std::vector<view>& open) const {
        const std::size_t bytes =
            case_.overlapped ? plan.overlap_workspace_bytes() : plan.workspace_bytes();
        call_counts::all().in_workspace += bytes > 0 ? 1 : 0;
        const stretch workspace(guarded_slots::shared().workspace, bytes, case_.seed % 4 != 0);
        // Whatever it holds.
        const auto dirty = workspace.bytes().first(std::min<std::size_t>(bytes, 4096));
        std::fill(dirty.begin(), dirty.end(), garbage);
        auto out = view_of(memory_.output);
        const auto give = [&](std::span<std::byte> memory) {
            if (open.empty()) {
                plan.run(threads_, out, scale_, memory);
                return;
            }
            with_operands<T>(open, case_.listed, [&](const auto&... o) {
                if constexpr (is_list<decltype(o)...>) {
                    plan.run(out, scale_, memory, o...);
                } else {
                    plan.run(threads_, out, scale_, memory, o...);
                }
            });
        };
        if (case_.seed % 8 == 1 && !case_.overlapped && bytes > 0) {
            // One byte less is refused before anything is written.
            try {
                give(workspace.bytes().first(bytes - 1));
                return false;
            } catch (const xeinsum::einsum_error& e) {
                if (e.code() != xeinsum::error_code::workspace_too_small) {
                    throw;
                }
            }
        }
        give(workspace.bytes());
        return workspace.margin_is_untouched();
    }

    static constexpr std::byte garbage{0xFF};

    const random_case& case_;
    const case_memory<T>& memory_;
    xeinsum::scale<T, T> scale_;
    xeinsum::equation equation_;
    drawn_threads threads_;
    xeinsum::options options_;
    std::vector<view> operands_{};
};

}  // namespace random_calls
