// Tensor networks that others published, as text: "ij,jk->ik" with 2, 3, 4 and its one pair are
// the lines "matrices", "2", "2 0 1 2 3", "2 1 2 3 4", "2 0 2", "1 0 1" and "1.6812 3.0".
#pragma once

#include <xeinsum/plan/path_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// One network of a file. Its lines are: the name; the number of operands; for each its rank, its
/// labels and its extents; the output's rank and labels; the number of pairs of the published
/// path, 0 for none, and the pairs, as positions among what is left; the logarithms of the
/// published operations, to base 10, and of the elements of the largest intermediate, to base 2.
struct published_network {
    std::string name{};
    std::vector<std::vector<int>> terms{};
    std::vector<std::vector<std::size_t>> shapes{};
    std::vector<int> output{};
    std::vector<std::int64_t> extents{};  // by label
    std::vector<std::pair<std::size_t, std::size_t>> pairs{};
    double log10_operations = 0;
    double log2_largest = 0;

    /// The search for a path, as a plan poses it: labels that one operand has alone are summed
    /// beforehand. Refers to the network.
    [[nodiscard]] xeinsum::planning::path_problem problem() const {
        xeinsum::planning::path_problem p;
        std::vector<int> uses(extents.size(), 0);
        for (const int l : output) {
            ++uses[static_cast<std::size_t>(l)];
        }
        for (const auto& term : terms) {
            p.terms.emplace_back(term.begin(), term.end());
            auto& labels = p.terms.back();
            std::sort(labels.begin(), labels.end());
            labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
            for (const xeinsum::label l : labels) {
                ++uses[static_cast<std::size_t>(l)];
            }
        }
        for (auto& labels : p.terms) {
            std::erase_if(labels, [&](int l) { return uses[static_cast<std::size_t>(l)] == 1; });
        }
        p.output.assign(output.begin(), output.end());
        std::sort(p.output.begin(), p.output.end());
        p.extents = extents;
        return p;
    }
};

/// The networks of a file, in which lines that begin with # are remarks. Empty where it is none;
/// where it is damaged, the networks before.
[[nodiscard]] inline std::vector<published_network> read_networks(const std::string& file) {
    constexpr std::size_t most = 1000000;  // of anything that is counted
    std::ifstream in(file);
    std::vector<published_network> all;
    const auto count = [&](auto& list) {
        std::size_t n = 0;
        if (!(in >> n) || n > most) {
            in.setstate(std::ios::failbit);
            return;
        }
        list.resize(n);
    };
    const auto label_number = [&] {
        int l = -1;
        in >> l;
        if (l < 0 || static_cast<std::size_t>(l) > most) {
            in.setstate(std::ios::failbit);
        }
        return l;
    };
    while (in >> std::ws) {
        published_network n;
        if (!std::getline(in, n.name) || n.name[0] == '#') {
            continue;
        }
        count(n.terms);
        for (auto& term : n.terms) {
            count(term);
            std::generate(term.begin(), term.end(), label_number);
            n.shapes.emplace_back();
            for (const int l : term) {
                std::size_t extent = 0;
                if (!(in >> extent)) {
                    break;
                }
                n.shapes.back().push_back(extent);
                const auto at = static_cast<std::size_t>(l);
                n.extents.resize(std::max(n.extents.size(), at + 1), 1);
                n.extents[at] = static_cast<std::int64_t>(extent);
            }
            if (!in) {
                return all;
            }
        }
        count(n.output);
        std::generate(n.output.begin(), n.output.end(), label_number);
        count(n.pairs);
        for (auto& [lhs, rhs] : n.pairs) {
            in >> lhs >> rhs;
        }
        if (in >> n.log10_operations >> n.log2_largest) {
            all.push_back(std::move(n));
        }
    }
    return all;
}

}  // namespace support
