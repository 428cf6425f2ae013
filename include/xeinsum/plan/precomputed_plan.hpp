// What the labels of an equation tell of a small step before any extent is known: for row-major
// "nkctv,kvw->nctw" the modes are n, c t, w, k and v, and which is a row, a column or a sum.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/one_step.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/plan/target.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::planning {

inline constexpr std::size_t precomputed_labels = 12;

/// A mode by its labels: the last one of those that are fused gives the strides.
struct precomputed_mode {
    std::uint32_t labels = 0;  ///< a bit for each
    label last = 0;
    index_class kind = index_class::lhs_free;
};

/// The loops of one small step on row-major arrays. The extents of a call decide whether it is
/// small enough; see lowering_list::precompute.
struct precomputed_plan {
    bool usable = false;
    recipe how{};
    std::size_t modes = 0;
    std::array<precomputed_mode, precomputed_labels> rows{};
    std::array<unsigned char, precomputed_labels> places{};  ///< in rows, of those of fill_table()

    /// Fills an empty table as fill_table() does, from rows that a call has filled as precomputed.
    /// Every label has an extent above 1: fill_table() drops others, and the order of the rows
    /// that are left depends on it. False where it would make other modes of these strides.
    [[nodiscard]] constexpr bool put_back(const std::int64_t* filled,
                                          mode_table& table) const noexcept {
        const std::size_t pitch = table.pitch();
        for (std::size_t m = 0; m < modes; ++m) {
            const std::int64_t* from = filled + places[m] * pitch;
            std::int64_t* to = table.row(m);
            for (std::size_t c = 0; c < pitch; ++c) {
                to[c] = from[c];
            }
            if (how.swapped) {  // two inputs
                to[2] = from[3];
                to[3] = from[2];
            }
        }
        table = mode_table(table.row(0), table.inputs(), modes);
        // The general way counts iterations that are more than a number.
        return table.has_at_most(std::int64_t{1} << 31U) && !has_fusible(table);
    }
};

/// Makes it in the compiler, by planning for extents that are different primes: they tell
/// the labels of a mode apart, and modes fuse for them if and only if they fuse for all extents.
template <class Lowerings>
[[nodiscard]] constexpr precomputed_plan precompute_plan(const network_view& net,
                                                         const target& on) {
    constexpr std::array<std::int64_t, precomputed_labels> primes{2,  3,  5,  7,  11, 13,
                                                                  17, 19, 23, 29, 31, 37};
    constexpr std::size_t most_axes = 2 * precomputed_labels;
    precomputed_plan o;
    if (net.operand_count() > one_step_operands || net.label_count > precomputed_labels ||
        net.output.size() > precomputed_labels || on.fused_only) {
        return o;
    }
    std::array<std::array<std::int64_t, most_axes>, one_step_operands + 1> extents{};
    std::array<std::array<std::int64_t, most_axes>, one_step_operands + 1> strides{};
    const auto lay = [&](std::size_t array, list_view<const label> axes) {
        std::int64_t stride = 1;
        for (std::size_t a = axes.size(); a-- > 0;) {
            extents[array][a] = primes[static_cast<std::size_t>(axes[a])];
            strides[array][a] = stride;
            stride *= extents[array][a];
        }
    };
    std::array<layout_view, one_step_operands> layouts{};
    for (std::size_t i = 0; i < net.operand_count(); ++i) {
        const std::size_t rank = net.operand(i).size();
        if (rank > precomputed_labels) {
            return o;
        }
        lay(i + 1, net.operand(i));
        layouts[i] = {{extents[i + 1].data(), rank}, {strides[i + 1].data(), rank}};
    }
    lay(0, net.output);
    std::array<std::int64_t, (one_step_labels + 1) * mode_table::row_length(one_step_operands)>
        cells{};
    mode_table table(cells.data(), net.operand_count());
    if (!fill_table(table, net, {layouts.data(), net.operand_count()},
                    {strides[0].data(), net.output.size()})) {
        return o;
    }
    o.modes = table.size();
    std::array<std::int64_t, precomputed_labels> filled{};  // products of primes tell rows apart
    for (std::size_t m = 0; m < o.modes; ++m) {
        filled[m] = table.extent(m);
    }
    o.how = Lowerings::decide.precompute(table, on);
    o.usable = o.how.chosen != lowering::automatic;
    for (std::size_t m = 0; m < o.modes; ++m) {
        while (table.extent(o.places[m]) != filled[m]) {
            ++o.places[m];
        }
    }
    const auto stride_of = [&](std::size_t array, label id) {
        const auto axes = array == 0 ? net.output : net.operand(array - 1);
        std::int64_t sum = 0;
        for (std::size_t a = 0; a < axes.size(); ++a) {
            sum += axes[a] == id ? strides[array][a] : 0;
        }
        return sum;
    };
    for (std::size_t m = 0; m < table.size(); ++m) {
        o.rows[m].kind = table.kind(m);
        for (std::size_t l = 0; l < net.label_count; ++l) {
            if (table.extent(m) % primes[l] != 0) {
                continue;
            }
            o.rows[m].labels |= std::uint32_t{1} << l;
            bool is_last = true;
            for (std::size_t array = 0; array <= net.operand_count(); ++array) {
                // Lowerings may have exchanged two inputs.
                const std::size_t column = array > 0 && o.how.swapped ? 3 - array : array;
                is_last =
                    is_last && stride_of(array, static_cast<label>(l)) == table.stride(m, column);
            }
            if (is_last) {
                o.rows[m].last = static_cast<label>(l);
            }
        }
    }
    return o;
}

}  // namespace xeinsum::planning
