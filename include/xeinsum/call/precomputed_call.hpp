// Calls whose plan the compiler has precomputed: einsum_to<"ij,jk->ik">(out, a, b) on small arrays
// fills extents and strides into loops that are known, and runs them.
#pragma once

#include <xeinsum/array/output.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/step_runner.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/kernel/inlined.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/simd/unroll.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/plan/precomputed_plan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace xeinsum::detail {

/// The architecture that is planned for beforehand. Loops are the same for all that have vectors;
/// what is small depends on their width.
template <class Arch>
using planning_arch =
    std::conditional_t<kernel::chosen_at_run_time<Arch>, kernel::least_arch, Arch>;

/// The plan of a network that is a constant.
template <const auto& Network, class T, class Arch>
inline constexpr planning::precomputed_plan precomputed_for =
    planning::precompute_plan<lowerings::all>(Network.view(),
                                              lowerings::target_of<T, planning_arch<Arch>>());

/// Whether calls of an element type may be planned beforehand at all.
template <const auto& Network, class T, class Arch>
[[nodiscard]] constexpr bool may_precompute() {
    if constexpr (std::is_trivially_copyable_v<T> && kernel::computes_in_place<T>) {
        return Network.error.ok() && precomputed_for<Network, T, Arch>.usable;
    } else {
        return false;
    }
}

/// Plans and runs a call that is too large for its precomputed plan, from the rows that are filled;
/// false where it must go the general way. A function of its own for all calls on T.
template <class T, class Arch>
[[nodiscard, gnu::noinline]] bool run_precomputed_rows(
    const planning::precomputed_plan& precomputed, std::size_t inputs, const std::int64_t* rows,
    const T* const* operands, T* out, const kernel::scaling<lowerings::element_t<T>>& scale,
    const one_step_runner<T>& runner) {
    planning::one_step plan = runner.begin();
    const bool made = plan.make_filled(
        inputs, [&](mode_table& table) { return precomputed.put_back(rows, table); },
        lowerings::call_target<T, Arch>());
    if (made) {
        runner.run(plan, inputs, operands, out, scale, {});
    }
    return made;
}

/// Runs a nest of few iterations whose plan was precomputed, as small_nest does. Its body is in
/// call/with_kernels, for programs that have their kernels compiled elsewhere.
template <class T, class Arch>
    requires kernel::compiled_here<Arch>
void run_few_loops(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                   const lowerings::element_t<T>* const* from, lowerings::element_t<T>* out,
                   const kernel::scaling<lowerings::element_t<T>>& scale);
template <class T, class Arch>
    requires kernel::chosen_at_run_time<Arch>
void run_few_loops(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                   const lowerings::element_t<T>* const* from, lowerings::element_t<T>* out,
                   const kernel::scaling<lowerings::element_t<T>>& scale);

/// One call on arrays that have no extent of 0. Operands may lie as they like, as far as axes
/// that row-major arrays have in one loop are one here; the output may have gaps.
template <const auto& Network, class T, class Arch>
class precomputed_call {
public:
    /// Reads the extents of operands, which give every label its own; false where this is no such
    /// call, whatever the reason.
    template <class... Arrays>
    [[nodiscard, gnu::always_inline]] bool read(const Arrays&... operands) {
        pointers_ = {operands.data()...};
        return read_all(std::index_sequence_for<Arrays...>(), operands...);
    }
    /// Expects a new, row-major output; false where it is far too large.
    [[nodiscard]] bool expect_output() {
        constexpr std::size_t rank = net.output.size();
        bool fits = true;
        std::int64_t stride = 1;
        kernel::unroll<rank>([&](auto from_last) {
            constexpr std::size_t a = rank - 1 - from_last;
            const std::int64_t extent = extents_[std::size_t{net.output[a]}];
            fits = fits && extent <= most_elements && stride <= most_elements;
            if (fits) {
                strides_[0][a] = stride;
                stride *= extent;
            }
        });
        return fits;
    }
    /// The extents of that output.
    template <class Shape>
    void copy_extents(Shape& shape) const {
        kernel::unroll<net.output.size()>([&](auto axis) {
            shape[axis] =
                static_cast<typename Shape::value_type>(extents_[std::size_t{net.output[axis]}]);
        });
    }
    void write_to_new(T* out) { out_ = out; }
    /// Reads the output; false where it does not belong to such a call.
    template <class Array>
    [[nodiscard, gnu::always_inline]] bool write_to(const Array& out) {
        out_ = out.data();
        return read_array<0>(out) && !overlaps();
    }

    /// Whether a call is small enough for its precomputed plan.
    [[nodiscard]] bool fits() {
        fill();
        bool small = false;
        lowerings::all::with(plan.how.chosen, [&]<class Lowering>() {
            if constexpr (requires(mode_table t, planning::target on) {
                              Lowering::fits(t, plan.how, on);
                          }) {
                small = Lowering::fits(mode_table(cells_.data(), inputs, plan.modes), plan.how,
                                       lowerings::call_target<T, Arch>());
            }
        });
        return small;
    }

