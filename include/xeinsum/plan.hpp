// Plans that are made once and run often: make_plan<float>("ij,jk->ik", {{64, 32}, {32, 16}}) knows
// its steps, its memory and its cost, and run() neither parses, plans nor allocates.
#pragma once

#include <xeinsum/arguments.hpp>
#include <xeinsum/array/operand.hpp>
#include <xeinsum/array/output.hpp>
#include <xeinsum/emit/emit.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/plan/key.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/planner.hpp>
#include <xeinsum/plan/print.hpp>
#include <xeinsum/raise.hpp>
#include <xeinsum/run.hpp>
#include <xeinsum/workspace.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace xeinsum {

/// The layout of an array or strided view.
template <array::strided E>
[[nodiscard]] layout layout_of(const E& e) {
    const auto extents = array::copy_axes<array::rank_of<E>>(e.shape());
    const auto strides = array::copy_axes<array::rank_of<E>>(e.strides());
    return {{extents.begin(), extents.end()}, {strides.begin(), strides.end()}};
}

namespace detail {
struct run_access;
}

/// A contraction that is planned: a value that can be copied, printed and run by many threads at
/// once, each with a workspace of its own. Made by make_plan.
template <class T, class Arch = kernel::native_arch>
class plan {
public:
    /// Throws einsum_error where the equation does not fit the layouts, or no plan the options.
    plan(xeinsum::equation eq, std::vector<layout> operands, const options& wanted)
        : equation_(std::move(eq)),
          key_(equation_.text(), equation_.notation(), std::move(operands), wanted) {
        const std::vector<layout_view> views(planned_operands().begin(), planned_operands().end());
        const std::vector<std::size_t> ranks = detail::ranks_of(views);
        network_ = resolve<heap_storage>(equation_, ranks);
        check(network_.error);
        planning::planner<heap_storage, lowerings::all> planner(network_.view(), views, wanted,
                                                                lowerings::target_of<T, Arch>());
        check(planner.measure());
        std::vector<std::int64_t> extents(network_.output.size());
        std::transform(network_.output.begin(), network_.output.end(), extents.begin(),
                       [&](label l) { return planner.extent(l); });
        output_ = row_major(std::move(extents));
        data_ = std::move(planner.make(output_.strides));
        check(data_.error);
        const std::size_t rebind = lowerings::rebind_bytes(data_.view());
        rebind_in_workspace_ = rebind > stack_bytes ? planning::align_up(rebind) : 0;
        reaches_.reserve(1 + planned_operands().size());
        reaches_.push_back(reach_of(output_));
        for (const layout& l : planned_operands()) {
            reaches_.push_back(reach_of(l));
        }
    }

    /// What the plan depends on: a value to compare and to hash.
    [[nodiscard]] const plan_key& key() const noexcept { return key_; }
    /// Plans with equal keys run the same steps.
    [[nodiscard]] friend bool operator==(const plan& a, const plan& b) noexcept {
        return a.key_ == b.key_;
    }

    /// The equation that was planned.
    [[nodiscard]] const xeinsum::equation& equation() const noexcept { return equation_; }
    /// The steps in the order in which they run.
    [[nodiscard]] std::span<const step> steps() const noexcept { return data_.steps; }
    /// The result's extents, one for each axis.
    [[nodiscard]] std::span<const std::int64_t> output_extents() const noexcept {
        return output_.extents;
    }

    /// Floating-point operations of a run; for each step, the product of the extents of all its
    /// labels times the multiplications, and one addition if it sums, that each term takes.
    [[nodiscard]] double flops() const noexcept {
        double total = 0;
        for (const step& s : data_.steps) {
            total += s.flops;
        }
        return total * data_.view().slice_count();
    }
    /// Seconds that a run is predicted to take on one core.
    [[nodiscard]] double predicted_seconds() const noexcept {
        double total = 0;
        for (const step& s : data_.steps) {
            total += s.seconds;
        }
        return total * data_.view().slice_count();
    }
    /// Labels that are cut so that intermediates stay within the memory limit. The steps, whose
    /// figures are those of one slice, run once for each combination of slices.
    [[nodiscard]] std::span<const label_slices> slices() const noexcept { return data_.slices; }
    /// The terms that each step contracts, numbered as by path_strategy::numbered_pairs.
    [[nodiscard]] std::vector<std::vector<std::size_t>> path() const {
        return planning::path_of(data_.view());
    }
    /// Elements of the largest array between two steps; 0 where there is none.
    [[nodiscard]] std::int64_t largest_intermediate() const noexcept {
        std::int64_t largest = 0;
        for (const step& s : data_.steps) {
            if (s.output != result_array) {
                largest = std::max(largest, data_.view().array(s.output).elements);
            }
        }
        return largest;
    }

