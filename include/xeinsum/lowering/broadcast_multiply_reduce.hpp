// Broadcast, multiply, reduce: every input of "b l d, b l n, b l d -> b l d n" is read once, with
// stride 0 where it lacks a label, and consecutive sums are one pass. The product is never stored.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/lowering/nest.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step.hpp>

#include <cstddef>
#include <string>

namespace xeinsum::lowerings {

struct broadcast_multiply_reduce {
    static constexpr lowering id = lowering::broadcast_multiply_reduce;

    /// It expresses every step.
    [[nodiscard]] static constexpr const char* refusal(const mode_table&) noexcept {
        return nullptr;
    }

    [[nodiscard]] static constexpr double seconds(const mode_table& table,
                                                  const target& on) noexcept {
        return nest_seconds(table, on);
    }

    [[nodiscard]] static constexpr recipe build(mode_table& table, const target& on) {
        return build_nest(table, on);
    }

    [[nodiscard]] static constexpr std::int64_t unit(const recipe& how, const mode_table&,
                                                     std::size_t m, const target& on) noexcept {
        return nest_unit(how, m, on);
    }

    [[nodiscard]] static std::string describe(const recipe& how, const kernel::loops& rows) {
        using parsing::join;
        const std::string loops =
            join("loops over ", how.groups[0], " output and ", how.groups[1], " summed modes, ");
        switch (static_cast<kernel::vector_loop>(how.variant)) {
            case kernel::vector_loop::none: break;
            case kernel::vector_loop::output:
                return join(loops, "vectors along the output mode of extent ",
                            rows.extent(how.groups[0] - std::size_t{1}));
            case kernel::vector_loop::contracted:
                return join(loops, "vectors along the summed mode of extent ",
                            rows.extent(rows.count - 1));
        }
        return join(loops, "scalar");
    }

    template <class T, class Arch>
    static void run(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                    const T* const* from, T* out, const kernel::scaling<T>& scale,
                    std::byte* scratch) {
        run_nest<T, Arch>(how, rows, inputs, from, out, scale, scratch);
    }
};

}  // namespace xeinsum::lowerings
