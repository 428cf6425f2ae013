// Tensor networks as text: numbers divided by blanks. "ab,bc->ac" with extents 2, 3 and 4 is
//
//     product              a name without blanks
//     2                    operands; for each its rank, its labels as numbers, its extents
//     2 0 1 2 3
//     2 1 2 3 4
//     2 0 2                rank and labels of the output
//     1 0 1                pairs of a published path, as positions among what is left; 0: none
//     1.6812 3.0           log10 of its operations, log2 of its largest intermediate; 0 0: none
#pragma once

#include <cstddef>
#include <istream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace network_file {

struct network {
    std::string name{};
    std::vector<std::vector<int>> labels{};  ///< of each operand
    std::vector<std::vector<std::size_t>> shapes{};
    std::vector<int> output{};
    std::vector<std::pair<std::size_t, std::size_t>> path{};
    double log10_operations = 0;
    double log2_largest = 0;
};

namespace detail {

template <class Number>
Number read(std::istream& in, const char* what) {
    Number n{};
    if (!(in >> n)) {
        throw std::runtime_error(std::string("no tensor network: ") + what + " is missing");
    }
    return n;
}

/// A number from 0 to most, which bounds what a damaged file can ask for.
inline std::size_t read_count(std::istream& in, const char* what, std::size_t most) {
    const auto n = read<long long>(in, what);
    if (n < 0 || static_cast<unsigned long long>(n) > most) {
        throw std::runtime_error("no tensor network: " + std::string(what) + " is " +
                                 std::to_string(n));
    }
    return static_cast<std::size_t>(n);
}

inline std::vector<int> read_labels(std::istream& in, std::size_t rank) {
    std::vector<int> labels;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        labels.push_back(static_cast<int>(read_count(in, "a label", 1U << 30U)));
    }
    return labels;
}

}  // namespace detail

/// The next network; false at the end of the file. Throws std::runtime_error with what is wrong.
inline bool read(std::istream& in, network& to) {
    using detail::read_count;
    constexpr std::size_t most_axes = 1U << 10U;
    constexpr std::size_t most_operands = 1U << 20U;
    constexpr std::size_t most_extent = std::size_t{1} << 40U;
    to = {};
    if (!(in >> to.name)) {
        return false;
    }
    const std::size_t operands = read_count(in, "a number of operands", most_operands);
    for (std::size_t i = 0; i < operands; ++i) {
        const std::size_t rank = read_count(in, "a rank", most_axes);
        to.labels.push_back(detail::read_labels(in, rank));
        to.shapes.emplace_back();
        for (std::size_t axis = 0; axis < rank; ++axis) {
            to.shapes.back().push_back(read_count(in, "an extent", most_extent));
        }
    }
    to.output = detail::read_labels(in, read_count(in, "the rank of the output", most_axes));
    const std::size_t pairs = read_count(in, "a number of pairs", most_operands);
    for (std::size_t p = 0; p < pairs; ++p) {
        const std::size_t lhs = read_count(in, "a term of a pair", most_operands);
        to.path.emplace_back(lhs, read_count(in, "a term of a pair", most_operands));
    }
    to.log10_operations = detail::read<double>(in, "log10 of the operations");
    to.log2_largest = detail::read<double>(in, "log2 of the largest intermediate");
    return true;
}

}  // namespace network_file