    /// Bytes that run() needs, whatever their alignment; 0 where it needs none.
    [[nodiscard]] std::size_t workspace_bytes() const noexcept {
        const std::size_t bytes = rebind_offset() + rebind_in_workspace_;
        return bytes == 0 ? 0 : bytes + workspace_alignment - 1;
    }
    /// Bytes that run() needs if the output shares memory with an operand.
    [[nodiscard]] std::size_t overlap_workspace_bytes() const noexcept {
        return detour_offset() + detour_bytes() + workspace_alignment - 1;
    }
    /// Memory of workspace_bytes() bytes.
    [[nodiscard]] workspace make_workspace() const { return workspace(workspace_bytes()); }

    /// out = result. Operands and output have the planned shapes; they run fastest as they were
    /// planned to lie, but may lie otherwise. Allocates nothing, as long as the arrays are strided
    /// arrays of T. Throws einsum_error, out being untouched, where a shape is another or the
    /// workspace too small.
    template <array::expression Out, array::expression... Operands>
    void run(Out&& out, std::span<std::byte> memory, const Operands&... operands) const {
        run(out, scale{1, 0}, memory, operands...);
    }

    /// out = alpha * result + beta * out.
    template <array::expression Out, class A, class B, array::expression... Operands>
    void run(Out&& out, const scale<A, B>& by, std::span<std::byte> memory,
             const Operands&... operands) const {
        run(parallel_for{}, out, by, memory, operands...);
    }

    /// The same on threads of the user's, up to options::threads; see parallel_for.
    template <array::expression Out, array::expression... Operands>
    void run(const parallel_for& parallel, Out&& out, std::span<std::byte> memory,
             const Operands&... operands) const {
        run(parallel, out, scale{1, 0}, memory, operands...);
    }
    template <array::expression Out, class A, class B, array::expression... Operands>
    void run(const parallel_for& parallel, Out&& out, const scale<A, B>& by,
             std::span<std::byte> memory, const Operands&... operands) const {
        if (run_as_planned(parallel, out, by, memory, operands...)) {
            return;
        }
        check_count(sizeof...(Operands));
        const detail::operand_pack<T, Operands...> held(operands...);
        run_checked(parallel, out, by, given(memory), held.layouts(), held.pointers());
    }

    /// The same with a list of operands, for which it allocates.
    template <array::expression Out, array::operand_range Range>
    void run(Out&& out, std::span<std::byte> memory, const Range& operands) const {
        run(out, scale{1, 0}, memory, operands);
    }
    template <array::expression Out, class A, class B, array::operand_range Range>
    void run(Out&& out, const scale<A, B>& by, std::span<std::byte> memory,
             const Range& operands) const {
        check_count(static_cast<std::size_t>(std::ranges::size(operands)));
        const detail::operand_list<T, Range> held(operands);
        run_checked(parallel_for{}, out, by, given(memory), held.layouts(), held.pointers());
    }

    /// The plan as source text without any einsum; on request with extents that are known at run
    /// time only. Throws einsum_error where the target cannot express it.
    [[nodiscard]] std::string emit(xeinsum::target to, const emit_options& wanted = {}) const {
        return emission::emit(described(), to, wanted);
    }
    /// The same as data, for writers of other formats. dynamic tells by label which extents are
    /// known at run time only.
    [[nodiscard]] emission::program operations(std::vector<bool> dynamic,
                                               const emission::abilities& able = {}) const {
        return emission::program_of(described(), std::move(dynamic), able);
    }

    /// Prints every step: equation, classes, lowering, predicted costs, modes, memory.
    friend std::ostream& operator<<(std::ostream& out, const plan& p) {
        const auto describe = [](const recipe& how, const mode_table& rows) {
            std::string text;
            lowerings::all::with(how.chosen, [&]<class Lowering>() {
                text = Lowering::describe(how, {rows.row(0), rows.pitch(), rows.size()});
            });
            return text;
        };
        planning::plan_printer(out, p.equation_, p.network_.view(), p.data_.view())
            .print(p.equation_.text(), p.workspace_bytes(), describe);
        return out;
    }

private:
    [[nodiscard]] std::span<const layout> planned_operands() const noexcept {
        return key_.operands();
    }

