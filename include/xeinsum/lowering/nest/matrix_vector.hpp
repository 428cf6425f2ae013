// A step that is a matrix times a vector, which takes no nest of any loops: "ij,j->i", and
// "ij,jk->ik" where an extent is 1.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/numbers.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/memory_cost.hpp>
#include <xeinsum/lowering/nest/nest_cost.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::lowerings {

/// Whether a matrix of T times a vector has a kernel of its own.
template <class T, class Arch>
inline constexpr bool has_matrix_vector =
    kernel::has_vectors<T, Arch>() &&
    !kernel::is_complex_v<T> && std::is_same_v<T, kernel::compute_t<T>>;

/// Whether steps of the Kinds may be nests other than a matrix times a vector.
template <class T, class Arch, kernel::step_kinds Kinds>
inline constexpr bool has_nests = Kinds.nests || !has_matrix_vector<T, Arch>;

/// Whether a step has two inputs and no more than one loop of a kind, none for batches.
[[nodiscard]] constexpr bool is_of_matrices(const mode_table& table) noexcept {
    std::uint32_t seen = std::uint32_t{1} << static_cast<unsigned>(index_class::batch);
    bool alone = table.inputs() == 2;
    for (std::size_t m = 0; m < table.size(); ++m) {
        const std::uint32_t kind = std::uint32_t{1} << static_cast<unsigned>(table.kind(m));
        alone = alone && (seen & kind) == 0;
        seen |= kind;
    }
    return alone;
}

/// Whether vectors are not worth setting up. A long sum is worth them sooner.
[[nodiscard]] constexpr bool is_few(const mode_table& table) noexcept {
    constexpr std::int64_t iterations = 256;
    std::int64_t results = 1;
    std::int64_t sums = 1;
    for (std::size_t m = 0; m < table.size(); ++m) {
        std::int64_t& product = table.survives(m) ? results : sums;
        if (table.extent(m) > iterations || product > iterations) {
            return false;
        }
        product *= table.extent(m);
    }
    return sums <= kernel::few_terms && results * sums <= iterations;
}

/// Whether there are so many products of at most two factors, which are the same in vectors, that
/// choosing a loop for these pays.
[[nodiscard]] constexpr bool multiplies(const mode_table& table) noexcept {
    constexpr double many = 32;
    return table.inputs() <= 2 && table.output_count() == table.size() &&
           table.iterations() >= many;
}

/// The loop in vectors of a matrix times a vector whose lines lie so that kernel::matrix_vector
/// takes them, none of other steps: of a real matrix, and of terms that both have.
[[nodiscard]] constexpr kernel::vector_loop matrix_vector_loop(const mode_table& table,
                                                               const target& on) noexcept {
    using kernel::vector_loop;
    const std::size_t results = table.output_count();
    if (!on.has_real_vectors() || results > 1 || table.size() != results + 1 ||
        !table.has(index_class::contracted) || !is_of_matrices(table)) {
        return vector_loop::none;
    }
    if (table.stride(results, 1) == 1 && table.stride(results, 2) == 1) {
        return vector_loop::contracted;
    }
    const std::size_t matrix = table.kind(0) == index_class::lhs_free ? 1 : 2;
    return results == 1 && table.stride(0, 0) == 1 && table.stride(0, matrix) == 1
               ? vector_loop::output
               : vector_loop::none;
}

/// Whether rows of a matrix and the vector that they share are loaded together: where they stay in
/// a near cache, as loading is what takes time there, and where the first cache would not keep the
/// vector.
[[nodiscard]] constexpr bool loads_together(const mode_table& table, const target& on) noexcept {
    return table.output_count() == 1 && table.extent(0) >= kernel::sharing_rows &&
           shares_lines(table, 1, on);
}

/// A matrix times a vector along a loop, or without vectors, or their products along the output.
constexpr void build_matrix_vector(const mode_table& table, kernel::vector_loop along,
                                   const target& on, recipe& how) noexcept {
    const bool together = along == kernel::vector_loop::contracted && loads_together(table, on);
    how.nest = {.along = static_cast<unsigned char>(along),
                .matrix_vector = true,
                .shares_lines = together};
    how.groups[0] = static_cast<unsigned char>(table.output_count());
    how.groups[1] = static_cast<unsigned char>(table.size() - table.output_count());
}

/// Its predicted seconds.
[[nodiscard]] constexpr double matrix_vector_seconds(const mode_table& table,
                                                     kernel::vector_loop along,
                                                     const target& on) noexcept {
    const bool sums = along == kernel::vector_loop::contracted;
    const std::size_t line = sums ? table.output_count() : 0;
    const auto width = static_cast<std::int64_t>(on.lanes);
    const auto registers = static_cast<double>((table.extent(line) + width - 1) / width);
    const double lines = table.iterations() / static_cast<double>(table.extent(line));
    // Eight rows share a register of the vector, or of results that are read and written.
    const double moves = 1.0 + (sums ? 1.0 : 2.0) / 8;
    const double line_cycles = sums ? on.core.lane_sum_cycles : on.core.term_line_cycles / 8;
    return on.core.step_seconds +
           overlapped(lines * (registers * moves / on.core.loads_per_cycle + line_cycles),
                      transfer_seconds(bytes_moved(table, on), on), on);
}

}  // namespace xeinsum::lowerings
