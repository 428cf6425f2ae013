// The body of reductions that are no sums of products: of reduce<"b c h w -> b c",
// reduction::max>(x) the nest of b c around h w.
#pragma once

#include <xeinsum/call/reduction.hpp>
#include <xeinsum/call/with_kernels/run_steps.hpp>
#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/kernel/reduce/fold.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/lowering/run_recipe.hpp>
#include <xeinsum/plan/step/mode_table.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace xeinsum::detail {

template <reduction Op, class T>
struct fold_of;
template <class T>
struct fold_of<reduction::sum, T> {
    using type = kernel::summed<T>;
};
template <class T>
struct fold_of<reduction::mean, T> {
    using type = kernel::summed<T>;
};
template <class T>
struct fold_of<reduction::min, T> {
    using type = kernel::minimum<T>;
};
template <class T>
struct fold_of<reduction::max, T> {
    using type = kernel::maximum<T>;
};
template <class T>
struct fold_of<reduction::prod, T> {
    using type = kernel::multiplied<T>;
};

/// Runs a nest that arrange_fold() has given its order.
template <reduction Op, class T, class Arch>
    requires kernel::compiled_here<Arch>
void run_fold(const kernel::loop_nest& nest, kernel::vector_loop kind, const T* in, T* out) {
    kernel::fold<T, Arch, typename fold_of<Op, T>::type>(nest, kind, in, out);
}
/// The same by the kernels that xeinsum::compiled has chosen for the processor.
template <reduction Op, class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
void run_fold(const kernel::loop_nest& nest, kernel::vector_loop kind, const T* in, T* out);

template <reduction Op, class T, class Arch>
[[nodiscard]] problem fold(const network_view& net, const layout_view& operand, const T* in,
                           const destination<T>& out) {
    using op = typename fold_of<Op, T>::type;
    if (has_zero(out.extents)) {
        return {};
    }
    fold_cells cells;
    mode_table table(cells.data(), 1);
    if (has_zero(operand.extents)) {
        // The product of nothing stays in place while the output's loops run.
        const T one = static_cast<T>(op::start(T()));
        build_own_loops(table, out.extents, out.strides);
        lowerings::copy_scaled<T, Arch>(table, &one, out.first, {});
        return {};
    }
    problem p;
    // A comparison or a product of elements of other types may throw: out must stay as it was.
    const bool buffered = !std::is_trivially_copyable_v<T> || overlaps<T>(out, {&operand, 1}, &in);
    std::vector<std::int64_t> strides(out.strides.begin(), out.strides.end());
    std::int64_t elements = 1;
    if (buffered) {
        for (std::size_t a = strides.size(); a-- > 0;) {
            strides[a] = elements;
            elements *= out.extents[a];
        }
    }
    if (!build_fold(table, net, operand, strides)) {
        p.code = error_code::extent_overflow;
        return p;
    }
    kernel::arrangement order = lowerings::arrangement_of(table);
    const kernel::vector_loop kind = kernel::arrange_fold(order);
    const kernel::loops rows{table.row(0), table.pitch(), table.size()};
    const kernel::loop_nest nest{rows.first(order.output_count), rows.from(order.output_count), 1};
    if (!buffered) {
        run_fold<Op, T, Arch>(nest, kind, in, out.first);
        return {};
    }
    const auto temporary = std::make_unique<T[]>(static_cast<std::size_t>(elements));
    run_fold<Op, T, Arch>(nest, kind, in, temporary.get());
    deliver<T, Arch>(temporary.get(), out, {});
    return {};
}

}  // namespace xeinsum::detail
