// Tensor networks that others published, as a search for their paths: of "ij,jk,kl->il" the terms,
// the output and the extents.
#pragma once

#include "../../examples/support/network_file.hpp"

#include <xeinsum/plan/path/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace support {

/// One network of a file.
struct published_network : network_file::network {
    std::vector<std::int64_t> extents{};  // by label

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

/// The networks of a file. Throws where it is damaged.
[[nodiscard]] inline std::vector<published_network> read_networks(const std::string& file) {
    std::ifstream in(file);
    std::vector<published_network> all;
    published_network n;
    while (network_file::read(in, n)) {
        n.extents.clear();
        for (std::size_t t = 0; t < n.terms.size(); ++t) {
            for (std::size_t axis = 0; axis < n.terms[t].size(); ++axis) {
                const auto at = static_cast<std::size_t>(n.terms[t][axis]);
                n.extents.resize(std::max(n.extents.size(), at + 1), 1);
                n.extents[at] = static_cast<std::int64_t>(n.shapes[t][axis]);
            }
        }
        all.push_back(n);
    }
    return all;
}

}  // namespace support
