// Plans that are made once and run often: make_plan<float>("ij,jk->ik", {{64, 32}, {32, 16}}) knows
// its steps, its memory and its cost, and run() neither parses, plans nor allocates.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/array/operand.hpp>
#include <xeinsum/call/basic_plan.hpp>
#include <xeinsum/call/bound_plan.hpp>
#include <xeinsum/call/default_arch.hpp>
#include <xeinsum/call/kernels.hpp>
#include <xeinsum/call/plan_state.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/equation/message.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/plan/grouped_arrays.hpp>
#include <xeinsum/plan/key.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/path/follow.hpp>
#include <xeinsum/plan/path/record.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace xeinsum {

// What <xeinsum/emit.hpp> has.
enum class target : unsigned char;
struct emit_options;
namespace emission {
struct abilities;
struct program;
}  // namespace emission

/// The layout of an array or strided view.
template <array::strided E>
[[nodiscard]] layout layout_of(const E& e) {
    const array::in_place in(e);
    const auto extents = array::copy_axes<array::rank_of<E>>(in.extents());
    const auto strides = array::copy_axes<array::rank_of<E>>(in.strides());
    return {{extents.begin(), extents.end()}, {strides.begin(), strides.end()}};
}

/// A contraction that is planned: a value that can be copied, printed and run by many threads at
/// once, each with a workspace of its own. Made by make_plan.
template <class T, class Arch = detail::default_arch>
class plan : public basic_plan<T, Arch> {
public:
    /// Throws einsum_error where the equation does not fit the layouts, or no plan the options.
    /// For groups see grouped_plan.hpp, for a path that was found before plan_file.hpp.
    plan(xeinsum::equation eq, std::vector<layout> operands, const options& wanted,
         std::shared_ptr<const planning::grouped_arrays> groups = nullptr,
         std::shared_ptr<const planning::path_record> path = nullptr)
        : basic_plan<T, Arch>(std::move(eq), std::move(operands), wanted, std::move(groups),
                              std::move(path)) {}

    /// What the plan depends on: a value to compare and to hash.
    [[nodiscard]] const plan_key& key() const noexcept { return this->state().key; }
    /// Plans with equal keys run the same steps.
    [[nodiscard]] friend bool operator==(const plan& a, const plan& b) noexcept {
        return a.key() == b.key();
    }

    /// The terms that each step contracts, numbered as by path_strategy::numbered_pairs.
    [[nodiscard]] std::vector<std::vector<std::size_t>> path() const {
        return planning::path_of(this->state().data.view());
    }

    /// What was found by the search for that path, which save_plan writes: null for less than three
    /// operands, and without pairs where no search was needed.
    [[nodiscard]] const std::shared_ptr<const planning::path_record>& found_path() const noexcept {
        return this->state().path;
    }

    /// The plan for one value of an operand, counted from 0, that all runs share: weights. They are
    /// copied, and steps that depend on bound operands only are computed, here and now; a run takes
    /// the other operands. See bound_plan. Throws einsum_error where there is no such operand or
    /// its shape is another than planned.
    template <array::operand_like E>
    [[nodiscard]] bound_plan<T, Arch> bind(std::size_t operand, const E& value) const {
        return bound_plan<T, Arch>(this->shared_state()).bind(operand, value);
    }

    /// The same for all operands at once.
    template <array::operand_range Range>
    [[nodiscard]] bound_plan<T, Arch> bind_all(const Range& operands) const {
        return bound_plan<T, Arch>(this->shared_state()).bind_all(operands);
    }

    /// The plan as source text without any einsum. Needs <xeinsum/emit.hpp>. Throws einsum_error
    /// where the target cannot express it.
    [[nodiscard]] std::string emit(xeinsum::target to) const;
    /// The same, on request with extents that are known at run time only.
    [[nodiscard]] std::string emit(xeinsum::target to, const emit_options& wanted) const;
    /// The same as data, for writers of other formats. dynamic tells by label which extents are
    /// known at run time only. Needs <xeinsum/emit.hpp>.
    [[nodiscard]] emission::program operations(std::vector<bool> dynamic) const;
    /// The same in operations that the writer is able to write.
    [[nodiscard]] emission::program operations(std::vector<bool> dynamic,
                                               const emission::abilities& able) const;
};

namespace detail {

// Templates on the equation: a program that plans nothing need not compile them.

/// Row-major layouts. Throws where an operand has too many elements to count.
template <class Equation>
[[nodiscard]] std::vector<layout> row_major_operands(
    const Equation& eq, const std::vector<std::vector<std::size_t>>& shapes) {
    std::vector<layout> operands;
    operands.reserve(shapes.size());
    for (const std::vector<std::size_t>& shape : shapes) {
        problem p;
        std::int64_t elements = 1;
        bool fits = true;
        bool empty = false;
        for (std::size_t a = 0; a < shape.size(); ++a) {
            const auto extent = static_cast<std::int64_t>(shape[a]);
            if (extent < 0 && p.ok()) {
                p.code = error_code::extent_overflow;
                p.second = {operands.size(), a, extent};
            }
            empty = empty || extent == 0;
            fits = fits && planning::multiply(elements, extent, elements);
        }
        if (p.ok() && !fits && !empty) {
            p.code = error_code::extent_overflow;
            p.second.array = operands.size();
        }
        if (!p.ok()) {
            parsing::raise(p, eq);
        }
        operands.push_back(row_major({shape.begin(), shape.end()}));
    }
    return operands;
}

}  // namespace detail

/// A plan for row-major operands of the given shapes. Throws einsum_error.
template <element T, class Arch = detail::default_arch>
[[nodiscard]] plan<T, Arch> make_plan(const equation_argument& eq,
                                      const std::vector<std::vector<std::size_t>>& shapes,
                                      const options& wanted = {}) {
    equation parsed = eq.get(wanted.notation);
    std::vector<layout> operands = detail::row_major_operands(parsed, shapes);
    return plan<T, Arch>(std::move(parsed), std::move(operands), wanted);
}

/// A plan for operands that lie as the given ones do: make_plan_for<float>("ij,jk->ik",
/// {layout_of(a), layout_of(b)}). Throws einsum_error.
template <element T, class Arch = detail::default_arch>
[[nodiscard]] plan<T, Arch> make_plan_for(const equation_argument& eq, std::vector<layout> operands,
                                          const options& wanted = {}) {
    equation parsed = eq.get(wanted.notation);
    return plan<T, Arch>(std::move(parsed), std::move(operands), wanted);
}

}  // namespace xeinsum

template <class T, class Arch>
struct std::hash<xeinsum::plan<T, Arch>> {
    [[nodiscard]] std::size_t operator()(const xeinsum::plan<T, Arch>& p) const {
        return p.key().hash();
    }
};
