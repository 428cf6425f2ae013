// A nest run by one kernel in vectors, such as "ij,j->i" by contracted_vectors, against the sums
// that it means.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include "instances.hpp"
#include "nest.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace support {

/// Runs a nest, with inputs that are cached and in DRAM, with lines shared or not and with rows
/// that fill registers or not, and compares every element of the output's memory with the
/// definition. run(nest, cursors, inputs, output, scale) is the kernel.
template <class T, class Run>
void check_vector_nest(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
                       std::size_t inputs, Run run) {
    const nest_rows outer(output);
    const nest_rows inner(contracted);
    xeinsum::kernel::loop_nest nest{outer.loops(), inner.loops(), inputs};
    std::vector<std::vector<T>> memory;
    std::vector<const T*> from;
    for (std::size_t i = 0; i < inputs; ++i) {
        memory.push_back(small_numbers<T>(40000, 100 * i + 1));
        from.push_back(memory.back().data());
    }
    std::vector<xeinsum::kernel::cursor<T>> cells(inputs);
    xeinsum::kernel::cursors<T> at(cells.data(), inputs);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        const auto before = small_numbers<T>(20000, 900);
        std::vector<T> expected = before;
        evaluate_nest<T>(nest, from, expected.data(), alpha, beta);
        using flags = std::array<bool, 4>;
        for (const auto& [dram_resident, shares, fills, row_by_row] :
             {flags{},
              {true, false, false, false},
              {true, false, true, false},
              {false, true, false, false},
              {false, false, true, false},
              {false, false, false, true}}) {
            nest.dram_resident = dram_resident;
            nest.shares_lines = shares;
            nest.fills_lanes = fills;
            nest.row_by_row = row_by_row;
            CAPTURE(nest.dram_resident);
            CAPTURE(nest.shares_lines);
            CAPTURE(nest.fills_lanes);
            CAPTURE(nest.row_by_row);
            std::vector<T> found = before;
            const xeinsum::kernel::scaling<T> scale(alpha, beta);
            run(nest, at, from.data(), found.data(), scale);
            CHECK(found == expected);
        }
    }
}

}  // namespace support
