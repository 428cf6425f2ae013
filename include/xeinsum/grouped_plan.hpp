// Plans of equations with groups: make_plan<float>("b n (h d), b m (h d) -> b h n m", {{2, 64, 96},
// {2, 80, 96}}, {{"h", 12}}) runs on the arrays of three axes as they lie.
#pragma once

#include <xeinsum/call/default_arch.hpp>
#include <xeinsum/call/grouped_call.hpp>
#include <xeinsum/call/kernels.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/equation/lengths.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/plan/grouped_arrays.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace xeinsum {

namespace detail {

/// The arrays of a plan, by the lengths that a call gives. Throws einsum_error. All types are
/// parameters, though there is but one of each: so a program without such plans need not compile
/// what they have.
template <class Arrays = planning::grouped_arrays, class Storage, class Layout, class Length>
[[nodiscard]] std::shared_ptr<const Arrays> group_arrays(const basic_equation<Storage>& eq,
                                                         const std::vector<Layout>& operands,
                                                         const std::vector<Length>& given) {
    const std::vector<layout_view> views(operands.begin(), operands.end());
    auto arrays = std::make_shared<Arrays>();
    arrays->grouping = planning::group<Storage>(eq, ranks_of(views), call_kind::einsum);
    const auto lengths = views_of(given);
    const grouped_call<Storage, Storage> call(eq, call_kind::einsum, arrays->grouping, views,
                                              lengths);
    const network_view net = call.network();
    for (const layout_view& v : views) {
        arrays->ranks.push_back(v.extents.size());
    }
    for (const layout_view& v : call.layouts()) {
        arrays->label_extents.insert(arrays->label_extents.end(), v.extents.begin(),
                                     v.extents.end());
    }
    for (std::size_t l = 0; l < net.label_count; ++l) {
        arrays->lengths.push_back(call.extent(static_cast<label>(l)));
    }
    for (const label l : net.output) {
        arrays->output_extents.push_back(call.extent(l));
    }
    arrays->shape.assign(call.shape().begin(), call.shape().end());
    return arrays;
}

template <class T, class Arch, class Storage, class Length>
[[nodiscard]] plan<T, Arch> make_grouped_plan(basic_equation<Storage> eq,
                                              std::vector<layout> operands,
                                              const std::vector<Length>& lengths,
                                              const options& wanted) {
    auto arrays = group_arrays(eq, operands, lengths);
    return plan<T, Arch>(std::move(eq), std::move(operands), wanted, std::move(arrays));
}

}  // namespace detail

/// A plan for an equation with groups, or with axes whose lengths are to be checked: shapes are
/// those of the arrays, one extent for each group, and so are the shapes that run() expects. Of a
/// group one length may be left out, as in einsum. Throws einsum_error.
template <element T, class Arch = detail::default_arch, detail::length_like Length>
[[nodiscard]] plan<T, Arch> make_plan(const equation_argument& eq,
                                      const std::vector<std::vector<std::size_t>>& shapes,
                                      const std::vector<Length>& lengths,
                                      const options& wanted = {}) {
    equation parsed = eq.get(notation::grouped);
    std::vector<layout> operands = detail::row_major_operands(parsed, shapes);
    return detail::make_grouped_plan<T, Arch>(std::move(parsed), std::move(operands), lengths,
                                              wanted);
}
/// The same with lengths in braces, {{"h", 12}}.
template <element T, class Arch = detail::default_arch, std::size_t N>
[[nodiscard]] plan<T, Arch> make_plan(const equation_argument& eq,
                                      const std::vector<std::vector<std::size_t>>& shapes,
                                      const axis_length (&lengths)[N], const options& wanted = {}) {
    return make_plan<T, Arch>(eq, shapes, axis_lengths(lengths, lengths + N), wanted);
}

/// The same for operands that lie as the given ones do.
template <element T, class Arch = detail::default_arch, detail::length_like Length>
[[nodiscard]] plan<T, Arch> make_plan_for(const equation_argument& eq, std::vector<layout> operands,
                                          const std::vector<Length>& lengths,
                                          const options& wanted = {}) {
    return detail::make_grouped_plan<T, Arch>(eq.get(notation::grouped), std::move(operands),
                                              lengths, wanted);
}
/// The same with lengths in braces.
template <element T, class Arch = detail::default_arch, std::size_t N>
[[nodiscard]] plan<T, Arch> make_plan_for(const equation_argument& eq, std::vector<layout> operands,
                                          const axis_length (&lengths)[N],
                                          const options& wanted = {}) {
    return make_plan_for<T, Arch>(eq, std::move(operands), axis_lengths(lengths, lengths + N),
                                  wanted);
}

}  // namespace xeinsum
