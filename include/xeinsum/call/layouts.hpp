// What is wrong with the layouts of arrays, before anything is read: an output of "ij,jk->ik" may
// have another shape than the result, a view a negative extent.
#pragma once

#include <xeinsum/array/overlap.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/extents.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::detail {

/// What differs from the extents that an array should have; code is the error's.
[[nodiscard]] inline problem check_extents(list_view<const std::int64_t> wanted,
                                           list_view<const std::int64_t> found, error_code code) {
    problem p;
    p.code = code;
    p.shape = found;
    p.expected_shape = wanted;
    if (found.size() != wanted.size()) {
        p.expected = static_cast<std::int64_t>(wanted.size());
        p.found = static_cast<std::int64_t>(found.size());
        return p;
    }
    for (std::size_t a = 0; a < wanted.size(); ++a) {
        if (found[a] != wanted[a]) {
            p.second.axis = a;
            p.expected = wanted[a];
            p.found = found[a];
            return p;
        }
    }
    return {};
}

/// Why a layout is none; of the output, unless operand is given.
[[nodiscard, gnu::cold, gnu::noinline]] inline problem problem_with_layout(const layout_view& lies,
                                                                           std::size_t operand) {
    problem p;
    p.code = error_code::layout_overflow;
    p.second.array = operand;
    p.shape = lies.extents;
    p.expected_shape = lies.strides;
    if (lies.extents.size() != lies.strides.size()) {
        p.code = error_code::bad_layout;
        return p;
    }
    for (std::size_t a = 0; a < lies.extents.size(); ++a) {
        if (lies.extents[a] < 0) {
            p.code = error_code::extent_overflow;
            p.second.axis = a;
            p.second.extent = lies.extents[a];
        }
    }
    return p;
}

/// What is wrong with a layout that a user has made.
[[nodiscard]] inline problem check_layout(const layout_view& lies,
                                          std::size_t operand = problem::nowhere) {
    return array::fits_memory(lies.extents, lies.strides) ? problem{}
                                                          : problem_with_layout(lies, operand);
}
[[nodiscard]] inline problem check_layouts(list_view<const layout_view> operands) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!array::fits_memory(operands[i].extents, operands[i].strides)) {
            return problem_with_layout(operands[i], i);
        }
    }
    return {};
}

/// What is wrong with an existing output that should have the extents wanted.
[[nodiscard]] inline problem check_output(list_view<const std::int64_t> wanted,
                                          const layout_view& out) {
    problem p = check_extents(wanted, out.extents, error_code::output_shape);
    if (p.ok()) {
        p = check_layout(out);
    }
    if (p.ok() && array::overlaps_itself(out.extents, out.strides)) {
        p.code = error_code::output_overlaps_itself;
    }
    return p;
}

}  // namespace xeinsum::detail