    /// All that is asked of a call that makes its result.
    template <class... Arrays>
    [[nodiscard, gnu::always_inline]] bool begin_new(const options& wanted,
                                                     const Arrays&... operands) {
        return leaves_choice(wanted) && read(operands...) && expect_output() && fits();
    }

    /// Runs a call that fits and has an output.
    void run(const kernel::scaling<lowerings::element_t<T>>& scale) {
        const auto* const* from = reinterpret_cast<const element* const*>(pointers_.data());
        auto* to = reinterpret_cast<element*>(out_);
        if constexpr (plan.how.chosen != lowering::broadcast_multiply_reduce) {
            lowerings::run_small<T, Arch>(plan.how, {cells_.data(), pitch, plan.modes}, from, to,
                                          scale);
        } else if constexpr (kernel::chosen_at_run_time<Arch>) {
            run_few_loops<T, Arch>(plan.how, {cells_.data(), pitch, plan.modes}, inputs, from, to,
                                   scale);
        } else {
            kernel::small_nest<element, Arch, inputs, plan.how.groups[0], plan.how.groups[1]>::run(
                cells_.data(), from, to, scale);
        }
    }

    /// Runs a call that does not fit; false where it must go the general way.
    template <bool RowMajor>
    [[nodiscard]] bool run_large(const kernel::scaling<lowerings::element_t<T>>& scale) {
        fill();
        return std::find(extents_.begin(), extents_.end(), 1) == extents_.end() &&
               run_precomputed_rows<T, Arch>(plan, inputs, cells_.data(), pointers_.data(), out_,
                                             scale,
                                             one_step_runner_of<T, Arch, kinds_of(net, RowMajor)>);
    }

private:
    using element = lowerings::element_t<T>;
    static constexpr network_view net = Network.view();
    static constexpr const planning::precomputed_plan& plan = precomputed_for<Network, T, Arch>;
    static constexpr std::size_t inputs = net.operand_count();
    static constexpr std::size_t labels = net.label_count == 0 ? 1 : net.label_count;
    static constexpr std::size_t pitch = mode_table::row_length(inputs);
    /// Of an axis, or of all that is inside one: the product of two such numbers is a number.
    static constexpr std::int64_t most_elements = std::int64_t{1} << 31U;

    [[nodiscard]] bool overlaps() const {
        const auto begin = reinterpret_cast<std::uintptr_t>(out_);
        const auto end = reinterpret_cast<std::uintptr_t>(out_ + sizes_[0]);
        bool any = false;
        for (std::size_t i = 0; i < inputs; ++i) {
            const auto other = reinterpret_cast<std::uintptr_t>(pointers_[i]);
            const auto other_end = reinterpret_cast<std::uintptr_t>(pointers_[i] + sizes_[1 + i]);
            any = any || (begin < other_end && other < end);
        }
        return any;
    }

    // Everything but extents is a constant, and no loop is left of what is unrolled here.

    /// The labels of the output (0) or of an operand, from 1.
    [[nodiscard]] static constexpr auto axes_of(std::size_t array) {
        return array == 0 ? net.output : net.operand(array - 1);
    }

    /// Whether an axis is the first to have its label; operands are read one after the other, each
    /// from its last axis on.
    [[nodiscard]] static constexpr bool is_first(std::size_t array, std::size_t axis) {
        const label l = axes_of(array)[axis];
        for (std::size_t other = 1; other <= (array == 0 ? inputs : array); ++other) {
            const auto axes = axes_of(other);
            for (std::size_t a = other == array ? axis + 1 : 0; a < axes.size(); ++a) {
                if (axes[a] == l) {
                    return false;
                }
            }
        }
        return true;
    }

    template <std::size_t... I, class... Arrays>
    [[nodiscard, gnu::always_inline]] bool read_all(std::index_sequence<I...>,
                                                    const Arrays&... operands) {
        return (read_array<1 + I>(operands) && ...);
    }

    /// Whether an axis and the one behind it are in one loop.
    [[nodiscard]] static constexpr bool is_fused(std::size_t array, std::size_t axis) {
        const auto axes = axes_of(array);
        if (axis + 1 >= axes.size() || axes[axis] == axes[axis + 1]) {
            return false;
        }
        for (std::size_t m = 0; m < plan.modes; ++m) {
            const std::uint32_t in = plan.rows[m].labels;
            if ((in >> axes[axis] & in >> axes[axis + 1] & 1U) != 0) {
                return true;
            }
        }
        return false;
    }

    /// Whether the stride of an axis suits the plan. Inside are so many elements, gaps included,
    /// and those of the axis behind it, if there is one.
    template <std::size_t Array, std::size_t Axis>
    [[nodiscard, gnu::always_inline]] static bool suits(std::int64_t stride, std::int64_t inside,
                                                        std::int64_t behind) {
        if constexpr (is_fused(Array, Axis)) {
            return stride == behind;
        } else if constexpr (Array == 0) {
            // The output must not meet itself.
            return stride >= inside;
        } else {
            return stride > 0;
        }
    }

