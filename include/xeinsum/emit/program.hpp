// A plan as whole-array operations: "nctw,cd->ndtw" is a permute of the second operand, a reshape
// of the first, a matmul and a reshape.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace xeinsum::emission {

/// The labels that an axis runs over, the last one fastest; none for an axis of extent 1.
using axis = std::vector<label>;
using shape = std::vector<axis>;

enum class operation : unsigned char {
    permute,      ///< numbers: the input's axis for each axis
    reshape,      ///< to the node's shape
    diagonal,     ///< numbers: two axes of one label, which becomes the last axis
    stride,       ///< numbers: every how manyth index of the last axis stays
    sum,          ///< numbers: the axes that disappear
    multiply,     ///< of two inputs, broadcast
    matmul,       ///< of two inputs, by the rules of numpy.matmul
    convolution,  ///< of data (positions, groups and channels, window ..) and weights
                  ///< (groups and results, channels, window ..)
    zeros,        ///< of the first operand's element type
};

/// One operation. Its value has the number of operands + its place in program::nodes.
struct node {
    operation what = operation::zeros;
    std::vector<std::size_t> inputs;
    std::vector<std::size_t> numbers;
    emission::shape shape;
};

/// What the labels stand for.
struct label_table {
    std::vector<std::int64_t> extents;
    std::vector<bool> dynamic;  ///< whose extent is an example
    std::vector<std::string> names;

    [[nodiscard]] bool is_dynamic(label l) const { return dynamic[static_cast<std::size_t>(l)]; }
    [[nodiscard]] bool is_dynamic(const axis& a) const {
        bool found = false;
        for (const label l : a) {
            found = found || is_dynamic(l);
        }
        return found;
    }
    [[nodiscard]] std::int64_t extent(label l) const {
        return extents[static_cast<std::size_t>(l)];
    }
    [[nodiscard]] std::int64_t extent(const axis& a) const {
        std::int64_t product = 1;
        for (const label l : a) {
            product *= extent(l);
        }
        return product;
    }
    [[nodiscard]] bool is_one(label l) const { return extent(l) == 1 && !is_dynamic(l); }
    /// Without labels that are always 1: what tells equal axes apart.
    template <class Axes>
    [[nodiscard]] Axes essence(const Axes& all) const {
        Axes kept;
        for (const auto& one : all) {
            if constexpr (std::is_same_v<Axes, shape>) {
                kept.push_back(essence(one));
            } else if (!is_one(one)) {
                kept.push_back(one);
            }
        }
        return kept;
    }
    [[nodiscard]] double elements(const std::vector<label>& labels) const {
        double product = 1;
        for (const label l : labels) {
            product *= static_cast<double>(extent(l));
        }
        return product;
    }
};

/// The labels of all axes, one after the other.
template <class Shape>
[[nodiscard]] typename Shape::value_type labels_of(const Shape& s) {
    typename Shape::value_type labels;
    for (const auto& a : s) {
        labels.insert(labels.end(), a.begin(), a.end());
    }
    return labels;
}

/// An axis for each label.
template <class Labels>
[[nodiscard]] std::vector<Labels> single_axes(const Labels& labels) {
    std::vector<Labels> s;
    for (const auto l : labels) {
        s.push_back({l});
    }
    return s;
}

/// What a target's library can do.
struct abilities {
    bool diagonal = true;           ///< of two axes of any array
    bool convolution = true;        ///< grouped, of two spatial axes
    bool batches = true;            ///< matmul of more than two axes, and of vectors
    bool vectors = true;            ///< matmul of two vectors
    bool broadcasts = true;         ///< products of different shapes; constants left of a matmul
    std::vector<bool> constants{};  ///< which operands are; matters without broadcasts only
};

/// Operations in the order in which they run; each value but the result is used once. What makes
/// and writes programs are templates, so that a program which emits nothing compiles none of it.
struct program {
    label_table labels;
    std::vector<shape> operands;
    std::vector<node> nodes;
    std::size_t result = 0;

    [[nodiscard]] bool is_operand(std::size_t value) const { return value < operands.size(); }
    [[nodiscard]] const node& at(std::size_t value) const { return nodes[value - operands.size()]; }
    [[nodiscard]] const shape& shape_of(std::size_t value) const {
        return is_operand(value) ? operands[value] : at(value).shape;
    }
    [[nodiscard]] double elements(std::size_t value) const {
        double product = 1;
        for (const axis& a : shape_of(value)) {
            product *= labels.elements(a);
        }
        return product;
    }
    /// Whether the value is a product whose only purpose is to be summed.
    [[nodiscard]] bool is_summed_product(std::size_t value) const {
        bool summed = false;
        for (const node& n : nodes) {
            summed = summed || (n.what == operation::sum && n.inputs.front() == value);
        }
        return summed && !is_operand(value) && at(value).what == operation::multiply;
    }
};

}  // namespace xeinsum::emission
