// Broadcast, multiply, reduce: every input of "b l d, b l n, b l d -> b l d n" is read once, with
// stride 0 where it lacks a label, and consecutive sums are one pass. The product is never stored.
#pragma once

#include <xeinsum/equation/join.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/lowering/nest/build_nest.hpp>
#include <xeinsum/lowering/nest/matrix_vector.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace xeinsum::lowerings {

struct broadcast_multiply_reduce {
    static constexpr lowering id = lowering::broadcast_multiply_reduce;
    static constexpr std::size_t least_inputs = 1;

    /// It expresses every step.
    [[nodiscard]] static constexpr const char* refusal(const mode_table&) noexcept {
        return nullptr;
    }

    [[nodiscard]] static constexpr double seconds(const mode_table& table,
                                                  const target& on) noexcept {
        return nest_seconds(table, on);
    }

    /// Few iterations take less time than choosing, and some steps leave no choice.
    [[nodiscard]] static constexpr bool obvious(const mode_table& table,
                                                const target& on) noexcept {
        return is_few(table) || is_without_choice(table, on);
    }
    [[nodiscard]] static constexpr bool build_obvious(mode_table& table, const target& on,
                                                      recipe& how) noexcept {
        const bool few = is_few(table);
        if (!few && !is_without_choice(table, on)) {
            return false;
        }
        if (!few || multiplies(table)) {
            build_nest(table, on, how);
            return true;
        }
        // Loops over results may change places, terms keep the order that precompute() gives them.
        kernel::arrangement a = arrangement_of(table);
        kernel::arrange_rows(a, a.output_count);
        return precompute(table, on, how);
    }
    /// Few iterations run one by one, in the order of the rows.
    [[nodiscard]] static constexpr bool precompute(mode_table& table, const target&,
                                                   recipe& how) noexcept {
        how.nest = {.along = static_cast<unsigned char>(kernel::vector_loop::none)};
        how.groups[0] = static_cast<unsigned char>(table.output_count());
        how.groups[1] = static_cast<unsigned char>(table.size() - table.output_count());
        return true;
    }
    /// Where modes fuse that do not in row-major arrays, terms may have another order.
    [[nodiscard]] static constexpr bool fits(const mode_table& table, const recipe& how,
                                             const target& on) noexcept {
        return (is_few(table) && (how.groups[1] < 2 || !planning::has_fusible(table))) ||
               is_dot(table, on);
    }
    [[nodiscard]] static constexpr std::size_t scratch_bytes(const mode_table& table,
                                                             const target& on) noexcept {
        return nest_scratch_bytes(table, on);
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
        if (vector_loop_of(how) == kernel::vector_loop::none) {
            return join(loops, "scalar");
        }
        const bool output = vector_loop_of(how) == kernel::vector_loop::output;
        return join(
            loops, output ? "vectors along the output" : "vectors along the summed",
            " mode of extent ", rows.extent(vector_row(how)),
            how.nest.transposed ? ", tiles of inputs transposed" : "",
            how.nest.permuted ? ", results permuted" : "",
            output && how.nest.dram_resident && how.groups[1] > 0 ? ", inputs fetched ahead" : "");
    }

private:
    static constexpr std::int32_t most_iterations = 1 << 15;  ///< that leave no choice
    static constexpr std::int32_t most_products = 1 << 13;  ///< for which copies are never worth it

    /// Whether no other lowering can be faster: a matrix times a vector; and, of so few iterations
    /// that more threads than one cannot either, what one array gives, products without a sum, and
    /// dot products.
    [[nodiscard]] static constexpr bool is_without_choice(const mode_table& table,
                                                          const target& on) noexcept {
        if (matrix_vector_loop(table, on) != kernel::vector_loop::none) {
            return true;
        }
        if (table.iterations() > double{most_iterations} || table.inputs() > 2) {
            return false;
        }
        const bool products = table.output_count() == table.size();
        return table.inputs() == 1 || table.size() == 1 ||
               (products && table.iterations() < double{most_products});
    }

    /// Whether two lines are multiplied and summed in vectors.
    [[nodiscard]] static constexpr bool is_dot(const mode_table& table, const target& on) noexcept {
        return table.inputs() == 2 && table.size() == 1 && !table.survives(0) && on.lanes > 1 &&
               table.stride(0, 1) == 1 && table.stride(0, 2) == 1 &&
               table.extent(0) > kernel::few_terms && table.extent(0) <= most_iterations;
    }
};

}  // namespace xeinsum::lowerings