    /// Reads an array, until something does not fit: beyond, extents need not belong to memory, and
    /// their product need not be a number.
    template <std::size_t Array, class Layout>
    [[nodiscard, gnu::always_inline]] bool read_array(const Layout& layout) {
        constexpr std::size_t rank = axes_of(Array).size();
        const auto& extents = layout.extents();
        const auto& strides = layout.strides();
        bool fits = extents.size() == rank && strides.size() == rank;
        std::int64_t size = 1;
        std::int64_t behind = 1;
        kernel::unroll<rank>([&](auto from_last) {
            if (!fits) {
                return;
            }
            constexpr std::size_t a = rank - 1 - from_last;
            constexpr auto l = static_cast<std::size_t>(axes_of(Array)[a]);
            const auto extent = static_cast<std::int64_t>(extents[a]);
            if constexpr (is_first(Array, a)) {
                fits = extent > 0;
                extents_[l] = extent;
            } else {
                fits = extent == extents_[l];
            }
            const auto stride = static_cast<std::int64_t>(strides[a]);
            if constexpr (Layout::row_major) {
                // Then strides are products that need not be read again.
                fits = fits && (stride == size || extent == 1);
                if (fits) {
                    strides_[Array][a] = size;
                    size *= extent;
                }
            } else {
                constexpr bool alone = !is_fused(Array, a) && (a == 0 || !is_fused(Array, a - 1));
                fits = fits && size <= most_elements && extent <= most_elements &&
                       stride <= most_elements &&
                       ((alone && extent == 1) || suits<Array, a>(stride, size, behind));
                if (fits) {
                    strides_[Array][a] = stride;
                    size += (extent - 1) * stride;
                    behind = extent * stride;
                }
            }
        });
        sizes_[Array] = size;
        return fits;
    }

    void fill() {
        kernel::unroll<plan.modes>([&](auto m) {
            std::int64_t* row = cells_.data() + m * pitch;
            row[0] = 1;
            kernel::unroll<labels>([&](auto l) {
                if constexpr ((plan.rows[m].labels >> l & 1U) != 0) {
                    row[0] *= extents_[l];
                }
            });
            kernel::unroll<inputs + 1>([&](auto array) {
                constexpr std::size_t column = array > 0 && plan.how.swapped ? 3 - array : array;
                row[1 + column] = 0;
                kernel::unroll<axes_of(array).size()>([&](auto a) {
                    if constexpr (axes_of(array)[a] == plan.rows[m].last) {
                        row[1 + column] += strides_[array][a];
                    }
                });
            });
            row[pitch - 1] = static_cast<std::int64_t>(plan.rows[m].kind);
        });
    }

    std::array<std::int64_t, labels> extents_;
    std::array<std::array<std::int64_t, planning::precomputed_labels>, inputs + 1> strides_;
    std::array<std::int64_t, inputs + 1> sizes_;
    std::array<std::int64_t, (plan.modes + 1) * pitch> cells_;
    std::array<const T*, inputs> pointers_;
    T* out_ = nullptr;
};

/// Runs a call that has been read and does not fit. Reads it again in a function of its own: what
/// large calls keep in memory would cost small ones 1.5 ns.
template <const auto& Network, class T, class Arch, class Out, class... Arrays>
[[nodiscard, gnu::noinline]] bool run_precomputed_large(
    Out& out, const kernel::scaling<lowerings::element_t<T>>& scale, const Arrays&... operands) {
    precomputed_call<Network, T, Arch> call;
    return call.read(operands...) && call.write_to(array::in_place(out)) &&
           call.template run_large<array::are_row_major<Out, Arrays...>()>(scale);
}

/// Runs a call at once if it can; false where it must go the general way. Whatever is wrong with a
/// call is left to that as well. Inlined, so that what is read from arrays stays in registers.
template <const auto& Network, class T, class Arch, class Out, class A, class B, class... Arrays>
[[nodiscard, gnu::always_inline]] inline bool run_precomputed_to(Out& out, const scale<A, B>& by,
                                                                 const options& wanted,
                                                                 const Arrays&... operands) {
    if constexpr (array::writable_as<Out, T> && may_precompute<Network, T, Arch>()) {
        if (!leaves_choice(wanted) || !holds_scale<T>(by)) {
            return false;
        }
        precomputed_call<Network, T, Arch> call;
        if (!call.read(operands...) || !call.write_to(array::in_place(out))) {
            return false;
        }
        if (!call.fits()) {
            return wanted.threads <= 1 && wanted.machine == nullptr &&
                   run_precomputed_large<Network, T, Arch>(out, to_scaling<T>(by), operands...);
        }
        call.run(to_scaling<T>(by));
        return true;
    } else {
        return false;
    }
}

/// Whether such calls may make their results.
template <const auto& Network, class T, class Arch, class Result>
[[nodiscard]] constexpr bool may_precompute_new() {
    return array::is_row_major<Result> && may_precompute<Network, T, Arch>();
}

/// The result of a call that expects an output and fits.
template <class Result, class Call>
[[nodiscard]] Result run_precomputed(Call& call) {
    typename Result::shape_type shape{};
    call.copy_extents(shape);
    auto result = Result::from_shape(shape);
    call.write_to_new(result.data());
    call.run({});
    return result;
}

}  // namespace xeinsum::detail
