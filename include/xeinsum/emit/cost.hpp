// What operations cost, to choose between ways to write a pair: "ij,ij->i" as a product and a sum
// stores the product, as a matmul of rows and columns nothing.
#pragma once

#include <xeinsum/emit/builder.hpp>
#include <xeinsum/emit/program.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace xeinsum::emission {

/// Costs are elements that move between memory and core. An operation costs as much as some
/// hundred of them whatever it does, one that only changes how its input is seen less.
inline constexpr double operation_cost = 256;
inline constexpr double view_cost = 16;
/// Multiply-adds in the time that one element takes to move.
inline constexpr double multiply_adds_per_element = 12;
/// Extents of a matrix product below which its speed falls.
inline constexpr double full_speed_extent = 8;

/// A reshape to several axes whose extents are known at run time only has to read them first.
template <class Labels>
[[nodiscard]] double unknown_extents_cost(const Labels& labels, const shape& from,
                                          const shape& to) {
    const auto regrouped = std::count_if(to.begin(), to.end(), [&](const axis& a) {
        return labels.is_dynamic(a) && std::find(from.begin(), from.end(), a) == from.end();
    });
    return regrouped > 1 ? 4 * operation_cost : 0;
}

/// What it costs to see labels in one order, stored in shape from, as shape to.
template <class Labels>
[[nodiscard]] double arrange_cost(const Labels& labels, const shape& from, const shape& to) {
    const double regroup = labels.essence(from) == labels.essence(to)
                               ? 0
                               : view_cost + unknown_extents_cost(labels, from, to);
    const axis before = labels.essence(axis(labels_of(from)));
    if (before == labels.essence(axis(labels_of(to)))) {
        return regroup;
    }
    const double elements = labels.elements(labels_of(from));
    if (to.size() > 1) {
        shape swapped = to;
        std::swap(swapped[to.size() - 1], swapped[to.size() - 2]);
        if (before == labels.essence(axis(labels_of(swapped)))) {
            // Many libraries take a transposed matrix as it is.
            return operation_cost / 2 + elements;
        }
    }
    return regroup + operation_cost + 2 * elements;
}

/// What a matmul costs that runs over so many elements of its arrays and so many multiply-adds.
[[nodiscard]] inline double matmul_cost(double elements, double iterations, double m, double n) {
    const double slow = 1 + full_speed_extent / m + full_speed_extent / n;
    return operation_cost + elements + iterations * slow / multiply_adds_per_element;
}

}  // namespace xeinsum::emission
