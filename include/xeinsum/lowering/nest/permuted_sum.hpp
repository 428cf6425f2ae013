// Sums whose results lie in another order than their input: "abcd->dbc" is summed as "abcd->bcd",
// in vectors of c and d, and its results are permuted.
#pragma once

#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/lowering/loop_order.hpp>
#include <xeinsum/lowering/nest/nest_cost.hpp>
#include <xeinsum/lowering/nest/permute_cost.hpp>
#include <xeinsum/plan/step/alignment.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/target.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// Whether the results of a sum may wait in scratch memory, whatever the layouts of its arrays:
/// where those are contiguous, one loop may stand for several.
[[nodiscard, gnu::cold]] constexpr bool may_permute_results(const mode_table& table,
                                                            const target& on) noexcept {
    constexpr double many = 1 << 11;
    const std::size_t outputs = table.output_count();
    return table.inputs() == 1 && on.lanes > 1 && outputs > 0 && outputs < table.size() &&
           table.iterations() >= many &&
           table.elements(0) <= static_cast<double>(kernel::permuted_bytes / on.element_bytes);
}

/// Whether they might better do so as they lie: where no loop of some length runs in vectors.
[[nodiscard, gnu::cold]] constexpr bool might_permute_results(const mode_table& table,
                                                              const kernel::vector_choice& vectors,
                                                              const target& on) noexcept {
    return may_permute_results(table, on) && table.output_count() > 1 &&
           (vectors.kind == kernel::vector_loop::none ||
            table.extent(vectors.row) < static_cast<std::int64_t>(on.lanes));
}

/// Scratch memory for so many results.
[[nodiscard]] constexpr std::size_t permuted_results_bytes(double results,
                                                           std::size_t element_bytes) noexcept {
    return planning::align_up(static_cast<std::size_t>(results) * element_bytes);
}

/// Such a sum in the order of its input.
class permuted_sum {
public:
    [[gnu::cold]] constexpr explicit permuted_sum(const mode_table& table) noexcept
        : outputs_(table.output_count()),
          sums_(sum_cells_.data(), 1),
          moves_(move_cells_.data(), 1) {
        for (std::size_t m = 0; m < outputs_; ++m) {
            push(moves_, table.extent(m), table.stride(m, 0), table.stride(m, 1), table.kind(m));
        }
        sort_rows(moves_, 0, outputs_, 1);
        std::array<std::int64_t, 3 * max_modes> rows{};
        const std::size_t count =
            kernel::dense_results({moves_.row(0), moves_.pitch(), outputs_}, rows.data());
        for (std::size_t m = 0; m < count; ++m) {
            push(sums_, rows[3 * m], rows[3 * m + 1], rows[3 * m + 2], table.kind(0));
        }
        for (std::size_t m = outputs_; m < table.size(); ++m) {
            push(sums_, table.extent(m), 0, table.stride(m, 1), table.kind(m));
        }
        kernel::set_dense(moves_.row(0), moves_.pitch(), outputs_, 1);
    }

    permuted_sum(const permuted_sum&) = delete;
    permuted_sum& operator=(const permuted_sum&) = delete;

    [[nodiscard, gnu::cold]] constexpr double cycles(const target& on) const noexcept {
        const kernel::vector_choice along = vectors(on);
        const double sums = along.kind == kernel::vector_loop::none
                                ? scalar_nest_cycles(sums_, on)
                                : vector_nest_cycles(sums_, along, on);
        return sums + permute_cycles(moves_, on) + on.core.step_seconds * on.core.hertz;
    }

    /// Orders the rows of the table: results as the input has them, the loop in vectors last of its
    /// kind, which it returns.
    [[nodiscard, gnu::cold]] constexpr kernel::vector_loop arrange(
        mode_table& table, const target& on) const noexcept {
        const kernel::vector_choice along = vectors(on);
        sort_rows(table, 0, outputs_, 1);
        kernel::arrangement a = arrangement_of(table);
        std::size_t end = a.count;
        if (along.kind == kernel::vector_loop::contracted) {
            a.swap(along.row - sums_.output_count() + outputs_, --end);
        }
        kernel::sort_by_reach(a, outputs_, end, kernel::no_array);
        return along.kind;
    }

private:
    [[nodiscard]] constexpr kernel::vector_choice vectors(const target& on) const noexcept {
        return kernel::choose_vector_loop(arrangement_of(sums_), on.lanes);
    }
    [[gnu::cold]] static constexpr void push(mode_table& to, std::int64_t extent, std::int64_t out,
                                             std::int64_t in, index_class kind) noexcept {
        const std::size_t m = to.push(extent);
        to.stride(m, 0) = out;
        to.stride(m, 1) = in;
        to.set_kind(m, kind);
    }

    using cells = std::array<std::int64_t, (max_modes + 1) * mode_table::row_length(1)>;
    std::size_t outputs_;
    cells sum_cells_{};
    cells move_cells_{};
    mode_table sums_;   ///< with fewer rows, where inner ones are one stretch
    mode_table moves_;  ///< from there to the result
};

}  // namespace xeinsum::lowerings
