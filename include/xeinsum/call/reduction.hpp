// What a reduction does with the axes it drops: reduce<"b c h w -> b c", reduction::mean>(x). Sums
// run on the kernels of einsum, the others on a loop nest of their own.
#pragma once

#include <xeinsum/array/overlap.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/message.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/plan/step/mode_table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace xeinsum {

/// What becomes of the axes that the result of reduce lacks.
enum class reduction : unsigned char {
    sum,
    mean,  ///< not of integers; not of nothing
    min,   ///< not of nothing; NaN where an element is
    max,   ///< likewise
    prod,
};

template <class T>
concept spelling = std::is_convertible_v<const T&, std::string_view>;

/// A reduction, or its name: "sum", "mean", "min", "max", "prod".
class reduction_argument {
public:
    // Implicit, as reduce(pattern, "max", x) and reduce(pattern, reduction::max, x) are one call.
    // NOLINTBEGIN(google-explicit-constructor)
    /// A reduction.
    constexpr reduction_argument(reduction op) : op_(op) {}
    /// By name. Throws einsum_error where there is none of that name.
    template <spelling Name>
    reduction_argument(const Name& name) : op_(find(name)) {}
    // NOLINTEND(google-explicit-constructor)

    /// The reduction.
    [[nodiscard]] constexpr reduction get() const noexcept { return op_; }

private:
    struct named {
        const char* name;
        reduction op;
    };
    static constexpr named names[]{{"sum", reduction::sum},
                                   {"mean", reduction::mean},
                                   {"min", reduction::min},
                                   {"max", reduction::max},
                                   {"prod", reduction::prod}};

    /// Throws einsum_error.
    template <spelling Name>
    [[nodiscard]] static reduction find(const Name& name) {
        const std::string_view wanted = name;
        for (const named& known : names) {
            if (wanted == known.name) {
                return known.op;
            }
        }
        constexpr auto code = error_code::unknown_reduction;
        refuse_call(
            code, 0,
            parsing::join("xeinsum: ", describe(code), ": '", parsing::printable(wanted), '\''));
    }

    reduction op_;
};

namespace detail {

/// Whether a reduction has a meaning for elements of T.
template <reduction Op, class T>
inline constexpr bool reduces = [] {
    if constexpr (Op > reduction::prod) {
        return false;
    } else if constexpr (Op == reduction::mean) {
        return !std::is_integral_v<T>;
    } else if constexpr (Op == reduction::min || Op == reduction::max) {
        return requires(const T& a) {
            a < a;
            a == a;
        };
    } else {
        return true;
    }
}();

/// The loops of a call with one operand, whose labels are distinct; no extent is 0. False where
/// they have more than 2^63 - 1 iterations.
[[nodiscard]] inline bool build_fold(mode_table& table, const network_view& net,
                                     const layout_view& operand,
                                     list_view<const std::int64_t> output_strides) {
    const auto labels = net.operand(0);
    std::int64_t iterations = 1;
    for (std::size_t a = 0; a < labels.size(); ++a) {
        if (operand.extents[a] == 1) {
            continue;
        }
        if (!planning::multiply(iterations, operand.extents[a], iterations)) {
            return false;
        }
        const auto at = std::find(net.output.begin(), net.output.end(), labels[a]);
        const bool survives = at != net.output.end();
        const std::size_t m = table.push(operand.extents[a]);
        table.stride(m, 0) =
            survives ? output_strides[static_cast<std::size_t>(at - net.output.begin())] : 0;
        table.stride(m, 1) = operand.strides[a];
        table.set_kind(m, survives ? index_class::lhs_free : index_class::lhs_only);
    }
    planning::fuse(table);
    planning::survivors_first(table);
    return true;
}

/// Whether an array has no elements.
[[nodiscard]] inline bool has_zero(list_view<const std::int64_t> extents) {
    return std::find(extents.begin(), extents.end(), 0) != extents.end();
}

/// The loops over an array's own axes; no extent is 0.
inline void build_own_loops(mode_table& table, list_view<const std::int64_t> extents,
                            list_view<const std::int64_t> strides) {
    for (std::size_t a = 0; a < extents.size(); ++a) {
        if (extents[a] > 1) {
            const std::size_t m = table.push(extents[a]);
            table.stride(m, 0) = strides[a];
            table.set_kind(m, index_class::lhs_free);
        }
    }
    planning::fuse(table);
}

/// Room for the rows of any nest with one input.
using fold_cells = std::array<std::int64_t, max_modes * mode_table::row_length(1)>;

/// out = the operand's elements joined by Op along the labels that the output lacks. Its body is in
/// call/with_kernels.
template <reduction Op, class T, class Arch>
[[nodiscard]] problem fold(const network_view& net, const layout_view& operand, const T* in,
                           const destination<T>& out);

/// Whether terms that lie side by side are so few that a sum had better run along results, as that
/// of windows of two does.
template <class T>
[[nodiscard]] bool sums_short_lines(const network_view& net, const layout_view& operand,
                                    const destination<T>& out) {
    fold_cells cells;
    mode_table table(cells.data(), 1);
    if (has_zero(operand.extents) || !build_fold(table, net, operand, out.strides)) {
        return false;
    }
    for (std::size_t m = 0; m < table.size(); ++m) {
        if (!table.survives(m) && table.stride(m, 1) == 1) {
            return table.extent(m) < kernel::shortest_line;
        }
    }
    return false;
}

/// Divides every element by a count. (A mean of equal elements is exactly that element, which a
/// multiplication by the reciprocal would not give.)
template <class T>
void divide(const destination<T>& out, std::int64_t count) {
    using compute = kernel::compute_t<T>;
    const auto by = static_cast<kernel::real_of_t<compute>>(count);
    if (has_zero(out.extents)) {
        return;
    }
    fold_cells cells;
    mode_table table(cells.data(), 1);
    build_own_loops(table, out.extents, out.strides);
    const kernel::loops rows{table.row(0), table.pitch(), table.size()};
    kernel::odometer<1> at(rows, {0});
    do {
        T& element = out.first[at.offset(0)];
        element = static_cast<T>(static_cast<compute>(element) / by);
    } while (at.next());
}

}  // namespace detail
}  // namespace xeinsum