    [[nodiscard]] emission::planned described() const {
        std::vector<std::vector<std::int64_t>> extents;
        for (const layout& l : planned_operands()) {
            extents.push_back(l.extents);
        }
        return {equation_, network_.view(), data_.view(), std::move(extents),
                emission::element_of<T>()};
    }

    void check(const problem& p) const {
        if (!p.ok()) {
            std::vector<layout_view> views(planned_operands().begin(), planned_operands().end());
            detail::raise_located(p, equation_, views);
        }
    }

    void check_count(std::size_t found) const {
        problem p;
        p.code = found == planned_operands().size() ? error_code::none : error_code::operand_count;
        p.expected = static_cast<std::int64_t>(planned_operands().size());
        p.found = static_cast<std::int64_t>(found);
        check(p);
    }

    // --- arrays that lie as planned -----------------------------------------------------------

    /// First and last address of an array, as if it began at 0.
    [[nodiscard]] static array::memory_range reach_of(const layout& l) noexcept {
        return array::range_of(static_cast<const T*>(nullptr), l.extents, l.strides);
    }
    [[nodiscard]] array::memory_range reach(std::size_t array, const T* first) const noexcept {
        const auto address = reinterpret_cast<std::uintptr_t>(first);
        return {address + reaches_[array].begin, address + reaches_[array].end};
    }

    /// Runs without copying a shape if all arrays are in memory, lie as planned and do not
    /// overlap the output, and the memory is enough; false, nothing being written, otherwise.
    template <class Out, class A, class B, class... Operands>
    [[nodiscard]] bool run_as_planned(const parallel_for& parallel, Out& out, const scale<A, B>& by,
                                      std::span<std::byte> memory,
                                      const Operands&... operands) const {
        if constexpr (array::writable_as<Out, T> && (array::readable_as<Operands, T> && ...)) {
            std::size_t i = 0;
            const bool fits =
                sizeof...(Operands) == planned_operands().size() &&
                memory.size() >= workspace_bytes() &&
                lies_as(output_, out.shape(), out.strides()) &&
                (lies_as(planned_operands()[i++], operands.shape(), operands.strides()) && ...);
            if (!fits) {
                return false;
            }
            T* const to = array::first_element(out);
            const std::array<const T*, sizeof...(Operands)> from{array::first_element(operands)...};
            const array::memory_range written = reach(0, to);
            for (std::size_t o = 0; o < from.size(); ++o) {
                if (written.meets(reach(1 + o, from[o]))) {
                    return false;
                }
            }
            detail::run<T, Arch>(data_.view(), from.data(), {to, output_.extents, output_.strides},
                                 detail::to_scaling<T>(by),
                                 memory.empty() ? nullptr : aligned(memory.data()), nullptr,
                                 parallel);
            return true;
        } else {
            return false;
        }
    }

    // --- any arrays -------------------------------------------------------------------------

    friend struct detail::run_access;

    /// Memory of the caller's, which must be large enough.
    [[nodiscard]] auto given(std::span<std::byte> memory) const {
        return [this, memory](std::size_t needed) {
            problem p;
            p.code = memory.size() < needed ? error_code::workspace_too_small : error_code::none;
            p.expected = static_cast<std::int64_t>(needed);
            p.found = static_cast<std::int64_t>(memory.size());
            check(p);
            return memory;
        };
    }

