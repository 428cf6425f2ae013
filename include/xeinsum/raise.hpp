// From a problem to an exception: clashing extents of "ij,jk->ik" point at the j that does not fit.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/extents.hpp>

namespace xeinsum::detail {

/// Throws what a call came to, pointing at the axis to blame.
template <class EquationStorage>
[[noreturn]] void raise_located(problem p, const basic_equation<EquationStorage>& eq,
                                list_view<const layout_view> operands) {
    if (p.code == error_code::output_shape) {
        locate_output(p, eq, p.expected_shape.size());
    } else if (p.second.array != problem::nowhere) {
        locate(p, eq, operands[p.second.array].extents.size());
    }
    parsing::raise(p, eq);
}

/// What raise_located needs, without the equation's type: what follows from it is compiled once
/// for all equations.
class raiser {
public:
    /// Refers to both, which must outlive it.
    template <class EquationStorage>
    raiser(const basic_equation<EquationStorage>& eq, list_view<const layout_view> operands)
        : equation_(&eq), operands_(operands), raise_(&raise<EquationStorage>) {}

    /// Throws.
    void operator()(const problem& p) const { raise_(p, equation_, operands_); }

private:
    template <class EquationStorage>
    static void raise(const problem& p, const void* eq, list_view<const layout_view> operands) {
        raise_located(p, *static_cast<const basic_equation<EquationStorage>*>(eq), operands);
    }

    const void* equation_;
    list_view<const layout_view> operands_;
    void (*raise_)(const problem&, const void*, list_view<const layout_view>);
};

}  // namespace xeinsum::detail
