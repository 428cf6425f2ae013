// From a problem to an exception: clashing extents of "ij,jk->ik" point at the j that does not fit.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/extents.hpp>

#include <string_view>

namespace xeinsum::detail {

/// What a call came to, pointing at the axis to blame.
template <class EquationStorage>
[[nodiscard, gnu::cold]] problem located(problem p, const basic_equation<EquationStorage>& eq,
                                         list_view<const layout_view> operands) {
    if (p.code == error_code::output_shape) {
        locate_output(p, eq, p.expected_shape.size());
    } else if (p.second.array != problem::nowhere) {
        locate(p, eq, operands[p.second.array].extents.size());
    }
    return p;
}

/// Throws it.
template <class EquationStorage>
[[noreturn, gnu::cold]] void raise_located(const problem& p,
                                           const basic_equation<EquationStorage>& eq,
                                           list_view<const layout_view> operands) {
    parsing::raise(located(p, eq, operands), eq);
}

/// What raise_located needs, without the equation's type: what follows from it is compiled once
/// for all equations.
class raiser {
public:
    /// Refers to both, which must outlive it.
    raiser(const equation& eq, list_view<const layout_view> operands)
        : equation_(&eq), operands_(operands), raise_(&raise) {}

    /// Of an equation that is known to the compiler, as is how else it may be read: a program of
    /// such calls has no parser.
    template <const auto& Parsed>
    [[nodiscard]] static raiser of(list_view<const layout_view> operands) {
        return {nullptr, operands, &raise_known<Parsed>};
    }

    /// Throws.
    void operator()(const problem& p) const { raise_(p, equation_, operands_); }

private:
    using function = void (*)(const problem&, const equation*, list_view<const layout_view>);

    raiser(const equation* eq, list_view<const layout_view> operands, function throws)
        : equation_(eq), operands_(operands), raise_(throws) {}

    [[noreturn, gnu::cold]] static void raise(const problem& p, const equation* eq,
                                              list_view<const layout_view> operands) {
        raise_located(p, *eq, operands);
    }
    template <const auto& Parsed>
    [[noreturn, gnu::cold]] static void raise_known(const problem& p, const equation* /*none*/,
                                                    list_view<const layout_view> operands) {
        constexpr auto& eq = Parsed.equation;
        using storage = fixed_storage<parsing::capacity_for(eq.text().size())>;
        constexpr std::string_view other =
            parsing::other_reading<storage>(eq.text(), eq.notation(), eq.notation_was_guessed());
        parsing::raise_noted(located(p, eq, operands), eq.text(), other);
    }

    const equation* equation_;
    list_view<const layout_view> operands_;
    function raise_;
};

}  // namespace xeinsum::detail