    /// give(bytes) gives memory of so many bytes, or throws.
    template <class Out, class A, class B, class Memory>
    void run_checked(const parallel_for& parallel, Out& array, const scale<A, B>& by, Memory give,
                     std::span<const layout_view> layouts, const T* const* pointers) const {
        bool as_planned = true;
        for (std::size_t i = 0; i < layouts.size(); ++i) {
            const std::vector<std::int64_t>& extents = planned_operands()[i].extents;
            problem p = detail::check_extents(
                extents.size(), [&](std::size_t a) { return extents[a]; }, layouts[i].extents,
                error_code::operand_shape);
            p.second.array = i;
            check(p);
            as_planned = as_planned && lie_alike(planned_operands()[i], layouts[i]);
        }
        const auto scaling = detail::to_scaling<T>(by);
        array::output<T, Out> out(array, scaling.adds());
        check(detail::check_output(output_.extents.size(),
                                   [&](std::size_t a) { return output_.extents[a]; },
                                   {out.extents(), out.strides()}));
        const detail::destination<T> to{out.data(), out.extents(), out.strides()};
        const bool aside = detail::overlaps(to, layouts, pointers);
        const std::span<std::byte> memory =
            give(aside ? overlap_workspace_bytes() : workspace_bytes());
        std::byte* base = memory.empty() ? nullptr : aligned(memory.data());
        as_planned = as_planned && (aside || lie_alike(output_, {out.extents(), out.strides()}));

        alignas(std::max_align_t) std::array<std::byte, stack_bytes> small;
        lowerings::actual_layouts lies{
            network_.view(), layouts,
            aside ? std::span<const std::int64_t>(output_.strides) : out.strides(), small};
        if (rebind_in_workspace_ > 0) {
            lies.memory = {base + rebind_offset(), rebind_in_workspace_};
        }
        const detour d(aside && !data_.sums_nothing ? base + detour_offset() : nullptr,
                       static_cast<std::size_t>(data_.result_elements));
        detail::run<T, Arch>(data_.view(), pointers, to, scaling, base, d.elements, parallel,
                             as_planned ? nullptr : &lies);
        out.commit();
    }

    /// Elements in raw memory for the time of a run.
    struct detour {
        T* elements = nullptr;
        std::size_t count = 0;

        detour(std::byte* memory, std::size_t n)
            : elements(reinterpret_cast<T*>(memory)), count(n) {
            if (elements != nullptr) {
                std::uninitialized_default_construct_n(elements, count);
            }
        }
        ~detour() {
            if (elements != nullptr) {
                std::destroy_n(elements, count);
            }
        }
        detour(const detour&) = delete;
        detour& operator=(const detour&) = delete;
    };

    // The workspace: intermediates and scratch, memory for other layouts, a detour for the result.
    static constexpr std::size_t stack_bytes = 8192;

    [[nodiscard]] std::size_t rebind_offset() const noexcept { return data_.workspace_bytes; }
    [[nodiscard]] std::size_t detour_offset() const noexcept {
        return rebind_offset() + rebind_in_workspace_;
    }
    [[nodiscard]] std::size_t detour_bytes() const noexcept {
        return static_cast<std::size_t>(data_.result_elements) * sizeof(T);
    }

    xeinsum::equation equation_;
    plan_key key_;
    layout output_{};
    basic_network<heap_storage> network_{};
    basic_plan_data<heap_storage> data_{};
    std::size_t rebind_in_workspace_ = 0;
    std::vector<array::memory_range> reaches_{};  // of the output, of the operands
};

namespace detail {

/// Runs a plan on operands that are held already.
struct run_access {
    template <class T, class Arch, class Out, class A, class B, class Memory>
    static void run(const plan<T, Arch>& p, const parallel_for& parallel, Out& out,
                    const scale<A, B>& by, Memory give, std::span<const layout_view> layouts,
                    const T* const* pointers) {
        p.run_checked(parallel, out, by, give, layouts, pointers);
    }
};

}  // namespace detail

/// A plan for row-major operands of the given shapes. Throws einsum_error.
template <class T, class Arch = kernel::native_arch>
[[nodiscard]] plan<T, Arch> make_plan(const equation_argument& eq,
                                      const std::vector<std::vector<std::size_t>>& shapes,
                                      const options& wanted = {}) {
    std::vector<layout> operands;
    operands.reserve(shapes.size());
    for (const auto& shape : shapes) {
        operands.push_back(row_major({shape.begin(), shape.end()}));
    }
    return plan<T, Arch>(eq.get(wanted.notation), std::move(operands), wanted);
}

/// A plan for operands that lie as the given ones do: make_plan_for<float>("ij,jk->ik",
/// {layout_of(a), layout_of(b)}). Throws einsum_error.
template <class T, class Arch = kernel::native_arch>
[[nodiscard]] plan<T, Arch> make_plan_for(const equation_argument& eq, std::vector<layout> operands,
                                          const options& wanted = {}) {
    return plan<T, Arch>(eq.get(wanted.notation), std::move(operands), wanted);
}

}  // namespace xeinsum

template <class T, class Arch>
struct std::hash<xeinsum::plan<T, Arch>> {
    [[nodiscard]] std::size_t operator()(const xeinsum::plan<T, Arch>& p) const {
        return p.key().hash();
    }
};
