// A network whose plan is cut into slices, and the sums of some of them: of "ab,bc,cd->ad" with b
// in 12 slices, part 1 of 5 slices each is the sum of slices 5 to 9.
#pragma once

#include "../support/network_file.hpp"

#include <xeinsum/compiled.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpi_network {

/// The equation of a network.
xeinsum::equation equation_of(const network_file::network& network);

/// Numbers from -1 to 1, the same on every rank.
std::vector<xt::xarray<double>> operands_of(const network_file::network& network);

/// A plan as text, after a search for the order of contraction.
std::string planned(const network_file::network& network, std::size_t memory_limit);

class sliced_network {
public:
    /// From the text of a plan. Steps that are the same in all slices are computed here.
    sliced_network(const network_file::network& network, const std::string& plan_text,
                   std::int64_t slices_per_part);

    [[nodiscard]] std::int64_t slices() const { return plan_.slice_count(); }
    [[nodiscard]] std::int64_t parts() const {
        return (slices() + slices_per_part_ - 1) / slices_per_part_;
    }
    [[nodiscard]] std::size_t result_size() const { return out_.size(); }
    [[nodiscard]] double flops_of_slice() const {
        return plan_.flops() / static_cast<double>(slices());
    }

    /// Tells this task from others.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    /// The sum of the slices of a part, always in the same order. Not for two threads at once.
    [[nodiscard]] std::vector<double> sum(std::int64_t part);

private:
    xeinsum::bound_plan<double> plan_;
    xeinsum::workspace memory_;
    xt::xarray<double> out_;
    std::int64_t slices_per_part_;
    std::string text_;
};

}  // namespace mpi_network
