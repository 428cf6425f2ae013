// From a problem to an exception: clashing extents of "ij,jk->ik" point at the j that does not fit.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/extents.hpp>

#include <span>

namespace xeinsum::detail {

/// Throws what a call came to, pointing at the axis to blame.
template <class EquationStorage>
[[noreturn]] void raise_located(problem p, const basic_equation<EquationStorage>& eq,
                                std::span<const layout_view> operands) {
    if (p.second.array != problem::nowhere) {
        locate(p, eq, operands[p.second.array].extents.size());
    }
    parsing::raise(p, eq);
}

}  // namespace xeinsum::detail
