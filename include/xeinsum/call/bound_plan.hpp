// Plans with constant operands: make_plan<float>("nctw,cd->ndtw", shapes).bind(1, w) keeps w as its
// product reads it fastest, and runs on x alone.
#pragma once

#include <xeinsum/array/operand.hpp>
#include <xeinsum/call/basic_plan.hpp>
#include <xeinsum/call/bind.hpp>
#include <xeinsum/call/default_arch.hpp>
#include <xeinsum/call/plan_run.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/kernel/simd/arch.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace xeinsum {

template <class T, class Arch>
class plan;

/// A plan some of whose operands are known: a value; copies share the memory of the constants,
/// which nothing changes, and many threads may run them at once. Made by plan::bind.
///
/// It owns a row-major copy of every bound operand that a run still reads, the results of steps
/// that depend on these alone, and, where a matrix product would pack one, that packed. What was
/// bound may change or end its life: the plan does not see it. The path is that of the plan, which
/// counts all operands as if they changed.
template <class T, class Arch = detail::default_arch>
class bound_plan : public basic_plan<T, Arch> {
public:
    bound_plan(const bound_plan&) noexcept = default;
    bound_plan& operator=(const bound_plan&) noexcept = default;
    ~bound_plan() = default;

    /// Binds one more of the plan's operands, all counted from 0. Throws einsum_error,
    /// operand_not_open where there is no such operand or it is bound already, operand_shape where
    /// it has another shape than planned.
    template <array::operand_like E>
    [[nodiscard]] bound_plan bind(std::size_t operand, const E& value) const {
        const array::operand<T, E> held(value);
        detail::binding<T, Arch> more(*unbound_, this->state().known.get());
        more.add(operand, {held.extents(), held.strides()}, held.data());
        return bound_plan(unbound_, more.state());
    }

    /// Binds every operand that is open, in their order, at once: a run takes none. Throws as
    /// bind() does, and where the list has another length.
    template <array::operand_range Range>
    [[nodiscard]] bound_plan bind_all(const Range& operands) const {
        detail::plan_run<T, Arch>(this->state(), {})
            .check_count(static_cast<std::size_t>(std::size(operands)));
        detail::binding<T, Arch> more(*unbound_, this->state().known.get());
        auto open = open_operands().begin();
        for (const auto& value : operands) {
            const array::operand<T, array::listed_t<Range>> held(value);
            more.add(*open++, {held.extents(), held.strides()}, held.data());
        }
        return bound_plan(unbound_, more.state());
    }

    /// The operands that run() takes, in this order, by their number in the equation.
    [[nodiscard]] list_view<const std::size_t> open_operands() const noexcept {
        return this->state().given;
    }
    /// Bytes that the plan and its copies hold for constants.
    [[nodiscard]] std::size_t constant_bytes() const noexcept {
        return this->state().known ? this->state().known->bytes() : 0;
    }

private:
    friend class plan<T, Arch>;
    using shared = std::shared_ptr<const detail::plan_state<T, Arch>>;

    explicit bound_plan(const shared& unbound) : basic_plan<T, Arch>(unbound), unbound_(unbound) {}
    bound_plan(const shared& unbound, detail::plan_state<T, Arch> state)
        : basic_plan<T, Arch>(std::move(state)), unbound_(unbound) {}

    shared unbound_;
};

}  // namespace xeinsum
